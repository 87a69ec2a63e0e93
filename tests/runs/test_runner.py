"""Runs from their beginning to their end: asked, stored, resumed, retried."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.runs.samples import right_first, right_never, right_second, small_suite

if TYPE_CHECKING:
    from pathlib import Path

from cranfield.errors import CranfieldError, StoreError, SystemUnusableError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Query, Response, Status, Suite, Threshold
from cranfield.runs.grading import remeasure
from cranfield.runs.lookup import find_run, find_runs, runs_alike
from cranfield.runs.records import RunState
from cranfield.runs.regrading import audit_run, audit_store
from cranfield.runs.runner import RunOptions, continue_run, run_suite
from cranfield.runs.store import open_store
from cranfield.runs.store_rows import answer_row
from cranfield.runs.summaries import find_doubts, summarise
from cranfield.suites import load_suite
from cranfield.systems import PythonSystem, System, SystemSpec


class Scripted(System):
    """Answers some queries and fails others, counting what it was asked."""

    def __init__(self, failing: frozenset[str] | set[str] = frozenset()) -> None:
        self.asked: list[str] = []
        self.failing = failing

    def search(self, query: Query, limit: int) -> Response:
        self.asked.append(query.id)
        if query.id in self.failing:
            return Response.failed(Status.TIMEOUT, "no answer within 1 s", raw="half a line")
        return PythonSystem(right_first).search(query, limit)


class StopError(Exception):
    """Ends a run from outside."""


class Stopping:
    """Progress that ends the run after some answers were stored."""

    def __init__(self, after: int) -> None:
        self.after = after

    def advance(self, done: int, *_: object) -> None:
        if done >= self.after:
            raise StopError


def test_a_run_measures_every_query_by_its_class() -> None:
    run = run_suite(small_suite(4), right_second)
    outcomes = run.outcomes()
    assert run.header.measures == ("RR@10", "P@1", "P@5", "nDCG@10", "DCG@10")
    assert outcomes.values[:, 0].tolist() == [0.5] * 4
    assert outcomes.values[:, 1].tolist() == [0.0] * 4
    assert outcomes.first_ranks == (2,) * 4
    assert outcomes.statuses == (Status.OK,) * 4
    assert run.header.state is RunState.COMPLETE
    assert run.header.system == "right_second"


def test_deprecated_queries_are_not_asked() -> None:
    suite = small_suite(3)
    queries = (replace(suite.queries[0], deprecated=True), *suite.queries[1:])
    system = Scripted()
    run_suite(replace(suite, queries=queries), system)
    assert system.asked == ["q1", "q2"]


def test_several_threads_give_the_same_outcomes_in_the_order_of_the_suite() -> None:
    suite = small_suite(200)
    one = run_suite(suite, right_second, RunOptions(jobs=1)).outcomes()
    many = run_suite(suite, right_second, RunOptions(jobs=16)).outcomes()
    assert (one.values == many.values).all()
    assert [query.id for query in many.queries] == [f"q{number}" for number in range(200)]


def test_jobs_are_asked_at_the_same_time() -> None:
    meeting = threading.Barrier(4, timeout=60)

    def waits_for_the_others(text: str, limit: int) -> list[str]:
        meeting.wait()
        return right_first(text, limit)

    run = run_suite(small_suite(4), waits_for_the_others, RunOptions(jobs=4))
    assert run.outcomes().first_ranks == (1,) * 4


def test_a_callable_is_called_in_the_thread_that_runs_it() -> None:
    database = sqlite3.connect(":memory:")

    def searches(text: str, limit: int) -> list[str]:
        return [row[0] for row in database.execute("SELECT 'doc-' || ?", [text[4:]])][:limit]

    run = run_suite(small_suite(3), searches)
    database.close()
    assert run.outcomes().first_ranks == (1, 1, 1)


def test_failures_score_zero_and_are_counted_apart() -> None:
    run = run_suite(small_suite(4), Scripted({"q1", "q2"}))
    outcomes = run.outcomes()
    assert outcomes.statuses == (Status.OK, Status.TIMEOUT, Status.TIMEOUT, Status.OK)
    assert outcomes.values[:, 0].tolist() == [1.0, 0.0, 0.0, 1.0]
    summary = summarise(run)
    assert summary.statuses == {Status.OK: 2, Status.TIMEOUT: 2}
    stored = {answer.place: answer for answer in run.store.answers(run.header.id)}
    assert stored[1].response.raw == "half a line"
    assert stored[1].response.message == "no answer within 1 s"


def test_what_a_system_raises_is_an_error_of_that_query_only() -> None:
    class Breaks(System):
        def search(self, query: Query, limit: int) -> Response:
            if query.id == "q1":
                raise RuntimeError("out of luck")
            return PythonSystem(right_first).search(query, limit)

    run = run_suite(small_suite(3), Breaks())
    answers = list(run.store.answers(run.header.id))
    assert [answer.response.status for answer in answers] == ["ok", "error", "ok"]
    assert answers[1].response.message == "RuntimeError: out of luck"


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize(
    ("answer", "status", "told"),
    [
        (None, "error", "search returned NoneType, not a Response"),
        (SystemExit(3), "error", "SystemExit"),
        (Response.of((Hit("caf\udce9.txt"),)), "unparseable", "cannot be stored"),
        (Response.of((Hit("a", fields={"made": object()}),)), "unparseable", "cannot be stored"),
    ],
)
def test_whatever_a_system_gives_is_recorded_and_the_run_goes_on(
    answer: object, status: str, told: str, jobs: int
) -> None:
    class Odd(System):
        def search(self, query: Query, limit: int) -> Response:
            if query.id != "q1":
                return PythonSystem(right_first).search(query, limit)
            if isinstance(answer, BaseException):
                raise answer
            return answer  # type: ignore[return-value]

    run = run_suite(small_suite(4), Odd(), RunOptions(jobs=jobs))
    answers = list(run.store.answers(run.header.id))
    assert [each.response.status for each in answers] == ["ok", status, "ok", "ok"]
    assert told in answers[1].response.message


def test_more_hits_than_asked_for_and_repeated_ones_are_cut() -> None:
    twice = Hit("a")
    hits = (twice, twice, *(Hit(f"x{number}") for number in range(30)), Hit("doc-0"))
    run = run_suite(small_suite(1), lambda _text, _limit: Response.of(hits))
    [answer] = run.store.answers(run.header.id)
    assert [hit.id for hit in answer.response.hits][:2] == ["a", "x0"]
    assert len(answer.response.hits) == 10
    assert answer.response.repeated == 1
    assert answer.first_rank is None


def test_a_stopped_run_is_resumed_with_only_what_is_missing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.db")
    suite = small_suite(10)
    with pytest.raises(StopError):
        run_suite(suite, Scripted(), store=store, progress=Stopping(4))
    [stopped] = runs_alike(store, "Scripted", suite, RunOptions())
    answered = store.answered(stopped.header.id)
    assert len(answered) >= 4
    again = Scripted()
    finished = continue_run(stopped, again, RunOptions())
    assert len(again.asked) == 10 - len(answered)
    undisturbed = run_suite(suite, Scripted()).outcomes()
    assert (finished.outcomes().values == undisturbed.values).all()
    assert finished.outcomes().statuses == undisturbed.statuses
    assert finished.header.state is RunState.COMPLETE


def test_retrying_asks_only_what_failed_and_replaces_it() -> None:
    run = run_suite(small_suite(5), Scripted({"q1", "q3"}))
    again = Scripted()
    retried = continue_run(run, again, RunOptions(), retry_failed=True)
    assert again.asked == ["q1", "q3"]
    assert retried.outcomes().statuses == (Status.OK,) * 5
    assert retried.outcomes().values[:, 0].tolist() == [1.0] * 5


def test_a_run_is_not_resumed_with_another_suite_or_number_of_hits(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.db")
    suite = small_suite(5)
    with pytest.raises(StopError):
        run_suite(suite, Scripted(), store=store, progress=Stopping(1))
    changed = replace(suite, queries=(replace(suite.queries[0], text="other"), *suite.queries[1:]))
    for system, asked, options in (
        ("Scripted", changed, RunOptions()),
        ("Scripted", suite, RunOptions(limit=20)),
        ("Scripted", suite, RunOptions(repeats=2)),
        ("Scripted", suite, RunOptions(label="nightly")),
        ("Scripted", suite, RunOptions(measures=(parse_measure("AP"),))),
        ("another", suite, RunOptions()),
    ):
        assert runs_alike(store, system, asked, options) == []
    assert len(runs_alike(store, "Scripted", suite, RunOptions())) == 1


def test_repetitions_are_kept_and_averaged() -> None:
    calls: dict[str, int] = {}

    def wavers(text: str, limit: int) -> list[str]:
        calls[text] = calls.get(text, 0) + 1
        return (right_first if calls[text] % 2 else right_second)(text, limit)

    run = run_suite(small_suite(3), wavers, RunOptions(repeats=2))
    outcomes = run.outcomes()
    assert outcomes.by_repeat[:, :, 0].tolist() == [[1.0] * 3, [0.5] * 3]
    assert outcomes.values[:, 0].tolist() == [0.75] * 3


def test_a_system_that_cannot_be_asked_begins_no_run() -> None:
    class Missing(Scripted):
        def check(self) -> None:
            raise SystemUnusableError("the program ./search does not exist")

    store = open_store()
    with pytest.raises(SystemUnusableError, match="does not exist"):
        run_suite(small_suite(3), Missing(), store=store)
    assert store.headers() == []


def test_files_that_change_while_running_mark_the_run(tmp_path: Path) -> None:
    index = tmp_path / "index.db"
    index.write_text("before")

    def writes(text: str, limit: int) -> list[str]:
        index.write_text(f"after {text}")
        return right_first(text, limit)

    spec = SystemSpec("writes", "python", {"call": "x:y", "files": ["index.db"]}, tmp_path)
    run = run_suite(small_suite(2), PythonSystem(writes), spec=spec)
    assert run.header.state is RunState.CHANGED
    assert run.header.changes[0].startswith("index.db changed")
    assert list(run.header.files) == ["index.db"]


def test_a_pass_rank_or_a_gate_deeper_than_what_is_asked_for_is_refused() -> None:
    suite = small_suite(2)
    deep = replace(suite, queries=(replace(suite.queries[0], pass_rank=20),))
    with pytest.raises(CranfieldError, match="--k 20"):
        run_suite(deep, right_first)
    with pytest.raises(CranfieldError, match="--k 20"):
        run_suite(small_suite(2, gate=(Threshold("Success@20", 0.5),)), right_first)


def test_chosen_measures_replace_those_of_the_class_and_those_of_the_gate_stay() -> None:
    suite = small_suite(2, gate=(Threshold("Success@3", 0.5),))
    run = run_suite(suite, right_first, RunOptions(measures=(parse_measure("P@3"),)))
    assert run.header.measures == ("P@3", "Success@3")


def test_a_suite_can_declare_its_own_measures_and_options_come_first() -> None:
    suite = replace(small_suite(2), measures=("nDCG@10", "RR@10"))
    assert run_suite(suite, right_first).header.measures == ("nDCG@10", "RR@10")
    options = RunOptions(measures=(parse_measure("AP"),))
    assert run_suite(suite, right_first, options).header.measures == ("AP",)


def test_a_measure_deeper_than_what_is_asked_for_is_refused() -> None:
    with pytest.raises(CranfieldError, match="--k 20"):
        run_suite(small_suite(2), right_first, RunOptions(measures=(parse_measure("P@20"),)))


def test_reciprocal_rank_is_refused_where_it_means_nothing() -> None:
    queries = (Query("q", "async functions", {"where": {"kind": "function"}}),)
    suite = Suite("attributes", "attribute", queries)
    with pytest.raises(CranfieldError, match="none is the one to find"):
        run_suite(suite, right_first, RunOptions(measures=(parse_measure("RR@10"),)))


def test_a_pattern_that_runs_away_leaves_its_query_undefined_and_the_others_measured() -> None:
    queries = (
        Query("bad", "bad", {"matches": r"^(a|aa)+$"}),
        Query("good", "good", {"matches": "a"}),
    )

    def answers(text: str, limit: int) -> list[str]:
        return ["a" * 60 + "!"]

    run = run_suite(Suite("patterns", "canonical", queries), answers)
    outcomes = run.outcomes()
    assert outcomes.values[1, 0] == 1.0
    assert "backtracks" in outcomes.reasons[0, 0]
    assert [*outcomes.ungraded] == [0]
    assert "backtracks" in outcomes.ungraded[0]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "raises"])
def test_a_measure_without_a_number_says_so_and_does_not_leave_in_silence(
    value: float | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plug-in's measure may return anything."""

    def measured(*_: object) -> float:
        if isinstance(value, str):
            raise ZeroDivisionError(value)
        return value

    precision = parse_measure("P@1")
    monkeypatch.setattr(type(precision), "__call__", measured)
    suite = Suite("s", "canonical", (Query("q", "word", {"matches": "a"}),))
    outcomes = run_suite(suite, right_first).outcomes()
    said = "ZeroDivisionError" if isinstance(value, str) else f"came to {value}, which is no value"
    assert said in outcomes.ungraded[0]


