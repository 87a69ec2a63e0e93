"""The report of a round of judging: what is in the pool, how far it is judged, what is left."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from cranfield.defaults import SEED
from cranfield.formats import (
    CellKind,
    Column,
    Line,
    Lines,
    Report,
    Section,
    Table,
    Tone,
    count_of,
    tabulate,
)
from cranfield.judging.agreement import measure_agreement, share_of_raters
from cranfield.judgments import JudgedItem
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cranfield.judging.agreement import AgreementFigure, ClassAgreement, RaterShare
    from cranfield.judging.decisive import DecisiveState
    from cranfield.judging.judging_round import JudgingRound
    from cranfield.judging.queue import ShownHit

__all__ = ["report_progress", "report_round"]

_MOST_DISPUTED = 20
_NO_OVERLAP = (
    "no hit was judged by two people, so nothing is known about their agreement; set overlap "
    "in [judging]"
)

_HOW = (
    "judge them with the same command and --terminal; then set judged_by in [judging], and "
    "`cranfield compare` uses the judgments"
)


def report_round(judging: JudgingRound, rater: str) -> Report:
    """Report what there is to judge for a rater."""
    return Report(
        kind="judging",
        title="Judging",
        sections=(
            Section(
                title=", ".join(dict.fromkeys(run.header.suite.id for run in judging.runs)),
                blocks=(
                    _runs_table(judging),
                    Lines(tuple(_pool_lines(judging, rater))),
                    Lines(tuple(_decisive_lines(judging.queue.decisive_state()))),
                    Lines((Line(_HOW),) if _has_work(judging, rater) else ()),
                ),
            ),
        ),
        subject=judging,
        make_data=lambda: _data(judging, rater),
    )


def report_progress(judging: JudgingRound, rater: str, seed: int = SEED) -> Report:
    """Report how far a pool is judged, by whom, and how well raters agree."""
    plain = report_round(judging, rater)
    shares = share_of_raters(judging.queue.judgments())
    agreement = measure_agreement(judging.pool, judging.queue.judgments(), seed)
    disputed = [(each, _grades_of(judging, each)) for each in judging.queue.disputed()]
    told = Section(
        blocks=(
            Table(*tabulate(shares, _SHARES), labels=1, title="Raters"),
            *(_agreement_table(each) for each in agreement),
            Lines(() if agreement else (Line(_NO_OVERLAP),)),
            _disputed_table(disputed),
        )
    )
    facts = {
        "seed": seed,
        "raters": [asdict(each) for each in shares],
        "agreement": [asdict(each) for each in agreement],
        "disputed": [
            {"query": each.query.query.id, "documents": list(each.hit.documents), "grades": grades}
            for each, grades in disputed
        ],
    }
    return replace(
        plain, sections=(*plain.sections, told), make_data=lambda: {**plain.data, **facts}
    )


_SHARES: dict[Column, Callable[[RaterShare], Any]] = {
    Column("rater"): lambda each: each.rater,
    Column("graded", CellKind.COUNT): lambda each: each.graded,
    Column("unrateable", CellKind.COUNT): lambda each: each.unrateable,
    Column("skipped", CellKind.COUNT): lambda each: each.skipped,
}
_FIGURES: dict[Column, Callable[[AgreementFigure], Any]] = {
    Column("agreement"): lambda each: each.name,
    Column("hits", CellKind.COUNT): lambda each: each.hits,
    Column("value", CellKind.VALUE): lambda each: each.value,
    Column("95% interval", CellKind.RANGE): lambda each: (
        None if each.low is None or each.high is None else (each.low, each.high)
    ),
    Column("reason"): lambda each: each.reason or None,
}


def _agreement_table(each: ClassAgreement) -> Table:
    caption = (
        f"{each.name}: {each.agreed} of {each.hits} hits that several people judged got one grade"
    )
    return Table(*tabulate(each.figures, _FIGURES), caption=caption)


def _disputed_table(disputed: Sequence[tuple[ShownHit, Mapping[str, int | None]]]) -> Table:
    columns = (
        Column("query", CellKind.QUERY),
        Column("document", CellKind.ID),
        Column("grades"),
    )
    rows = tuple(
        (
            each.query.query.text,
            each.hit.document,
            ", ".join(
                f"{name} {'–' if grade is None else grade}" for name, grade in grades.items()
            ),
        )
        for each, grades in disputed
    )
    return Table(
        columns,
        rows,
        labels=2,
        caption="raters disagree about (cranfield judge --disputed --terminal settles them):",
        most=_MOST_DISPUTED,
        rest="--format json lists all",
    )


def _grades_of(judging: JudgingRound, shown: ShownHit) -> dict[str, int | None]:
    item = JudgedItem(shown.query.key, shown.hit.item)
    return {each.rater: each.grade for each in judging.queue.judgments_of(item)}


def _has_work(judging: JudgingRound, rater: str) -> bool:
    state = judging.queue.decisive_state()
    is_settled = state is not None and state.is_settled
    return judging.queue.progress(rater).left > 0 and not is_settled


def _runs_table(judging: JudgingRound) -> Table:
    columns = (
        Column("run", CellKind.ID),
        Column("suite"),
        Column("system"),
        Column("queries", CellKind.COUNT),
    )
    rows = tuple(
        (run.header.id, run.header.suite.id, run.header.name, len(run.header.suite.asked))
        for run in judging.runs
    )
    return Table(columns, rows, labels=3)


def _pool_lines(judging: JudgingRound, rater: str) -> Iterator[Line]:
    pool, progress = judging.pool, judging.queue.progress(rater)
    hits = count_of(progress.hits, "hit")
    yield Line(
        f"the pool has {hits} for {count_of(progress.queries, 'query', 'queries')}: the first "
        f"{pool.depth} of each run, each content once"
    )
    if pool.is_by_id:
        yield Line("the texts of one document differ: hits are judged by their ids")
    if pool.unanswered:
        yield Line(f"{count_of(pool.unanswered, 'answer')} had failed", Tone.WARNING)
    if judging.queue.options.adjudicates:
        yield Line(f"raters disagree about {count_of(len(judging.queue.disputed()), 'hit')}")
    if judging.queue.options.chosen.is_review:
        waiting = judging.queue.count_waiting(rater)
        yield Line(f"{count_of(waiting, 'hit')} that {rater} judged then to be reviewed")
    yield Line(
        f"{progress.judged} judged, {progress.left} left; {progress.mine} judged by {rater}; "
        f"{progress.finished_queries} of {progress.queries} queries finished"
    )


def _decisive_lines(state: DecisiveState | None) -> Iterator[Line]:
    if state is None:
        return
    yield Line(
        f"{state.settled_queries} of {state.queries} differences are settled; at most "
        f"{count_of(state.hits_left, 'hit')} can still change one"
    )
    outlook = state.outlook
    if outlook is None:
        yield Line("too few queries are judged to foresee the verdict")
    elif outlook.is_certain:
        text = f"the verdict is {outlook.kind}: no judgment can change it any more"
        yield Line(text, Tone.GOOD, "settled")
    elif outlook.is_settled:
        text = f"the verdict is {outlook.kind}: all outcomes drawn for what is left have it"
        yield Line(text, Tone.GOOD, "settled")
    else:
        yield Line(f"the verdict is open: {outlook.kind} in {outlook.probability:.0%} of outcomes")


def _data(judging: JudgingRound, rater: str) -> dict[str, Any]:
    progress = judging.queue.progress(rater)
    return {
        "kind": "judging",
        "schema_version": REPORT_SCHEMA_VERSION,
        "volatile": {"runs": [run.header.id for run in judging.runs]},
        "pool": {
            "suites": list(dict.fromkeys(run.header.suite.id for run in judging.runs)),
            "depth": judging.pool.depth,
            "is_by_id": judging.pool.is_by_id,
            "unanswered": judging.pool.unanswered,
            "guideline": judging.guidelines.version,
        },
        "progress": {**progress._asdict(), "left": progress.left, "rater": rater},
        "decisive": _decisive_data(judging.queue.decisive_state()),
    }


def _decisive_data(state: DecisiveState | None) -> dict[str, Any] | None:
    if state is None:
        return None
    outlook = state.outlook
    return {
        "queries": state.queries,
        "settled_queries": state.settled_queries,
        "hits_left": state.hits_left,
        "is_settled": state.is_settled,
        "verdict": None if outlook is None else str(outlook.kind),
        "probability": None if outlook is None else outlook.probability,
        "is_certain": None if outlook is None else outlook.is_certain,
    }
