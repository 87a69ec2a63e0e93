"""Search results as text, JSON and Markdown."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from stacks.cli.standard_output import format_json, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import Explanation, Factor, Results

__all__ = ["SEARCH_FORMATS", "SearchReport"]

_WIDTH = 100
"""Columns of a line; only URIs, which are copied whole, may exceed it."""


class SearchReport(NamedTuple):
    """Results, with the explanation of each hit if it was asked for.

    If there is no hit, `remark` says why, and `suggestions` are names with a similar spelling.
    """

    results: Results
    explanations: tuple[Explanation, ...] = ()
    remark: str = ""
    suggestions: tuple[str, ...] = ()


def _as_json(report: SearchReport) -> str:
    hits = [hit.as_dict() for hit in report.results]
    for hit, explanation in zip(hits, report.explanations, strict=False):
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
    fields = {
        "query": report.results.query.text,
        **report.results.decided(),
        "asked": report.results.asked,
        "relaxed": list(report.results.relaxed),
        "expansions": report.results.expansions,
        "bridged": [each._asdict() for each in report.results.question.bridged],
        "hits": hits,
    }
    if not hits:
        fields |= {"remark": report.remark, "suggestions": report.suggestions}
    elif near := report.results.near_names:
        fields["suggestions"] = near
    return format_json(fields)


def _as_text(report: SearchReport) -> str:
    if not report.results.hits:
        return report.remark
    lines = list(report.results.remarks())
    lines += [f"{name} also means {slug}" for name, slug in report.results.expansions.items()]
    explanations = [*report.explanations, *[None] * len(report.results)]
    for hit, explanation in zip(report.results, explanations, strict=False):
        marks = ", deprecated" if hit.is_deprecated else ""
        kind = f"  ({hit.kind} in {hit.framework}{marks})"
        lines.append(f"{hit.rank:>2}. {shorten(hit.heading, _WIDTH - 4 - len(kind))}{kind}")
        lines.append(f"    {hit.uri}")
        lines += [f"    {hit.where}"] if hit.where else []
        if hit.summary:
            lines.append(f"    {shorten(hit.summary, _WIDTH - 4)}")
        if explanation:
            lines += _explain(explanation)
    if report.explanations and not report.results.relaxed:
        lines.append(f"asked: {report.results.asked}")
    return "\n".join(lines)


def _describe_factor(factor: Factor) -> str:
    """Name a feature of a hit, and the row of the table of weights that its factor is from."""
    from stacks.query import WEIGHTS

    if not factor.weight:
        return factor.reason
    return f"{factor.reason} (weight {factor.weight} {WEIGHTS[factor.weight].value:g})"


def _explain(explanation: Explanation) -> list[str]:
    lines = []
    for term in explanation.terms:
        columns = ", ".join(
            f"{column} {part:.2f} (×{term.occurrences[column]})"
            for column, part in sorted(term.columns.items(), key=lambda item: -item[1])
        )
        lines.append(f"      {term.term} {term.score:.2f}: {columns}")
    lines.append(f"      BM25 {explanation.bm25:.2f}")
    lines += [f"      × {each.factor:.2f} {_describe_factor(each)}" for each in explanation.factors]
    if explanation.factors:
        lines.append(f"      = {explanation.corrected:.2f}")
    bridged = [
        f"{each.phrase} ({each.weight:g}, for {each.because})" for each in explanation.bridged
    ]
    if bridged:
        lines.append(f"      also asked with {', '.join(bridged)}")
    if blended := explanation.blended:
        by_meaning = (
            f"{blended.meaning}, likeness {blended.similarity:.3f}" if blended.meaning else "none"
        )
        how = "by scores" if blended.k is None else f"k {blended.k:g}"
        lines.append(
            f"      rank by words {blended.words or 'none'}, by meaning {by_meaning}: "
            f"{blended.earned:.5f} (meaning has {blended.share:.0%}, {how})"
        )
    fused = explanation.fused
    lines.append(
        f"      {fused.source} rank {fused.rank}, weight {fused.weight:.3g}, "
        f"{fused.relevance:.2f} of the best: {fused.earned:.5f}"
        + (", archived: lets a current page pass" if fused.is_passed else "")
    )
    if explanation.reranked is not None:
        lines.append(f"      reranked: {explanation.reranked:.5f}")
    return lines


def _as_markdown(report: SearchReport) -> str:
    if not report.results.hits:
        return report.remark
    lines = [f"> {remark}" for remark in report.results.remarks()]
    explanations = [*report.explanations, *[None] * len(report.results)]
    for hit, explanation in zip(report.results, explanations, strict=False):
        marks = " *(deprecated)*" if hit.is_deprecated else ""
        lines.append(f"{hit.rank}. **{hit.heading}** – {hit.kind}, `{hit.uri}`{marks}")
        if hit.summary:
            lines.append(f"   {shorten(hit.summary)}")
        if explanation:
            lines += ["", "   ```", *(f"   {line.strip()}" for line in _explain(explanation))]
            lines += ["   ```", ""]
    if report.explanations:
        lines.append(f"asked: {report.results.asked}")
    return "\n".join(lines)


SEARCH_FORMATS: Mapping[str, Callable[[SearchReport], str]] = {
    "text": _as_text,
    "json": _as_json,
    "markdown": _as_markdown,
}
