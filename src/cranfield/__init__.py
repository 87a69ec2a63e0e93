"""Is search build B better than build A, for whom, and how sure are we?"""

__version__ = "0.1.0"

__all__ = ["__version__"]
