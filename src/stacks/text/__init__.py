"""What is in a text? Names, identifiers and their parts, Markdown, symbols, versions."""

from stacks.text.identifiers import find_identifiers, is_identifier, split_identifier
from stacks.text.inline import HTML_TAG, name_doc_link, plain
from stacks.text.markup import (
    change_prose,
    find_sections,
    find_snippets,
    find_title,
    first_paragraph,
    get_language,
    split_blocks,
)
from stacks.text.names import fold_name, names_by_nearness
from stacks.text.pieces import cut_pieces
from stacks.text.symbols import LANGUAGES, language_of_file, parse_code, parse_declaration
from stacks.text.versions import version_number
from stacks.text.words import fold_words

__all__ = [
    "HTML_TAG",
    "LANGUAGES",
    "change_prose",
    "cut_pieces",
    "find_identifiers",
    "find_sections",
    "find_snippets",
    "find_title",
    "first_paragraph",
    "fold_name",
    "fold_words",
    "get_language",
    "is_identifier",
    "language_of_file",
    "name_doc_link",
    "names_by_nearness",
    "parse_code",
    "parse_declaration",
    "plain",
    "split_blocks",
    "split_identifier",
    "version_number",
]
