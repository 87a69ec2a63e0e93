"""Documents that a query names: as it stands, run together, or by a short form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stacks.query.choosing import choose_best
from stacks.query.corrections import PART_OF_TITLE
from stacks.query.parsing import quote
from stacks.schema import SOURCE_SHIFT
from stacks.text import split_identifier

if TYPE_CHECKING:
    from stacks.query.lexical import LexicalSearch
    from stacks.query.questions import Question

__all__ = ["find_namesakes"]

MOST_NAMESAKES = 500
MOST_HOLDERS = 2_000

_TITLES = """
SELECT s.id, s.title FROM json_each(?) AS wanted JOIN docs_structured AS s ON s.id = wanted.value
"""


def find_namesakes(lexical: LexicalSearch, question: Question) -> dict[int, int]:
    """Find documents that the query names, with how near their names are to it."""
    query = question.query
    if query.excluded or query.phrases:
        return {}
    found = _named(lexical, [query.name])
    others = []
    words = [word.casefold() for word in query.words]
    if 1 < len(words) <= 4:
        others += ["".join(words), "_".join(words), "-".join(words)]
    for number, nearness in _named(lexical, others).items():
        found.setdefault(number, max(nearness, 1))
    framework = question.expansions.get(query.name)
    # A page that is called so means more than a framework that is nicknamed so.
    if framework and 0 not in found.values():
        found.update(dict.fromkeys(_roots(lexical, framework.slug), 0))
    if len(words) == 1 and len(query.terms) == 1:
        found = dict.fromkeys(_holders(lexical, words[0]), PART_OF_TITLE) | found
    return found


def _holders(lexical: LexicalSearch, word: str) -> list[int]:
    """Documents with the word, as typed, among the parts of their title.

    The text index knows only stems, which are the same for *floating* and *float*.
    """
    scores = lexical.match_telling(quote((word,)))
    numbers = choose_best(lexical.database, scores, MOST_HOLDERS)
    rows = lexical.database.rows(_TITLES, (json.dumps(numbers),))
    return [
        number
        for number, title in rows
        if word in (part.casefold() for part in (*split_identifier(title), *title.split()))
    ]


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


def _named(lexical: LexicalSearch, names: list[str]) -> dict[int, int]:
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
    values = (json.dumps(names), *lexical.condition.values)
    return dict(lexical.database.rows(sql, values))
