"""An index that is older than the script that makes it decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

INDEX = """\
import json
answers = {f"word{number}": f"doc-{number}" for number in range(8)}
with open("index.json", "w") as index:
    json.dump(answers, index)
"""
BROKEN = INDEX.replace('f"doc-{number}"', '"doc-x"')
SEARCH = """\
import json, sys
print(json.dumps([json.load(open("index.json"))[sys.argv[1]]]))
"""
CONFIG = """\
suites = ["words.toml"]

[systems.new]
kind = "command"
run = ["python3", "search.py", "{query}"]
files = ["index.json"]
prepare = ["python3", "index.py"]

[systems.same]
like = "new"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    queries = "".join(
        f'\n[[query]]\nid = "q{number}"\ntext = "word{number}"\nexpect.ids = ["doc-{number}"]\n'
        for number in range(8)
    )
    gate = '[[gate]]\nmeasure = "RR@10"\nat_least = 0.9\n'
    (tmp_path / "words.toml").write_text(f'id = "words"\nclass = "canonical"\n{gate}{queries}')
    (tmp_path / "index.py").write_text(INDEX)
    (tmp_path / "search.py").write_text(SEARCH)
    (tmp_path / "cranfield.toml").write_text(CONFIG)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [["gate", "--system", "new"], ["run", "--system", "new", "--gate"]],
    ids=lambda command: command[0],
)
def test_a_changed_script_makes_the_index_anew_before_anything_is_decided(
    project: Path, command: list[str]
) -> None:
    first = cranfield(project, *command)
    assert first.returncode == 0, first.stderr
    assert "preparing new, because it is not built yet: python3 index.py" in first.stderr
    assert "preparing" not in cranfield(project, *command).stderr
    (project / "index.py").write_text(BROKEN)
    shown = cranfield(project, *command)
    assert "preparing new, because index.py changed: python3 index.py" in shown.stderr
    assert shown.returncode == 1
    assert "0.0000" in shown.stdout


def test_a_comparison_of_two_systems_with_one_index_builds_it_once(project: Path) -> None:
    shown = cranfield(project, "compare", "new", "same")
    assert shown.stderr.count("preparing") == 1
    (project / "index.py").write_text(BROKEN)
    shown = cranfield(project, "compare", "new", "same")
    assert shown.stderr.count("because index.py changed") == 1
    assert "0.0000" in shown.stdout


def test_a_stopped_run_is_not_continued_on_another_index(project: Path) -> None:
    assert cranfield(project, "run", "--system", "new").returncode == 0
    (project / "index.py").write_text(BROKEN)
    shown = cranfield(project, "run", "--system", "new", "--retry-failed")
    assert shown.returncode == 2
    assert "was begun with another build of new: index.json changed" in shown.stderr
