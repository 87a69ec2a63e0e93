"""A judgment: what one rater said of one document as an answer to one query."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from cranfield.model import Query

__all__ = ["Judgment", "JudgmentSource", "JudgmentState", "Preference", "PreferredAnswer"]


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

    The answers are identified by hashes of their hits, so that a preference holds for every run
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
