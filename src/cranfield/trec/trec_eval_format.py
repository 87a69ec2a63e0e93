"""Reports of scores as trec_eval prints them, line for line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.formats import Detail, Format
from cranfield.measures import Measure, parse_measure
from cranfield.model import Undefined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.formats import Report
    from cranfield.measures import MeasureColumn
    from cranfield.model import Value
    from cranfield.trec.scores import ScoredRun

__all__ = ["TREC_EVAL", "TREC_EVAL_MEASURES", "render_trec_eval"]

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _cut(measure: str, name: str, cutoffs: tuple[int, ...] = _CUTOFFS) -> dict[str, str]:
    return {f"{measure}@{cutoff}": f"{name}_{cutoff}" for cutoff in cutoffs}


_RELSTRING_LENGTH = 10

_NAMES = {
    parse_measure(text): name
    for text, name in {
        "NumRet": "num_ret",
        "NumRel": "num_rel",
        "NumRelRet": "num_rel_ret",
        "AP": "map",
        "GMAP": "gm_map",
        "RPrec": "Rprec",
        "Bpref": "bpref",
        "RR": "recip_rank",
        **{f"IPrec@{tenth / 10}": f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)},
        **_cut("P", "P"),
        **_cut("R", "recall"),
        "infAP": "infAP",
        "GMBpref": "gm_bpref",
        **{f"RPrecMult@{tenth / 10}": f"Rprec_mult_{tenth / 10:.2f}" for tenth in range(2, 21, 2)},
        "Utility": "utility",
        "IPrec11": "11pt_avg",
        "G(rel=1)": "binG",
        "G": "G",
        "nDCG": "ndcg",
        "nDCGRel": "ndcg_rel",
        "RnDCG": "Rndcg",
        **_cut("nDCG", "ndcg_cut"),
        **_cut("AP", "map_cut"),
        **_cut("RelP", "relative_P"),
        **_cut("Success", "success", (1, 5, 10)),
        "P": "set_P",
        "RelP": "set_relative_P",
        "R": "set_recall",
        "SetAP": "set_map",
        "F1": "set_F",
        "NumNonrelRet": "num_nonrel_judged_ret",
        "RBP(p=0.9)": "rbp",
        "RBPResidual(p=0.9)": "rbp_resid",
        **_cut("Unjudged", "unj", (5, 10, 20)),
    }.items()
}
"""Our measures by their trec_eval names, in the order in which it prints them."""

TREC_EVAL_MEASURES: tuple[Measure, ...] = tuple(_NAMES)
"""Every measure that `trec_eval -m all_trec` prints."""

_BEFORE_RELSTRING = parse_measure("P@1000")
"""What trec_eval prints the grades of a query's first hits after."""


def render_trec_eval(report: Report) -> str:
    """Write `name, query, value` lines; if all is to be shown, each query's before the means."""
    per_query = report.detail >= Detail.ALL
    return "".join(line for run in report.subject for line in _run_lines(run, per_query=per_query))


def _run_lines(run: ScoredRun, *, per_query: bool) -> Iterator[str]:
    columns = sorted(run.columns.items(), key=_printed_place)
    if per_query:
        for position in range(len(run.queries)):
            yield from _query_lines(run, position, columns)
    yield f"{'runid':<22}\tall\t{run.tag}\n"
    yield f"{'num_q':<22}\tall\t{len(run.queries)}\n"
    for measure, _ in columns:
        yield _line(measure, "all", run.value(measure))


def _query_lines(
    run: ScoredRun, position: int, columns: Sequence[tuple[Measure, MeasureColumn]]
) -> Iterator[str]:
    """Write one query's lines; geometric means are of all queries, so they have none."""
    query = run.queries[position]
    has_relstring = run.columns.keys() >= set(TREC_EVAL_MEASURES)
    for measure, column in columns:
        if not measure.family.is_geometric:
            yield _line(measure, query, column.value(position))
        if has_relstring and measure == _BEFORE_RELSTRING:
            first = run.graded.grades(position).ranked[:_RELSTRING_LENGTH]
            yield f"{'relstring':<22}\t{query}\t'{''.join(map(_grade_sign, first))}'\n"


def _grade_sign(grade: int | None) -> str:
    """Write a grade as one character: - is unjudged, . in the pool but not judged."""
    if grade is None:
        return "-"
    if grade < 0:
        return "."
    return str(grade) if grade <= 9 else ">"


def _printed_place(entry: tuple[Measure, MeasureColumn]) -> int:
    """Sort by trec_eval's order; measures it does not have stay in the asked order, at the end."""
    return TREC_EVAL_MEASURES.index(entry[0]) if entry[0] in _NAMES else len(TREC_EVAL_MEASURES)


def _line(measure: Measure, query: str, value: Value) -> str:
    name = _NAMES.get(measure, str(measure))
    if isinstance(value, Undefined):
        return f"{name:<22}\t{query}\t-\n"
    number = f"{value:.0f}" if measure.family.is_count else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{number}\n"


TREC_EVAL = Format("trec_eval", render_trec_eval, ("score",), values_only=True)
"""The format that this slice offers."""
