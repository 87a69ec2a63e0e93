"""What to say where there is nothing: why, and what to try instead."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from stacks.errors import QueryError
from stacks.query import SearchOptions
from stacks.serve.markdown import make_code, shorten
from stacks.serve.parameters import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query import Family, Hit, Index, Results

__all__ = [
    "explain_no_conformances",
    "explain_no_document",
    "explain_no_family",
    "explain_no_hits",
    "explain_no_symbols",
]

_NEAR = 3
_LONGEST_URI = 500
_VALUE_TYPES = ("struct", "enum")
_TYPES = ("class", "protocol", "actor", *_VALUE_TYPES)
_WHERE = {"up": "above", "down": "below", "both": "above or below"}


def explain_no_hits(index: Index, results: Results, given: Mapping[str, Any]) -> str:
    """Say why a search found nothing: no words, a filter that names nothing, or the words."""
    if results.query.is_empty:
        return "nothing to look for: the query has no letter or digit"
    filters = {name: value for name, value in given.items() if name not in ("query", "limit")}
    told = _tell(filters)
    nothing = f"nothing found for {_quote(given['query'])}{f' with {told}' if told else ''}"
    reason = _find_unknown_filter(index, given)
    if not reason and told:
        reason = _list_near("without these filters there is", _search(index, given["query"]))
    if not reason:
        narrower = results.query.phrases or results.query.excluded
        reason = "try fewer or other words" + (", without quotes or minus" if narrower else "")
    return f"{nothing}; {reason}"


def _find_unknown_filter(index: Index, given: Mapping[str, Any]) -> str:
    sources = [entry.name for entry in index.sources()]
    for name in given["source"]:
        if name not in sources:
            near = suggest(name, sources)
            return f"there is no source {_quote(name)} here; {near}sources are {', '.join(sources)}"
    known = index.aliases.frameworks
    if given["framework"] and index.aliases.resolve(given["framework"]) not in known:
        near = suggest(given["framework"].lower(), known)
        return (
            f"there is no framework {_quote(given['framework'])} here; "
            f"{near}list_frameworks names them all"
        )
    return ""


def explain_no_document(index: Index, uri: str) -> str:
    """Suggest pages whose name is that of a URI that does not exist."""
    words = " ".join(re.findall(r"[^\W_]+", uri.rstrip("/").rsplit("/", 1)[-1]))
    near = _ask_near(_search(index, words)) or _find_parent(index, uri)
    return f"there is no document {_quote(uri)}; {near or 'use search to find one'}"


def _find_parent(index: Index, uri: str) -> str:
    """Name the nearest page above one that does not exist."""
    scheme, _, path = uri[:_LONGEST_URI].partition("://")
    while "/" in path:
        path = path.rpartition("/")[0]
        with suppress(QueryError):
            return f"the nearest page above it is {make_code(index.read(f'{scheme}://{path}').uri)}"
    return ""


def explain_no_symbols(index: Index, given: Mapping[str, Any]) -> str:
    """Say which filters to leave out, or where else to look."""
    filters = {name: value for name, value in given.items() if name not in ("text", "limit")}
    told, text = _tell(filters), given["text"]
    nothing = f"no declaration matches {_tell({'text': text, **filters})}"
    if text and told and (found := index.symbols(text, limit=_NEAR)):
        near = ", ".join(f"{each.name} ({each.kind}, {make_code(each.uri)})" for each in found)
        return f"{nothing}; without these filters there is {near}"
    near = _list_near("see", _search(index, text))
    return f"{nothing}; {near or 'try fewer words or filters, or search'}"


def explain_no_conformances(index: Index, name: str) -> str:
    """Say whether the name is known here at all."""
    near = _list_near("see", _search(index, name))
    return (
        f"nothing here is known to conform to {_quote(name)} or to inherit from it; "
        f"{near or 'check how it is spelled, or use search'}"
    )


def explain_no_family(index: Index, family: Family, direction: str) -> str:
    """Say why a type has no relatives: a value type, no type at all, or none in this index."""
    if not family.uri:
        near = _ask_near(_search(index, family.title))
        return f"no page is called {_quote(family.title)}; {near or 'use search to find one'}"
    page = f"read_document with uri {family.uri}"
    if family.kind in _VALUE_TYPES:
        protocols = index.read(family.uri).conformances
        first = protocols.split(", ")[0] or "Hashable"
        conforms = f"it conforms to {shorten(protocols, 200)}" if protocols else f"try {page}"
        return (
            f"no inheritance data: {family.title} is a value type ({family.kind}), which inherits "
            f"from no class; {conforms}; for what else conforms to a protocol, "
            f"try search_conformances, such as with name {first}"
        )
    if family.kind == "protocol":
        return (
            f"no inheritance data: nothing {_WHERE[direction]} the protocol {family.title} is in "
            f"this index; for what conforms to it, try search_conformances with name {family.title}"
        )
    if family.kind not in _TYPES:
        return (
            f"no inheritance data: {family.title} is no type, but of kind {family.kind}; "
            f"name a class or a protocol, or try {page}"
        )
    return (
        f"no inheritance data: nothing {_WHERE[direction]} {family.title} ({family.kind}) is in "
        f"this index; try {page}, or search_conformances with name {family.title}"
    )


def _search(index: Index, text: str) -> tuple[Hit, ...]:
    return index.search(text, SearchOptions(limit=_NEAR)).hits


def _list_near(words: str, hits: tuple[Hit, ...]) -> str:
    near = ", ".join(f"{hit.title} ({make_code(hit.uri)})" for hit in hits)
    return f"{words} {near}" if near else ""


def _ask_near(hits: tuple[Hit, ...]) -> str:
    return _list_near("did you mean", hits) + "?" if hits else ""


def _tell(arguments: Mapping[str, Any]) -> str:
    """Write the arguments that were given as a call would."""
    return ", ".join(
        f"{name} {_quote(', '.join(value) if isinstance(value, tuple) else value)}"
        for name, value in arguments.items()
        if value
    )


def _quote(value: object) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 120 else f'{shown[:120]}…"'
