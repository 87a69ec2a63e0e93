"""The programming languages whose code can be read.

To add one, write a module that registers a `Language`, import it here, and add its grammar to the
extra `stacks` in pyproject.toml. File types, samples and chunks of code ask the registry.
"""

from stacks.text.languages import python, swift, typescript  # each registers its languages
from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import (
    LANGUAGES,
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    ReadDeclaration,
    find_language,
    parse_code,
    parse_declaration,
    register_language,
)
from stacks.text.languages.parsing_limit import PARSING_SECONDS, SlowCodeError, limit_parsing
from stacks.text.languages.syntax import (
    COMMENTS,
    NodeContent,
    Scope,
    collect,
    find_comments,
    first_row,
    last_row,
    text_between,
    text_of,
)

__all__ = [
    "COMMENTS",
    "LANGUAGES",
    "PARSING_SECONDS",
    "ChunkScope",
    "Chunking",
    "DefinitionNode",
    "Grammar",
    "Language",
    "NodeContent",
    "ReadDeclaration",
    "Scope",
    "SlowCodeError",
    "collect",
    "find_comments",
    "find_language",
    "first_row",
    "last_row",
    "limit_parsing",
    "parse_code",
    "parse_declaration",
    "python",
    "register_language",
    "swift",
    "text_between",
    "text_of",
    "typescript",
]
