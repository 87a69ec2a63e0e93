"""The first sweep of the documentation, run as a reader runs it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.cli.projects import cranfield

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "sweeps" / "first"
DOCUMENT = (ROOT / "docs" / "sweeps.md").read_text()


def test_the_first_sweep_shows_what_the_documentation_shows(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "first", ignore=shutil.ignore_patterns(".*"))
    [(command, block)] = re.findall(
        r"```\n\$ cranfield (sweep sweep.toml.*?)\n(.*?)```", DOCUMENT, re.S
    )
    shown = cranfield(folder, *command.split())
    assert shown.returncode == 0, shown.stderr
    assert set(_without_times(block)) <= set(_without_times(shown.stdout))


def test_the_files_of_the_first_sweep_are_those_of_the_documentation() -> None:
    shown = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.S)
    assert shown[:2] == [(FOLDER / name).read_text() for name in ("cranfield.toml", "sweep.toml")]


def _without_times(text: str) -> list[str]:
    """Return the lines without the time that an answer takes, which ends the line of a trial."""
    return [re.sub(r" +[0-9.]+ ms$", "", line) for line in text.splitlines()]
