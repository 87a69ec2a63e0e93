"""The document of a file: its name, its folder, what it is and its content.

Many file names are conventions that mean nothing to people who do not know them, so a document
also says in words what its file is: a spreadsheet, a shell's configuration.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield_shared.settings_files import parse_toml
from stacks.model import Document
from stacks.sources.uris import make_slug, quote_segment
from stacks.text import FileType, TextAccess, find_identifiers, get_file_type

if TYPE_CHECKING:
    from stacks.sources.files.file_contents import FileContent

__all__ = ["FileCorpus", "describe_file", "make_file_document"]

_MOST_IDENTIFIERS = 2000
_LOOKED_THROUGH = 500_000  # characters; longer code is data or made by a program

_CONVENTIONS = Path(__file__).with_name("conventions.toml")

_TYPES = {
    "document": "document",
    "spreadsheet": "spreadsheet",
    "presentation": "presentation slides",
    "image": "image",
    "audio": "sound",
    "video": "video",
    "archive": "archive",
    "installer": "installer",
    "design": "design",
}


@dataclass(frozen=True, slots=True)
class FileCorpus:
    """The folder that files come from, by its name in their URIs."""

    name: str

    @property
    def slug(self) -> str:
        """The name as a framework: in lower case with hyphens."""
        return make_slug(self.name) or quote_segment(self.name)

    def make_uri(self, key: str) -> str:
        """Return the URI of a file."""
        parts = (self.name, *key.split("/"))
        return "files://" + "/".join(quote_segment(part) for part in parts)


def make_file_document(corpus: FileCorpus, key: str, size: int, content: FileContent) -> Document:
    """Make the document of a file; without content if there is a reason not to read it."""
    folder, _, name = key.rpartition("/")
    kind = get_file_type(name)
    # A file that could not be read as its name says may be anything.
    is_code = kind.type == "code" and not content.reason
    # Some systems store names decomposed; people type them composed.
    title = unicodedata.normalize("NFC", name)
    stem, extension = _split_name(title)
    seen = content.text[:_LOOKED_THROUGH] if is_code else ""
    return Document(
        uri=corpus.make_uri(key),
        title=title,
        content=content.text,
        summary=_summarise(name, unicodedata.normalize("NFC", folder), kind),
        framework=corpus.slug,
        module=corpus.name,
        language=kind.language if is_code else "",
        kind="file",
        names=(stem,) if stem != title else (),
        identifiers=find_identifiers(seen, _MOST_IDENTIFIERS),
        facts={
            **content.facts,
            "extension": extension.lower(),
            "folder": folder,
            "size": str(size),
            "type": _get_type(kind, content),
            "content": f"name only: {content.reason}" if content.reason else content.extent,
        },
    )


def _summarise(name: str, folder: str, kind: FileType) -> str:
    """Describe in one line what a file is and which folder it is in."""
    described = describe_file(name, folder, kind)
    return " in ".join(part for part in (described, folder) if part)


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into stem and extension; leading dots start no extension."""
    bare = name.lstrip(".")
    stem, dot, extension = bare.rpartition(".")
    if not dot or not stem:
        return name, ""
    return name[: -len(extension) - 1], extension


def _get_type(kind: FileType, content: FileContent) -> str:
    """Say what a file is; an unknown one that was read as text is a text."""
    if kind.access is TextAccess.SNIFF:
        return "other" if content.reason else "text"
    return kind.type


def describe_file(name: str, folder: str, kind: FileType) -> str:
    """Describe what a file is in a few words; empty if its name says only that it is text.

    By convention, `.config` holds configuration, in folders named after programs.
    """
    owner = _find_program(folder)
    if owner:
        return f"{owner} configuration"
    exact, fitting = _read_conventions()
    if name in exact:
        return exact[name]
    for pattern, description in fitting.items():
        if fnmatchcase(name.lower(), pattern.lower()):
            return description
    if kind.type == "code":
        return f"{kind.language} source code"
    return _TYPES.get(kind.type, "")


@cache
def _read_conventions() -> tuple[dict[str, str], dict[str, str]]:
    """Return what file names mean by convention: whole names, then patterns."""
    table = parse_toml(_CONVENTIONS.read_text(encoding="utf-8"))
    meanings = {name: meaning for meaning, names in table.items() for name in names.split()}
    exact = {name: meaning for name, meaning in meanings.items() if "*" not in name}
    return exact, {name: meaning for name, meaning in meanings.items() if "*" in name}


def _find_program(folder: str) -> str:
    """Return the program whose configuration is in a folder."""
    first, *rest = folder.split("/")
    return rest[0] if first == ".config" and rest else first.lstrip(".") if first == ".ssh" else ""
