"""`stacks search`: a query, ranked hits as text, JSON or Markdown."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from stacks.cli.console import (
    DbOption,
    FormatOption,
    LimitOption,
    choose_format,
    default_folder,
    format_json,
    shorten,
    write,
)
from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from stacks.query import Explanation, Factor, Filters, Index, Results

__all__ = [
    "SEARCH_FORMATS",
    "SearchReport",
    "search",
]


_WIDTH = 100
"""Columns of a line; only URIs, which are copied whole, may exceed it."""


def search(
    words: Annotated[list[str], typer.Argument(metavar="QUERY...", help="Any text.")],
    source: Annotated[
        list[str] | None, typer.Option(help="Only this source; may be repeated.")
    ] = None,
    framework: Annotated[str, typer.Option(help="Only this framework, by any of its names.")] = "",
    language: Annotated[str, typer.Option(help="Only this language: swift, objc, python.")] = "",
    kind: Annotated[
        list[str] | None, typer.Option(help="Only this kind: class, article …; may be repeated.")
    ] = None,
    attribute: Annotated[
        str, typer.Option(help="Only pages with a declaration marked like this: @MainActor.")
    ] = "",
    min_ios: Annotated[str, typer.Option(metavar="V", help="Only what iOS V has.")] = "",
    min_macos: Annotated[str, typer.Option(metavar="V", help="Only what macOS V has.")] = "",
    min_tvos: Annotated[str, typer.Option(metavar="V", help="Only what tvOS V has.")] = "",
    min_watchos: Annotated[str, typer.Option(metavar="V", help="Only what watchOS V has.")] = "",
    min_visionos: Annotated[str, typer.Option(metavar="V", help="Only what visionOS V has.")] = "",
    min_swift: Annotated[str, typer.Option(metavar="V", help="Only what Swift V has.")] = "",
    strict_availability: Annotated[
        bool,
        typer.Option(
            "--strict-availability",
            help="With --min-…: leave out pages that state no platform, or no version of Swift.",
        ),
    ] = False,
    limit: LimitOption = 10,
    db: DbOption = None,
    output_format: FormatOption = "text",
    explain: Annotated[bool, typer.Option("--explain", help="Explain every score.")] = False,
    mode: Annotated[
        str,
        typer.Option(
            help="fts5 (words and names), semantic (meaning and names), both, plain (BM25F over "
            "the words and nothing else), or smart: both if the index has vectors, else fts5."
        ),
    ] = "smart",
    meaning: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="The share of meaning against words, 0 to 1.  [default: 0.333; for "
            "documentation 0.25]",
        ),
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE=W", help="The weight of a source in the fusion; may be repeated."
        ),
    ] = None,
    rerank: Annotated[
        str,
        typer.Option(metavar="MODEL", help="Rerank the first 30: http=URL,model=NAME or onnx=DIR."),
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            help="Leave out a part of the engine, to measure its effect: names, components, "
            "aliases, age, declarations, authority, meaning, routing or vocabulary; may be "
            "repeated.",
        ),
    ] = None,
    rrf_k: Annotated[
        float | None,
        typer.Option(help="The k of the rank fusion.  [default: 20]"),
    ] = None,
) -> None:
    """Search an index.

    "Quoted words" must occur exactly; a word after a minus must not occur. In text of several
    lines or many words they are words like any other, and so they are if nothing else is found.

    \b
    stacks search OrderedDict
    stacks search sort array
    stacks search "lazy grid" --framework swiftui --min-ios 16
    stacks search 'sort "in place" -stable' --kind method --limit 5
    stacks search hashable --explain
    stacks search "where do we parse dates" --mode both --meaning 0.5
    """  # noqa: D301 - \b keeps typer from wrapping these lines
    from stacks.model import PLATFORMS
    from stacks.query import Filters, Fusion, SearchOptions, open_index

    render = choose_format(SEARCH_FORMATS, output_format)
    versions = (min_ios, min_macos, min_tvos, min_watchos, min_visionos)
    platforms = zip(PLATFORMS, versions, strict=True)
    filters = Filters(
        sources=tuple(source or ()),
        framework=framework,
        language=language,
        kinds=tuple(kind or ()),
        attribute=attribute,
        available={name: version for name, version in platforms if version},
        swift=min_swift,
        strict_availability=strict_availability,
    )
    weights = _read_weights(weight or [])
    fusion = Fusion(rrf_k, weights, meaning)
    parts = frozenset(without or ())
    options = SearchOptions(limit, filters, fusion, mode, rerank, parts)
    with open_index(db or default_folder()) as index:
        _check_sources(index, weights)
        results = index.search(" ".join(words), options)
        write(render(_complete(index, results, filters, explain=explain)))


def _complete(index: Index, results: Results, filters: Filters, *, explain: bool) -> SearchReport:
    """Add explanations if asked for, or the reason why nothing was found."""
    if not results.hits:
        from stacks.query import explain_no_hits

        remark = explain_no_hits(index, results, filters)
        suggestions = tuple(index.suggest(results.query.text))
        return SearchReport(results, remark=remark, suggestions=suggestions)
    explanations = tuple(index.explain(hit) for hit in results) if explain else ()
    return SearchReport(results, explanations)


def _check_sources(index: Index, weights: Iterable[str]) -> None:
    from stacks.query import ask_near

    known = [entry.name for entry in index.sources()]
    for name in weights:
        if name not in known:
            raise QueryError(
                f"--weight names the source {name!r}, which is not in this index; "
                f"{ask_near(name, known)}sources are {', '.join(known)}"
            )


def _read_weights(texts: list[str]) -> dict[str, float]:
    weights = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            raise QueryError(f"--weight takes SOURCE=NUMBER; got {text!r}") from None
    return weights


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