@pytest.mark.process
def test_a_database_that_a_suite_names_is_looked_for_beside_the_suite(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "facts.db") as database:
        database.execute("CREATE TABLE symbols (uri TEXT)")
        database.execute("INSERT INTO symbols VALUES ('doc-0')")
    database.close()
    (tmp_path / "suite.toml").write_text(
        'id = "s"\nclass = "attribute"\n[[query]]\nid = "q"\ntext = "word0"\n'
        'expect.sql = { query = "SELECT uri FROM symbols", database = "facts.db" }\n'
    )
    run = run_suite(load_suite(tmp_path / "suite.toml"), right_first)
    assert run.outcomes().values[0, 0] == 0.2
    with sqlite3.connect(tmp_path / "facts.db") as database:
        database.execute("DELETE FROM symbols")
    database.close()
    empty = run_suite(load_suite(tmp_path / "suite.toml"), right_first)
    assert empty.outcomes().values[0, 0] == 0.0
    assert empty.header.truth[0].database == "facts.db"
    [doubt] = find_doubts(empty, empty.outcomes())
    assert doubt.startswith("the database names no right answer for 1 query, so nothing can")
    assert doubt.endswith(": q; look at its SQL")


@pytest.mark.process
def test_a_sql_expectation_is_answered_once_from_the_systems_database(tmp_path: Path) -> None:
    path = tmp_path / "search.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE symbols (uri TEXT, is_async INTEGER)")
        database.execute("INSERT INTO symbols VALUES ('doc-0', 1), ('doc-1', 0)")
    database.close()
    query = Query("q", "word0", {"sql": "SELECT uri FROM symbols WHERE is_async"})
    spec = SystemSpec("s", "python", {"call": "x:y", "database": "search.db"}, tmp_path)
    suite = Suite("attributes", "attribute", (query,))
    run = run_suite(suite, PythonSystem(right_first), RunOptions(limit=10), spec=spec)
    assert run.header.suite.queries[0].expect["sql"]["ids"] == ["doc-0"]
    path.unlink()
    assert audit_run(run) == []
    assert run.outcomes().values[0, 0] == 0.2


