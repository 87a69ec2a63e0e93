"""What is in a text: identifiers, names, words, Markdown, file types, symbols, versions.

Each programming language that is read registers itself in its own module, imported here.
"""

from stacks.text.file_types import (
    FileType,
    TextAccess,
    get_file_type,
    language_names,
    language_of_file,
    list_stored_names,
    resolve_language,
    source_extensions,
    stored_language,
)
from stacks.text.inline import HTML_TAG, name_doc_link, plain
from stacks.text.languages import python as _python  # noqa: F401 - registers itself
from stacks.text.languages import swift as _swift  # noqa: F401 - registers itself
from stacks.text.languages import typescript as _typescript  # noqa: F401 - registers itself
from stacks.text.languages.grammar import PARSING_SECONDS, SlowCodeError, limit_parsing
from stacks.text.languages.language import (
    LANGUAGES,
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    find_language,
    parse_code,
    parse_declaration,
)
from stacks.text.languages.syntax import (
    COMMENTS,
    find_comments,
    first_row,
    last_row,
    text_between,
    text_of,
)
from stacks.text.markup import (
    change_prose,
    find_sections,
    find_snippets,
    find_title,
    first_paragraph,
    get_fence_language,
    split_blocks,
)
from stacks.text.natural import (
    NATURAL_LANGUAGES,
    NaturalLanguage,
    detect_language,
    find_natural_language,
)
from stacks.text.words import (
    find_identifiers,
    find_words,
    fold,
    fold_name,
    fold_words,
    is_identifier,
    rank_names,
    split_identifier,
    stem_as_index,
    stem_words,
    unify,
    version_number,
)

__all__ = [
    "COMMENTS",
    "HTML_TAG",
    "LANGUAGES",
    "NATURAL_LANGUAGES",
    "PARSING_SECONDS",
    "ChunkScope",
    "Chunking",
    "DefinitionNode",
    "FileType",
    "Language",
    "NaturalLanguage",
    "SlowCodeError",
    "TextAccess",
    "change_prose",
    "detect_language",
    "find_comments",
    "find_identifiers",
    "find_language",
    "find_natural_language",
    "find_sections",
    "find_snippets",
    "find_title",
    "find_words",
    "first_paragraph",
    "first_row",
    "fold",
    "fold_name",
    "fold_words",
    "get_fence_language",
    "get_file_type",
    "is_identifier",
    "language_names",
    "language_of_file",
    "last_row",
    "limit_parsing",
    "list_stored_names",
    "name_doc_link",
    "parse_code",
    "parse_declaration",
    "plain",
    "rank_names",
    "resolve_language",
    "source_extensions",
    "split_blocks",
    "split_identifier",
    "stem_as_index",
    "stem_words",
    "stored_language",
    "text_between",
    "text_of",
    "unify",
    "version_number",
]
