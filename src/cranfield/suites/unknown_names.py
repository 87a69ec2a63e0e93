"""Categories and languages that nobody knows, or that are written in two ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from cranfield.formats import count_queries
from cranfield.suites.accepted_names import UnknownName
from cranfield.suites.languages import is_language, suggest_languages
from cranfield.suites.suite_source import Finding, FindingSeverity
from cranfield_shared.names import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.suites.suite_source import SuiteSource

__all__ = ["unknown_names"]

_SEPARATORS = regex.compile(r"[\W_]+")


def unknown_names(source: SuiteSource) -> Iterator[Finding]:
    """Find categories that the format does not know or the suite writes twice, and languages.

    A query in such a category would fall through the thresholds and rules of the right one.
    """
    yield from _unknown_categories(source)
    yield from _twofold_categories(source)
    yield from _unknown_languages(source)


def _unknown_categories(source: SuiteSource) -> Iterator[Finding]:
    known = source.categories
    for name, places in _places(source, "category").items():
        if known and name not in known:
            yield _report(source, places, unknown_name("category", name, known), "categories", name)


def _twofold_categories(source: SuiteSource) -> Iterator[Finding]:
    """Find categories that differ only in case, spaces, hyphens or underscores."""
    found = _places(source, "category")
    first: dict[str, str] = {}
    for name, places in sorted(found.items(), key=lambda item: -len(item[1])):
        other = first.setdefault(_SEPARATORS.sub("", name).casefold(), name)
        if other != name and name not in source.categories and other not in source.categories:
            yield source.error(
                f"category {name!r} of {count_queries(len(places))} is written {other!r} in "
                f"{count_queries(len(found[other]))}: write it in one way, or thresholds miss "
                "some of them",
                places[0],
            )


def _unknown_languages(source: SuiteSource) -> Iterator[Finding]:
    for name, places in _places(source, "language").items():
        if not is_language(name):
            near = " or ".join(suggest_languages(name))
            hint = f"did you mean {near}?" if near else "use a code of ISO 639-1, such as en"
            message = f"unknown language {name!r}: {hint}"
            yield _report(source, places, message, "languages", name)


def _places(source: SuiteSource, field: str) -> dict[str, list[int]]:
    """Return the places of the queries that are asked, by their category or language."""
    places: dict[str, list[int]] = {}
    for place, query in enumerate(source.suite.queries):
        if (name := getattr(query, field)) and not query.deprecated:
            places.setdefault(name, []).append(place)
    return places


def _report(
    source: SuiteSource, places: list[int], message: str, listed_as: str, name: str
) -> Finding:
    unknown = UnknownName(listed_as, name)
    count = f" of {count_queries(len(places))}" if len(places) > 1 else ""
    text = unknown.explain(message.replace(":", f"{count}:", 1))
    query = source.suite.queries[places[0]]
    return Finding(
        FindingSeverity.ERROR, text, query.id, source.line_of(places[0]), unknown=unknown
    )
