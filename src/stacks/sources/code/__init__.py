"""How is a tree of source files read? In chunks: modules, types, functions and methods."""

from stacks.sources.code.chunks import Chunk, chunk_code, hash_chunk
from stacks.sources.code.source import CodeSource

__all__ = ["Chunk", "CodeSource", "chunk_code", "hash_chunk"]
