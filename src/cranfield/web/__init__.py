"""The workbench in a browser: what is stored, live, and a playground for queries."""
