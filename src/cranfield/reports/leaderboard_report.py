"""The report of any number of arms: a table of all in each suite, then each against the first."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Detail, Report, Section, Table, count_of, tabulate
from cranfield.reports.comparison_data import comparison_content, comparison_times
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.comparison_words import describe_failures, describe_open
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cranfield.comparisons import Leaderboard, QueryChange, Standing, SuiteStandings
    from cranfield.measures import Measure

__all__ = ["report_leaderboard"]


def report_leaderboard(board: Leaderboard, detail: Detail = Detail.CHANGED) -> Report:
    """Report all arms at once; `detail` decides how much is said of each comparison."""
    compared = [report_comparison(each, detail) for each in board.comparisons]
    return Report(
        kind="leaderboard",
        title=f"{', '.join(board.names[1:])} against {board.names[0]}",
        lines=tuple(line for each in compared for line in each.lines),
        sections=(
            *(Section(blocks=(_table(board, suite),)) for suite in board.suites),
            *(
                section
                for each, made in zip(board.comparisons, compared, strict=True)
                for section in _sections(f"{each.name_b} against {each.name_a}", made)
            ),
        ),
        notes=_legend(board),
        detail=detail,
        subject=board,
        make_records=lambda: _records(board),
        make_data=lambda: _data(board),
    )


def _table(board: Leaderboard, suite: SuiteStandings) -> Table:
    """Show every arm of a suite: its own mean, and what it changes compared with the first."""
    columns: dict[Column, Callable[[Standing], Any]] = {
        Column("arm"): lambda each: each.name,
        Column(f"against {board.names[0]}"): _verdict,
        Column("queries", CellKind.COUNT): lambda each: each.queries,
        Column(str(suite.headline), CellKind.VALUE): lambda each: each.mean,
        Column("95% interval", CellKind.RANGE): lambda each: each.interval,
        Column("difference", CellKind.DIFFERENCE): _of_difference("difference"),
        Column("95% interval of it", CellKind.INTERVAL): _difference_interval,
        Column("p", CellKind.P): _of_difference("p_adjusted"),
    }
    compared = [each.comparison for each in suite.standings if each.comparison]
    notes = dict.fromkeys(
        text
        for each in compared
        for text in (*describe_failures(each.failures), *describe_open(each))
    )
    caption = f"{suite.suite_id}, class {suite.query_class}"
    return Table(*tabulate(suite.standings, columns), labels=2, caption=caption, notes=tuple(notes))


def _verdict(standing: Standing) -> str | None:
    return str(standing.comparison.verdict.kind) if standing.comparison else None


def _of_difference(name: str) -> Callable[[Standing], Any]:
    """Make a reader of a figure of the comparison with the first arm."""

    def read(standing: Standing) -> Any:
        result = standing.comparison.headline.result if standing.comparison else None
        return None if result is None else getattr(result, name)

    return read


def _difference_interval(standing: Standing) -> tuple[float, float] | None:
    interval = _of_difference("interval")(standing)
    return None if interval is None else (interval.low, interval.high)


def _sections(names: str, made: Report) -> Iterator[Section]:
    """Name the sections of one comparison; its overview is in the table of all arms."""
    for section in made.sections:
        if section.title:
            yield Section(
                f"{names}: {section.title}", section.blocks, section.passed, section.detail
            )


def _legend(board: Leaderboard) -> tuple[str, ...]:
    named = ", ".join(f"{letter} is {name}" for letter, name in _letters(board).items())
    tests, options = board.comparisons[0].tests, board.options
    headlines = count_of(tests, "headline")
    corrected = f", corrected (Holm) over {headlines} of all arms" if tests else ""
    legend = f"""\
{named}; each is compared with {board.names[0]}
p tests the mean difference (two-sided){corrected}
a difference shown to lie within ±{options.margin:g} counts as equivalent; seed {options.seed}"""
    return tuple(legend.split("\n"))


def _letters(board: Leaderboard) -> dict[str, str]:
    """Name the arms A, B, C …; from the 27th on by number."""
    return {
        chr(ord("A") + place) if place < 26 else f"arm {place + 1}": name
        for place, name in enumerate(board.names)
    }


def _records(board: Leaderboard) -> Table:
    """List every query with what became of it in each arm."""
    measures = tuple(
        dict.fromkeys(
            each.measure
            for comparison in board.comparisons
            for suite in comparison.suites
            for each in suite.measures
        )
    )
    columns = [Column("suite"), Column("query", CellKind.ID), Column("text", CellKind.QUERY)]
    columns.append(Column("category"))
    for place, letter in enumerate(_letters(board)):
        columns += [Column(f"bucket {letter}")] if place else []
        columns += [Column(f"status {letter}"), Column(f"rank {letter}", CellKind.RANK)]
        columns += [Column(f"{each} {letter}", CellKind.VALUE) for each in measures]
    rows = [row for suite in board.suites for row in _suite_rows(suite, measures)]
    return Table(tuple(columns), tuple(rows), labels=4)


def _suite_rows(suite: SuiteStandings, measures: tuple[Measure, ...]) -> Iterator[tuple[Any, ...]]:
    by_arm = [
        {change.query.id: change for change in each.comparison.changes}
        for each in suite.standings
        if each.comparison
    ]
    queries = {change.query.id: change for arm in reversed(by_arm) for change in arm.values()}
    for query_id, first in queries.items():
        query = first.query
        row: list[Any] = [suite.suite_id, query.id, query.text, query.category]
        row += [str(first.status_a), first.rank_a, *map(first.values_a.get, measures)]
        for arm in by_arm:
            row += _cells(arm.get(query_id), measures)
        yield tuple(row)


def _cells(change: QueryChange | None, measures: tuple[Measure, ...]) -> list[Any]:
    """Write what one arm has for a query; nothing if it is not compared there."""
    if change is None:
        return [None] * (3 + len(measures))
    figures = map(change.values_b.get, measures)
    return [str(change.bucket), str(change.status_b), change.rank_b, *figures]


def _data(board: Leaderboard) -> dict[str, Any]:
    """Write the leaderboard by docs/schemas/leaderboard.json."""
    return {
        "kind": "leaderboard",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": [comparison_times(each) for each in board.comparisons],
        "arms": list(board.names),
        "suites": [
            {
                "id": suite.suite_id,
                "class": suite.query_class,
                "headline": str(suite.headline),
                "arms": [_standing(each) for each in suite.standings],
            }
            for suite in board.suites
        ],
        "comparisons": [comparison_content(each) for each in board.comparisons],
    }


def _standing(each: Standing) -> dict[str, Any]:
    interval = _of_difference("interval")(each)
    return {
        "name": each.name,
        "queries": each.queries,
        "failed": each.failed,
        "mean": each.mean,
        "interval": None if each.interval is None else list(each.interval),
        "verdict": _verdict(each),
        "difference": _of_difference("difference")(each),
        "difference_interval": None if interval is None else asdict(interval),
        "p_adjusted": _of_difference("p_adjusted")(each),
    }
