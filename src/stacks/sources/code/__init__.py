"""Source code as chunks: modules, types, functions and methods."""

from stacks.sources.code.chunks import Chunk, chunk_code, hash_chunk
from stacks.sources.code.code_source import CodeSource

__all__ = ["Chunk", "CodeSource", "chunk_code", "hash_chunk"]
