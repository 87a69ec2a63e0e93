"""The programming languages whose code can be read.

To add one, write a module that registers a `Language`, import it in `stacks/text/__init__.py`, and
add its grammar to the extra `stacks` in pyproject.toml. File types, samples and chunks of code ask
the registry.
"""
