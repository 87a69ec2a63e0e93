"""Judgments of what searchers clicked: clicks over expected clicks, by position."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.judging.files.judgment_import import KnownQuery
from cranfield.judgments import (
    JudgedItem,
    Judgment,
    JudgmentSource,
    JudgmentStore,
    query_key,
    standing_judgments,
)
from cranfield.model import Query, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.judging.click_log import ClickLog, Showing
    from cranfield.judging.files.judgment_import import KnownQueries
    from cranfield.model import Value
    from cranfield.runs.store import Store

__all__ = [
    "ClickJudgments",
    "ClickOptions",
    "ClickedDocument",
    "click_rates",
    "judge_by_clicks",
    "rate_documents",
    "store_clicks",
]


@dataclass(frozen=True, slots=True)
class ClickOptions:
    """How clicks become grades from 0 to `highest`.

    A document that was shown for a query fewer than `fewest` times gets none. `log` names the log
    that they are from: a later one of the same name replaces its grades.
    """

    highest: int = 1
    fewest: int = 10
    log: str = "ubi"

    def __post_init__(self) -> None:
        if self.highest < 1 or self.fewest < 1:
            raise CranfieldError("the highest grade and the fewest showings are 1 or more")


class ClickJudgments(NamedTuple):
    """Judgments of a log, with the queries that they are about.

    `rates` are those of clicks by position. `seldom` documents were shown too few times,
    `undefined` ones only where nothing is ever clicked. `foreign` counts queries that nothing in
    the project asks.
    """

    judgments: tuple[Judgment, ...]
    queries: tuple[Query, ...]
    rates: Mapping[int, float]
    seldom: int
    undefined: int
    foreign: int


def judge_by_clicks(
    log: ClickLog, known: KnownQueries, options: ClickOptions | None = None
) -> ClickJudgments:
    """Grade documents by clicks over expected clicks.

    A grade is `highest` × COEC / 2, rounded, and at most `highest`: with grades of 0 and 1, what is
    clicked at least as often as expected is relevant. Queries are the same whatever their case
    and white space.
    """
    options = options or ClickOptions()
    asked = _find_queries(log, known)
    rated = rate_documents(log.showings, lambda text: query_key(asked[text].query))
    often = [each for each in rated if each.shown >= options.fewest]
    found = {query_key(each.query): each for each in asked.values()}
    judgments = tuple(
        _judgment(each, found[each.query], log, options)
        for each in often
        if not isinstance(each.coec, Undefined)
    )
    used = {each.query for each in judgments}
    return ClickJudgments(
        judgments,
        tuple(each.query for key, each in found.items() if key in used),
        click_rates(log.showings),
        seldom=len(rated) - len(often),
        undefined=len(often) - len(judgments),
        foreign=sum(not each.suite for each in found.values()),
    )


def _find_queries(log: ClickLog, known: KnownQueries) -> dict[str, KnownQuery]:
    """Return the query of each text: one that is known, or the way it is most often written."""
    written = Counter(each.query for each in log.showings)
    usual: dict[str, str] = {}
    for text, _ in written.most_common():
        usual.setdefault(" ".join(text.casefold().split()), text)
    found = {}
    for text in written:
        spelled = usual[" ".join(text.casefold().split())]
        found[text] = known.find_text(text) or KnownQuery(Query("", spelled), "")
    return found


def _judgment(
    each: ClickedDocument, asked: KnownQuery, log: ClickLog, options: ClickOptions
) -> Judgment:
    ratio = each.clicks / each.expected
    return Judgment(
        query=each.query,
        document=each.document,
        rater=options.log,
        grade=min(options.highest, floor(options.highest * ratio / 2 + 0.5)),
        source=JudgmentSource.CLICKS,
        given=log.last,
        note=f"COEC {ratio:.3f}: {each.clicks} clicks, {each.expected:.2f} expected, "
        f"shown {each.shown} times",
        suite=asked.suite,
        query_id=asked.query.id,
    )


def store_clicks(judged: ClickJudgments, store: Store) -> int:
    """Add judgments of clicks to a store; return how many were new or changed."""
    judgments = JudgmentStore(store)
    of_clicks = [each for each in judgments.judgments() if each.source is JudgmentSource.CLICKS]
    stands = standing_judgments(of_clicks)
    new = [each for each in judged.judgments if not _is_known(each, stands)]
    if new:
        judgments.add(new, judged.queries)
    return len(new)


def _is_known(judgment: Judgment, stands: Mapping[JudgedItem, list[Judgment]]) -> bool:
    return any(
        (each.rater, each.grade, each.note) == (judgment.rater, judgment.grade, judgment.note)
        for each in stands.get(JudgedItem(judgment.query, judgment.item), ())
    )


class ClickedDocument(NamedTuple):
    """How often a document was shown and clicked for a query, and how often others would be."""

    query: str
    document: str
    shown: int
    clicks: int
    expected: float

    @property
    def coec(self) -> Value:
        """Clicks over expected clicks; undefined if nothing is ever clicked at its positions."""
        if self.expected == 0.0:
            return Undefined("nothing is ever clicked where it was shown")
        return self.clicks / self.expected


def click_rates(showings: Sequence[Showing]) -> dict[int, float]:
    """Return the share of documents that are clicked at each position."""
    shown = Counter(each.position for each in showings)
    clicked = Counter(each.position for each in showings if each.is_clicked)
    return {position: clicked[position] / count for position, count in sorted(shown.items())}


def rate_documents(
    showings: Sequence[Showing], same: Callable[[str], str] = str
) -> list[ClickedDocument]:
    """Count the clicks on each document for each query, and those that are expected.

    `same` gives queries that are one the same name.
    """
    rates = click_rates(showings)
    found: dict[tuple[str, str], list[Showing]] = {}
    for each in showings:
        found.setdefault((same(each.query), each.document), []).append(each)
    return [
        ClickedDocument(
            query,
            document,
            len(times),
            sum(each.is_clicked for each in times),
            sum(rates[each.position] for each in times),
        )
        for (query, document), times in found.items()
    ]
