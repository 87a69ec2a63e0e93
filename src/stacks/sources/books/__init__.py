"""How are books read: which files make one, where do chapters and passages start and end?"""

from stacks.sources.books.books_source import BooksSource
from stacks.sources.books.passages import Paragraph, Passage, cut_passages

__all__ = ["BooksSource", "Paragraph", "Passage", "cut_passages"]
