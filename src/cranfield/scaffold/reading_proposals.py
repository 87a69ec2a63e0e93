"""Proposals how hits may be read from an answer: paths into JSON, patterns for text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["ReadingProposal", "propose_lines", "propose_paths", "propose_patterns"]

_DEEPEST = 6
_LIST_NAMES = {
    "hits", "results", "items", "documents", "docs", "data", "result", "matches", "entries",
    "records", "objects", "search", "value", "pages", "edges", "nodes", "organic",
}  # fmt: skip
_ID_WORDS = [
    "id", "uri", "url", "path", "docid", "file", "hash", "link", "href", "permalink", "filename",
    "key", "slug", "doi", "sku", "isbn", "name", "title",
]  # fmt: skip
_ID_SUFFIXES = ("id", "uri", "url", "path", "link")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_PLAIN_KEY = re.compile(r"[\w@$:-]+")


@dataclass(frozen=True, slots=True)
class ReadingProposal:
    """Settings to try, and a description of the answer's format that they are for."""

    format: str
    settings: Mapping[str, str]


class _Listed(NamedTuple):
    """A list in a document, and the path to it."""

    path: str
    name: str
    elements: list[Any]


def propose_paths(document: Any) -> Iterator[ReadingProposal]:
    """Propose lists and ids in a document, the likeliest first."""
    found = [each for each in _lists(document, "", "", 0) if _is_of_hits(each)]
    for listed in sorted(found, key=_unlikeliness):
        hits = {"hits": listed.path} if listed.path else {}
        for inside in _inside(listed.elements):
            yield ReadingProposal("JSON", {**hits, **inside})


def propose_lines(documents: Sequence[dict[str, Any]], text: str) -> Iterator[ReadingProposal]:
    """Propose a pattern for the ids of JSON lines, which are not one document.

    A key that is also somewhere inside a line, or a value with escapes, would be read wrongly.
    """
    for path in _id_paths(list(documents)):
        ids = [document.get(path) for document in documents]
        key = re.escape(f'"{path}"') + r"\s*:\s*"
        is_text = all(isinstance(each, str) for each in ids)
        value = r'"(?P<id>[^"\\]+)"' if is_text else r"(?P<id>-?\d+)"
        if re.findall(key + value, text) == [str(each) for each in ids]:
            yield ReadingProposal("JSON lines", {"pattern": key + value})


