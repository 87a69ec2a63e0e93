"""Documents, declarations, families and examples as text, JSON and Markdown."""

from __future__ import annotations

from dataclasses import asdict
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

from stacks.cli.standard_output import format_json, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import Example, Relative, StoredDocument, SymbolHit, TypeFamily

__all__ = [
    "DOCUMENT_FORMATS",
    "EXAMPLE_FORMATS",
    "FAMILY_FORMATS",
    "SYMBOL_FORMATS",
    "FamilyReport",
]

_WIDTH = 100
_KIND_WIDTH = 14
_MOST_LINES = 12
"""Lines of an example that are shown as text."""


class FamilyReport(NamedTuple):
    """A family, and if it has no members the reason."""

    family: TypeFamily
    remark: str


def _document_as_json(document: StoredDocument) -> str:
    fields = asdict(document)
    return format_json({name.removeprefix("is_"): value for name, value in fields.items()})


def _document_as_text(document: StoredDocument) -> str:
    facts = [document.kind, document.module or document.framework, document.language]
    facts += [f"{name} {version}+" for name, version in document.availability.items()]
    facts += ["deprecated"] if document.is_deprecated else []
    facts += [f"Swift {document.swift_version}"] if document.swift_version else []
    return f"{document.uri}\n{', '.join(fact for fact in facts if fact)}\n\n{document.page}"


def _symbols_as_text(symbols: list[SymbolHit]) -> str:
    lines = []
    for symbol in symbols:
        shown = shorten(symbol.marked_signature, _WIDTH - _KIND_WIDTH - 1)
        lines.append(f"{symbol.kind:{_KIND_WIDTH}} {shown}")
        lines.append(f"{'':{_KIND_WIDTH}} {symbol.uri}")
    return "\n".join(lines)


def _symbols_as_markdown(symbols: list[SymbolHit]) -> str:
    return "\n".join(
        f"- `{shorten(each.marked_signature)}` – {each.kind}, `{each.uri}`" for each in symbols
    )


def _family_as_text(report: FamilyReport) -> str:
    family = report.family
    if not family.relatives:
        return report.remark
    above = [each for each in family.relatives if each.direction == "up"]
    below = [each for each in family.relatives if each.direction == "down"]
    lines = [f"{'  ' * each.steps}↑ {_show_relative(each)}" for each in above]
    lines.append(f"{family.title}  {family.uri}")
    lines += [f"{'  ' * each.steps}↓ {_show_relative(each)}" for each in below]
    return "\n".join(lines)


def _show_relative(relative: Relative) -> str:
    where = relative.uri if relative.is_indexed else "(not in this index)"
    return f"{relative.title}  {where}"


def _examples_as_text(examples: list[Example]) -> str:
    parts = []
    for example in examples:
        code = "\n".join(f"    {line}" for line in _first_lines(example.code))
        title = shorten(example.title, 98 - len(example.uri))
        parts.append(f"{title}  {example.uri}\n{code}")
    return "\n\n".join(parts)


def _first_lines(code: str) -> list[str]:
    lines = code.strip("\n").splitlines()
    kept = lines[:_MOST_LINES]
    return kept if len(kept) == len(lines) else [*kept, f"… {len(lines) - _MOST_LINES} more lines"]


def _examples_as_markdown(examples: list[Example]) -> str:
    return "\n\n".join(
        f"**{example.title}** – `{example.uri}`\n\n```{example.language}\n{example.code}\n```"
        for example in examples
    )


DOCUMENT_FORMATS: Mapping[str, Callable[[StoredDocument], str]] = {
    "text": _document_as_text,
    "json": _document_as_json,
    "markdown": lambda document: document.page,
}
SYMBOL_FORMATS: Mapping[str, Callable[[list[SymbolHit]], str]] = {
    "text": _symbols_as_text,
    "json": lambda symbols: format_json([asdict(each) for each in symbols]),
    "markdown": _symbols_as_markdown,
}
FAMILY_FORMATS: Mapping[str, Callable[[FamilyReport], str]] = {
    "text": _family_as_text,
    "json": lambda report: format_json(asdict(report.family) | {"remark": report.remark}),
    "markdown": lambda report: indent(_family_as_text(report), "    ", lambda _: True),
}
EXAMPLE_FORMATS: Mapping[str, Callable[[list[Example]], str]] = {
    "text": _examples_as_text,
    "json": lambda examples: format_json([asdict(example) for example in examples]),
    "markdown": _examples_as_markdown,
}
