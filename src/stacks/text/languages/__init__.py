"""The programming languages whose code can be read."""

from stacks.text.languages.language import Language, ReadDeclaration
from stacks.text.languages.python import PYTHON
from stacks.text.languages.swift import SWIFT
from stacks.text.languages.syntax import COMMENTS, find_comments, text_between, text_of
from stacks.text.languages.typescript import JAVASCRIPT, TSX, TYPESCRIPT

__all__ = [
    "COMMENTS",
    "JAVASCRIPT",
    "PYTHON",
    "SWIFT",
    "TSX",
    "TYPESCRIPT",
    "Language",
    "ReadDeclaration",
    "find_comments",
    "text_between",
    "text_of",
]
