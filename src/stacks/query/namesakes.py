"""Documents that a query names: as it stands, run together, qualified, or by a short form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stacks.query.corrections import ANOTHER, NEARLY, PART_OF_TITLE, RUN_OF_TITLE
from stacks.query.parsing import quote
from stacks.query.runs import find_runs, read_titles
from stacks.query.wordings import find_framed, join_words, qualify_words
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["find_namesakes"]

MOST_NAMESAKES = 500
MOST_ENDING = 2
"""Letters that a word has at least before the ending of its plural."""

_PLURALS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("s", ""))

_FRAMEWORKS = "SELECT framework, import_name, display_name FROM framework_aliases"
_MODULES = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
WHERE m.kind = 'module'
"""


def find_namesakes(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find documents that the query names, with how near their names are to it."""
    query = question.query
    if query.excluded or query.phrases:
        return {}
    found = _called(lexical, query.name)
    words = [word.casefold() for word in query.words]
    joined = _named(lexical, join_words(words))
    for number, nearness in joined.items():
        found.setdefault(number, max(nearness, NEARLY))
    # Words that are one name are that, and a member of something where nothing is called so.
    qualified = ANOTHER if joined else NEARLY
    for number in _named(lexical, qualify_words(query.name)):
        found[number] = min(found.get(number, qualified), qualified)
    for number, nearness in _named(lexical, _find_singulars(query.name, words)).items():
        found.setdefault(number, max(nearness, NEARLY))
    # A page that is called so means more than a framework that is nicknamed so.
    if 0 not in found.values():
        found.update(dict.fromkeys(_find_frameworks(lexical, question), 0))
    within = dict.fromkeys(find_runs(lexical, question), RUN_OF_TITLE)
    if len(words) == 1 and len(query.terms) == 1:
        within = dict.fromkeys(_holders(lexical, words[0]), PART_OF_TITLE) | within
    return within | found


def _find_singulars(name: str, words: Sequence[str]) -> list[str]:
    """Names of one of what a query has in the plural: `alerts` are what `Alert` is."""
    for plural, singular in _PLURALS:
        if name.endswith(plural) and len(name) > MOST_ENDING + len(plural):
            one = name.removesuffix(plural) + singular
            last = words[-1].removesuffix(plural) + singular if words else ""
            return [one, *join_words([*words[:-1], last])]
    return []


def _called(lexical: LexicalSearch, name: str) -> dict[int, int]:
    """Documents of a name; one that says where they belong is nearly their title."""
    found = _named(lexical, [name])
    if "." not in name:
        return found
    return {number: min(nearness, NEARLY) for number, nearness in found.items()}


def _holders(lexical: LexicalSearch, word: str) -> list[int]:
    """Documents with the word, as typed, among the parts of their title.

    The text index knows only stems, which are the same for *floating* and *float*.
    """
    return [
        number
        for number, title in read_titles(lexical, quote((word,)))
        if word in (part.casefold() for part in (*split_identifier(title), *title.split()))
    ]


def _find_frameworks(lexical: LexicalSearch, question: Question) -> list[int]:
    """The pages of frameworks that the query means by a short form, or says are frameworks."""
    name = question.query.name
    framed = find_framed(name)
    slugs = [
        slug
        for slug, *names in (lexical.database.rows(_FRAMEWORKS) if framed else ())
        if _run_together(framed) in map(_run_together, (slug, *names))
    ]
    slugs += [
        question.expansions[each].slug for each in (name, framed) if each in question.expansions
    ]
    roots = [number for slug in dict.fromkeys(slugs) for number in _roots(lexical, slug)]
    return roots + (_modules(lexical, framed) if framed else [])


def _run_together(name: str) -> str:
    return "".join(name.casefold().split())


def _modules(lexical: LexicalSearch, name: str) -> list[int]:
    """Modules of a name, which may lie inside others: `xml.etree`."""
    rows = lexical.database.rows(_MODULES, (json.dumps(list(_named(lexical, [name]))),))
    return [number for (number,) in rows]


def _roots(lexical: LexicalSearch, slug: str) -> list[int]:
    """The page of a framework itself, which a short form of its name means."""
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


def _named(lexical: LexicalSearch, names: Sequence[str]) -> dict[int, int]:
    if not names:
        return {}
    condition = lexical.condition.sql or "1"
    sources = ", ".join(map(str, lexical.sources))
    sql = f"""
        SELECT n.doc_id, min(n.nearness) FROM doc_names AS n
        CROSS JOIN docs_metadata AS m ON m.id = n.doc_id
        WHERE n.name IN (SELECT value FROM json_each(?)) AND {condition}
        AND n.doc_id >> {SOURCE_SHIFT} IN ({sources})
        GROUP BY n.doc_id ORDER BY 2, m.prominence DESC, m.uri LIMIT {MOST_NAMESAKES}
    """  # noqa: S608 - numbers and fixed conditions; what a person typed is bound
    values = (json.dumps(list(names)), *lexical.condition.values)
    return dict(lexical.database.rows(sql, values))
