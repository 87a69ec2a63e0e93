"""Query classes: the measures and paired tests of each kind of query."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cranfield.measures import FAMILIES, Measure, parse_measure
from cranfield.registry import Registry
from cranfield.relevance import checks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cranfield.model import Suite

__all__ = [
    "CLASSES",
    "QueryClass",
    "describe_classes",
    "uncounted_checks",
]


@dataclass(frozen=True, slots=True)
class QueryClass:
    """A kind of query with its own notion of a right answer.

    The first measure is the headline: the class's verdict is its verdict. `title` is what
    somebody calls such queries who does not know the class. `tests` names the paired test of a
    measure if it is not the usual one of its family. `rules` are those that can ground the class;
    checks may be added to any. `refuses` explains which measures make no sense for it.
    """

    name: str
    summary: str
    measures: tuple[Measure, ...]
    rules: tuple[str, ...]
    title: str = ""
    tests: Mapping[Measure, str] = field(default_factory=dict)
    refuses: Mapping[str, str] = field(default_factory=dict)

    @property
    def headline(self) -> Measure:
        """The measure that decides the verdict on the class."""
        return self.measures[0]

    @property
    def right_grade(self) -> int:
        """The lowest grade that the headline counts as right."""
        known = self.headline.family.parameters
        return int(self.headline.number("rel")) if "rel" in known else 1

    def paired_test_of(self, measure: Measure) -> str:
        """Name the paired test of a measure."""
        return self.tests.get(measure) or _usual_test(measure)


CLASSES: Registry[QueryClass] = Registry("class", QueryClass, group="cranfield.classes")

_TESTS = {
    "RR": "wilcoxon",
    "Success": "mcnemar",
    "Route": "mcnemar",
    "TopSource": "mcnemar",
    "Pass": "mcnemar",
    "Preference": "sign",
}
"""The paired test of each family of measures; yes-or-no measures take McNemar's."""
_LISTED = ("matches", "ids", "passages", "files", "chunks", "sql")


def _register(
    name: str,
    title: str,
    summary: str,
    measures: str,
    rules: tuple[str, ...],
    refuses: Mapping[str, str] | None = None,
) -> None:
    parsed = tuple(parse_measure(text) for text in measures.split())
    known = QueryClass(name, summary, parsed, rules, title, refuses=refuses or {})
    CLASSES.register(name, known)


def _usual_test(measure: Measure) -> str:
    if measure.name == "P" and measure.cutoff == 1:
        return "mcnemar"
    return _TESTS.get(measure.name, "randomisation")


_register(
    "canonical",
    "lookups by name",
    "one concept with one right place",
    "RR@10 P@1 P@5 nDCG@10 DCG@10",
    ("matches", "ids", "files"),
)
_register(
    "root",
    "opening a framework, project or home page",
    "open the framework, the project, the home page",
    "RR@10 P@1",
    ("matches", "ids"),
)
_register(
    "acronym",
    "abbreviations and synonyms",
    "something by its abbreviation or synonym",
    "RR@10 P@1",
    ("matches", "ids"),
)
_register(
    "fragment",
    "parts of names",
    "a part of a compound name, expecting all names with it",
    "P@5 P@10 R@10",
    ("matches", "ids", "sql"),
)
_register(
    "deprecation",
    "current forms before old ones",
    "the current form must rank above the old one",
    "Preference Preference(present=both)",
    ("prefers",),
)
_register(
    "cross-source",
    "choosing the best source",
    "several sources have it; the best one should come first",
    "TopSource TopSource(of=listed)",
    ("sources",),
)
_register(
    "prose",
    "questions in words",
    "a question in words, answered by a few pages",
    "RPrec nDCG@10 Success@3",
    _LISTED,
)
_register(
    "attribute",
    "lookups by property",
    "anything with these properties",
    "P@5 P@10",
    ("where", "sql"),
    refuses={
        "RR": "many answers are right and none is the one to find; use P@5 or P@10",
        "AP": "how many right answers exist is not what this class is about; use P@5 or P@10",
    },
)
_register(
    "passages",
    "finding passages",
    "a passage that answers, wherever it was cut; and the right route",
    "Success(rel=2)@3 RR@10 Route",
    ("passages", "route", "nothing", "anything"),
)
_register(
    "files",
    "finding files",
    "a file that has to appear within its pass rank",
    "Pass RR@10",
    ("files", "ids", "matches", "prefers", "anything", "nothing", "excludes"),
)
_register(
    "chunks",
    "finding chunks of code",
    "all chunks that an answer needs, and no others",
    "F1 P R",
    ("chunks", "ids"),
)
_register(
    "judged",
    "judged queries",
    "queries with judged documents, as TREC and BEIR have them",
    "nDCG@10 RR@10 P@5 AP Judged@10",
    _LISTED,
)
_register(
    "unjudged",
    "queries without judgments",
    "queries whose right hits nobody has named yet, to run, look at and judge",
    "AnyResult nDCG@10",
    ("anything", *_LISTED),
)
_register(
    "routing",
    "routing",
    "where a query is sent, and whether that was right",
    "Route Pass",
    ("route", "nothing", "anything", "flags"),
)


def describe_classes() -> str:
    """List the classes, and say which to take when unsure."""
    listed = ", ".join(f"{name} ({CLASSES.get(name).summary})" for name in CLASSES.names())
    return (
        "if unsure, take canonical if each query has one right answer, and judged for lists of "
        f"right documents; the classes are {listed}"
    )


def uncounted_checks(suite: Suite, measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return the measures that count what a suite's queries check and given measures do not see.

    `Pass` counts every check. A check without a measure of its own, as that of a plug-in, is
    counted by `Pass`, for hits of the grade that the class calls right.
    """
    given = tuple(measures)
    if any(measure.covers_checks for measure in given):
        return ()
    checks = dict.fromkeys(check for query in suite.asked for check in checks_of(query))
    seen = {measure.family.check for measure in given if measure.is_check}
    known = {family.check: family.name for family in FAMILIES.values() if family.check}
    own = [known[check] for check in checks if check in known and check not in seen]
    others = [_passing(suite)] if any(check not in known for check in checks) else []
    return tuple(parse_measure(text) for text in (*own, *others))


def _passing(suite: Suite) -> str:
    grade = CLASSES.get(suite.query_class).right_grade
    return "Pass" if grade == 1 else f"Pass(rel={grade})"
