"""How stored runs are judged now: as their suite or their project says, and what is said if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.evaluation.project import open_project
from cranfield.evaluation.sessions import set_judging
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """\
id = "names"
class = "canonical"

[judging]
highest = {highest}

[[query]]
id = "q1"
text = "word1"
expect.ids = ["doc-1"]
"""


def search(text: str, limit: int) -> list[str]:
    return [text.replace("word", "doc-")][:limit]


def write(folder: Path, suite: str) -> None:
    (folder / "cranfield.toml").write_text('suites = ["names.toml"]\n')
    (folder / "names.toml").write_text(suite)


def test_a_stored_run_is_judged_as_its_suite_says_now(tmp_path: Path) -> None:
    write(tmp_path, SUITE.format(highest=2))
    (suite,) = open_project(tmp_path / "cranfield.toml").load_suites(())
    run = run_suite(suite, search, store=open_store())
    write(tmp_path, SUITE.format(highest=3))
    judged = set_judging(open_project(tmp_path / "cranfield.toml"), run)
    assert (run.header.suite.judging.highest, judged.header.suite.judging.highest) == (2, 3)
    assert judged.header.warnings == ()


def test_a_suite_that_no_longer_loads_is_judged_as_it_was_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, SUITE.format(highest=2))
    (suite,) = open_project(tmp_path / "cranfield.toml").load_suites(())
    run = run_suite(suite, search, store=open_store())
    write(tmp_path, SUITE.format(highest='"many"'))
    judged = set_judging(open_project(tmp_path / "cranfield.toml"), run)
    assert judged.header.suite.judging.highest == 2
    (warning,) = judged.header.warnings
    assert "the suite names can no longer be loaded, so it is judged as it was" in warning
    assert "judged as it was when it was run" in warning
    assert "names.toml" in warning
