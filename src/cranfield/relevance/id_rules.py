"""Rules that list right answers by name: ids, files, chunks."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cranfield.errors import ExpectationError
from cranfield.relevance.expectations import Rule, RuleContext, Target, read_as, register_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Hit

__all__ = ["hash_chunk"]

_HIGHEST_GRADE = 127


class IdRule(Rule):
    """Hits are right by their id, each with its grade."""

    def __init__(self, grades: Mapping[str, int]) -> None:
        self.targets = tuple(Target(name, grade) for name, grade in grades.items())
        self._place = {name: place for place, name in enumerate(grades)}

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Look the hit's id up."""
        place = self._place.get(hit.id)
        return () if place is None else (place,)


class FileRule(Rule):
    """Hits are right if their path ends in an expected one."""

    def __init__(self, paths: list[str]) -> None:
        self.targets = tuple(Target(path) for path in paths)
        self._parts = [_path_parts(path) for path in paths]

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Compare the last parts of the hit's path."""
        forms = [_path_parts(name) for name in _path_names(hit.id)]
        return tuple(
            place
            for place, expected in enumerate(self._parts)
            if any(
                found[len(found) - len(expected) :] == expected and len(found) >= len(expected)
                for found in forms
            )
        )


class ChunkRule(IdRule):
    """Hits are right by the hash of a chunk: their id, their field `hash`, or of their text."""

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Look up every name that the hit's chunk may have."""
        for name in _chunk_names(hit):
            if (place := self._place.get(name)) is not None:
                return (place,)
        return ()


def hash_chunk(file: str, parents: list[str], text: str) -> str:
    """Hash a chunk by file name, names of the containing chunks from the root, and text.

    The hash stays the same when a file is chunked again with other numbers, and differs for equal
    texts in different classes.
    """
    named = f"# {file}\n# {' '.join(parents)}\n{text}"
    return hashlib.md5(named.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()


def _chunk_names(hit: Hit) -> list[str]:
    names = [hit.id]
    if "hash" in hit.fields:
        names.append(str(hit.fields["hash"]))
    if "file" in hit.fields and hit.text:
        listed = hit.fields.get("parents")
        parents = [str(parent) for parent in listed] if isinstance(listed, list) else []
        names.append(hash_chunk(str(hit.fields["file"]), parents, hit.text))
    return names


def _path_names(given: str) -> list[str]:
    """Return a path as it is, and that of a URI also unquoted.

    A path that is no URI has no escapes: `a%20b` is a file of that name.
    """
    return [given, unquote(given)] if "://" in given and "%" in given else [given]


def _path_parts(path: str) -> list[str]:
    plain = unicodedata.normalize("NFC", path).removeprefix("file://").replace("\\", "/")
    return [part for part in plain.split("/") if part not in ("", ".")]


@dataclass(frozen=True, slots=True)
class _Named:
    id: str
    grade: int = 1


def _read_grades(value: Any, rule: str) -> dict[str, int]:
    """Read `"one"`, `["one", "two"]`, `{one = 2, two = 1}` or `[{id = "one", grade = 2}]`."""
    shape: Any = str | dict[str, int] | list[str | _Named]
    given = read_as(value, shape, rule)
    if isinstance(given, str):
        given = [given]
    if isinstance(given, dict):
        named = [_Named(name, grade) for name, grade in given.items()]
    else:
        named = [_Named(each) if isinstance(each, str) else each for each in given]
    return _checked(named, rule)


def _checked(named: list[_Named], rule: str) -> dict[str, int]:
    if not named:
        raise ExpectationError(f"{rule}: names nothing; to expect no result write nothing = true")
    grades: dict[str, int] = {}
    for each in named:
        if not each.id.strip():
            raise ExpectationError(f"{rule}: an empty name can match nothing; remove it")
        if each.id in grades:
            raise ExpectationError(f"{rule}: {each.id!r} is named twice; keep one")
        if abs(each.grade) > _HIGHEST_GRADE:
            raise ExpectationError(
                f"{rule}: {each.id!r} has the grade {each.grade}; grades go from "
                f"-{_HIGHEST_GRADE} to {_HIGHEST_GRADE}"
            )
        grades[each.id] = each.grade
    return grades


def _read_files(value: Any, _: RuleContext) -> Rule:
    shape: Any = str | list[str]
    paths = read_as(value, shape, "files")
    paths = [paths] if isinstance(paths, str) else paths
    if root := next((path for path in paths if path.strip() and not _path_parts(path)), None):
        raise ExpectationError(f"files: every path ends in {root!r}; name a file")
    return FileRule(list(_checked([_Named(path) for path in paths], "files")))


register_rule(
    "ids",
    "the hit's id is one of these; with a table, each id has a grade",
    'ids = ["doc-1", "doc-2"] or ids = { "doc-1" = 2, "doc-2" = 1 }',
    lambda value, _: IdRule(_read_grades(value, "ids")),
)
register_rule(
    "files",
    "the hit's path ends in one of these paths",
    'files = ["Documents/budget-2026.xlsx"]',
    _read_files,
)
register_rule(
    "chunks",
    "the hit is one of these chunks, by hash of file, containing names and text",
    'chunks = ["9e107d9d372bb6826bd81d3542a419d6"]',
    lambda value, _: ChunkRule(_read_grades(value, "chunks")),
)
