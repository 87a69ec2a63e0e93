"""How is the documentation of Python code read, without running it?"""

from stacks.sources.pydoc.pydoc_source import PydocSource, open_pydoc

__all__ = ["PydocSource", "open_pydoc"]
