"""Results as text, JSON and Markdown."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from stacks.cli.output import shorten, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import Explanation, Results, StoredDocument, SymbolHit

__all__ = ["DOCUMENT_FORMATS", "RESULT_FORMATS", "SYMBOL_FORMATS", "Answer"]

_WIDTH = 100
"""Columns of a line; only what must be copied whole, a URI, goes beyond."""
_KIND_WIDTH = 14


class Answer(NamedTuple):
    """Results, with the explanation of each hit where it was asked for.

    Where there is no hit, `remark` says why, and `suggestions` are names spelled nearly so.
    """

    results: Results
    explanations: tuple[Explanation, ...] = ()
    remark: str = ""
    suggestions: tuple[str, ...] = ()


def _as_json(answer: Answer) -> str:
    hits = [hit.as_dict() for hit in answer.results]
    for hit, explanation in zip(hits, answer.explanations, strict=False):
        hit["explanation"] = {
            "terms": [asdict(term) for term in explanation.terms],
            "bm25": explanation.bm25,
            "factors": [factor._asdict() for factor in explanation.factors],
            "corrected": explanation.corrected,
            "blended": explanation.blended and explanation.blended._asdict(),
            "bridged": [each._asdict() for each in explanation.bridged],
            "standing": explanation.fused._asdict(),
            "reranked": explanation.reranked,
        }
    told = {
        "query": answer.results.query.text,
        **answer.results.decided(),
        "asked": answer.results.asked,
        "expansions": answer.results.expansions,
        "bridged": [each._asdict() for each in answer.results.question.bridged],
        "hits": hits,
    }
    if not hits:
        told |= {"remark": answer.remark, "suggestions": answer.suggestions}
    return write_json(told)


def _as_text(answer: Answer) -> str:
    if not answer.results.hits:
        return answer.remark
    lines = list(answer.results.remarks())
    lines += [f"{name} is taken for {slug} too" for name, slug in answer.results.expansions.items()]
    explanations = [*answer.explanations, *[None] * len(answer.results)]
    for hit, explanation in zip(answer.results, explanations, strict=False):
        marks = ", deprecated" if hit.is_deprecated else ""
        place = f"  ({hit.kind} in {hit.framework}{marks})"
        lines.append(f"{hit.rank:>2}. {shorten(hit.title, _WIDTH - 4 - len(place))}{place}")
        lines.append(f"    {hit.uri}")
        lines += [f"    {hit.where}"] if hit.where else []
        if hit.summary:
            lines.append(f"    {shorten(hit.summary, _WIDTH - 4)}")
        if explanation:
            lines += _explain(explanation)
    if answer.explanations:
        lines.append(f"asked: {answer.results.asked}")
    return "\n".join(lines)


def _explain(explanation: Explanation) -> list[str]:
    lines = []
    for term in explanation.terms:
        columns = ", ".join(
            f"{column} {part:.2f} (×{term.occurrences[column]})"
            for column, part in sorted(term.columns.items(), key=lambda item: -item[1])
        )
        lines.append(f"      {term.term} {term.score:.2f}: {columns}")
    factors = "".join(f" × {each.factor:.2f} {each.reason}" for each in explanation.factors)
    lines.append(f"      BM25 {explanation.bm25:.2f}{factors} = {explanation.corrected:.2f}")
    bridged = [
        f"{each.phrase} ({each.weight:g}, for {each.because})" for each in explanation.bridged
    ]
    if bridged:
        lines.append(f"      asked with {', '.join(bridged)} too")
    if blended := explanation.blended:
        by_meaning = (
            f"{blended.meaning}, likeness {blended.similarity:.3f}" if blended.meaning else "none"
        )
        lines.append(
            f"      rank by words {blended.words or 'none'}, by meaning {by_meaning}: "
            f"{blended.earned:.5f} (meaning has {blended.share:.0%}, k {blended.k:g})"
        )
    fused = explanation.fused
    lines.append(
        f"      {fused.source} rank {fused.rank}, weight {fused.weight:.3g}, "
        f"{fused.relevance:.2f} of the best: {fused.earned:.5f}"
        + (", archived: lets a living page pass" if fused.is_passed else "")
    )
    if explanation.reranked is not None:
        lines.append(f"      scored again: {explanation.reranked:.5f}")
    return lines


def _as_markdown(answer: Answer) -> str:
    if not answer.results.hits:
        return answer.remark
    lines = [f"> {remark}" for remark in answer.results.remarks()]
    for hit in answer.results:
        marks = " *(deprecated)*" if hit.is_deprecated else ""
        lines.append(f"{hit.rank}. **{hit.title}** – {hit.kind}, `{hit.uri}`{marks}")
        if hit.summary:
            lines.append(f"   {shorten(hit.summary)}")
    return "\n".join(lines)


def _document_as_json(document: StoredDocument) -> str:
    told = asdict(document)
    return write_json({name.removeprefix("is_"): value for name, value in told.items()})


def _document_as_text(document: StoredDocument) -> str:
    facts = [document.kind, document.module or document.framework, document.language]
    facts += [f"{name} {version}+" for name, version in document.availability.items()]
    facts += ["deprecated"] if document.is_deprecated else []
    facts += [f"Swift {document.swift_version}"] if document.swift_version else []
    return f"{document.uri}\n{', '.join(fact for fact in facts if fact)}\n\n{document.page}"


def _symbols_as_text(symbols: list[SymbolHit]) -> str:
    lines = []
    for symbol in symbols:
        attributes = f"{symbol.attributes} " if symbol.attributes else ""
        signature = symbol.signature or symbol.name
        if attributes and signature.startswith(attributes):
            attributes = ""
        shown = shorten(f"{attributes}{signature}", _WIDTH - _KIND_WIDTH - 1)
        lines.append(f"{symbol.kind:{_KIND_WIDTH}} {shown}")
        lines.append(f"{'':{_KIND_WIDTH}} {symbol.uri}")
    return "\n".join(lines)


def _symbols_as_markdown(symbols: list[SymbolHit]) -> str:
    return "\n".join(
        f"- `{shorten(each.signature or each.name)}` – {each.kind}, `{each.uri}`"
        for each in symbols
    )


RESULT_FORMATS: Mapping[str, Callable[[Answer], str]] = {
    "text": _as_text,
    "json": _as_json,
    "markdown": _as_markdown,
}
DOCUMENT_FORMATS: Mapping[str, Callable[[StoredDocument], str]] = {
    "text": _document_as_text,
    "json": _document_as_json,
    "markdown": lambda document: document.page,
}
SYMBOL_FORMATS: Mapping[str, Callable[[list[SymbolHit]], str]] = {
    "text": _symbols_as_text,
    "json": lambda symbols: write_json([asdict(each) for each in symbols]),
    "markdown": _symbols_as_markdown,
}
