"""Judgments as values, and what several of them come to: one grade, or none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.model import Query

__all__ = [
    "UNRATEABLE_GRADE",
    "JudgedItem",
    "Judgment",
    "JudgmentSource",
    "JudgmentState",
    "Preference",
    "PreferredAnswer",
    "SettledGrade",
    "settle",
    "standing_judgments",
]


class JudgmentSource(StrEnum):
    """Who judged. Grades of different sources are never mixed."""

    PEOPLE = "people"
    MODEL = "model"
    CLICKS = "clicks"


class JudgmentState(StrEnum):
    """What became of a document that was shown to a rater."""

    GRADED = "graded"
    ADJUDICATED = "adjudicated"
    """Graded after raters disagreed: this grade stands, whatever they said."""

    UNRATEABLE = "unrateable"
    """The rater looked, and cannot say: broken, in another language, without context."""

    SKIPPED = "skipped"
    """The rater leaves it to others."""

    WITHDRAWN = "withdrawn"
    """The rater took the last judgment back."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judgment as it was given; a later one of the same rater replaces it and deletes nothing.

    `query` is the key of what was asked (`query_key`). `content` identifies what was shown
    (`hash_content`), empty if only the document's id was known. `guideline` is the version of the
    guidelines, `batch` what was given at once. `number` is its place in the store.
    """

    query: str
    document: str
    rater: str
    grade: int | None = None
    content: str = ""
    source: JudgmentSource = JudgmentSource.PEOPLE
    state: JudgmentState = JudgmentState.GRADED
    given: str = ""
    note: str = ""
    guideline: str = ""
    suite: str = ""
    query_id: str = ""
    batch: str = ""
    number: int | None = None

    @property
    def item(self) -> str:
        """What was judged: the content, or the document if its content is unknown."""
        return item_of(self.document, self.content)


class PreferredAnswer(StrEnum):
    """Which of two answers a rater prefers."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Preference:
    """Which of two lists of hits a rater prefers; `is_swapped` if the second stood on the left.

    The answers are identified by hashes of their hits, so a preference holds for every run
    that answers the same.
    """

    query: str
    first_answer: str
    second_answer: str
    choice: PreferredAnswer
    rater: str
    first_run: str = ""
    second_run: str = ""
    is_swapped: bool = False
    given: str = ""
    note: str = ""
    guideline: str = ""
    suite: str = ""
    query_id: str = ""
    number: int | None = None


def item_of(document: str, content: str) -> str:
    """Return what identifies a document among those judged for a query."""
    return content or f"id:{document}"


def query_key(query: Query) -> str:
    """Hash what is asked: text, language and filters. Ids and expectations may change."""
    asked = (query.text, query.language, dict(query.filters))
    encoded = msgspec.json.encode(asked, order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:32]


UNRATEABLE_GRADE = -1
"""The grade of what was looked at and could not be rated: judged, and not relevant."""


class JudgedItem(NamedTuple):
    """A content, or a document of unknown content, as an answer to a query."""

    query: str
    item: str


@dataclass(frozen=True, slots=True)
class SettledGrade:
    """The grade that stands for an item: that of an adjudication, or the median of its raters.

    Of an even number the lower one of the two in the middle. `documents` are all ids under which
    it was judged. `grades` are those of the raters, by name; `is_disputed` if they differ and
    nobody has adjudicated.
    """

    query: str
    content: str
    documents: tuple[str, ...]
    grade: int
    grades: Mapping[str, int] = field(default_factory=dict)
    is_disputed: bool = False
    is_adjudicated: bool = False

    @property
    def item(self) -> str:
        """What was judged."""
        return self.content or f"id:{self.documents[0]}"


def standing_judgments(judgments: Iterable[Judgment]) -> dict[JudgedItem, list[Judgment]]:
    """Return the last judgment of each rater on each item, in the order they were first given.

    A judgment that was withdrawn, and the earlier ones that it replaced, no longer stand.
    """
    last: dict[JudgedItem, dict[tuple[str, bool], Judgment]] = {}
    for each in judgments:
        of_item = last.setdefault(JudgedItem(each.query, each.item), {})
        adjudicates = each.state is JudgmentState.ADJUDICATED
        if each.state is JudgmentState.WITHDRAWN:
            _withdraw(of_item, each.rater)
        else:
            of_item[each.rater, adjudicates] = each
    return {item: list(of_item.values()) for item, of_item in last.items() if of_item}


def _withdraw(of_item: dict[tuple[str, bool], Judgment], rater: str) -> None:
    """Take back the last judgment of a rater, be it a grade or an adjudication."""
    mine = [key for key in of_item if key[0] == rater]
    if mine:
        del of_item[max(mine, key=lambda key: of_item[key].number or 0)]


def settle(
    judgments: Sequence[Judgment], source: JudgmentSource = JudgmentSource.PEOPLE, rater: str = ""
) -> dict[JudgedItem, SettledGrade]:
    """Return the grade of every item that a source has judged; of one rater alone if named."""
    chosen = [
        each for each in judgments if each.source is source and (not rater or each.rater == rater)
    ]
    documents: dict[JudgedItem, dict[str, None]] = {}
    for each in chosen:
        documents.setdefault(JudgedItem(each.query, each.item), {})[each.document] = None
    settled = {}
    for item, standing in standing_judgments(chosen).items():
        if (grade := _settle_one(item, standing, tuple(documents[item]))) is not None:
            settled[item] = grade
    return settled


def _settle_one(
    item: JudgedItem, standing: Sequence[Judgment], documents: tuple[str, ...]
) -> SettledGrade | None:
    adjudicated = [each for each in standing if each.state is JudgmentState.ADJUDICATED]
    grades = {
        each.rater: UNRATEABLE_GRADE if each.grade is None else each.grade
        for each in standing
        if each.state in (JudgmentState.GRADED, JudgmentState.UNRATEABLE)
    }
    if adjudicated:
        final = adjudicated[-1].grade
        grade = UNRATEABLE_GRADE if final is None else final
    elif grades:
        grade = median_low(grades.values())
    else:
        return None  # everybody left it to others
    return SettledGrade(
        query=item.query,
        content=standing[-1].content,
        documents=documents,
        grade=grade,
        grades=grades,
        is_disputed=not adjudicated and len(set(grades.values())) > 1,
        is_adjudicated=bool(adjudicated),
    )
