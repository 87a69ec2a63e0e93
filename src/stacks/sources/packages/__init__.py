"""Packages: Python distributions and Swift manifests."""

from stacks.sources.packages.packages_source import PackagesSource, normalise_name

__all__ = ["PackagesSource", "normalise_name"]