def test_an_audit_finds_a_figure_that_was_tampered_with(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.db")
    run = run_suite(small_suite(3), right_first, store=store)
    assert audit_run(run) == []
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute("UPDATE answers SET figures = '[0.9,1.0,0.2,1.0,1.0]' WHERE place = 1")
    database.close()
    [finding] = audit_run(run)
    assert (finding.query, finding.figure) == ("q1", "RR@10")
    assert (finding.stored, finding.computed) == ("0.9", "1.0")


@pytest.mark.parametrize(
    ("change", "figure"),
    [
        ("UPDATE answers SET status = 'timeout' WHERE place = 1", "status of answer 2"),
        ("DELETE FROM answers WHERE place = 1", "number of answers"),
    ],
)
def test_an_audit_finds_what_was_changed_beside_the_figures(
    tmp_path: Path, change: str, figure: str
) -> None:
    run = run_suite(small_suite(3), right_first, store=open_store(tmp_path / "store.db"))
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute(change)
    database.close()
    opened = open_store(tmp_path / "store.db")
    found = audit_run(find_run(opened, run.header.id))
    assert figure in {finding.figure for finding in found}


def test_a_suite_that_was_changed_in_the_store_is_no_suite_that_was_run(tmp_path: Path) -> None:
    run = run_suite(small_suite(3), right_first, store=open_store(tmp_path / "store.db"))
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute("UPDATE suites SET content = replace(content, 'doc-1', 'doc-x')")
    database.close()
    opened = open_store(tmp_path / "store.db")
    with pytest.raises(StoreError, match=r"damaged.*its hash is"):
        find_run(opened, run.header.id)
    assert list(audit_store(opened).damaged) == [run.header.id]


def test_the_store_can_be_used_while_its_answers_are_read() -> None:
    run = run_suite(small_suite(3), right_first)
    for answer in run.store.answers(run.header.id):
        assert run.store.header(run.header.id).id == run.header.id
        run.store.add(run.header.id, [answer_row(run.header.id, answer)], replacing=True)


def test_runs_are_found_by_id_beginning_label_and_latest() -> None:
    store = open_store()
    first = run_suite(small_suite(2), right_first, RunOptions(label="before"), store=store)
    second = run_suite(small_suite(2), right_never, RunOptions(label="after"), store=store)
    assert find_run(store, first.header.id).header.id == first.header.id
    assert find_run(store, "after").header.id == second.header.id
    assert find_run(store, "latest").header.id == store.headers()[-1].id
    assert find_runs(store, "nothing-like-it") == []
    with pytest.raises(StoreError, match="write more of the id"):
        find_run(store, first.header.id[:2])
    with pytest.raises(StoreError, match="runs list"):
        find_run(store, "nothing-like-it")


def test_a_label_over_several_suites_stands_for_the_latest_run_of_each() -> None:
    store = open_store()
    small, other = small_suite(2), replace(small_suite(2), id="other")
    for suite in (small, other, small):
        last = run_suite(suite, right_first, RunOptions(label="nightly"), store=store)
    found = find_runs(store, "nightly")
    assert {run.header.suite.id for run in found} == {"small", "other"}
    assert last.header.id in {run.header.id for run in found}
    with pytest.raises(StoreError, match="2 suites"):
        find_run(store, "nightly")


def test_stored_answers_can_be_measured_by_something_else() -> None:
    run = run_suite(small_suite(2), right_second)
    measured = list(remeasure(run, [parse_measure("Success@3")]))
    assert [answer.values for _, answer in measured] == [(1.0,), (1.0,)]


def test_a_summary_is_over_the_queries_that_have_a_value() -> None:
    queries = (
        Query("a", "word0", {"passages": "some words of it"}, category="prose"),
        Query("b", "off topic", {"route": "no_results"}, category="adversarial"),
    )
    suite = Suite("golden", "passages", queries)
    summary = summarise(run_suite(suite, right_never))
    success = parse_measure("Success(rel=2)@3")
    assert summary.overall.defined[success] == 1
    assert summary.categories["adversarial"].defined[success] == 0
    assert "expects no hits" in str(summary.categories["adversarial"].means[success])


def test_two_runs_that_draw_the_same_id_are_both_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["a", "a", "a", "b"])
    monkeypatch.setattr("cranfield.runs.runner._new_id", lambda: next(drawn))
    store = open_store()
    runs = [run_suite(small_suite(), right_first, store=store) for _ in range(2)]
    assert [run.header.id for run in runs] == store.run_ids() == ["a", "b"]


def test_hits_that_repeat_an_id_are_reported() -> None:
    run = run_suite(small_suite(4), lambda text, limit: [text, text, "x", text][:limit])
    [said] = [each for each in run.header.warnings if "repeated" in each]
    assert said == (
        "8 hits in 4 answers repeated the id of a higher hit, and each id was kept once"
    )
    assert not run_suite(small_suite(4), right_first).header.warnings
