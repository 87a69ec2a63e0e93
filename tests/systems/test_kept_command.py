"""Commands that stay: one line there, one line back, and a new process where that goes wrong."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from cranfield.model import Status
from tests.systems.helpers import ask, ends, opened, write_program

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

SERVER = """
answered = 0
for line in sys.stdin:
    asked = json.loads(line)
    answered += 1
    hits = [{"id": asked["query"], "text": line.strip(), "pid": os.getpid(), "n": answered}]
    print(json.dumps({"hits": hits}), flush=True)
"""


def server(answers: str) -> str:
    """Return a program that does something for each line that is asked."""
    return f"for line in sys.stdin:\n    asked = json.loads(line)\n    {answers}\n"


def test_one_process_answers_all_and_is_told_everything(tmp_path: Path) -> None:
    run = write_program(tmp_path, SERVER)
    with opened("command", tmp_path, run=run, keep_alive=True) as system:
        system.check()
        first = system.search(ask("one", language="en", filters={"kind": ["a", "b"]}), 7)
        second = system.search(ask("two\nlines {query} \0", name="q2"), 7)
    told = '{"id":"q1","query":"one","k":7,"language":"en","filters":{"kind":["a","b"]}}'
    assert first.hits[0].text == told
    assert second.hits[0].id == "two\nlines {query} \0"
    assert first.hits[0].fields["pid"] == second.hits[0].fields["pid"]
    assert second.hits[0].fields["n"] == 2


def test_closing_ends_the_process(tmp_path: Path) -> None:
    run = write_program(tmp_path, SERVER)
    with opened("command", tmp_path, run=run, keep_alive=True) as system:
        process = system.search(ask(), 1).hits[0].fields["pid"]
    assert ends(process)
    assert system.search(ask(), 1).message == "the process cannot be used: the system is closed"


def test_a_process_that_ends_after_each_answer_is_started_again(tmp_path: Path) -> None:
    code = server("print('[\"a\"]', flush=True); sys.exit()")
    with opened("command", tmp_path, run=write_program(tmp_path, code), keep_alive=True) as system:
        assert [system.search(ask(), 1).status for _ in range(5)] == [Status.OK] * 5


def test_a_query_that_kills_the_process_is_an_error_and_the_next_is_answered(
    tmp_path: Path,
) -> None:
    code = server(
        "asked['query'] == 'bad' and sys.exit('cannot bear it'); print('[\"a\"]', flush=True)"
    )
    with opened("command", tmp_path, run=write_program(tmp_path, code), keep_alive=True) as system:
        answers = [system.search(ask(text), 1) for text in ("good", "bad", "good", "bad", "good")]
    assert [answer.status.value for answer in answers] == ["ok", "error", "ok", "error", "ok"]
    assert answers[1].message == "the process cannot be used: it ended with code 1"
    assert answers[1].raw == "cannot bear it\n"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("answers", "status", "message"),
    [
        ("print('Loading…', flush=True)", Status.UNPARSEABLE, "this is not JSON"),
        ("print('{}', flush=True)", Status.UNPARSEABLE, "the JSON has no list of hits"),
        (
            'print(\'["a"]\\n["b"]\', flush=True)',
            Status.UNPARSEABLE,
            "the process answered with more than one line",
        ),
        (
            'print(\'{"id": "other", "hits": []}\', flush=True)',
            Status.UNPARSEABLE,
            "the process answered the query 'other', which is another",
        ),
        ("pass", Status.TIMEOUT, "no answer within 5 s"),
        ("print('[', end='', flush=True)", Status.TIMEOUT, "no answer within 5 s"),
        ("sys.exit(5)", Status.ERROR, "it ended with code 5"),
        ("os.close(1); time.sleep(600)", Status.ERROR, "it closed its output"),
    ],
)
def test_an_answer_that_cannot_be_used_is_recorded_and_the_process_replaced(
    tmp_path: Path, answers: str, status: Status, message: str
) -> None:
    code = f"open('started', 'a').write('x')\n{server(answers)}"
    run = write_program(tmp_path, code)
    timeout = 5 if status is Status.TIMEOUT else 60
    with opened("command", tmp_path, run=run, keep_alive=True, timeout=timeout) as system:
        for _ in range(2):
            response = system.search(ask(), 10)
            assert response.status is status
            assert message in response.message
    assert (tmp_path / "started").read_text() == "xx"


def test_a_late_second_line_is_not_taken_for_the_next_answer(tmp_path: Path) -> None:
    code = server(
        "print(json.dumps([asked['query']]), flush=True); time.sleep(0.3);"
        " print(json.dumps(['late']), flush=True)"
    )
    run = write_program(tmp_path, code)
    with opened("command", tmp_path, run=run, keep_alive=True) as system:
        assert system.search(ask("one"), 1).hits[0].id == "one"
        # Wait on the process itself: the line has arrived when there is more to read.
        [process] = system.system._processes._free  # type: ignore[attr-defined]
        while not process.has_more():
            pass
        response = system.search(ask("two"), 1)
        assert response.status is Status.ERROR
        assert response.message == "the process wrote a line before it was sent a query"
        assert system.search(ask("three"), 1).hits[0].id == "three"


def test_an_answer_that_repeats_the_id_is_fine(tmp_path: Path) -> None:
    code = server("print(json.dumps({'id': asked['id'], 'hits': ['a']}), flush=True)")
    run = write_program(tmp_path, code)
    with opened("command", tmp_path, run=run, keep_alive=True) as system:
        assert system.search(ask(), 1).status is Status.OK


def test_a_pattern_reads_lines_of_text(tmp_path: Path) -> None:
    code = server("print('doc1 doc2', flush=True)")
    run = write_program(tmp_path, code)
    with opened("command", tmp_path, run=run, keep_alive=True, pattern=r"\w+") as system:
        assert [hit.id for hit in system.search(ask(), 9).hits] == ["doc1", "doc2"]


def test_a_program_that_is_not_there_is_an_error_of_each_query(tmp_path: Path) -> None:
    with opened("command", tmp_path, run=["./nowhere"], keep_alive=True) as system:
        assert system.search(ask(), 1).message == "cannot be started: No such file or directory"


def test_many_threads_are_not_mixed_up(tmp_path: Path) -> None:
    run = write_program(tmp_path, SERVER)
    with opened("command", tmp_path, run=run, keep_alive=True) as system:
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda n: system.search(ask(f"q{n}"), 1), range(400)))
        assert [answer.hits[0].id for answer in answers] == [f"q{n}" for n in range(400)]
        processes = {answer.hits[0].fields["pid"] for answer in answers}
    assert len(processes) <= 4
    assert all(ends(process) for process in processes)
