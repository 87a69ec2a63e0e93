"""A result as a page to look at: one HTML file that needs nothing else, or a folder of them."""
