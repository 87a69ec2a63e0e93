"""From judgments to one grade: what stands if raters changed their mind, or disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from cranfield.judgments.judgment import Judgment, JudgmentSource, JudgmentState

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["UNRATEABLE_GRADE", "JudgedItem", "SettledGrade", "settle", "standing_judgments"]

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
