"""The version of the distribution, written here and nowhere else."""

__all__ = ["__version__"]

__version__ = "0.2.0"
