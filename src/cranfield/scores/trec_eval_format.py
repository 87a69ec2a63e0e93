"""Reports of scores as trec_eval prints them, line for line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats import Detail
from cranfield.measures import Measure, parse_measure
from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.formats import Report
    from cranfield.measures import MeasureColumn
    from cranfield.model import Value
    from cranfield.trec import ScoredRun

__all__ = ["TREC_EVAL_MEASURES", "render_trec_eval"]

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _cut(measure: str, name: str, cutoffs: tuple[int, ...] = _CUTOFFS) -> dict[str, str]:
    return {f"{measure}@{cutoff}": f"{name}_{cutoff}" for cutoff in cutoffs}


_NAMES = {
    parse_measure(text): name
    for text, name in {
        "NumRet": "num_ret",
        "NumRel": "num_rel",
        "NumRelRet": "num_rel_ret",
        "AP": "map",
        "RPrec": "Rprec",
        "Bpref": "bpref",
        "RR": "recip_rank",
        **{f"IPrec@{tenth / 10}": f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)},
        **_cut("P", "P"),
        **_cut("R", "recall"),
        "infAP": "infAP",
        "nDCG": "ndcg",
        **_cut("nDCG", "ndcg_cut"),
        **_cut("AP", "map_cut"),
        **_cut("Success", "success", (1, 5, 10)),
        "P": "set_P",
        "R": "set_recall",
        "F1": "set_F",
        "RBP(p=0.9)": "rbp",
    }.items()
}
"""Our measures by their trec_eval names, in the order in which it prints them."""

TREC_EVAL_MEASURES: tuple[Measure, ...] = tuple(_NAMES)
"""Every measure that `trec_eval -m all_trec` prints and cranfield has."""


def render_trec_eval(report: Report) -> str:
    """Write `name, query, value` lines; if all is to be shown, each query's before the means."""
    per_query = report.detail >= Detail.ALL
    return "".join(line for run in report.subject for line in _run_lines(run, per_query=per_query))


def _run_lines(run: ScoredRun, *, per_query: bool) -> Iterator[str]:
    columns = sorted(run.columns.items(), key=_printed_place)
    if per_query:
        for position, query in enumerate(run.queries):
            for measure, column in columns:
                yield _line(measure, query, column.value(position))
    yield f"{'runid':<22}\tall\t{run.tag}\n"
    yield f"{'num_q':<22}\tall\t{len(run.queries)}\n"
    for measure, _ in columns:
        yield _line(measure, "all", run.value(measure))


def _printed_place(entry: tuple[Measure, MeasureColumn]) -> int:
    """Sort by trec_eval's order; measures it does not have stay in the asked order, at the end."""
    return TREC_EVAL_MEASURES.index(entry[0]) if entry[0] in _NAMES else len(TREC_EVAL_MEASURES)


def _line(measure: Measure, query: str, value: Value) -> str:
    name = _NAMES.get(measure, str(measure))
    if isinstance(value, Undefined):
        return f"{name:<22}\t{query}\t-\n"
    number = f"{value:.0f}" if measure.family.is_count else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{number}\n"
