"""One file for each search server that an index is exported to."""
