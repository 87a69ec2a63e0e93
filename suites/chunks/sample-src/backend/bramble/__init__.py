"""Bramble keeps a town library running: shelves, readers, loans and the letters about them."""

__version__ = "3.4.1"
