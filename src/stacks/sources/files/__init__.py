"""How are a desktop's files read? Always by name, by content if that is text and safe."""

from stacks.sources.files.files_source import FilesSource

__all__ = ["FilesSource"]
