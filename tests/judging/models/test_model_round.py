"""Models asked over the real protocols: what they say, and everything that goes wrong."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from tests.judging.models.helpers import KEY, FakeTime, make_round, make_run, make_suite
from tests.judging.models.model_server import (
    Behaviour,
    ModelServer,
    cut_short,
    fail,
    reply,
    serve_model,
)

from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.judgments import JudgmentSource, JudgmentStore
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.judging.models.request_loop import ModelTally

pytestmark = pytest.mark.server

ENVIRONMENT = {"MODEL_KEY": KEY}
KINDS = ("openai", "anthropic")


def judge(
    folder: Path, server: ModelServer, kind: str = "openai", **settings: Any
) -> tuple[ModelTally, FakeTime, Any]:
    endpoint = server.address + ("/v1" if kind == "openai" else "")
    suite = make_suite(folder, endpoint, kind=kind, **settings)
    judging = make_round(suite, run := make_run(suite))
    fake = FakeTime()
    return judging.run(judging.plan(), ENVIRONMENT, clock=fake.clock), fake, run.store


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_judges_what_the_rules_do_not_find(kind: str, tmp_path: Path) -> None:
    with serve_model() as server:
        tally, _, store = judge(tmp_path, server, kind)
    assert (tally.graded, tally.unjudged, tally.failed, tally.stopped) == (12, 0, 0, "")
    assert (tally.input_tokens, tally.output_tokens) == (1200, 24)
    judgments = JudgmentStore(store).judgments()
    assert {each.source for each in judgments} == {JudgmentSource.MODEL}
    assert {each.rater for each in judgments} == {"judge-1@1"}
    assert {each.document.partition("-")[2]: each.grade for each in judgments} == {
        "x": 0,
        "part": 1,
    }
    sent = server.headers[0]
    assert KEY in (sent.get("authorization", ""), sent.get("x-api-key")) or sent[
        "authorization"
    ].endswith(KEY)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_server_that_is_busy_is_asked_again(kind: str, status: int, tmp_path: Path) -> None:
    with serve_model(script=[fail(status), fail(status)]) as server:
        tally, fake, _ = judge(tmp_path, server, kind)
    assert (tally.graded, tally.failed) == (12, 0)
    assert len(server.requests) == 14
    assert [wait for wait in fake.waits if wait > 0.5] == pytest.approx([1.0, 2.0], abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_retry_after_is_honoured(kind: str, tmp_path: Path) -> None:
    script = [fail(429, retry_after="7"), fail(429, retry_after_ms="2500")]
    with serve_model(script=script) as server:
        tally, fake, _ = judge(tmp_path, server, kind)
    assert tally.graded == 12
    assert [wait for wait in fake.waits if wait > 0.5] == pytest.approx([7.0, 2.5], abs=0.05)


def test_a_server_that_asks_for_an_hour_ends_the_round(tmp_path: Path) -> None:
    with serve_model(script=[fail(429, retry_after="3600")]) as server:
        tally, fake, _ = judge(tmp_path, server)
    assert "run the command again later" in tally.stopped
    assert len(server.requests) == 1
    assert not [wait for wait in fake.waits if wait > 0.5]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_model_stops_at_once_and_shows_no_secret(
    kind: str, status: int, tmp_path: Path
) -> None:
    body = {"error": {"type": "auth", "message": f"no such key: {KEY}"}}
    with serve_model(script=[fail(status, body)]) as server:
        tally, _, _ = judge(tmp_path, server, kind)
    assert len(server.requests) == 1
    assert f"answered {status}" in tally.stopped
    assert "check key, model and endpoint" in tally.stopped
    assert KEY not in tally.stopped


def test_a_request_that_is_refused_leaves_its_hit_unjudged_and_the_next_goes_on(
    tmp_path: Path,
) -> None:
    with serve_model(script=[fail(400)]) as server:
        tally, _, _ = judge(tmp_path, server)
    assert (tally.graded, tally.failed, tally.stopped) == (11, 1, "")


def test_five_hits_in_a_row_without_an_answer_stop_the_round(tmp_path: Path) -> None:
    with serve_model(script=[fail(400)] * 12) as server:
        tally, _, _ = judge(tmp_path, server)
    assert (tally.failed, len(server.requests)) == (5, 5)
    assert "answered 400" in tally.stopped


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "broken",
    [
        cut_short,
        fail(200, b"<html>gateway</html>"),
        fail(200, b"{}"),
        fail(200, b'{"choices": []}'),
    ],
    ids=["cut", "html", "empty", "no choice"],
)
def test_a_broken_answer_is_asked_for_again(kind: str, broken: Behaviour, tmp_path: Path) -> None:
    with serve_model(script=[broken]) as server:
        tally, _, _ = judge(tmp_path, server, kind)
    assert (tally.graded, tally.failed, len(server.requests)) == (12, 0, 13)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slow_answer_is_given_up_and_asked_for_again(kind: str, tmp_path: Path) -> None:
    with serve_model(script=[reply(None, seconds=6.0)]) as server:
        tally, _, _ = judge(tmp_path, server, kind, timeout=3.0)
    assert (tally.graded, len(server.requests)) == (12, 13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (reply("HIGH."), "the answer is none of the words"),
        (reply("high"), "the answer is none of the words"),
        (reply("HIGH, because it says so"), "the answer is none of the words"),
        (reply("HIGH PARTIAL"), "the answer is none of the words"),
        (reply(""), "the answer is empty"),
        (
            reply(
                "HIGH", openai={"finish_reason": "length"}, anthropic={"stop_reason": "max_tokens"}
            ),
            "the answer was cut off",
        ),
        (
            reply(
                "HIGH",
                openai={"message": {"role": "assistant", "content": None, "refusal": "I cannot"}},
                anthropic={"stop_reason": "refusal", "content": []},
            ),
            "the model refused",
        ),
    ],
)
def test_what_is_not_exactly_one_of_the_words_is_unjudged(
    kind: str, answer: Behaviour, reason: str, tmp_path: Path
) -> None:
    with serve_model(script=[answer]) as server:
        tally, _, store = judge(tmp_path, server, kind)
    assert (tally.graded, tally.unjudged) == (11, 1)
    assert tally.reasons == {reason: 1}
    assert len(JudgmentStore(store).judgments()) == 11


def test_spaces_around_the_word_are_no_mistake(tmp_path: Path) -> None:
    with serve_model(script=[reply(" HIGH\n")]) as server:
        tally, _, _ = judge(tmp_path, server)
    assert (tally.graded, tally.unjudged) == (12, 0)


def test_an_answer_is_asked_for_once_even_if_it_was_unusable(tmp_path: Path) -> None:
    with serve_model(script=[reply("maybe")]) as server:
        suite = make_suite(tmp_path, server.address + "/v1")
        run = make_run(suite)
        judging = make_round(suite, run)
        judging.run(judging.plan(), ENVIRONMENT, clock=FakeTime().clock)
        again = judging.plan()
        assert (len(again.to_ask), again.spent.calls) == (0, 12)
        tally = judging.run(again, ENVIRONMENT)
        assert (tally.from_store, tally.graded, len(server.requests)) == (12, 0, 12)
    assert len(JudgmentStore(run.store).judgments()) == 11


def test_the_budget_is_never_exceeded_and_counts_earlier_rounds(tmp_path: Path) -> None:
    with serve_model() as server:
        suite = make_suite(
            tmp_path, server.address + "/v1", budget=1.0, price_in=1000.0, price_out=1000.0
        )
        judging = make_round(suite, make_run(suite))
        plan = judging.plan()
        assert plan.cost is not None
        assert plan.cost > 1.0
        tally = judging.run(plan, ENVIRONMENT, clock=FakeTime().clock)
        assert "budget of 1 " in tally.stopped
        assert tally.cost is not None
        assert 0.1 < tally.cost <= 1.0
        asked = len(server.requests)
        assert 0 < asked < 12
        again = judging.run(judging.plan(), ENVIRONMENT, clock=FakeTime().clock)
        assert (len(server.requests), again.graded) == (asked, 0)


def test_most_calls_end_the_round(tmp_path: Path) -> None:
    with serve_model() as server:
        tally, _, _ = judge(tmp_path, server, most_calls=3)
    assert (tally.graded, len(server.requests)) == (3, 3)
    assert "most_calls is 3" in tally.stopped


def test_no_more_requests_are_under_way_than_jobs_and_they_keep_the_pace(tmp_path: Path) -> None:
    slow = [reply(None, seconds=0.05)] * 12
    with serve_model(script=slow) as server:
        tally, fake, _ = judge(tmp_path, server, jobs=3, per_minute=60.0)
    assert tally.graded == 12
    assert 1 <= server.most_at_once <= 3
    assert fake.seconds >= 11.0


def test_a_round_that_is_killed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    class KilledError(BaseException):
        pass

    def kill(tally: ModelTally) -> None:
        if tally.graded == 5:
            raise KilledError

    with serve_model() as server:
        suite = make_suite(tmp_path, server.address + "/v1")
        store = open_store(tmp_path / "runs.db")
        judging = make_round(suite, make_run(suite, store))
        with pytest.raises(KilledError):
            judging.run(judging.plan(), ENVIRONMENT, clock=FakeTime().clock, note=kill)
        plan = judging.plan()
        assert (len(plan.known), len(plan.to_ask)) == (5, 7)
        tally = judging.run(plan, ENVIRONMENT, clock=FakeTime().clock)
    assert (tally.from_store, tally.graded, len(server.requests)) == (5, 7, 12)
    assert len(JudgmentStore(store).judgments()) == 12
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        dump = "\n".join(connection.iterdump())
    assert KEY not in dump
    assert "model_answers" in dump


def test_an_answer_that_was_stored_before_a_kill_becomes_a_judgment(tmp_path: Path) -> None:
    with serve_model() as server:
        suite = make_suite(tmp_path, server.address + "/v1")
        run = make_run(suite)
        judging = make_round(suite, run)
        judging.run(judging.plan(), ENVIRONMENT, clock=FakeTime().clock)
        with run.store.changing() as connection:
            connection.exec_driver_sql("DELETE FROM judgments WHERE number > 4")
        judging.run(judging.plan(), ENVIRONMENT)
    assert len(server.requests) == 12
    assert len(JudgmentStore(run.store).judgments()) == 12


def test_the_question_of_a_category_and_categories_that_are_always_or_never_sent(
    tmp_path: Path,
) -> None:
    from dataclasses import replace

    with serve_model() as server:
        suite = make_suite(
            tmp_path, server.address + "/v1", always=["dark_night"], never=["adversarial"],
            question="Does it help?",
            questions={"dark_night": "Does it console, rather than instruct?"},
        )  # fmt: skip
        named = ("dark_night", "adversarial", *[""] * 4)
        queries = tuple(
            replace(query, category=category)
            for query, category in zip(suite.queries, named, strict=True)
        )
        suite = replace(suite, queries=queries)
        judging = make_round(suite, make_run(suite))
        plan = judging.plan()
        assert (len(plan.hits), plan.matched, plan.left_out) == (3 + 8, 4, 3)
        judging.run(plan, ENVIRONMENT, clock=FakeTime().clock)
    asked = [body["messages"][0]["content"] for _, body in server.requests]
    assert sum("console, rather than instruct" in each for each in asked) == 3
    assert sum("Does it help?" in each for each in asked) == 8


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    suite = make_suite(tmp_path, "http://127.0.0.1:1/v1")
    judging = make_round(suite, make_run(suite))
    with pytest.raises(SystemUnusableError, match="MODEL_KEY, which is not set"):
        judging.run(judging.plan(), {})


def test_a_prompt_that_changed_without_its_version_is_refused(tmp_path: Path) -> None:
    with serve_model() as server:
        suite = make_suite(tmp_path, server.address + "/v1", most_calls=20)
        run = make_run(suite)
        judging = make_round(suite, run)
        judging.run(judging.plan(), ENVIRONMENT, clock=FakeTime().clock)
        (tmp_path / "prompt.txt").write_text("version: 1\nAnother text.\n")
        with pytest.raises(CranfieldError, match="give it a new one"):
            make_round(suite, run).plan()
        (tmp_path / "prompt.txt").write_text("version: 2\nAnother text.\n")
        assert len(make_round(suite, run).plan().to_ask) == 12


@pytest.mark.process
def test_any_other_model_is_a_command(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    word = 'PARTIAL' if 'built in' in asked['user'] else 'NOT_RELEVANT'\n"
        "    print(json.dumps({'answer': word, 'input_tokens': 7}), flush=True)\n"
    )
    suite = make_suite(
        tmp_path, "", kind="command", run=["python3", "judge.py"], key="", model="mine"
    )
    judging = make_round(suite, make_run(suite))
    from os import environ

    tally = judging.run(judging.plan(), dict(environ), clock=FakeTime().clock)
    assert (tally.graded, tally.unjudged, tally.input_tokens) == (12, 0, 84)


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "timeout", "said"),
    [
        ("import time; time.sleep(60)", 0.3, "no answer in time"),
        ("print('hello', flush=True); input()", 60.0, "printed something else"),
        ("raise SystemExit(3)", 60.0, "the command"),
        ('print(\'{"error": "no licence"}\', flush=True); input(); input()', 60.0, "no licence"),
    ],
)
def test_a_command_that_fails_stops_the_round(
    program: str, timeout: float, said: str, tmp_path: Path
) -> None:
    (tmp_path / "judge.py").write_text(program)
    run = ["python3", "judge.py"]
    suite = make_suite(tmp_path, "", kind="command", run=run, key="", timeout=timeout, attempts=1)
    judging = make_round(suite, make_run(suite))
    from os import environ

    tally = judging.run(judging.plan(), dict(environ), clock=FakeTime().clock)
    assert (tally.graded, tally.failed) == (0, 5)
    assert said in tally.stopped
