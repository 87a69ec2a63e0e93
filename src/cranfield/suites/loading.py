"""Suites that can be run: loaded from any format, and cut down to what is asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.suites.findings import Severity
from cranfield.suites.requirements import unmet_requirements
from cranfield.suites.sources import read_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.model import Query, Suite

__all__ = ["load_suite", "select", "select_all"]


def load_suite(path: str | Path) -> Suite:
    """Read a suite and make sure that it can be run: ids, class, gate and every expectation.

    The first thing that is wrong is raised; `check_suite` finds all of them.
    """
    source = read_source(Path(path))
    for finding in unmet_requirements(source):
        if finding.severity is Severity.ERROR:
            raise InputError(finding.message, file=str(source.path), line=finding.line)
    return replace(source.suite, folder=str(source.path.parent))


def select(
    suite: Suite,
    *,
    categories: Sequence[str] = (),
    languages: Sequence[str] = (),
    smoke: bool = False,
) -> Suite:
    """Keep the queries of some categories and languages; smoke keeps those tagged so."""
    for kind, asked, known in (
        ("category", categories, {query.category for query in suite.asked}),
        ("language", languages, {query.language for query in suite.asked}),
    ):
        for name in asked:
            if name not in known:
                raise UnknownNameError(f"{kind} of the suite {suite.id}", name, filter(None, known))
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
    """Select from several suites; one with nothing of what is asked for is left out.

    Where none has any, the first says why. The language `all` is every language.
    """
    languages = () if "all" in languages else languages
    asked = [query for suite in suites for query in suite.asked]
    for kind, names, known in (
        ("category", categories, {query.category for query in asked}),
        ("language", languages, {query.language for query in asked}),
    ):
        for name in names:
            if asked and name not in known:
                raise UnknownNameError(f"{kind} of these suites", name, filter(None, known))
    found, problems = [], []
    for suite in suites:
        try:
            found.append(select(suite, categories=categories, languages=languages, smoke=smoke))
        except CranfieldError as problem:
            problems.append(problem)
    if problems and not found:
        raise problems[0]
    return found


def _smoke(queries: list[Query]) -> list[Query]:
    """Keep the queries tagged smoke; without any, the first of each category."""
    tagged = [query for query in queries if "smoke" in query.tags]
    if tagged:
        return tagged
    first: dict[str, Query] = {}
    for query in queries:
        first.setdefault(query.category, query)
    return list(first.values())
