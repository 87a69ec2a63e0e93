"""A command reads each suite file once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project

from cranfield.suites import read_source

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.suites import SuiteSource

pytestmark = pytest.mark.process
READERS = ("cranfield.suites.formats.suite_formats",)


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--system", "old"],
        ["compare", "old", "new"],
        ["compare", "--grid", "old", "old", "new", "new"],
        ["gate", "--system", "new"],
        ["gate", "--run", "latest"],
        ["check"],
        ["baseline", "accept", "latest", "--reason", "first", "--force"],
    ],
    ids=" ".join,
)
def test_each_suite_file_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    project = make_python_project(tmp_path, 10)
    assert cranfield(project, "run", "--system", "old").returncode == 0
    read: Counter[Path] = Counter()

    def count(path: Path) -> SuiteSource:
        read[path.resolve()] += 1
        return read_source(path)

    for reader in READERS:
        monkeypatch.setattr(f"{reader}.read_source", count)
    assert cranfield(project, *arguments).returncode in (0, 1)
    assert list(read.values()) == [1]
