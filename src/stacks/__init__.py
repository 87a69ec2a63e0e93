"""The embedded engine: documents in, ranked hits out."""

__version__ = "0.1.0"

__all__ = ["__version__"]
