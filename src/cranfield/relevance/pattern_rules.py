"""Patterns with a time limit on each search, and rules that match ids with them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from cranfield.errors import ExpectationError, PatternTimeoutError
from cranfield.model import Undefined
from cranfield.relevance.expectations import Rule, RuleContext, Target, read_as, register_rule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import regex

    from cranfield.model import Grades, Hit, Response, Value

__all__ = [
    "TimedPattern",
    "normalise",
]

_SEARCH_SECONDS = 0.5
"""An id is searched in microseconds; a pattern that takes so long would never end."""


@dataclass(frozen=True)
class TimedPattern:
    """A regular expression, searched anywhere in a text, as `re.search` does."""

    text: str
    seconds: float = field(default=_SEARCH_SECONDS, compare=False)

    def __post_init__(self) -> None:
        _ = self._compiled

    def is_in(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in a text."""
        try:
            return self._compiled.search(text, timeout=self.seconds) is not None
        except TimeoutError:
            raise PatternTimeoutError(
                f"the pattern {self.text!r} took more than {self.seconds} s on {text[:80]!r}: "
                "it backtracks without end; make nested repetitions unambiguous"
            ) from None

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        return _compile(self.text)


@lru_cache(maxsize=65536)
def _compile(text: str) -> regex.Pattern[str]:
    import regex

    try:
        return regex.compile(text)
    except regex.error as problem:
        raise ExpectationError(f"{text!r} is not a regular expression: {problem}") from None
    except RecursionError:
        raise ExpectationError(f"{text[:40]!r}… is nested too deeply for a pattern") from None


class MatchRule(Rule):
    """Hits whose id matches a pattern; each pattern is one target."""

    def __init__(self, patterns: Sequence[tuple[TimedPattern, int]]) -> None:
        self.targets = tuple(Target(pattern.text, grade) for pattern, grade in patterns)
        self._patterns = tuple(pattern for pattern, _ in patterns)

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Try every pattern on the hit's id."""
        return tuple(place for place, pattern in enumerate(self._patterns) if pattern.is_in(hit.id))


class PreferRule(MatchRule):
    """Hits of one pattern must rank above those of another, which count as not relevant."""

    def __init__(self, this: TimedPattern, over: TimedPattern) -> None:
        super().__init__([(this, 1), (over, 0)])

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """A hit that matches both patterns is the preferred one."""
        return super().meets(hit)[:1]

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Compare the first ranks; a missing hit ranks below every other."""
        places = [self.meets(hit) for hit in response.hits]
        this, over = _first(places, (0,)), _first(places, (1,))
        held = this is not None and (over is None or this < over)
        both: Value = Undefined("not both were returned")
        if this is not None and over is not None:
            both = float(held)
        return {"prefers": float(held), "prefers.both": both}


class SourceRule(MatchRule):
    """Patterns in order of their sources' authority; the first hit should match the best one."""

    def __init__(self, patterns: Sequence[TimedPattern]) -> None:
        super().__init__([(each, len(patterns) - place) for place, each in enumerate(patterns)])

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:  # noqa: ARG002
        """Compare the first hit's source with the best that was returned, and the best listed."""
        sources = [min(self.meets(hit), default=None) for hit in response.hits]
        returned = [source for source in sources if source is not None]
        top = sources[0] if sources else None
        return {
            "sources": float(top is not None and top == min(returned)),
            "sources.listed": float(top == 0),
        }


class ExcludeRule(Rule):
    """Hits that must not rank above the first relevant one, nor by the pass rank without one."""

    def __init__(self, patterns: Sequence[TimedPattern]) -> None:
        self._patterns = tuple(patterns)

    def check(self, response: Response, grades: Grades) -> Mapping[str, Value]:
        """Look at the hits above the first relevant one."""
        relevant = [place for place, grade in enumerate(grades.ranked) if grade and grade > 0]
        above = response.hits[: relevant[0] if relevant else grades.pass_rank]
        found = any(pattern.is_in(hit.id) for hit in above for pattern in self._patterns)
        return {"excludes": float(not found)}


def _first(places: Sequence[tuple[int, ...]], wanted: tuple[int, ...]) -> int | None:
    return next((rank for rank, place in enumerate(places) if place == wanted), None)


@dataclass(frozen=True, slots=True)
class _Graded:
    pattern: str
    grade: int = 1


@dataclass(frozen=True, slots=True)
class _Preference:
    this: str
    over: str


@dataclass(frozen=True, slots=True)
class _Source:
    source: str
    pattern: str


def _read_matches(value: Any, _: RuleContext) -> Rule:
    shape: Any = str | list[str | _Graded]
    given = read_as(value, shape, "matches")
    listed = [given] if isinstance(given, str) else given
    graded = [_Graded(each) if isinstance(each, str) else each for each in listed]
    _refuse_empty([each.pattern for each in graded], "matches")
    return MatchRule([(TimedPattern(each.pattern), each.grade) for each in graded])


