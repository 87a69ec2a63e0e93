"""What a save shows of itself."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from stacks.cli import save_command as module
from stacks.cli.save_command import SaveProgress

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make standard error a terminal; a fixture could not, since each phase has its own."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "_EVERY_ON_TERMINAL", 0.0)
    return stream


def test_a_total_that_was_passed_is_no_longer_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = use_terminal(monkeypatch)
    with SaveProgress() as progress:
        progress.start("docs", 2)
        for _ in range(3):
            progress.advance()
    shown = terminal.getvalue()
    assert "1/2 pages" in shown
    assert "2/2 pages" in shown
    assert "3/2" not in shown
    assert "3 pages" in shown


def test_the_end_shows_only_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = use_terminal(monkeypatch)
    with SaveProgress() as progress:
        progress.start("docs", 2000)
        progress.advance(1234)
    assert terminal.getvalue().rpartition("\x1b[K")[2] == "docs 1,234 pages\n"


def test_elsewhere_than_on_a_terminal_a_stretch_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with SaveProgress() as progress:
        progress.start("docs", 3)
        progress.advance(3)
        progress.start("finishing", None)
    assert stream.getvalue() == "docs 3 pages\n"


def lines_elsewhere(monkeypatch: pytest.MonkeyPatch, total: int | None, pages: int) -> list[str]:
    """What stays in a log of a save whose every page takes long."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(module, "_EVERY_ELSEWHERE", 0.0)
    with SaveProgress() as progress:
        progress.start("docs", total)
        for _ in range(pages):
            progress.advance()
    return stream.getvalue().splitlines()


def test_elsewhere_a_long_save_has_a_line_for_every_twentieth_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = lines_elsewhere(monkeypatch, 549, 549)
    # 549 / 20 is 27.45: a line after each 28 pages, 19 of them, and the end.
    assert len(shown) == 20
    assert "28/549 pages" in shown[0]
    assert shown[-1] == "docs 549 pages"


def test_elsewhere_a_save_of_unknown_length_tells_of_itself_by_time_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert len(lines_elsewhere(monkeypatch, None, 30)) == 31
