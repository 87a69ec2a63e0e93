"""Names inside a query: a run of its words, beside words that only say what is asked of it.

In *how to use the Counter class of collections* the name is `Counter`: a class of the framework
collections; the other words ask. A run may be written joined, spaced or with dots, and keeps its
stop words: *content and media* is `ContentAndMedia`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stacks.query.query_parser import STOP_WORDS
from stacks.text import fold_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["NameRun", "find_name_runs", "join_words", "qualify_words", "split_name"]

_LONGEST_NAME = 7
"""How many words a name has at most."""
_LONGEST_QUALIFIED = 4
"""How many words a member has at most, its owner included."""
_LONGEST_FRAMEWORK = 3
"""How many words the name of a framework has at most."""
_LONGEST_QUERY = 12
"""A query of more words is a question, whatever names are in it."""

_TYPES = ("class", "struct", "enum", "actor", "protocol", "typealias", "associatedtype")
_KIND_WORDS = {
    "type object": _TYPES,
    "class": ("class",),
    "exception error": ("class", "struct", "enum"),
    "struct structure": ("struct",),
    "enum enumeration": ("enum",),
    "protocol interface": ("protocol",),
    "actor": ("actor",),
    "typealias alias": ("typealias",),
    "associatedtype": ("associatedtype",),
    "function func": ("function", "method"),
    "method": ("method", "function"),
    "property attribute variable var constant field": ("property", "case"),
    "initializer constructor init": ("initializer", "class", "struct"),
    "case": ("case",),
    "operator": ("operator",),
    "subscript": ("subscript",),
    "macro": ("macro",),
    "decorator": ("function", "class", "macro"),
    "module framework package library": ("module", "package"),
    "proposal": ("proposal",),
    "article guide chapter": ("article",),
}
_KINDS = {word: kinds for words, kinds in _KIND_WORDS.items() for word in words.split()}
"""Words for a kind, and the kinds of documents that each may mean."""
_ASKING = STOP_WORDS | {
    *("api", "docs", "documentation", "example", "examples", "explain", "import", "reference"),
    *("sample", "syntax", "tutorial", "usage", "use", "used", "uses", "using", "work", "works"),
    *("golang", "java", "javascript", "kotlin", "python", "ruby", "rust", "swift", "typescript"),
}
"""Words that ask about a name and are no part of it."""


class NameRun(NamedTuple):
    """A run of words that may be a name; `kinds` and `framework` are what the others say of it."""

    words: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    framework: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """The names that the run may be, folded."""
        spaced = " ".join(self.words)
        return tuple(dict.fromkeys((spaced, *join_words(self.words), *qualify_words(spaced))))


def split_name(text: str) -> tuple[str, ...]:
    """Split a folded query into the words that names may be made of."""
    folded = (fold_name(word.strip("?!,;:")) for word in text.split())
    return tuple(word.removesuffix(".") for word in folded if word.strip("."))


def find_name_runs(words: Sequence[str], find_framework: Callable[[str], str]) -> Iterator[NameRun]:
    """Yield the runs that may be names, the longest first; not the whole of the words."""
    if not 1 < len(words) <= _LONGEST_QUERY:
        return
    count = len(words)
    before = list(_read_edges(words, find_framework))
    after = list(_read_edges(words[::-1], lambda name: find_framework(_turn(name))))
    runs = [
        NameRun(
            tuple(words[left.length : count - right.length]),
            left.kinds or right.kinds,
            left.framework or right.framework,
        )
        for left in before
        for right in after
        if 0 < left.length + right.length < count
        # A name is of one kind, in one framework.
        and not (left.kinds and right.kinds)
        and not (left.framework and right.framework)
    ]
    for run in sorted(runs, key=lambda each: -len(each.words)):
        is_name = len(run.words) <= _LONGEST_NAME and not _ASKING.issuperset(run.words)
        # *context managers in contextlib* says twice where, and not what.
        if is_name and not (run.framework and find_framework(" ".join(run.words)) == run.framework):
            yield run


class _Edge(NamedTuple):
    """Some words at an end of a query that are no part of a name, and what they say of it."""

    length: int
    kinds: tuple[str, ...] = ()
    framework: str = ""


def _read_edges(words: Sequence[str], find_framework: Callable[[str], str]) -> Iterator[_Edge]:
    """Yield the edges at the beginning of some words, from none on."""
    edge = _Edge(0)
    yield edge
    while edge.length < len(words):
        word = words[edge.length]
        if word in _ASKING:
            edge = edge._replace(length=edge.length + 1)
        elif word in _KINDS and not edge.kinds:
            edge = edge._replace(length=edge.length + 1, kinds=_KINDS[word])
        else:
            length, slug = _find_framework(words[edge.length :], find_framework)
            if edge.framework or not slug:
                return
            edge = edge._replace(length=edge.length + length, framework=slug)
        yield edge


def _find_framework(words: Sequence[str], find_framework: Callable[[str], str]) -> tuple[int, str]:
    """Return the framework that some words begin with, and how many of them name it."""
    for length in range(min(_LONGEST_FRAMEWORK, len(words)), 0, -1):
        if slug := find_framework(" ".join(words[:length])):
            return length, slug
    return 0, ""


def _turn(name: str) -> str:
    return " ".join(reversed(name.split()))


def join_words(words: Sequence[str]) -> tuple[str, ...]:
    """Write two to seven words as one name, in each way that names are written."""
    if not 1 < len(words) <= _LONGEST_NAME:
        return ()
    return "".join(words), "_".join(words), "-".join(words)


def qualify_words(name: str) -> tuple[str, ...]:
    """Write a folded query as a member with its owner, wherever the dot may be."""
    words = name.split(" ")
    if len(words) == 4 and (words[0], words[2]) == ("from", "import"):
        return (f"{words[1]}.{words[3]}",)
    if not 1 < len(words) <= _LONGEST_QUALIFIED:
        return ()
    names = {".".join(words): None}
    for place in range(1, len(words)):
        for joint in ("", "_"):
            owners = {between.join(words[:place]) for between in ("", "_")}
            member = joint.join(words[place:])
            names.update({f"{owner}.{member}": None for owner in sorted(owners)})
    return tuple(names)
