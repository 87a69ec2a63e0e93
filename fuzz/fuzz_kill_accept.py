"""`baseline accept` killed 100 times: the baseline is the old or the new one, nothing is left."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

from cranfield.cli import main
from kills import Ended, list_files, repeat_until_killed, run_child, run_here, write_project

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

CASES = 100
_counts = {"killed": 0}


class _Project(NamedTuple):
    """A project with a run, its files after an acceptance, and how long that took."""

    folder: Path
    baseline: Path
    files: set[str]
    seconds: float


def attack(random: Random, folder: Path) -> None:
    """Kill an acceptance, read the baseline, and accept again."""
    repeat_until_killed(partial(_attempt, random, folder))


def _attempt(random: Random, folder: Path) -> bool:
    project = _prepare(folder.resolve())
    before = _read_reasons(project.baseline)
    reason = f"reason {random.randrange(10**9)}"
    ended = _accept(project.folder, reason, random, project.seconds * 0.9)
    _counts["killed"] += ended.is_killed
    if ended.code > 0:
        raise AssertionError(ended.err)
    after = _read_reasons(project.baseline)
    is_new = after[-2:] == [before[-1], reason]
    if not is_new and (after != before or not ended.is_killed):
        raise AssertionError(f"the baseline has the reasons {after[-3:]}, not {reason}")
    again = _accept(project.folder, "again")
    if again.code:
        raise AssertionError(again.err)
    if _read_reasons(project.baseline)[-2:] != [after[-1], "again"]:
        raise AssertionError("an acceptance is lost")
    left = list_files(project.folder) ^ project.files
    if left:
        raise AssertionError(f"left behind, or gone: {sorted(left)}")
    return ended.is_killed


def _read_reasons(path: Path) -> list[str]:
    """List why the baseline and those before it were accepted, the last one last."""
    baseline = json.loads(path.read_text())["baseline"]
    return [each["reason"] for each in (*baseline["history"], baseline["accepted"])]


def _accept(project: Path, reason: str, random: Random | None = None, within: float = 0.0) -> Ended:
    return run_child(project, partial(_command, reason), random, within)


def _command(reason: str) -> None:
    words = ["cranfield", "baseline", "accept", "latest", "--reason", reason, "--force"]
    with patch("sys.argv", [*words, "--author", "somebody"]):
        main()


@cache
def _prepare(folder: Path) -> _Project:
    project = folder / "project"
    for each in (folder / "warm", project):
        write_project(each, queries=6)
    # Elsewhere: a connection to the store that is killed must not be open here.
    with patch("sys.argv", ["cranfield", "run", "-s", "marks"]):
        run_here(folder / "warm", main)
        for reason in ("first", "second"):
            run_here(folder / "warm", partial(_command, reason))
        ran = run_child(project, main)
    first, second = _accept(project, "first"), _accept(project, "second")
    if ran.code not in {0, 1} or first.code or second.code:
        raise AssertionError(ran.err + first.err + second.err)
    (baseline,) = (path for path in project.rglob("*.json") if "main" in path.name)
    return _Project(project, baseline, list_files(project), second.seconds)


def summarise() -> str:
    """Say how many kills came in time."""
    return "".join(f", {count:,} {what}" for what, count in _counts.items())
