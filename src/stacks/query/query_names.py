"""Names inside a query: of what is documented, and of files.

Names inside a query: a run of its words, beside words that only say what is asked of it.

In *how to use the Counter class of collections* the name is `Counter`: a class of the framework
collections; the other words ask. A run may be written joined, spaced or with dots, and keeps its
stop words: *content and media* is `ContentAndMedia`.

Files named by a query, as the user of a launcher expects: names before content.

Exact name, stem, prefix of the name, prefixes of its words, a substring, words of the path: each
kind of match comes before the next. A pattern with `*` or `?` names every file that it matches, and
is read as words if it matches none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from stacks.query.query_parser import STOP_WORDS, parse_query, quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import fold, fold_name, fold_words, split_identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question

__all__ = [
    "NAME_MATCHES",
    "NameRun",
    "find_excluded_files",
    "find_file_names",
    "find_name_runs",
    "is_pattern",
    "join_words",
    "match_name",
    "qualify_words",
    "read_as_words",
    "split_name",
]

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
"""Words that ask about a name and are not part of it."""


NAME_MATCHES = (
    "the name is the query",
    "the name without its extension is the query",
    "the name begins with the query",
    "words of the name begin with the query's",
    "the query is inside the name",
    "the query's words are in the path",
)
"""How a query can name a file, the best first; a file's `title_match` is its index in here."""
_MOST_FILES = 5_000
"""How many files are compared by name, the shortest names first."""
_WILDCARDS = re.compile(r"[*?]+")
_PATTERN = re.compile(r"\S*[*?]\S*")
_SHORTEST_TRIGRAM = 3
_NAMES = """
SELECT m.id, s.title, s.abstract FROM {table}
JOIN docs_metadata AS m ON m.id = {table}.rowid JOIN docs_structured AS s ON s.id = m.id
WHERE {table} MATCH ? AND {chosen} ORDER BY length(s.title), m.uri LIMIT ?
"""
_EVERY_NAME = """
SELECT m.id, s.title, m.uri FROM docs_metadata AS m JOIN docs_structured AS s ON s.id = m.id
WHERE {chosen} ORDER BY m.uri
"""


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
    runs = []
    for left, right in product(before, after):
        # A name is of one kind, in one framework.
        is_clear = not ((left.kinds and right.kinds) or (left.framework and right.framework))
        if is_clear and 0 < left.length + right.length < count:
            kinds, framework = left.kinds or right.kinds, left.framework or right.framework
            between = tuple(words[left.length : count - right.length])
            runs.append(NameRun(between, kinds, framework))
    for run in sorted(runs, key=lambda each: -len(each.words)):
        is_name = len(run.words) <= _LONGEST_NAME and not _ASKING.issuperset(run.words)
        # *context managers in contextlib* says twice where, and not what.
        if is_name and not (run.framework and find_framework(" ".join(run.words)) == run.framework):
            yield run


class _Edge(NamedTuple):
    """Some words at an end of a query that are not part of a name, and what they say of it."""

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


