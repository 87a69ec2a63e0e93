"""Where hits may be in JSON: which list, and what in one hit tells it from the others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.systems.probing.proposals import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["propose_lines", "propose_paths"]

_DEEPEST = 6
_LIST_NAMES = frozenset(
    [
        "hits",
        "results",
        "items",
        "documents",
        "docs",
        "data",
        "result",
        "matches",
        "entries",
        "records",
        "objects",
        "search",
        "value",
        "pages",
        "edges",
        "nodes",
        "organic",
    ]
)
_ID_WORDS = [
    "id",
    "uri",
    "url",
    "path",
    "docid",
    "file",
    "hash",
    "link",
    "href",
    "permalink",
    "filename",
    "key",
    "slug",
    "doi",
    "sku",
    "isbn",
    "name",
    "title",
]
_ENDINGS = ("id", "uri", "url", "path", "link")
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z0-9]+")
_PLAIN_KEY = re.compile(r"[\w@$:-]+")


class _Listed(NamedTuple):
    """A list in a document, and the path to it."""

    path: str
    name: str
    elements: list[Any]


def propose_paths(document: Any) -> Iterator[Proposal]:
    """Propose lists and ids in a document, the likeliest first."""
    found = [each for each in _lists(document, "", "", 0) if _is_of_hits(each)]
    for listed in sorted(found, key=_unlikeliness):
        hits = {"hits": listed.path} if listed.path else {}
        for inside in _inside(listed.elements):
            yield Proposal("JSON", {**hits, **inside})


def propose_lines(documents: Sequence[dict[str, Any]], text: str) -> Iterator[Proposal]:
    """Propose a pattern for the ids of JSON lines, which are not one document.

    A key that is also somewhere inside a line, or a value with escapes, would be read wrongly.
    """
    for path in _id_paths(list(documents)):
        ids = [document.get(path) for document in documents]
        key = re.escape(f'"{path}"') + r"\s*:\s*"
        is_text = all(isinstance(each, str) for each in ids)
        value = r'"(?P<id>[^"\\]+)"' if is_text else r"(?P<id>-?\d+)"
        if re.findall(key + value, text) == [str(each) for each in ids]:
            yield Proposal("JSON lines", {"pattern": key + value})


def _lists(value: Any, path: str, name: str, depth: int) -> Iterator[_Listed]:
    """Find all lists, with the way to them; inside a list the way is that of all its elements."""
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
    """Tell whether a list may be one of hits; the tags of a hit are none, nor is a vector."""
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
    """Return paths to what is called as an id is and differs from hit to hit, the likeliest first.

    What stands in the hit itself comes before what stands in a table in it.
    """
    keys = [(key,) for key in hits[0]]
    inner = [
        (key, name) for key, value in hits[0].items() if isinstance(value, dict) for name in value
    ]
    ranked = [
        (len(way), rank, ".".join(way))
        for way in [*keys, *inner]
        if all(map(_PLAIN_KEY.fullmatch, way))
        and (rank := _rank(way[-1])) is not None
        and _tells_apart(hits, way)
    ]
    return [path for _, _, path in sorted(ranked)]


def _rank(key: str) -> int | None:
    """Return how likely a key names an id, 0 for the likeliest; None where it does not."""
    words = _WORD.findall(key)
    last = words[-1].lower() if words else ""
    if last in _ID_WORDS:
        return _ID_WORDS.index(last)
    endings = [place for place, ending in enumerate(_ENDINGS) if last.endswith(ending)]
    return len(_ID_WORDS) + endings[0] if endings else None


def _tells_apart(hits: list[dict[str, Any]], way: tuple[str, ...]) -> bool:
    values = [_follow(hit, way) for hit in hits]
    if not all(type(value) in (str, int) and value != "" for value in values):
        return False
    return len(set(map(str, values))) == len(values)


def _follow(hit: Any, way: tuple[str, ...]) -> Any:
    for key in way:
        hit = hit.get(key) if isinstance(hit, dict) else None
    return hit
