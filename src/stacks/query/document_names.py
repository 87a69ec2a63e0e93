"""Documents named by a query: as typed, run together, qualified, in the plural, or inside a title.

`Task check cancellation` is `Task.checkCancellation`, `import CoreLocation` the page of Core
Location, `alerts` are what `Alert` is. `CollectionView` is several parts in a row of
`UICollectionViewLayout`, and so are the words of *graphics image renderer* in
`UIGraphicsImageRenderer`: the text index knows the parts of a title but not their order, so it
only proposes titles to look at.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.query.candidates import ONE_PART, OTHER_NAME, PARTS_IN_A_ROW, QUALIFIED_TITLE
from stacks.query.lexical import choose_best
from stacks.query.query_names import find_name_runs, join_words, qualify_words, split_name
from stacks.query.query_parser import quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question

__all__ = [
    "find_framework_name",
    "find_named_documents",
    "has_parts_in_a_row",
]

_MOST_NAMED = 500
"""How many documents one name can find."""
_MOST_TITLES = 2_000
"""How many titles are looked at for the query inside them."""
_MOST_WORDS = 4
"""More words than this are a sentence, not a name."""
_SHORTEST_STEM = 2
"""A word has more letters than this before the suffix of its plural."""
_PREFIX = 2
"""Letters that say whose a name is, before an acronym of its own: NS of `NSURLSession`."""

_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("s", ""))
"""Suffixes of plurals, and what the singular has instead; the first that fits is used."""
_FRAMES = (
    re.compile(r"(?:import|framework|module|package) (?P<name>.+)"),
    re.compile(r"(?P<name>.+?) (?:framework|module|package|(?:standard )?library)"),
)
# Not what stands before a dot: a page is not called what it belongs to.
_NAME = re.compile(r"\w+\b(?!\.\w)")
# Between a lower-case letter or digit and a capital, before the last capital of an acronym that
# a word follows, and at underscores.
_BORDER = re.compile(r"_+|(?<=[^\W_A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][^\W\d_A-Z])")

_ARGUMENTS = re.compile(r"(?<=\w)\(.*", re.DOTALL)
_JOINT = re.compile(r"(?<=\w)(?:::|#|->)(?=\w)")
_FRAMEWORKS = "SELECT framework, import_name, display_name FROM framework_aliases"
_MODULES = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
WHERE m.kind = 'module'
"""
_TITLES = """
SELECT s.id, s.title FROM json_each(?) AS wanted JOIN docs_structured AS s ON s.id = wanted.value
"""


