"""Runs and comparisons in the shapes that other harnesses write, for those who read them."""

__all__: list[str] = []
