"""What a command shows of how far it is."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from cranfield.cli.output import ProgressLines, StepLines, report
from cranfield.model import Query, Response, Status
from cranfield_shared.terminal import CLEAR_LINE

if TYPE_CHECKING:
    from collections.abc import Iterable


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, steps: Iterable[int], total: int
) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    lines = StepLines("title")
    for done in steps:
        lines.advance(done, total, f"step {done}")
    return stream.getvalue()


@pytest.mark.parametrize("total", [21, 39, 40, 549, 1000, 12_345])
def test_a_log_has_a_line_for_every_twentieth_part_and_the_last(
    monkeypatch: pytest.MonkeyPatch, total: int
) -> None:
    lines = shown(monkeypatch, io.StringIO(), range(1, total + 1), total).splitlines()
    assert len(lines) == 20
    assert lines[-1] == f"[{total}/{total}] step {total}"


def test_a_log_has_lines_in_equal_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, io.StringIO(), range(1, 101), 100).splitlines()
    assert [line.split("]")[0] for line in lines] == [f"[{done}/100" for done in range(5, 101, 5)]


@pytest.mark.parametrize("total", [1, 3, 20])
def test_a_log_has_every_step_where_there_are_few(
    monkeypatch: pytest.MonkeyPatch, total: int
) -> None:
    lines = shown(monkeypatch, io.StringIO(), range(1, total + 1), total).splitlines()
    assert lines == [f"[{done}/{total}] step {done}" for done in range(1, total + 1)]


def test_a_run_that_is_resumed_near_its_end_has_its_lines_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = shown(monkeypatch, io.StringIO(), range(93, 101), 100).splitlines()
    assert [line.split()[0] for line in lines] == ["[93/100]", "[95/100]", "[100/100]"]


def test_steps_that_are_passed_over_hide_no_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, io.StringIO(), [1, 2, 60, 61, 100], 100).splitlines()
    assert [line.split()[0] for line in lines] == ["[60/100]", "[100/100]"]


def test_on_a_terminal_every_step_moves_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal(), range(1, 550), 549)
    assert text.count("\r") == 549
    assert text.endswith("\r\x1b[Ktitle " + "█" * 24 + " 549/549 step 549\n")
    assert text.count("\n") == 1


def test_on_a_terminal_many_steps_move_the_bar_by_a_hundredth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert shown(monkeypatch, Terminal(), range(1, 5001), 5000).count("\r") == 100


def test_a_log_counts_failures_of_queries_that_have_no_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = ProgressLines("title")
    failed, answered = Response.failed(Status.TIMEOUT, "late"), Response.of(())
    for done in range(1, 41):
        query = Query(f"q{done}", f"word\n{done}")
        progress.advance(done, 40, query, failed if done in (3, 5) else answered)
    lines = stream.getvalue().splitlines()
    assert lines[:3] == [
        "[2/40] word 2",
        "[4/40] word 4, 1 not answered",
        "[6/40] word 6, 2 not answered",
    ]


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_hostile_query_neither_moves_the_cursor_nor_commands_a_build(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.StringIO]
) -> None:
    written = stream()
    monkeypatch.setattr(sys, "stderr", written)
    query = Query("q", "a\n::error::boo\x1b[2J\u202e ##[error]", expect={"ids": "a"})
    ProgressLines("the \x1b[31msuite\nhere").advance(1, 1, query, Response.of(()))
    line = written.getvalue().replace(CLEAR_LINE, "").removesuffix("\n")
    assert line.isprintable()
    assert "a ::error::boo" in line
    assert "##[" not in line


def test_a_message_keeps_its_lines_and_none_is_a_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report("two lines:\n  ::error::boo\x1b[2J")
    assert capsys.readouterr().err == "two lines:\n  : :error::boo�[2J\n"
