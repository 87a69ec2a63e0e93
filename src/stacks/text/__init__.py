"""What is in a text: identifiers, names, words, Markdown, file types, symbols, versions."""

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
from stacks.text.identifiers import (
    find_identifiers,
    fold_name,
    fold_words,
    is_identifier,
    rank_names,
    split_identifier,
    version_number,
)
from stacks.text.inline import HTML_TAG, name_doc_link, plain
from stacks.text.languages import (
    PARSING_SECONDS,
    limit_parsing,
    parse_code,
    parse_declaration,
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

__all__ = [
    "HTML_TAG",
    "PARSING_SECONDS",
    "FileType",
    "TextAccess",
    "change_prose",
    "find_identifiers",
    "find_sections",
    "find_snippets",
    "find_title",
    "first_paragraph",
    "fold_name",
    "fold_words",
    "get_fence_language",
    "get_file_type",
    "is_identifier",
    "language_names",
    "language_of_file",
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
    "stored_language",
    "version_number",
]
