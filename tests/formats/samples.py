"""A report by hand with one of everything, and reports of every subject."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.runs.samples import right_first, right_never, right_second, small_suite

from cranfield.comparisons import attribute, compare, compare_arms, estimate_power
from cranfield.formats import (
    Cell,
    CellKind,
    Chart,
    Column,
    Detail,
    Line,
    Lines,
    Report,
    Section,
    Series,
    Table,
    TestCase,
    TestSuite,
    Tone,
    Verbatim,
)
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import GatedRun, gate_run
from cranfield.measures import parse_measure
from cranfield.model import Threshold, Undefined
from cranfield.reports.check_report import report_checks
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.grid_report import report_grid
from cranfield.reports.leaderboard_report import report_leaderboard
from cranfield.reports.listing_reports import report_run_list
from cranfield.reports.power_report import report_power
from cranfield.reports.run_report import report_runs
from cranfield.reports.stored_reports import report_audit, report_ranking
from cranfield.runs.regrading import AuditFinding, StoreAudit
from cranfield.runs.runner import run_suite
from cranfield.suites import SuiteSource
from cranfield.suites.checks.suite_check import SuiteCheck
from cranfield.trec.score_report import report_scores
from cranfield.trec.scores import compare_runs, score_runs
from cranfield.trec_files.qrels import read_qrels

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["NASTY", "SUBJECTS", "handmade", "make_subject"]

NASTY = "a|b <script>alert('x')</script> & \"q\" \\| \x1b[31m\x07 `c` *d*"
"""What a suite or a system may hold: markup of every format, and control characters."""
ACCEPTED = {"date": "2026-11-01", "author": "ann", "reason": "the release", "commit": "abc1234"}


def handmade(text: str = "plain", detail: Detail = Detail.ALL) -> Report:
    """Make a report with a block of each type and a cell of each kind."""
    kinds = (
        ("text", CellKind.TEXT, text),
        ("id", CellKind.ID, text),
        ("query", CellKind.QUERY, text),
        ("message", CellKind.MESSAGE, text),
        ("count", CellKind.COUNT, 3),
        ("value", CellKind.VALUE, 0.25),
        ("difference", CellKind.DIFFERENCE, -0.00001),
        ("count difference", CellKind.COUNT_DIFFERENCE, 2),
        ("interval", CellKind.INTERVAL, (-0.1, 0.2)),
        ("range", CellKind.RANGE, (0.1, 0.2)),
        ("p", CellKind.P, 0.00001),
        ("effect", CellKind.EFFECT, 0.5),
        ("score", CellKind.SCORE, 12.5),
        ("rank", CellKind.RANK, 7),
        ("share", CellKind.SHARE, (3.0, 4)),
        ("seconds", CellKind.SECONDS, 0.0123),
        ("link", CellKind.LINK, (text, "page.html")),
        ("measure change", CellKind.MEASURE_CHANGE, ("RR@10", 1.0, None)),
        ("rank change", CellKind.RANK_CHANGE, (1, None)),
    )
    columns = tuple(Column(title, kind) for title, kind, _ in kinds)
    nothing = (text, text, text, text, *[None] * 14, Undefined("no data"))
    table = Table(
        columns,
        (tuple(value for *_, value in kinds), nothing),
        title="Cells",
        caption=f"cells of {text}",
        notes=("a note below",),
    )
    short = Table((Column("name"), Column("n", CellKind.COUNT)), (("a", 1),), summary="1 a")
    stacked = Table(
        (Column("query", CellKind.ID), Column("rank", CellKind.RANK), Column("got")),
        tuple((f"q{place}", Cell(place, CellKind.COUNT), text) for place in range(4)),
        is_stacked=True,
        most=3,
        rest="elsewhere",
    )
    lines = Lines(
        (
            Line(f"fine: {text}", Tone.GOOD),
            Line("careful", Tone.WARNING, "warning", ("q1", text)),
            Line("only in documents", detail=Detail.AUDIT),
        )
    )
    chart = Chart("bars", "a chart", (Series(text, (("q1", (0.5,)),)),))
    section = Section(
        f"first: {text}", (lines, table, short, stacked, Verbatim("received", text), chart), False
    )
    case = TestCase("group", text, "failure", "rule", text, text, 0.5)
    return Report(
        kind="gate",
        title=f"title {text}",
        sections=(section,),
        lines=(Line(f"outcome {text}", Tone.BAD),),
        notes=(f"legend {text}",),
        passed=False,
        detail=detail,
        make_records=lambda: table,
        make_tests=lambda: (TestSuite(text, (case,), (("run", text),), "2026-11-01T00:00:00"),),
        make_data=lambda: {"kind": "gate", "volatile": [], "text": text},
    )


def _gated() -> list[GatedRun]:
    suite = small_suite(6, gate=(Threshold("RR@10", 0.8),))
    baseline = make_baseline(run_suite(suite, right_first), "main", ACCEPTED)
    return [
        gate_run(run_suite(suite, right_second), baseline),
        gate_run(run_suite(suite, right_first)),
    ]


def _scores(folder: Path) -> Report:
    (folder / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 1\n")
    (folder / "first.run").write_text("1 Q0 a 1 3 t\n2 Q0 x 1 2 t\n3 Q0 c 1 2 t\n")
    (folder / "second.run").write_text("1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n2 Q0 b 1 2 t\n3 Q0 c 1 2 t\n")
    files = [folder / "first.run", folder / "second.run"]
    measures = [parse_measure("RR"), parse_measure("NumRet")]
    scored = score_runs(read_qrels(str(folder / "qrels")), files, measures)
    return report_scores(scored, compare_runs(scored, seed=1967), per_query=True)


def _power() -> Report:
    suite = small_suite(8)
    return report_power([estimate_power(suite, [run_suite(suite, right_second)])])


SUBJECTS = (
    "run", "comparison", "leaderboard", "grid", "gate", "skipped", "power", "score",
    "runs", "ranking", "audit", "check",
)  # fmt: skip


@cache
def make_subject(name: str, folder: Path) -> Report:
    """Report a small subject of each kind."""
    suite = small_suite(12)
    runs = [run_suite(suite, each) for each in (right_second, right_first, right_never)]
    path = Path("small.toml")
    makers: dict[str, Callable[[], Report]] = {
        "run": lambda: report_runs([gate_run(each) for each in runs], per_query=True),
        "comparison": lambda: report_comparison(compare(runs[0], runs[1]), Detail.ALL),
        "leaderboard": lambda: report_leaderboard(compare_arms(runs), Detail.ALL),
        "grid": lambda: report_grid(attribute([[runs[0]], [runs[0]], [runs[1]], [runs[1]]])),
        "gate": lambda: report_gates(_gated()),
        "skipped": lambda: report_gates((), "nothing changed"),
        "power": _power,
        "score": lambda: _scores(folder),
        "runs": lambda: report_run_list([each.header for each in runs]),
        "ranking": lambda: report_ranking(runs[0], "q1"),
        "audit": lambda: report_audit(
            StoreAudit(
                2, (AuditFinding("r", "q", 0, "RR", "0.5", "1.0"),), {"s": "no text"}, ("page 3",)
            ),
            "store.db",
        ),
        "check": lambda: report_checks([(path, SuiteCheck(SuiteSource(suite, path), ()))]),
    }
    return makers[name]()
