"""The rule of judged hits: right by content as people graded it, or by id."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.errors import ExpectationError
from cranfield.relevance.expectations import Rule, RuleContext, Target, read_as, register_rule

if TYPE_CHECKING:
    from cranfield.model import Hit, Query

__all__ = [
    "HOLES_IRRELEVANT",
    "HOLES_LEFT_OUT",
    "hash_content",
    "is_without_judgments",
    "leaves_holes_out",
]

HOLES_LEFT_OUT = "left out"
HOLES_IRRELEVANT = "irrelevant"
_RULE = "judged"
_HASH = re.compile(r"[0-9a-fA-F]{32,128}")


def hash_content(hit: Hit) -> str:
    """Return what identifies the content of a hit, wherever it is found; empty without text.

    The field `hash` of a hit, if it is one, as a chunk of code has it: of file, containing names
    and text. Else a hash of the text, in which white space and the form of accents do not count.
    """
    own = hit.fields.get("hash")
    if isinstance(own, str) and _HASH.fullmatch(own):
        return own
    plain = " ".join(unicodedata.normalize("NFC", hit.text).split())
    if not plain:
        return ""
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class _JudgedHit:
    id: str
    grade: int
    content: str = ""
    also: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _JudgedHits:
    grades: list[_JudgedHit]
    highest: int = 1
    holes: str = HOLES_LEFT_OUT


class JudgedRule(Rule):
    """Hits are right by the grade of their content.

    A hit with text has the grade that its content was given, under whatever id; if other content
    was graded under its id, it was not judged. A hit without text, and a grade that was given
    without content, go by the id.
    """

    expects_hits = True

    def __init__(self, judged: _JudgedHits) -> None:
        self.targets = tuple(Target(each.id, each.grade) for each in judged.grades)
        self.hole_grade = judged.highest if judged.holes == HOLES_LEFT_OUT else None
        self._by_content: dict[str, int] = {}
        self._by_id: dict[str, int] = {}
        self._without_content: dict[str, int] = {}
        for place, each in enumerate(judged.grades):
            ids = dict.fromkeys((each.id, *each.also), place)
            self._by_id |= ids
            if each.content:
                self._by_content[each.content] = place
            else:
                self._without_content |= ids

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Look the content up, then the id."""
        content = hash_content(hit)
        place = self._by_content.get(content) if content else self._by_id.get(hit.id)
        if place is None:
            place = self._without_content.get(hit.id)
        return () if place is None else (place,)


def leaves_holes_out(query: Query) -> bool:
    """Return whether unjudged hits can leave the values of a query undefined."""
    judged = query.expect.get(_RULE)
    return isinstance(judged, dict) and judged.get("holes", HOLES_LEFT_OUT) == HOLES_LEFT_OUT


def is_without_judgments(query: Query) -> bool:
    """Return whether judgments are to say what is right for a query, and there are none yet."""
    judged = query.expect.get(_RULE)
    return isinstance(judged, dict) and not judged.get("grades")


def _read_judged(value: Any, _: RuleContext) -> Rule:
    judged = read_as(value, _JudgedHits, _RULE)
    if judged.holes not in (HOLES_LEFT_OUT, HOLES_IRRELEVANT):
        raise ExpectationError(
            f"judged: holes is {HOLES_LEFT_OUT!r} or {HOLES_IRRELEVANT!r}, not {judged.holes!r}"
        )
    if judged.highest < 1:
        raise ExpectationError(f"judged: the highest grade is {judged.highest}; it is 1 or more")
    return JudgedRule(judged)


register_rule(
    _RULE,
    "the hit has the grade that people gave its content; holes are left out, or irrelevant",
    'judged = { grades = [{ id = "doc-1", grade = 1 }], holes = "left out" }',
    _read_judged,
)
