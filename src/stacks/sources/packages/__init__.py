"""Packages: Python distributions and Swift manifests."""

from stacks.sources.packages.dependencies import normalise_name
from stacks.sources.packages.packages_source import PackagesSource

__all__ = ["PackagesSource", "normalise_name"]
