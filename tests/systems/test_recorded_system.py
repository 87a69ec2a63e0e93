"""Recorded responses: found by id or text, and refused with their line when broken."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import InputError, SystemUnusableError
from cranfield.model import Response, Status
from cranfield.systems import SystemSpec
from tests.systems.helpers import ask, opened, short

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, *records: Any) -> None:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    (folder / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")


def answer(folder: Path, text: str = "cats", name: str = "q1", **settings: Any) -> Response:
    with opened("recorded", folder, file="answers.jsonl", **settings) as system:
        system.check()
        return system.search(ask(text, name=name), 10)


def test_a_response_is_found_by_id_before_text(tmp_path: Path) -> None:
    write(tmp_path, {"query": "cats", "hits": ["by text"]}, "", {"id": "q1", "hits": ["by id"]})
    assert answer(tmp_path).hits[0].id == "by id"
    assert answer(tmp_path, name="q2").hits[0].id == "by text"


def test_a_response_of_another_id_is_not_taken_for_its_text(tmp_path: Path) -> None:
    """Two queries may have one text and different filters."""
    write(tmp_path, {"id": "q1", "query": "cats", "hits": ["a"]})
    response = answer(tmp_path, name="q2")
    assert response.status is Status.ERROR
    assert response.message == "nothing is recorded for this query"


def test_route_flags_scores_and_paths_are_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"id": 7, "out": [{"key": "ä", "s": 1}], "route": "code", "flags": ["typo"]},
    )
    response = answer(tmp_path, name="7", hits="out", id="key", score="s")
    assert [(hit.id, hit.score) for hit in response.hits] == [("ä", 1.0)]
    assert (response.route, response.flags) == ("code", ("typo",))


@pytest.mark.parametrize("status", ["timeout", "error", "unparseable"])
def test_a_recorded_failure_stays_one(tmp_path: Path, status: str) -> None:
    write(tmp_path, {"id": "q1", "status": status, "message": "why", "raw": "what", "hits": ["a"]})
    response = answer(tmp_path)
    assert response == Response.failed(Status(status), "why", raw="what")


@pytest.mark.parametrize("status", ["ok", "empty"])
def test_a_recorded_answer_is_what_its_hits_are(tmp_path: Path, status: str) -> None:
    write(tmp_path, {"id": "q1", "status": status, "hits": []})
    assert answer(tmp_path).status is Status.EMPTY


def test_a_record_without_hits_is_unparseable(tmp_path: Path) -> None:
    write(tmp_path, {"id": "q1"})
    assert answer(tmp_path).status is Status.UNPARSEABLE


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("{", "answers.jsonl:3: is not JSON"),
        ("[" * 100_000, "answers.jsonl:3: is not JSON"),
        ("[1]", "answers.jsonl:3: is not an object; write"),
        ({"hits": []}, "answers.jsonl:3: has no id and no query; say what is answered"),
        ({"id": ["q"]}, "answers.jsonl:3: has no id and no query"),
        ({"id": "q1", "hits": []}, "answers.jsonl:3: answers 'q1' a second time; keep one"),
        ({"query": "cats"}, "answers.jsonl:3: answers 'cats' a second time"),
        ({"id": "x", "status": "failed"}, "answers.jsonl:3: has the status 'failed'; there are ok"),
    ],
    ids=short,
)
def test_a_broken_line_is_refused_with_its_place(tmp_path: Path, broken: Any, message: str) -> None:
    write(tmp_path, {"id": "q1", "hits": []}, {"query": "cats", "hits": []}, broken)
    with pytest.raises(InputError) as refused:
        answer(tmp_path)
    assert message in str(refused.value)


def test_a_missing_file_and_a_pattern_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"answers\.jsonl: cannot be read: No such file"):
        answer(tmp_path)
    write(tmp_path, {"id": "q1", "hits": []})
    with pytest.raises(SystemUnusableError, match="recorded responses are JSON"):
        answer(tmp_path, pattern="x")


def test_the_recording_is_what_the_system_is_made_of(tmp_path: Path) -> None:
    spec = SystemSpec("r", "recorded", {"file": "answers.jsonl", "files": ["x"]}, tmp_path)
    assert spec.paths() == [tmp_path / "x", tmp_path / "answers.jsonl"]
    assert spec.database is None


def test_a_closed_recording_answers_with_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"id": "q1", "hits": ["a"]})
    with opened("recorded", tmp_path, file="answers.jsonl") as system:
        pass
    assert system.search(ask(), 1).status is Status.ERROR


def test_many_threads_read_their_own_lines(tmp_path: Path) -> None:
    write(tmp_path, *({"id": f"q{n}", "hits": [f"d{n}" + "x" * (n % 50)]} for n in range(5000)))
    with (
        opened("recorded", tmp_path, file="answers.jsonl") as system,
        ThreadPoolExecutor(8) as pool,
    ):
        found = list(pool.map(lambda n: system.search(ask(name=f"q{n}"), 1), range(5000)))
    assert [each.hits[0].id.rstrip("x") for each in found] == [f"d{n}" for n in range(5000)]