def find_named_documents(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find documents that the query names, each with its `Candidate.title_match`."""
    query = question.query
    if not query.name:
        return {}
    found = _find_called(lexical, query.name)
    words = [word.casefold() for word in query.words]
    # *content and media* is a name with its stop word, *the content media* is one without.
    typed = split_name(query.name)
    joined = _look_up(lexical, (*join_words(typed), *join_words(words)))
    for number, match in joined.items():
        found.setdefault(number, max(match, QUALIFIED_TITLE))
    # Words that are one name mean that; only otherwise do they mean a member of something.
    qualified = OTHER_NAME if joined else QUALIFIED_TITLE
    for number in _look_up(lexical, qualify_words(query.name)):
        found[number] = min(found.get(number, qualified), qualified)
    if not joined:
        for number, match in _look_up(lexical, _find_singulars(query.name, words)).items():
            found.setdefault(number, max(match, QUALIFIED_TITLE))
    # A page that has this title means more than a framework that has it as a short form.
    if 0 not in found.values():
        found.update(dict.fromkeys(_find_frameworks(lexical, question), 0))
    if 0 not in found.values():
        for number in _find_inside(lexical, typed, question, is_certain=not joined):
            found[number] = min(found.get(number, QUALIFIED_TITLE), QUALIFIED_TITLE)
    within = dict.fromkeys(_find_parts_in_a_row(lexical, question), PARTS_IN_A_ROW)
    if len(words) == 1:
        within = dict.fromkeys(_find_one_part(lexical, words[0]), ONE_PART) | within
    return within | found


def _find_inside(
    lexical: LexicalSearch, words: Sequence[str], question: Question, *, is_certain: bool
) -> list[int]:
    """Find documents that a run inside the query names, as the other words describe them.

    Of several runs the longest counts. Unless the name is certain to be inside, because the whole
    query is none, a document must be of the kind that the query says.
    """
    runs = list(find_name_runs(words, question.find_framework))
    if not is_certain:
        runs = [run for run in runs if run.kinds]
    if not runs:
        return []
    # All spellings of all runs at once: a query of twelve words has dozens.
    rows = _read_named(lexical, [*chain.from_iterable(run.spellings for run in runs)])
    # If nothing of that kind has the name, the word for the kind was loosely meant.
    for is_strict in (True, False) if is_certain else (True,):
        for run in runs:
            spellings = run.spellings
            named = [
                row.number
                for row in rows
                if row.name in spellings
                and (not run.framework or row.framework == run.framework)
                and (not is_strict or not run.kinds or row.kind in run.kinds)
            ]
            if named:
                return named
    return []


class _NamedRow(NamedTuple):
    """A document that has a name."""

    number: int
    name: str
    kind: str
    framework: str


def _find_called(lexical: LexicalSearch, name: str) -> dict[int, int]:
    """Find documents of a name; a dotted name of any kind is a qualified title.

    If nothing is called so, a call is looked up without its arguments, `A::b` and `A#b` as `A.b`.
    """
    found = _look_up(lexical, [name])
    if not found and (written := _write_dotted(name)) != name:
        return _find_called(lexical, written)
    if "." not in name:
        return found
    return {number: min(match, QUALIFIED_TITLE) for number, match in found.items()}


def _write_dotted(name: str) -> str:
    called = _ARGUMENTS.sub("", name)
    return name if " " in called else _JOINT.sub(".", called)


def _look_up(lexical: LexicalSearch, names: Sequence[str]) -> dict[int, int]:
    """Look folded names up in `doc_names`."""
    if not names:
        return {}
    columns = "n.doc_id, min(n.nearness)"
    return dict(_select_named(lexical, columns, "GROUP BY n.doc_id ORDER BY 2,", names))


def _read_named(lexical: LexicalSearch, names: Sequence[str]) -> list[_NamedRow]:
    """Read which documents have which of some folded names, titles before other names."""
    columns = "n.doc_id, n.name, m.kind, m.framework"
    rows = _select_named(lexical, columns, "ORDER BY n.nearness,", names)
    return [_NamedRow(*row) for row in rows]


def _select_named(
    lexical: LexicalSearch, columns: str, order: str, names: Sequence[str]
) -> list[tuple[Any, ...]]:
    condition = lexical.condition.sql or "1"
    sources = ", ".join(map(str, lexical.sources))
    sql = f"""
        SELECT {columns} FROM doc_names AS n
        CROSS JOIN docs_metadata AS m ON m.id = n.doc_id
        WHERE n.name IN (SELECT value FROM json_each(?)) AND {condition}
        AND n.doc_id >> {SOURCE_SHIFT} IN ({sources})
        {order} m.prominence DESC, m.uri LIMIT {_MOST_NAMED}
    """  # noqa: S608 - numbers and fixed conditions; what a person typed is bound
    return lexical.database.rows(sql, (json.dumps(list(names)), *lexical.condition.values))


def _find_singulars(name: str, words: Sequence[str]) -> list[str]:
    """Return the singulars of a query in the plural: `alerts` are what `Alert` is."""
    for plural, singular in _PLURALS:
        if name.endswith(plural) and len(name) > _SHORTEST_STEM + len(plural):
            one = name.removesuffix(plural) + singular
            last = words[-1].removesuffix(plural) + singular if words else ""
            return [one, *join_words([*words[:-1], last])]
    return []


def find_framework_name(name: str) -> str:
    """Find what a folded query says is a framework, such as `swiftui` of `swiftui framework`."""
    matches = (frame.fullmatch(name) for frame in _FRAMES)
    return next((match["name"] for match in matches if match), "")


def _find_frameworks(lexical: LexicalSearch, question: Question) -> list[int]:
    """Find the pages of frameworks that the query means by a short form, or calls frameworks."""
    name = question.query.name
    framed = find_framework_name(name)
    own = question.find_framework(name)
    slugs = [
        slug
        for slug, *names in (lexical.database.rows(_FRAMEWORKS) if framed else ())
        if _without_spaces(framed) in map(_without_spaces, (slug, *names))
    ]
    slugs += [own] if own else []
    slugs += [
        question.expansions[each].slug for each in (name, framed) if each in question.expansions
    ]
    roots = [number for slug in dict.fromkeys(slugs) for number in _find_root(lexical, slug)]
    return roots + (_find_modules(lexical, framed) if framed else [])


def _without_spaces(name: str) -> str:
    return "".join(name.casefold().split())


def _find_modules(lexical: LexicalSearch, name: str) -> list[int]:
    """Find modules of a name, which may lie inside others: `xml.etree`."""
    rows = lexical.database.rows(_MODULES, (json.dumps(list(_look_up(lexical, [name]))),))
    return [number for (number,) in rows]


def _find_root(lexical: LexicalSearch, slug: str) -> list[int]:
    """Find the page of a framework itself, which a short form of its name means."""
    condition = lexical.condition.sql or "1"
    sql = f"""
        SELECT m.id, m.uri FROM docs_metadata AS m
        WHERE m.framework = ? AND m.kind = 'module' AND {condition}
    """  # noqa: S608 - fixed conditions; what a person typed is bound
    rows = lexical.database.rows(sql, (slug, *lexical.condition.values))
    return [
        number
        for number, uri in rows
        if number >> SOURCE_SHIFT in lexical.sources and uri.endswith(f"://{slug}")
    ]


def _find_one_part(lexical: LexicalSearch, word: str) -> list[int]:
    """Find documents with the word, as typed, among the parts of their title.

    The text index knows only stems, which are the same for *floating* and *float*.
    """
    return [
        number
        for number, title in _read_titles(lexical, quote((word,)))
        if word in (part.casefold() for part in (*split_identifier(title), *title.split()))
    ]


def _find_parts_in_a_row(lexical: LexicalSearch, question: Question) -> list[int]:
    """Find documents with the several parts or words of a query in a row in their title."""
    words = question.query.words
    if not words or len(words) > _MOST_WORDS or "components" in question.without:
        return []
    is_one = len(words) == 1
    parts = split_identifier(words[0]) if is_one else words
    # A word that was left out would stand between the others.
    if len(parts) < 2 or len(question.query.name.split()) != len(words):
        return []
    wanted = "".join(words).casefold().replace("_", "")
    # The index has an acronym together with a prefix before it: URL is not part of `NSURLSession`.
    telling = parts[1:] if parts[0].isupper() else parts
    titles = _read_titles(lexical, f"({' AND '.join(quote((part,)) for part in telling)})")
    return [
        number
        for number, title in titles
        # Words of a sentence are in a row by chance; the parts of a name are not.
        if (is_one or " " not in title) and has_parts_in_a_row(title, wanted)
    ]


def _read_titles(lexical: LexicalSearch, term: str) -> list[tuple[int, str]]:
    """Read the titles of the best documents with a term in a telling column."""
    numbers = lexical.find_telling(term, _MOST_TITLES + 1)
    if len(numbers) > _MOST_TITLES:
        numbers = choose_best(lexical.database, lexical.match_telling(term), _MOST_TITLES)
    return list(lexical.database.rows(_TITLES, (json.dumps(numbers),)))


def has_parts_in_a_row(title: str, wanted: str) -> bool:
    """Return whether a folded text is one or more whole parts in a row of a name in a title."""
    return any(_has_parts(name, wanted) for name in _NAME.findall(title))


def _has_parts(name: str, wanted: str) -> bool:
    plain = name.casefold().replace("_", "")
    place = plain.find(wanted)
    # Some letters are longer when folded: borders would not be where they seem.
    if place < 0 or len(plain) != len(name.replace("_", "")):
        return False
    borders = _find_borders(name)
    while place >= 0:
        if place in borders and place + len(wanted) in borders:
            return True
        place = plain.find(wanted, place + 1)
    return False


@lru_cache(maxsize=65536)
def _find_borders(name: str) -> frozenset[int]:
    """Find where the parts of a name begin and end, underscores not counted."""
    parts = [part for part in _BORDER.split(name) if part]
    ends = [0, *accumulate(map(len, parts))]
    inner = [
        begin + _PREFIX
        for begin, part in zip(ends, parts, strict=False)
        if part.isupper() and len(part) >= 2 * _PREFIX
    ]
    return frozenset((*ends, *inner))
