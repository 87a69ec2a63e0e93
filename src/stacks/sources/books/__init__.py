"""How are books read: which files make one, where do chapters and passages begin and end?"""

from stacks.sources.books.passages import Paragraph, Passage, cut_passages
from stacks.sources.books.source import BooksSource

__all__ = ["BooksSource", "Paragraph", "Passage", "cut_passages"]
