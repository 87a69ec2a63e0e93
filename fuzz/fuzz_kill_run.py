"""`cranfield run` killed 100 times: no answer that was reported is lost, and nothing is left."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from cranfield.cli import main
from kills import (
    QUERIES,
    Ended,
    list_files,
    repeat_until_killed,
    run_child,
    run_here,
    write_project,
)

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

CASES = 100
_REPORTED = re.compile(r"^\[\d+/\d+\] (word\d+)$", re.MULTILINE)
_counts = {"killed": 0, "answers reported": 0}


class _Project(NamedTuple):
    """A project, its files after an undisturbed run, and how long that run took."""

    folder: Path
    files: set[str]
    seconds: float


def attack(random: Random, folder: Path) -> None:
    """Kill a run, go on with it, and compare what was asked with what was reported."""
    repeat_until_killed(partial(_attempt, random, folder))


def _attempt(random: Random, folder: Path) -> bool:
    project = _prepare(folder.resolve())
    asked = project.folder / "asked.txt"
    asked.write_text("")
    ended = _run(project.folder, random=random, within=project.seconds * 0.9)
    told = _REPORTED.findall(ended.err)
    before = asked.read_text().split()
    _counts["killed"] += ended.is_killed
    _counts["answers reported"] += len(told)
    if set(told) - set(before):
        raise AssertionError("an answer was reported that nobody gave")
    resumed = _run(project.folder, "--resume")
    if "no unfinished run" not in resumed.err:
        _check(resumed, told, asked.read_text().split())
    elif ended.is_killed and told and len(before) < QUERIES:
        raise AssertionError(f"{len(told)} answers were reported, and their run is lost")
    left = list_files(project.folder) - project.files
    if left and "no unfinished run" not in resumed.err:
        raise AssertionError(f"left behind: {sorted(left)}")
    return ended.is_killed


def _check(resumed: Ended, told: list[str], asked: list[str]) -> None:
    if resumed.code not in {0, 1}:
        raise AssertionError(f"exit {resumed.code}: {resumed.err}")
    lost = [text for text in told if asked.count(text) > 1]
    if lost or set(asked) != {f"word{n}" for n in range(QUERIES)}:
        raise AssertionError(f"asked again although reported: {lost}; asked: {len(set(asked))}")


@cache
def _prepare(folder: Path) -> _Project:
    project = folder / "project"
    for each in (folder / "warm", project):
        write_project(each)
    # Elsewhere: a connection to the store that is killed must not be open here.
    run_here(folder / "warm", partial(_command, ()))
    whole = _run(project)
    if whole.code not in {0, 1}:
        raise AssertionError(whole.err)
    return _Project(project, list_files(project), whole.seconds)


def _run(project: Path, *options: str, random: Random | None = None, within: float = 0.0) -> Ended:
    return run_child(project, partial(_command, options), random, within)


def _command(options: tuple[str, ...]) -> None:
    with patch("sys.argv", ["cranfield", "run", "-s", "marks", *options]):
        main()


def summarise() -> str:
    """Say how many kills came in time."""
    return "".join(f", {count:,} {what}" for what, count in _counts.items())
