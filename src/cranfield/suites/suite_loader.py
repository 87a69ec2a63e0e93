"""Suites that can be run: loaded from any format, selected from, overlaid with judgments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.formats import count_queries
from cranfield.relevance import RULES, read_expectation
from cranfield.suites.classes import CLASSES
from cranfield.suites.formats import read_accepted, read_judgments
from cranfield.suites.requirements import unmet_requirements
from cranfield.suites.similar_names import NOTHING_ACCEPTED
from cranfield.suites.suite_source import FindingSeverity

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cranfield.model import Query, Suite
    from cranfield.suites.similar_names import AcceptedNames

__all__ = ["as_judged", "load_suite", "overlay_qrels", "replace_hits", "select", "select_all"]

_RULES_THAT_NAME_HITS = {"matches", "ids", "files", "passages", "chunks", "where", "sql"}


def load_suite(path: str | Path, accepted: AcceptedNames = NOTHING_ACCEPTED) -> Suite:
    """Read a suite and check that it can be run: ids, class, gate and every expectation.

    Everything that is wrong is raised as one error. `accepted` are names of the project's own.
    """
    source = read_accepted(Path(path), accepted)
    problems = [
        InputError(finding.message, file=finding.file or str(source.path), line=finding.line)
        for finding in unmet_requirements(source, accepted)
        if finding.severity is FindingSeverity.ERROR
    ]
    if problems:
        raise InputError.join(problems)
    return replace(source.suite, folder=str(source.path.parent))


def select(
    suite: Suite,
    *,
    categories: Sequence[str] = (),
    languages: Sequence[str] = (),
    smoke: bool = False,
) -> Suite:
    """Keep the queries of some categories and languages; `smoke` keeps those tagged `smoke`."""
    for kind, asked, known in (
        ("category", categories, {query.category for query in suite.asked}),
        ("language", languages, {query.language for query in suite.asked}),
    ):
        for name in asked:
            if name not in known:
                raise _unknown(kind, f"the suite {suite.id}", name, known)
    kept = [
        query
        for query in suite.asked
        if (not categories or query.category in categories)
        and (not languages or query.language in languages)
    ]
    if not kept:
        raise CranfieldError(
            f"no query of the suite {suite.id} is of the category {' or '.join(categories)} and "
            f"the language {' or '.join(languages)}"
        )
    return replace(suite, queries=tuple(_smoke(kept) if smoke else kept))


def select_all(
    suites: Sequence[Suite],
    *,
    categories: Sequence[str] = (),
    languages: Sequence[str] = (),
    smoke: bool = False,
) -> list[Suite]:
    """Select from several suites, leaving out those without a selected query.

    If none has any, the error of the first is raised. The language `all` is every language.
    """
    languages = () if "all" in languages else languages
    asked = [query for suite in suites for query in suite.asked]
    for kind, names, known in (
        ("category", categories, {query.category for query in asked}),
        ("language", languages, {query.language for query in asked}),
    ):
        for name in names:
            if asked and name not in known:
                raise _unknown(kind, "these suites", name, known)
    found, problems = [], []
    for suite in suites:
        try:
            found.append(select(suite, categories=categories, languages=languages, smoke=smoke))
        except CranfieldError as problem:
            problems.append(problem)
    if problems and not found:
        raise problems[0]
    return found


def _unknown(kind: str, where: str, name: str, known: Collection[str]) -> CranfieldError:
    """Return the error for a category or a language that no query has."""
    named = [each for each in known if each]
    if not named:
        return CranfieldError(f"unknown {kind} {name!r}: no query of {where} has a {kind}")
    return UnknownNameError(f"{kind} of {where}", name, named)


def _smoke(queries: list[Query]) -> list[Query]:
    """Keep the queries tagged smoke; without any, the first of each category."""
    tagged = [query for query in queries if "smoke" in query.tags]
    if tagged:
        return tagged
    first: dict[str, Query] = {}
    for query in queries:
        first.setdefault(query.category, query)
    return list(first.values())


def overlay_qrels(suite: Suite, path: str | Path) -> Suite:
    """Replace the expected hits of a suite by judgments, for the queries that have any.

    The judgments are TREC qrels, a BEIR table or lines of `query document grade`. Judged ids
    replace the rules that name right hits; checks of the answer as a whole stay, and a query
    without judgments keeps its rules. The class and its measures stay too, but for queries without
    right answers, which are now judged. Judgments without the grade that the first measure of the
    class requires are refused.
    """
    suite = as_judged(suite)
    judged = read_judgments(Path(path))
    asked = {query.id for query in suite.asked}
    met = asked & judged.keys()
    if not met:
        some = ", ".join(sorted(judged)[:3])
        raise InputError(
            f"judges {count_queries(len(judged))} ({some} …) and not one of the suite {suite.id}; "
            f"its queries are {', '.join(sorted(asked)[:3])} …",
            file=str(path),
        )
    _refuse_unfit(suite, max(max(judged[query].values()) for query in met), str(path))
    queries = tuple(
        replace_hits(query, {"ids": dict(judged[query.id])}) if query.id in met else query
        for query in suite.queries
    )
    said = f"{len(met)} of {len(asked)} queries judged by {Path(path).name}"
    return replace(
        suite, queries=queries, description="; ".join(filter(None, (suite.description, said)))
    )


def as_judged(suite: Suite) -> Suite:
    """Return a suite of queries without right answers as one whose hits are judged."""
    return replace(suite, query_class="judged") if suite.query_class == "unjudged" else suite


def _refuse_unfit(suite: Suite, highest: int, path: str) -> None:
    """Refuse judgments that do not fit the class, or by which no query could be right."""
    known = CLASSES.get(suite.query_class)
    if not _RULES_THAT_NAME_HITS & set(known.rules):
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


def replace_hits(query: Query, expect: Mapping[str, Any]) -> Query:
    """Return a query that names its right hits by another rule; its checks stay."""
    checks = {
        rule: value
        for rule, value in query.expect.items()
        if rule not in expect and not _names_hits(query, rule, value)
    }
    return replace(query, expect={**expect, **checks})


def _names_hits(query: Query, rule: str, value: Any) -> bool:
    """Return whether a rule names right hits; one that queries a database does."""
    if RULES.get(rule).resolve is not None:
        return True
    return bool(read_expectation(replace(query, expect={rule: value})).targets)