def find_file_names(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find files by their names, each with its index in `NAME_MATCHES`."""
    if is_pattern(question.typed):
        return dict.fromkeys(_find_matching(lexical, question.typed), 0)
    typed = _typed_name(question)
    words = fold_words(typed)
    if not words:
        return {}
    rows = _find_prefixes(lexical, words)
    if len(typed) >= _SHORTEST_TRIGRAM:
        rows |= _find(lexical, "names_fts", quote((typed,)))
    phrases = [fold_words(" ".join(phrase)) for phrase in question.query.phrases]
    found = {}
    for number, (name, folder) in rows.items():
        match = match_name(typed, name, folder)
        path = f" {' '.join(fold_words(f'{folder} {name}'))} "
        if match is not None and all(f" {' '.join(phrase)} " in path for phrase in phrases):
            found[number] = match
    return found


def find_excluded_files(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find files with an excluded word in their name or path; their content does not matter."""
    found: set[int] = set()
    for phrase in question.query.excluded:
        words = fold_words(" ".join(phrase))
        for number, (name, folder) in _find_prefixes(lexical, words, most=-1).items():
            if _are_prefixes(words, _all_words(name) + fold_words(folder)):
                found.add(number)
    return frozenset(found)


def _typed_name(question: Question) -> str:
    """Return what was typed, without quotes and without what must not occur."""
    if not (question.query.phrases or question.query.excluded):
        return " ".join(question.typed.casefold().split())
    pieces = [*question.query.phrases, *question.query.terms]
    return " ".join(word for piece in pieces for word in piece).casefold()


def _find_prefixes(
    lexical: LexicalSearch, words: tuple[str, ...], most: int = _MOST_FILES
) -> dict[int, tuple[str, str]]:
    """Find files that have, for each word, a word in name or path that begins with it."""
    if not words:
        return {}
    prefixes = " AND ".join(f"{quote((word,))} *" for word in words)
    return _find(lexical, "docs_fts", f"{{title summary symbol_components}} : ({prefixes})", most)


def _find(
    lexical: LexicalSearch, table: str, match: str, most: int = _MOST_FILES
) -> dict[int, tuple[str, str]]:
    sql = _NAMES.format(table=table, chosen=_write_choice(lexical))
    rows = lexical.database.rows(sql, (match, *lexical.condition.values, most))
    return {number: (name, folder) for number, name, folder in rows}


def _find_matching(lexical: LexicalSearch, pattern: str) -> list[int]:
    """Find the files whose names, or paths, match a pattern; brackets mean themselves."""
    folded = fold(pattern.casefold().replace("[", "[[]"))
    whole = f"*/{folded}" if "/" in folded else ""
    sql = _EVERY_NAME.format(chosen=_write_choice(lexical))
    matching = []
    for number, name, uri in lexical.database.rows(sql, lexical.condition.values):
        seen = fold((unquote(uri) if whole else name).casefold())
        if fnmatchcase(seen, whole or folded):
            matching.append(number)
    return matching[:_MOST_FILES]


def read_as_words(question: Question) -> Question:
    """Return a pattern that no name matches as the words in it: `itinerary???` asks for one."""
    words = parse_query(_WILDCARDS.sub(" ", question.query.text))
    return replace(question, query=words, by_words=True, by_names_alone=False)


def is_pattern(text: str) -> bool:
    """Return whether a query is a pattern for names and nothing else."""
    return bool(_PATTERN.fullmatch(text))


def _write_choice(lexical: LexicalSearch) -> str:
    """Return which documents may be found, as SQL about `docs_metadata AS m`."""
    sources = ", ".join(map(str, lexical.sources))
    chosen = f"m.kind = 'file' AND m.id >> {SOURCE_SHIFT} IN ({sources})"
    return f"{chosen} AND {lexical.condition.sql}" if lexical.condition else chosen


def match_name(typed: str, name: str, folder: str = "") -> int | None:
    """Return how a query names a file, as an index in `NAME_MATCHES`; None if it does not."""
    words = _all_words(name)
    name = name.casefold()
    stem = name.rpartition(".")[0] or name
    if typed == name:
        return 0
    if typed in (stem, stem.lstrip("."), name.lstrip(".")):
        return 1
    wanted = fold_words(typed)
    if name.startswith(typed) or " ".join(fold_words(name)).startswith(" ".join(wanted)):
        return 2
    if _are_prefixes(wanted, words):
        return 3
    if typed in name:
        return 4
    return 5 if _are_prefixes(wanted, words + fold_words(folder)) else None


@lru_cache(maxsize=_MOST_FILES)
def _all_words(name: str) -> tuple[str, ...]:
    """Return the words of a name, also those that capitals divide."""
    return fold_words(name) + tuple(part.casefold() for part in split_identifier(name))


def _are_prefixes(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Return whether every wanted word begins one of some words."""
    return bool(wanted) and all(any(word.startswith(each) for word in words) for each in wanted)
