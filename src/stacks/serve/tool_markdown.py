"""Answers of tools as Markdown, kept short: agents pay for every token."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from stacks.query import (
        FrameworkEntry,
        Hit,
        Relative,
        Results,
        SourceEntry,
        StoredDocument,
        SymbolHit,
        TypeFamily,
    )

__all__ = [
    "Excerpt",
    "format_code",
    "render_document",
    "render_family",
    "render_frameworks",
    "render_hits",
    "render_symbols",
]

_LONGEST_SUMMARY = 240
_LONGEST_SIGNATURE = 240
_MOST_RELATIVES = 300
_MORE = "\nThere may be more; ask again with a higher limit."


class Excerpt(NamedTuple):
    """Part of a document; `following` is the offset of the next part, None if there is none."""

    text: str
    offset: int
    total: int
    following: int | None


def render_hits(results: Results, limit: int) -> str:
    """List the hits of a search: title, kind, URI, summary, availability."""
    lines = [f"> {remark}" for remark in results.remarks()]
    lines += [f"{name} also means {slug}" for name, slug in results.expansions.items()]
    for hit in results:
        lines.append(f"{hit.rank}. **{hit.heading}** – {_describe_hit(hit)}")
        lines.append(f"   {format_code(hit.uri)}")
        lines += [f"   {_flatten(hit.where)}"] if hit.where else []
        if hit.summary:
            lines.append(f"   {_shorten(hit.summary, _LONGEST_SUMMARY)}")
        if hit.availability:
            lines.append(f"   {_list_versions(hit.availability)}")
    if len(results) == limit:
        lines.append(_MORE)
    return "\n".join(lines)


def _describe_hit(hit: Hit) -> str:
    framework = f" in {hit.framework}" if hit.framework else ""
    language = f", {hit.language}" if hit.language not in ("", hit.framework) else ""
    mark = ", **deprecated**" if hit.is_deprecated else ""
    return f"{hit.kind}{framework}{language}{mark}"


def render_symbols(symbols: Sequence[SymbolHit], limit: int) -> str:
    """List declarations: signature, kind, the URI of their page, and what the signature omits."""
    lines = []
    for symbol in symbols:
        signature = _shorten(symbol.signature or symbol.name, _LONGEST_SIGNATURE)
        lines.append(f"- {format_code(signature)} – {symbol.kind}, {format_code(symbol.uri)}")
        lines += [f"  {fact}" for fact in _list_facts(symbol, signature)]
    if len(symbols) == limit:
        lines.append(_MORE)
    return "\n".join(lines)


def _list_facts(symbol: SymbolHit, signature: str) -> Iterable[str]:
    """Yield facts that the signature does not contain, whatever its spacing."""
    known = signature.replace(" ", "")
    facts = {
        "attributes": symbol.attributes,
        "conforms to": symbol.conformances,
        "constraints": symbol.constraints,
    }
    for name, value in facts.items():
        if value and value.replace(" ", "") not in known:
            yield f"{name}: {_shorten(value, _LONGEST_SUMMARY)}"


def render_document(document: StoredDocument, excerpt: Excerpt, tool: str) -> str:
    """Show a page, or part of it and how to get the rest with `tool`."""
    facts = [document.kind, document.module or document.framework, document.language]
    facts.append(_list_versions(document.availability))
    facts.append(f"Swift {document.swift_version}" if document.swift_version else "")
    facts.append("**deprecated**" if document.is_deprecated else "")
    parts = [f"{format_code(document.uri)}\n{', '.join(fact for fact in facts if fact)}"]
    parts.append(excerpt.text.strip("\n"))
    end = excerpt.offset + len(excerpt.text)
    note = f"Characters {excerpt.offset} to {end} of {excerpt.total}."
    if excerpt.following is not None:
        note += f" For what follows: {tool} with offset {excerpt.following}."
    if excerpt.offset or excerpt.following is not None:
        parts.append(f"[{note}]")
    return "\n\n".join(part for part in parts if part)


def render_family(family: TypeFamily) -> str:
    """Show the ancestors and descendants of a type, each as a nested list."""
    lines = [f"**{family.title}** – {family.kind}, {format_code(family.uri)}"]
    for direction, words in (("up", "inherits from"), ("down", "is inherited by")):
        relatives = [each for each in family.relatives if each.direction == direction]
        if relatives:
            lines += ["", f"{words}:", *_draw(relatives)]
    return "\n".join(lines)


def _draw(relatives: list[Relative]) -> list[str]:
    """Nest each relative below the one it was reached through."""
    shown = relatives[:_MOST_RELATIVES]
    lines = [f"{'  ' * (each.steps - 1)}- {_show_relative(each)}" for each in shown]
    if len(relatives) > len(shown):
        lines.append(f"… and {len(relatives) - len(shown)} more; ask with a smaller depth")
    return lines


def _show_relative(relative: Relative) -> str:
    where = format_code(relative.uri) if relative.is_indexed else "(not in this index)"
    return f"{relative.title} {where}"


def render_frameworks(frameworks: Sequence[FrameworkEntry], sources: Sequence[SourceEntry]) -> str:
    """List the sources and frameworks of an index."""
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


def format_code(text: str) -> str:
    """Format text as code, even if it contains backquotes."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _list_versions(availability: Mapping[str, str]) -> str:
    return ", ".join(
        f"{PLATFORMS.get(name, name)} {version}+" for name, version in availability.items()
    )


def _flatten(text: str) -> str:
    return " ".join(text.split())


def _shorten(text: str, longest: int) -> str:
    """Put text on one line of at most `longest` characters."""
    flat = _flatten(text)
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "…"
