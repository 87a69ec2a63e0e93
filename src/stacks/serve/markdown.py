"""Answers as Markdown, for a reader that pays for every word."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.query import (
        Family,
        FrameworkEntry,
        Hit,
        Relative,
        Results,
        SourceEntry,
        StoredDocument,
        SymbolHit,
    )

__all__ = [
    "PLATFORM_NAMES",
    "Excerpt",
    "list_hits",
    "list_holdings",
    "list_symbols",
    "make_code",
    "shorten",
    "show_document",
    "show_family",
]

_LONGEST_SUMMARY = 240
_LONGEST_SIGNATURE = 240
_MOST_RELATIVES = 300
_MORE = "\nThere may be more; a higher limit would tell."
PLATFORM_NAMES = {
    "ios": "iOS",
    "macos": "macOS",
    "tvos": "tvOS",
    "watchos": "watchOS",
    "visionos": "visionOS",
}


class Excerpt(NamedTuple):
    """A stretch of a document's content; `following` is where the next begins, if any does."""

    text: str
    offset: int
    total: int
    following: int | None


def list_hits(results: Results, limit: int) -> str:
    """List what a search found: title, kind, URI, summary, availability."""
    lines = [f"> {remark}" for remark in results.remarks()]
    lines += [f"{name} is taken for {slug} too" for name, slug in results.expansions.items()]
    for hit in results:
        lines.append(f"{hit.rank}. **{_flatten(hit.title)}** – {_describe_hit(hit)}")
        lines.append(f"   {make_code(hit.uri)}")
        lines += [f"   {_flatten(hit.where)}"] if hit.where else []
        if hit.summary:
            lines.append(f"   {shorten(hit.summary, _LONGEST_SUMMARY)}")
        if hit.availability:
            lines.append(f"   {_list_versions(hit.availability)}")
    if len(results) == limit:
        lines.append(_MORE)
    return "\n".join(lines)


def _describe_hit(hit: Hit) -> str:
    place = f" in {hit.framework}" if hit.framework else ""
    language = f", {hit.language}" if hit.language not in ("", hit.framework) else ""
    mark = ", **deprecated**" if hit.is_deprecated else ""
    return f"{hit.kind}{place}{language}{mark}"


def list_symbols(symbols: Sequence[SymbolHit], limit: int) -> str:
    """List declarations: signature, kind, the page they are on, and what they say."""
    lines = []
    for symbol in symbols:
        signature = shorten(symbol.signature or symbol.name, _LONGEST_SIGNATURE)
        lines.append(f"- {make_code(signature)} – {symbol.kind}, {make_code(symbol.uri)}")
        lines += [f"  {fact}" for fact in _list_facts(symbol, signature)]
    if len(symbols) == limit:
        lines.append(_MORE)
    return "\n".join(lines)


def _list_facts(symbol: SymbolHit, signature: str) -> Iterable[str]:
    """What a declaration says about itself besides its signature, however that is spaced."""
    known = signature.replace(" ", "")
    facts = {
        "attributes": symbol.attributes,
        "conforms to": symbol.conformances,
        "constraints": symbol.constraints,
    }
    for name, value in facts.items():
        if value and value.replace(" ", "") not in known:
            yield f"{name}: {shorten(value, _LONGEST_SUMMARY)}"


def show_document(document: StoredDocument, excerpt: Excerpt) -> str:
    """Show a page, or a stretch of it with a note where the rest is."""
    facts = [document.kind, document.module or document.framework, document.language]
    facts.append(_list_versions(document.availability))
    facts.append(f"Swift {document.swift_version}" if document.swift_version else "")
    facts.append("**deprecated**" if document.is_deprecated else "")
    parts = [f"{make_code(document.uri)}\n{', '.join(fact for fact in facts if fact)}"]
    parts.append(excerpt.text.strip("\n"))
    end = excerpt.offset + len(excerpt.text)
    note = f"Characters {excerpt.offset} to {end} of {excerpt.total}."
    if excerpt.following is not None:
        note += f" For what follows: read_document with offset {excerpt.following}."
    if excerpt.offset or excerpt.following is not None:
        parts.append(f"[{note}]")
    return "\n\n".join(part for part in parts if part)


def show_family(family: Family) -> str:
    """Show what stands above and below a type, each as a nested list."""
    lines = [f"**{family.title}** – {family.kind}, {make_code(family.uri)}"]
    for direction, words in (("up", "inherits from"), ("down", "is inherited by")):
        relatives = [each for each in family.relatives if each.direction == direction]
        if relatives:
            lines += ["", f"{words}:", *_draw(relatives)]
    return "\n".join(lines)


def _draw(relatives: list[Relative]) -> list[str]:
    """Nest each relative below the one through which it was reached."""
    shown = relatives[:_MOST_RELATIVES]
    lines = [f"{'  ' * (each.steps - 1)}- {each.title} {make_code(each.uri)}" for each in shown]
    if len(relatives) > len(shown):
        lines.append(f"… and {len(relatives) - len(shown)} more; ask with a smaller depth")
    return lines


def list_holdings(frameworks: Sequence[FrameworkEntry], sources: Sequence[SourceEntry]) -> str:
    """List the sources and the frameworks of an index."""
    lines = ["sources:"]
    lines += [f"- {entry.name}: {_count(entry.documents)}" for entry in sources]
    lines += ["", "frameworks:" if frameworks else "no page here belongs to a framework"]
    for entry in frameworks:
        names = [
            name for name in (entry.display_name, entry.synonyms) if name not in ("", entry.slug)
        ]
        also = f" ({'; '.join(names)})" if names else ""
        lines.append(f"- {entry.slug}{also}: {_count(entry.documents)}")
    return "\n".join(lines)


def _count(documents: int) -> str:
    return f"{documents} {'document' if documents == 1 else 'documents'}"


def make_code(text: str) -> str:
    """Mark text as code, also where it has backquotes itself."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _list_versions(availability: Mapping[str, str]) -> str:
    return ", ".join(
        f"{PLATFORM_NAMES.get(name, name)} {version}+" for name, version in availability.items()
    )


def _flatten(text: str) -> str:
    return " ".join(text.split())


def shorten(text: str, longest: int) -> str:
    """Put text on one line of at most so many characters."""
    flat = _flatten(text)
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"
