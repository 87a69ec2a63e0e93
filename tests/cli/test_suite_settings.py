"""Measures and regression rules that a project sets for suites of any format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

QUERIES = 10
SEARCH = """\
def right(text, limit):
    return [f"doc-{text.split()[-1]}"]


def no_ninth(text, limit):
    return [] if text.endswith("9") else right(text, limit)
"""
CONFIG = """\
suites = ["{suite}"]

[systems.right]
kind = "python"
call = "search.py:right"

[systems.no_ninth]
kind = "python"
call = "search.py:no_ninth"

{settings}
"""


def write_golden_set(folder: Path) -> str:
    queries = [
        {
            "id": f"q{number}",
            "query": f"word {number}",
            "category": "adversarial" if number % 2 else "direct",
            "expected_passages": [{"passage_substring": f"doc-{number} is the one to find"}],
        }
        for number in range(QUERIES)
    ]
    (folder / "golden.json").write_text(json.dumps(queries))
    return "golden.json"


def write_csv(folder: Path) -> str:
    rows = "".join(f"word {number},doc-{number}\n" for number in range(QUERIES))
    (folder / "table.csv").write_text(f"query,expected\n{rows}")
    return "table.csv"


def write_trec(folder: Path) -> str:
    (folder / "trec").mkdir()
    (folder / "trec/topics.tsv").write_text(
        "".join(f"{number}\tword {number}\n" for number in range(QUERIES))
    )
    (folder / "trec/qrels.txt").write_text(
        "".join(f"{number} 0 doc-{number} 2\n" for number in range(QUERIES))
    )
    return "trec"


def write_beir(folder: Path) -> str:
    (folder / "beir/qrels").mkdir(parents=True)
    (folder / "beir/queries.jsonl").write_text(
        "".join(
            json.dumps({"_id": f"q{number}", "text": f"word {number}"}) + "\n"
            for number in range(QUERIES)
        )
    )
    (folder / "beir/qrels/test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n"
        + "".join(f"q{number}\tdoc-{number}\t2\n" for number in range(QUERIES))
    )
    return "beir"


WRITERS = {"golden": write_golden_set, "table": write_csv, "trec": write_trec, "beir": write_beir}


def make_project(folder: Path, suite: str, settings: str) -> Path:
    (folder / "search.py").write_text(SEARCH)
    text = CONFIG.format(suite=WRITERS[suite](folder), settings=settings)
    (folder / "cranfield.toml").write_text(text)
    return folder


def measures_of(folder: Path) -> list[str]:
    done = cranfield(folder, "run", "--system", "right", "--quiet", "--format", "json")
    assert done.returncode == 0, done.stderr
    [run] = json.loads(done.stdout)["runs"]
    return list(run["measures"])


@pytest.mark.parametrize("suite", WRITERS)
def test_a_suite_of_any_format_is_measured_by_what_the_project_says(
    tmp_path: Path, suite: str
) -> None:
    make_project(tmp_path, suite, f'[measures]\n{suite} = ["Success@5", "P@1"]')
    assert measures_of(tmp_path)[:2] == ["Success@5", "P@1"]
    shown = cranfield(tmp_path, "check").stdout
    assert "measures: Success@5, P@1 (cranfield.toml)" in shown


@pytest.mark.process
@pytest.mark.parametrize("suite", ["table", "trec", "beir"])
def test_a_suite_of_any_format_loses_what_the_rules_of_the_project_allow(
    tmp_path: Path, suite: str
) -> None:
    make_project(tmp_path, suite, "")
    cranfield(tmp_path, "run", "--system", "right", "--quiet")
    cranfield(tmp_path, "baseline", "accept", "latest", "--reason", "first")
    one_lost = cranfield(tmp_path, "gate", "--system", "no_ninth", "--quiet")
    assert one_lost.returncode == 0, one_lost.stdout
    config = tmp_path / "cranfield.toml"
    config.write_text(config.read_text() + f"[regressions.{suite}]\nat_most = 0\n")
    strict = cranfield(tmp_path, "gate", "--system", "no_ninth", "--quiet")
    assert strict.returncode == 1
    assert "1 query got worse; at most 0" in strict.stdout
    stored = cranfield(tmp_path, "gate", "--run", "latest")
    assert (stored.returncode, "at most 0" in stored.stdout) == (1, True)
    assert "regressions: the rules are those of cranfield.toml" in (
        cranfield(tmp_path, "check").stdout
    )


def test_a_category_of_a_golden_set_can_be_protected(tmp_path: Path) -> None:
    make_project(tmp_path, "golden", '[regressions.golden]\nprotected = ["adversrial"]')
    done = cranfield(tmp_path, "run", "--system", "right")
    assert done.returncode == 2
    assert "[regressions.golden]: protected: unknown category of the suite 'adversrial': did " in (
        done.stderr
    )
    config = tmp_path / "cranfield.toml"
    config.write_text(config.read_text().replace("adversrial", "adversarial"))
    assert cranfield(tmp_path, "run", "--system", "right", "--quiet").returncode == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('[measures]\ntabel = ["P@1"]', "[measures] unknown suite 'tabel': did you mean table"),
        ("[measures]\ntable = []", "expected `array` of length >= 1; write [measures]"),
        ('[measures]\ntable = ["NDGC@10"]', "[measures] table: unknown measure 'NDGC'"),
        ('[measures]\ntable = ["NumRet"]', "cannot be the headline"),
        ("[regressions.tabel]\nat_most = 1", "[regressions] unknown suite 'tabel': did you mean"),
        ("[regressions.table]\nat_mots = 1", "unknown key 'at_mots': did you mean at_most"),
        ("[regressions.table]\nat_most = -1", "expected `int` >= 0"),
    ],
)
@pytest.mark.parametrize("command", [("run", "--system", "right"), ("check",)])
def test_what_cannot_be_applied_is_refused(
    tmp_path: Path, settings: str, message: str, command: tuple[str, ...]
) -> None:
    make_project(tmp_path, "table", settings)
    done = cranfield(tmp_path, *command)
    assert done.returncode in (1, 2)
    assert message in done.stdout + done.stderr
