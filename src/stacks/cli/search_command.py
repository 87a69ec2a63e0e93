"""`stacks search`: a query, ranked hits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.index_options import (
    DbOption,
    FormatOption,
    LimitOption,
    choose_format,
    default_folder,
)
from stacks.cli.search_formats import SEARCH_FORMATS, SearchReport
from stacks.cli.standard_output import write
from stacks.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stacks.query import Filters, Index, Results

__all__ = ["search"]


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
