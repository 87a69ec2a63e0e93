"""Judgments laid over a suite: where people have judged, patterns no longer decide."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.relevance import RULES, read_expectation
from cranfield.suites.classes import CLASSES
from cranfield.suites.formats.judged import read_judgments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.model import Query, Suite

__all__ = ["overlay_qrels"]

_NAMING = {"matches", "ids", "files", "passages", "chunks", "where", "sql"}


def overlay_qrels(suite: Suite, path: str | Path) -> Suite:
    """Replace what a suite holds for right by judgments, for the queries that have any.

    The judgments are TREC qrels, a BEIR table or lines of `query document grade`. Rules that name
    right hits make way for the judged ids; checks of the answer as a whole stay, and a query
    without judgments keeps its rules. The class and its measures stay too: judgments that have
    not the grade which its first measure asks for are refused.
    """
    judged = read_judgments(Path(path))
    asked = {query.id for query in suite.asked}
    met = asked & judged.keys()
    if not met:
        some = ", ".join(sorted(judged)[:3])
        raise InputError(
            f"judges {len(judged)} queries ({some} …) and not one of the suite {suite.id}; "
            f"its queries are {', '.join(sorted(asked)[:3])} …",
            file=str(path),
        )
    _refuse_unfit(suite, max(max(judged[query].values()) for query in met), str(path))
    queries = tuple(
        _judged(query, judged[query.id]) if query.id in met else query for query in suite.queries
    )
    said = f"{len(met)} of {len(asked)} queries judged by {Path(path).name}"
    return replace(
        suite, queries=queries, description="; ".join(filter(None, (suite.description, said)))
    )


def _refuse_unfit(suite: Suite, highest: int, path: str) -> None:
    """Refuse judgments that say nothing for the class, or by which no query could be right."""
    known = CLASSES.get(suite.query_class)
    if not _NAMING & set(known.rules):
        raise InputError(
            f"judges hits, and the class {known.name} is about something else: "
            f"{', '.join(known.rules)}",
            file=path,
        )
    needed = known.right_grade
    if highest < needed:
        raise InputError(
            f"has no grade above {highest}, and the class {suite.query_class} is measured by "
            f"{known.headline}; write {needed} for what answers directly, 1 for what is acceptable",
            file=path,
        )


def _judged(query: Query, grades: Mapping[str, int]) -> Query:
    checks = {
        rule: value for rule, value in query.expect.items() if not _names_hits(query, rule, value)
    }
    return replace(query, expect={"ids": dict(grades), **checks})


def _names_hits(query: Query, rule: str, value: Any) -> bool:
    """Tell whether a rule says which hits are right; one that asks a database does."""
    if RULES.get(rule).resolve is not None:
        return True
    return bool(read_expectation(replace(query, expect={rule: value})).targets)
