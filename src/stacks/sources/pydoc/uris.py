"""URIs of Python's names: `pathlib.Path.exists` is `pydoc://pathlib/path/exists`."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.sources.pydoc.index import Entry

__all__ = ["Key", "fold_names", "key_of", "make_uris"]

Key = tuple[str, bool]
"""A dotted path and whether it is a module's: a function may have the path of one."""

_RANKS = {"class": 0, "enum": 0, "protocol": 0, "module": 1, "function": 2, "method": 2}


def key_of(entry: Entry) -> Key:
    """Tell a page from every other of its package."""
    return entry.path, entry.kind == "module"


def make_uris(entries: Iterable[Entry], root: str) -> Mapping[Key, str]:
    """Give each page of a package its URI; `root` is the first part, of the package itself.

    Case is folded. Of several that fold to one, a class keeps it, then a module, then a function
    or method, and of the same rank the first by its dotted name; the others are marked.
    """
    ordered = sorted(entries, key=lambda entry: (_RANKS.get(entry.kind, 3), *key_of(entry)))
    uris: dict[Key, str] = {}
    taken: set[str] = set()
    for entry in ordered:
        _, _, rest = entry.path.partition(".")
        folded = (
            "/".join(("pydoc:/", root, *rest.lower().split("."))) if rest else f"pydoc://{root}"
        )
        uri = _mark(folded, entry.path, taken)
        taken.add(uri)
        uris[key_of(entry)] = uri
    return uris


def fold_names(names: Iterable[str]) -> Mapping[str, str]:
    """Give each package the first part of its URIs, apart from those that differ in case only."""
    folded: dict[str, str] = {}
    taken: set[str] = set()
    # Lower case first: `pil` before `PIL`.
    for name in sorted(names, key=lambda name: (name != name.lower(), name)):
        folded[name] = _mark(name.lower(), name, taken)
        taken.add(folded[name])
    return folded


def _mark(folded: str, name: str, taken: set[str]) -> str:
    """Add four digits of the exact name's hash where another has the folded one, or more."""
    if folded not in taken:
        return folded
    digits = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(4, len(digits)):
        marked = f"{folded}-{digits[:length]}"
        if marked not in taken:
            return marked
    return f"{folded}-{digits}-{len(taken)}"