def _lists(value: Any, path: str, name: str, depth: int) -> Iterator[_Listed]:
    """Find all lists with the paths to them; the path into a list is that of all its elements."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        for key, child in value.items():
            if _PLAIN_KEY.fullmatch(key):
                yield from _lists(child, f"{path}.{key}".lstrip("."), key, depth + 1)
    elif isinstance(value, list):
        yield _Listed(path, name, value)
        if value and isinstance(value[0], dict):
            yield from _lists(value[0], f"{path}[*]", name, depth + 1)


def _is_of_hits(listed: _Listed) -> bool:
    """Return whether a list may be one of hits; the tags of a hit or a vector may not."""
    kinds = {type(element) for element in listed.elements}
    if "[*]" in listed.path:
        return kinds == {dict}
    return kinds in ({dict}, {str}, {int}, {list})


def _unlikeliness(listed: _Listed) -> tuple[bool, bool, bool, int]:
    return (
        "[*]" in listed.path,
        listed.name.lower() not in _LIST_NAMES,
        not isinstance(listed.elements[0], dict),
        listed.path.count("."),
    )


def _inside(elements: list[Any]) -> Iterator[dict[str, str]]:
    """Propose paths inside one hit."""
    first = elements[0]
    if isinstance(first, dict):
        for path in _id_paths(elements):
            parent = path.rpartition(".")[0] or _only_table(first)
            yield {"id": path, **({"fields": parent} if parent else {})}
    elif isinstance(first, list):
        has_score = len(first) > 1 and isinstance(first[1], float)
        yield {"id": "[0]", **({"score": "[1]"} if has_score else {})}
    else:
        yield {}


def _only_table(hit: dict[str, Any]) -> str:
    """Return the key of the one table in a hit, which then holds the document."""
    keys = [key for key, value in hit.items() if isinstance(value, dict)]
    return keys[0] if len(keys) == 1 and _PLAIN_KEY.fullmatch(keys[0]) else ""


def _id_paths(hits: list[dict[str, Any]]) -> list[str]:
    """Return paths to values that are named like ids and differ by hit, the likeliest first.

    Keys of the hit itself come before keys of a table in it.
    """
    outer = [(key,) for key in hits[0]]
    inner = [
        (key, name) for key, value in hits[0].items() if isinstance(value, dict) for name in value
    ]
    ranked = [
        (len(keys), rank, ".".join(keys))
        for keys in [*outer, *inner]
        if all(map(_PLAIN_KEY.fullmatch, keys))
        and (rank := _rank(keys[-1])) is not None
        and _is_distinct(hits, keys)
    ]
    return [path for _, _, path in sorted(ranked)]


def _rank(key: str) -> int | None:
    """Return the rank of a key among names of ids, 0 for the likeliest; None if it is none."""
    words = _WORD.findall(key)
    last = words[-1].lower() if words else ""
    if last in _ID_WORDS:
        return _ID_WORDS.index(last)
    suffixes = [place for place, suffix in enumerate(_ID_SUFFIXES) if last.endswith(suffix)]
    return len(_ID_WORDS) + suffixes[0] if suffixes else None


def _is_distinct(hits: list[dict[str, Any]], keys: tuple[str, ...]) -> bool:
    values = [_follow(hit, keys) for hit in hits]
    if not all(type(value) in (str, int) and value != "" for value in values):
        return False
    return len(set(map(str, values))) == len(values)


def _follow(hit: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        hit = hit.get(key) if isinstance(hit, dict) else None
    return hit


_MOST_LINES = 200
_LONGEST_LINE = 2000
"""As much of a text as its format needs; patterns may be slow on what is not text."""
_NUMBER = r"[(\[]?-?\d[\d.,e+-]*[.:)\]]*"
_BETWEEN_NUMBERS = (
    rf"(?m)^[ \t]*(?:{_NUMBER}[ \t]+){{0,2}}(?P<id>\S*[^\W\d_]\S*)(?:[ \t]+{_NUMBER})?[ \t\r]*$"
)


class _TextFormat(NamedTuple):
    """A text format: its name, and patterns for the ids in it, the simplest first.

    The last pattern is the exact one; a simpler one is preferred if it finds the same ids.
    """

    name: str
    patterns: tuple[str, ...]
    in_every_line: bool


_TEXT_FORMATS = (
    _TextFormat(
        "one id a line", (r"(?m)^\S+$", r"(?m)^[ \t]*(?P<id>\S+)[ \t\r]*$"), in_every_line=True
    ),
    _TextFormat(
        "addresses in text",
        (
            r"https?://\S+",
            r"\w+://\S+",
            r"\b[a-z][a-z0-9+.-]*://[^\s\"\x27`<>()\[\]]*[^\s\"\x27`<>()\[\].,;:!?]",
        ),
        in_every_line=False,
    ),
    _TextFormat("file and line, as grep prints them", (r"(?m)^(?P<id>[^\s:]+):\d+:",), True),
)
_NAMES = _TextFormat(
    "a name between numbers on each line",
    (
        r"(?m)^\s*\d+[.)]\s+(?P<id>\S+)",
        r"(?m)^(?P<id>\S+)\s+[\d.]+$",
        r"(?m)^[\d.]+\s+(?P<id>\S+)$",
        _BETWEEN_NUMBERS,
    ),
    in_every_line=True,
)
_PATHS = _TextFormat("paths in text", (r"(?<![\w/])(?:[\w.~@+-]*/)+[\w@+-][\w.@+-]*\.\w+",), False)


def propose_patterns(lines: Sequence[str]) -> Iterator[ReadingProposal]:
    """Propose patterns that find ids in lines of text, the surest first."""
    shown = [line[:_LONGEST_LINE] for line in lines[:_MOST_LINES]]
    if not shown:
        return
    for each in _TEXT_FORMATS:
        yield from _propose(each, shown)
    yield from _propose_column(shown)
    yield from _propose(_NAMES, shown)
    yield from _propose(_PATHS, shown)


def _propose(text_format: _TextFormat, lines: Sequence[str]) -> Iterator[ReadingProposal]:
    """Propose the simplest pattern of a format that finds what the exact one does."""
    exact = re.compile(text_format.patterns[-1])
    have = [exact.search(line) is not None for line in lines]
    is_cut = any(len(line) == _LONGEST_LINE for line in lines)
    if not any(have) or (text_format.in_every_line and (is_cut or not all(have))):
        return
    text = "\n".join(lines)
    ids = _find(exact.pattern, text)
    simplest = next(pattern for pattern in text_format.patterns if _find(pattern, text) == ids)
    yield ReadingProposal(text_format.name, {"pattern": simplest})


def _find(pattern: str, text: str) -> list[str]:
    compiled = re.compile(pattern)
    group = "id" if "id" in compiled.groupindex else 0
    return [match[group] for match in compiled.finditer(text)]


def _propose_column(lines: Sequence[str]) -> Iterator[ReadingProposal]:
    """Propose the first column between tabs that is not a number and differs by line."""
    rows = [line.split("\t") for line in lines]
    if len(rows[0]) < 2 or len({len(row) for row in rows}) > 1:
        return
    for place, column in enumerate(zip(*rows, strict=True)):
        names = [cell.strip() for cell in column]
        if all(_is_name(name) for name in names) and len(set(names)) == len(names):
            before = rf"(?:[^\t\n]*\t){{{place}}}" if place else ""
            pattern = rf"(?m)^{before}(?P<id>[^\t\r\n]+)"
            yield ReadingProposal(
                f"columns between tabs, ids in column {place + 1}", {"pattern": pattern}
            )
            return


def _is_name(text: str) -> bool:
    return text != "" and re.fullmatch(_NUMBER, text) is None
