"""How are a desktop's files read? By name always, by content where that is safe and text."""

from stacks.sources.files.files_source import FilesSource

__all__ = ["FilesSource"]