def _read_prefers(value: Any, _: RuleContext) -> Rule:
    given = read_as(value, _Preference, "prefers")
    _refuse_empty([given.this, given.over], "prefers")
    if given.this == given.over:
        raise ExpectationError("prefers: this and over are the same pattern")
    return PreferRule(TimedPattern(given.this), TimedPattern(given.over))


def _read_sources(value: Any, _: RuleContext) -> Rule:
    given = read_as(value, list[_Source], "sources")
    _refuse_empty([each.pattern for each in given], "sources")
    return SourceRule([TimedPattern(each.pattern) for each in given])


def _read_excludes(value: Any, _: RuleContext) -> Rule:
    shape: Any = str | list[str]
    given = read_as(value, shape, "excludes")
    patterns = [given] if isinstance(given, str) else given
    _refuse_empty(patterns, "excludes")
    return ExcludeRule([TimedPattern(each) for each in patterns])


def _refuse_empty(patterns: Sequence[str], rule: str) -> None:
    if not patterns or not all(patterns):
        raise ExpectationError(f"{rule}: an empty pattern matches everything; say what is right")


register_rule(
    "matches",
    "the hit's id matches a regular expression; several are several targets",
    "matches = '^apple-docs://swift/hashable($|/)'",
    _read_matches,
)
register_rule(
    "prefers",
    "hits that match one pattern rank above hits that match another",
    "prefers = { this = '/urlsession$', over = '/nsurlsession$' }",
    _read_prefers,
    checks=("prefers",),
)
register_rule(
    "sources",
    "the first hit comes from the best source that has a match",
    "sources = [{ source = 'docs', pattern = '^docs://actor$' }, "
    "{ source = 'blog', pattern = '^blog://actors' }]",
    _read_sources,
    checks=("sources",),
)
register_rule(
    "excludes",
    "no hit that matches ranks above the first relevant one",
    "excludes = '^archive://'",
    _read_excludes,
    checks=("excludes",),
)


_GRADES = {"high": 2, "partial": 1}
_BOOK_FIELDS = ("book", "book_slug")
_CHAPTER_FIELDS = ("chapter", "chapter_number")
_PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "–": "-", "—": "-"}
    | dict.fromkeys("\u00ad\u200b\ufeff", "")
)


@dataclass(frozen=True, slots=True)
class PassageTarget:
    """A passage that a right hit contains, and optionally the book and chapter it must be from."""

    text: str
    book: str = ""
    chapter: int | str | None = None
    relevance: Literal["high", "partial"] = "high"


class PassageRule(Rule):
    """Hits whose text contains an expected passage, ignoring spaces, case and typography.

    Book and chapter are compared only if the hit has such fields.
    """

    def __init__(self, passages: list[PassageTarget]) -> None:
        self.targets = tuple(
            Target(passage.text, _GRADES[passage.relevance]) for passage in passages
        )
        books = (_BOOK_FIELDS,) if any(passage.book for passage in passages) else ()
        numbered = any(passage.chapter is not None for passage in passages)
        self.fields = (("text",), *books, *((_CHAPTER_FIELDS,) if numbered else ()))
        self._passages = [(normalise(passage.text), passage) for passage in passages]

    def meets(self, hit: Hit) -> tuple[int, ...]:
        """Look for every passage in the hit's text."""
        text = normalise(hit.text)
        return tuple(
            place
            for place, (words, passage) in enumerate(self._passages)
            if words in text and _is_from(hit.fields, passage)
        )


def normalise(text: str) -> str:
    """Normalise a text for comparison: Unicode, typography, case and spaces."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return " ".join(plain.casefold().split())


def _is_from(fields: Mapping[str, Any], passage: PassageTarget) -> bool:
    book = _field(fields, _BOOK_FIELDS)
    chapter = _field(fields, _CHAPTER_FIELDS)
    return (not passage.book or book in (None, passage.book)) and (
        passage.chapter is None or chapter in (None, str(passage.chapter))
    )


def _field(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(fields[name]) for name in names if fields.get(name) is not None), None)


def _read(value: Any, _: RuleContext) -> Rule:
    shape: Any = str | list[str | PassageTarget]
    given = read_as(value, shape, "passages")
    listed = [given] if isinstance(given, str) else given
    passages = [PassageTarget(each) if isinstance(each, str) else each for each in listed]
    if not passages or not all(normalise(each.text) for each in passages):
        raise ExpectationError("passages: an empty passage is in every text; say which words")
    return PassageRule(passages)


register_rule(
    "passages",
    "the hit's text contains these words; book and chapter may narrow it",
    'passages = [{ text = "calm as a lake at dawn", book = "letters", chapter = 3, '
    'relevance = "high" }]',
    _read,
)
