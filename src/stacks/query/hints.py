"""Why a search found nothing, and what to try instead."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from stacks.errors import QueryError
from stacks.guidance import SEARCH
from stacks.query.expansions import ask_near
from stacks.query.question import SearchOptions
from stacks.storage import read_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from stacks.query.filters import Filters
    from stacks.query.index_reader import Index
    from stacks.query.results import Hit, Results
    from stacks.query.symbol_search import SymbolFilters, TypeFamily

__all__ = [
    "COMMANDS",
    "Wording",
    "explain_no_conformances",
    "explain_no_document",
    "explain_no_family",
    "explain_no_hits",
    "explain_no_symbols",
]

_NEAR = 3
"""How many near documents or symbols are named."""
_LONGEST_URI = 500
"""How many characters of an unknown URI are looked at."""
_LONGEST_PROTOCOLS = 200
"""How many characters of a list of protocols are shown."""
_MOST_LISTED = 20
"""How many known names are listed."""
_VALUE_TYPES = ("struct", "enum")
_TYPES = ("class", "protocol", "actor", *_VALUE_TYPES)
_WHERE = {"up": "above", "down": "below", "both": "above or below"}
_ATTRIBUTE = re.compile(r"(?:^|\s)@([\w.]+)")


@dataclass(frozen=True, slots=True)
class Wording:
    """How a hint names other ways to ask: tools for an agent, commands for a person.

    `read` and `conformances` have a `{}` for their argument; `option` writes the name of a
    filter, `code` a URI.
    """

    search: str
    frameworks: str
    read: str
    conformances: str
    option: Callable[[str], str]
    code: Callable[[str], str]


COMMANDS = Wording(
    search="stacks search",
    frameworks="stacks list --frameworks",
    read="stacks read {}",
    conformances="stacks conformances {}",
    option=lambda name: "--" + name.removeprefix("is_").replace("_", "-"),
    code=str,
)
"""For a person at the command line."""


def explain_no_hits(
    index: Index, results: Results, filters: Filters, wording: Wording = COMMANDS
) -> str:
    """Explain why a search found nothing: its route, an unknown filter value, or its words."""
    query = results.query
    if results.route != SEARCH:
        return f"not searched: routed to {results.route}; {results.decision.reason}"
    if query.is_empty:
        return "nothing to look for: the query has no letter or digit"
    given_filters = _describe_arguments(_name_filters(filters), wording)
    nothing = f"nothing found for {_quote(query.text.strip())}"
    nothing += f" with {given_filters}" if given_filters else ""
    reason = _find_unknown_filter(index, filters, wording)
    if not reason and given_filters:
        found = _search(index, query.text)
        reason = _list_near("without these filters there is", found, wording)
    if not reason:
        reason = _ask_names(index, query.text)
    if not reason:
        narrower = query.phrases or query.excluded
        reason = "try fewer or other words" + (", without quotes or minus" if narrower else "")
    return f"{nothing}; {reason}"


def _name_filters(filters: Filters) -> dict[str, object]:
    return {
        "source": filters.sources,
        "framework": filters.framework,
        "language": filters.language,
        "kind": filters.kinds,
        "attribute": filters.attribute,
        **{f"min_{platform}": version for platform, version in filters.available.items()},
        "min_swift": filters.swift,
        "strict_availability": "true" if filters.strict_availability else "",
    }


def _find_unknown_filter(index: Index, filters: Filters, wording: Wording) -> str:
    """Name the filter whose value this index does not have."""
    sources = [entry.name for entry in index.sources()]
    for name in filters.sources:
        if name not in sources:
            return _refuse("source", name, sources)
    known = index.aliases.frameworks
    if filters.framework and index.aliases.resolve(filters.framework) not in known:
        near = ask_near(filters.framework.lower(), known)
        name = _quote(filters.framework)
        return f"there is no framework {name} here; {near}{wording.frameworks} names them all"
    if filters.language:
        languages = _distinct(index, "SELECT DISTINCT language FROM docs_metadata")
        if filters.language.lower() not in languages:
            return _refuse("language", filters.language, languages)
    if filters.kinds:
        kinds = _distinct(index, "SELECT DISTINCT kind FROM docs_metadata")
        if not {kind.lower() for kind in filters.kinds} & set(kinds):
            return _refuse("kind", filters.kinds[0], kinds)
    return _find_unknown_attribute(index, filters.attribute)


def _find_unknown_attribute(index: Index, attribute: str) -> str:
    """Say that no declaration has an attribute; empty if one has, or none was given."""
    name = attribute.strip().lstrip("@").partition("(")[0].strip()
    if not name:
        return ""
    rows = _distinct(index, "SELECT DISTINCT attributes FROM symbols")
    known = {}
    for row in rows:
        known.update({each.lower(): each for each in _ATTRIBUTE.findall(row)})
    if name.lower() in known:
        return ""
    near = ask_near(name.lower(), known, lambda each: f"@{known[each]}")
    return f"no declaration here is marked {_quote('@' + name)}; {near}".rstrip("; ")


def _distinct(index: Index, sql: str) -> list[str]:
    """Return every value of a column, over all files."""
    return sorted({value for (value,) in read_all(index.databases, sql) if value})


def _refuse(what: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    listed = ", ".join(names[:_MOST_LISTED]) + (" …" if len(names) > _MOST_LISTED else "")
    there = f"{what}s are {listed}" if names else f"no page here has a {what}"
    return f"there is no {what} {_quote(name)} here; {ask_near(name.lower(), names)}{there}"


def explain_no_document(index: Index, uri: str, wording: Wording = COMMANDS) -> str:
    """Suggest pages for a URI that does not exist, by its last part."""
    words = " ".join(re.findall(r"[^\W_]+", uri.rstrip("/").rsplit("/", 1)[-1]))
    near = _ask_pages(_search(index, words), wording) or _find_parent(index, uri, wording)
    return f"there is no document {_quote(uri)}; {near or f'use {wording.search} to find one'}"


def _find_parent(index: Index, uri: str, wording: Wording) -> str:
    """Name the nearest page above one that does not exist."""
    scheme, _, path = uri[:_LONGEST_URI].partition("://")
    while "/" in path:
        path = path.rpartition("/")[0]
        with suppress(QueryError):
            above = index.read(f"{scheme}://{path}").uri
            return f"the nearest page above it is {wording.code(above)}"
    return ""


def explain_no_symbols(
    index: Index, text: str, filters: SymbolFilters, wording: Wording = COMMANDS
) -> str:
    """Explain why no symbol was found: which filters to leave out, or where else to look."""
    arguments = {each.name: getattr(filters, each.name) for each in fields(filters)}
    given_filters = _describe_arguments(arguments, wording)
    words = f"text {_quote(text)}" if text else ""
    nothing = f"no declaration matches {', '.join(part for part in (words, given_filters) if part)}"
    if reason := _find_unknown_attribute(index, filters.attribute):
        return f"{nothing}; {reason}"
    if text and given_filters and (found := index.symbols(text, limit=_NEAR)):
        near = ", ".join(f"{each.name} ({each.kind}, {wording.code(each.uri)})" for each in found)
        return f"{nothing}; without these filters there is {near}"
    near = _list_near("see", _search(index, text), wording) or _ask_names(index, text)
    return f"{nothing}; {near or f'try fewer words or filters, or {wording.search}'}"


def explain_no_conformances(index: Index, name: str, wording: Wording = COMMANDS) -> str:
    """Explain why nothing conforms: suggest names that are known here."""
    near = _list_near("see", _search(index, name), wording) or _ask_names(index, name)
    return (
        f"nothing here is known to conform to {_quote(name)} or to inherit from it; "
        f"{near or f'check how it is spelled, or use {wording.search}'}"
    )


def explain_no_family(
    index: Index, family: TypeFamily, direction: str, wording: Wording = COMMANDS
) -> str:
    """Explain why a type has no relatives: a value type, no type, or none in this index."""
    if not family.uri:
        near = _ask_pages(_search(index, family.title), wording) or _ask_names(index, family.title)
        near = near or f"use {wording.search} to find one"
        return f"no page is called {_quote(family.title)}; {near}"
    page = wording.read.format(family.uri)
    others = wording.conformances.format(family.title)
    if family.kind in _VALUE_TYPES:
        reason = _explain_value_type(index, family, wording)
    elif family.kind == "protocol":
        reason = (
            f"nothing {_WHERE[direction]} the protocol {family.title} is in "
            f"this index; for what conforms to it, try {others}"
        )
    elif family.kind not in _TYPES:
        reason = (
            f"{family.title} is not a type, but of kind {family.kind}; "
            f"name a class or a protocol, or try {page}"
        )
    else:
        reason = (
            f"nothing {_WHERE[direction]} {family.title} ({family.kind}) is in "
            f"this index; try {page}, or {others}"
        )
    return f"no inheritance data: {reason}"


def _explain_value_type(index: Index, family: TypeFamily, wording: Wording) -> str:
    """Name the protocols of a struct or an enum, which inherits from no class."""
    reason = f"{family.title} is a value type ({family.kind}), which inherits from no class"
    protocols = index.read(family.uri).conformances
    if not protocols:
        return f"{reason}; try {wording.read.format(family.uri)}"
    first = protocols.split(", ")[0]
    if len(protocols) > _LONGEST_PROTOCOLS:
        protocols = protocols[: _LONGEST_PROTOCOLS - 1].rstrip() + "…"
    return (
        f"{reason}; it conforms to {protocols}; "
        f"for what else conforms to {first}, try {wording.conformances.format(first)}"
    )


def _search(index: Index, text: str) -> tuple[Hit, ...]:
    return index.search(text, SearchOptions(limit=_NEAR)).hits


def _list_near(words: str, hits: tuple[Hit, ...], wording: Wording) -> str:
    near = ", ".join(f"{hit.heading} ({wording.code(hit.uri)})" for hit in hits)
    return f"{words} {near}" if near else ""


def _ask_pages(hits: tuple[Hit, ...], wording: Wording) -> str:
    return _list_near("did you mean", hits, wording) + "?" if hits else ""


def _ask_names(index: Index, text: str) -> str:
    names = index.suggest(text)
    return f"did you mean {' or '.join(names)}?" if names else ""


def _describe_arguments(arguments: Mapping[str, object], wording: Wording) -> str:
    """Write the arguments that were given as in a call."""
    return ", ".join(
        f"{wording.option(name)} {_quote(', '.join(value) if isinstance(value, tuple) else value)}"
        for name, value in arguments.items()
        if value
    )


def _quote(value: object) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 120 else f'{shown[:120]}…"'
