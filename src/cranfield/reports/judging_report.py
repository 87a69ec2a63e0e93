"""The report of a round of judging: what is in the pool, how far it is judged, what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import CellKind, Column, Line, Lines, Report, Section, Table, Tone, count_of
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cranfield.judging import DecisiveState, JudgingRound

__all__ = ["report_round"]

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
                    Lines((Line(_HOW),) if judging.queue.progress(rater).left else ()),
                ),
            ),
        ),
        subject=judging,
        make_data=lambda: _data(judging, rater),
    )


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
        text = f"the verdict is {outlook.kind}, with a probability of {outlook.probability:.1%}"
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
