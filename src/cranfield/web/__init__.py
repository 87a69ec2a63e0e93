"""Results as pages: one HTML file that needs nothing else, a folder of them, or a live server."""
