"""Plug-ins as packages bring them: a real distribution on the path of a real process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.corpus, pytest.mark.process]

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text()
[DOCUMENTED, DOCUMENTED_FORMAT, DOCUMENTED_RULE, DOCUMENTED_SOURCE] = re.findall(
    r"```python\n(.*?)```", CONTRIBUTING, re.S
)


def install(folder: Path, code: str, entry_points: str) -> None:
    """Lay a distribution out as an installer would."""
    (folder / "my_package.py").write_text(code)
    about = folder / "my_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry_points)


def cranfield(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cranfield", *arguments],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_documented_measure_is_scored_and_listed_like_ours(tmp_path: Path) -> None:
    install(
        tmp_path, DOCUMENTED, "[cranfield.measures]\nFirstGrade = my_package:first_grade_family\n"
    )
    (tmp_path / "qrels").write_text("1 0 a 3\n2 0 b 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    assert (
        "FirstGrade@5  2.0000" in cranfield(tmp_path, "score", *files, "-m", "FirstGrade@5").stdout
    )
    assert "grade of the first hit" in cranfield(tmp_path, "measures").stdout


def test_the_documented_rule_grades_hits_like_ours(tmp_path: Path) -> None:
    install(tmp_path, DOCUMENTED_RULE, "[cranfield.rules]\ntitle = my_package:title_rule\n")
    (tmp_path / "cranfield.toml").write_text(
        "[systems.mine]\nkind = 'recorded'\nfile = 'answers.jsonl'\n"
    )
    (tmp_path / "answers.jsonl").write_text(
        '{"id": "q", "hits": [{"id": "a"}, {"id": "b", "title": "getting STARTED"}]}\n'
    )
    (tmp_path / "suite.toml").write_text(
        'id = "s"\nclass = "judged"\n[[query]]\nid = "q"\ntext = "start"\n'
        'expect.title = "Getting started"\nexpect.ids = "z"\n'
    )
    shown = cranfield(
        tmp_path, "run", str(tmp_path / "suite.toml"), "--config", str(tmp_path / "cranfield.toml")
    )
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.splitlines()[3].split()[3] == "0.5000"


def test_the_documented_source_is_saved_and_found_like_ours(tmp_path: Path) -> None:
    install(tmp_path, DOCUMENTED_SOURCE, "[stacks.sources]\nnotes = my_package:notes_source\n")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "milk.txt").write_text("Shopping\nbuy milk and bread\n")
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "STACKS_HOME": str(tmp_path / "index"),
    }
    shown = ""
    for arguments in (["save", "--from", f"notes={tmp_path / 'notes'}"], ["search", "bread"]):
        command = [sys.executable, "-m", "stacks", *arguments]
        shown = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout
    assert "notes://milk" in shown


def test_the_documented_format_is_written_like_ours(tmp_path: Path) -> None:
    install(tmp_path, DOCUMENTED_FORMAT, "[cranfield.formats]\ntsv = my_package:tsv\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1 t\n")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    shown = cranfield(tmp_path, "score", *files, "-f", "tsv", "-m", "RR", "-q")
    assert shown.stdout == ("run\tquery\tmeasure\tvalue\nrun\tall\tRR\t1.0\nrun\t1\tRR\t1.0\n")
    refused = cranfield(tmp_path, "power", "-f", "tsv")
    assert refused.returncode == 2
    assert "the format tsv is not for a power report; choose html, json, markdown or text" in (
        refused.stderr
    )


@pytest.mark.parametrize(
    ("code", "entry", "message"),
    [
        ("", "Mine = my_package:missing", "'Mine' of the package my-package cannot be loaded"),
        ("1 / 0", "Mine = my_package:any", "(division by zero); fix or uninstall it"),
        ("thing = 5", "Mine = my_package:thing", "must be a Family of that name, not 5"),
        (DOCUMENTED, "Mine = my_package:first_grade_family", "must be a Family of that name"),
        (
            DOCUMENTED.replace('"FirstGrade"', '"RR"'),
            "RR = my_package:first_grade_family",
            "my-package registers the measure 'RR', which exists",
        ),
    ],
)
def test_a_broken_plug_in_is_named_with_its_package(
    tmp_path: Path, code: str, entry: str, message: str
) -> None:
    install(tmp_path, code, f"[cranfield.measures]\n{entry}\n")
    shown = cranfield(tmp_path, "measures")
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
