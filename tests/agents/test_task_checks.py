"""Tasks are looked after: every mistake of every file is found at once, with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from cranfield.agents.offers import holds_tasks
from cranfield.agents.task_checks import check_tasks
from cranfield.cli import app
from cranfield.suites import FindingSeverity

ROOT = Path(__file__).parents[2]
FACTS = 'module = "Tea"\n[[types]]\nname = "Cup"\ncomplete = true\nmembers = ["init()", "volume"]\n'
TASK = """id = "cup"
language = "swift"
kind = "new"
prompt = "Write a function `half() -> Double`."
needs = ["Tea.Cup.volume"]
reference = '''
import Tea

func half() -> Double { Cup().volume / 2 }
'''

[target]
swift = "6.0"
platform = "iOS 17.0"
symbols = "symbols"

[[wrong]]
answer = '''
import Tea

func half() -> Double { Cup().size / 2 }
'''
fails = ["exists"]
names = ["Cup.size"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "symbols").mkdir()
    (tmp_path / "symbols" / "Tea.facts.toml").write_text(FACTS)
    (tmp_path / "tasks").mkdir()
    return tmp_path / "tasks"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text.replace('symbols = "symbols"', 'symbols = "../symbols"'))
    return path


def errors(folder: Path) -> list[str]:
    found = check_tasks(folder).findings
    return [
        f"{Path(each.file).name}:{each.line}: {each.message}"
        for each in found
        if each.severity is FindingSeverity.ERROR
    ]


def test_a_task_that_holds_what_it_says_is_fit_for_use(folder: Path) -> None:
    write(folder, "cup", TASK)
    checked = check_tasks(folder)
    assert checked.passed
    assert checked.count == 1
    assert [each.message for each in checked.findings] == [
        "compiles could not be decided for one reference: swiftc is not installed"
    ]


def test_mistakes_of_all_files_are_found_at_once(folder: Path) -> None:
    write(folder, "cup", TASK)
    write(folder, "form", TASK.replace("kind =", "knd =").replace('"cup"', '"form"'))
    write(folder, "broken", 'id = "broken"\nprompt = "\n')
    wrong = TASK.replace('"cup"', '"wrong"').replace("Cup().volume / 2", "Cup().depth / 2")
    write(folder, "wrong", wrong.replace("Cup().size", "Cup().volume"))
    found = errors(folder)
    assert any("form.toml" in each and "did you mean kind" in each for each in found)
    assert any(each.startswith("broken.toml:2: is not TOML") for each in found)
    assert "wrong.toml:9: reference: the reference fails exists: Cup has no member depth" in found
    assert "wrong.toml:17: wrong[0]: it should fail exists, and passes" in found
    assert "wrong.toml:17: wrong[0]: no finding is about Cup.size" in found
    assert not any(each.startswith("cup.toml") for each in found)


def test_a_wrong_answer_that_fails_more_than_it_says_is_an_error(folder: Path) -> None:
    write(folder, "cup", TASK.replace("Cup().size", "Cup().size + Cup().depth"))
    assert errors(folder) == [
        "cup.toml:17: wrong[0]: a finding is about Cup.depth, which is not named"
    ]


def test_what_a_task_leaves_out_is_a_warning(folder: Path) -> None:
    text = TASK.partition("[[wrong]]")[0].replace('needs = ["Tea.Cup.volume"]\n', "")
    write(folder, "other", text)
    checked = check_tasks(folder)
    warned = [each for each in checked.findings if each.severity is FindingSeverity.WARNING]
    assert len(warned) == 3
    assert checked.passed


def test_tasks_are_told_from_suites(folder: Path) -> None:
    task = write(folder, "cup", TASK)
    assert holds_tasks(folder)
    assert holds_tasks(task)
    assert not holds_tasks(ROOT / "suites" / "apple-docs")
    assert not holds_tasks(ROOT / "suites" / "apple-docs" / "canonical.toml")
    assert not holds_tasks(folder / "nothing.toml")


def test_the_command_checks_tasks_and_exits_with_2_if_anything_is_wrong(folder: Path) -> None:
    path = write(folder, "cup", TASK)
    passed = CliRunner().invoke(app, ["check", str(folder)])
    assert passed.exit_code == 0
    assert passed.output.endswith(f"{folder}: 1 task: fit for use\n")
    write(folder, "cup", TASK.replace("Cup().volume / 2", "Cup().depth / 2"))
    failed = CliRunner().invoke(app, ["check", str(folder), "--format", "json"])
    assert failed.exit_code == 2
    written = json.loads(failed.stdout)
    schema = json.loads((ROOT / "docs" / "schemas" / "check.json").read_text())
    assert list(Draft202012Validator(schema).iter_errors(written)) == []
    [finding] = [each for each in written["tasks"][0]["findings"] if each["severity"] == "error"]
    assert (finding["task"], finding["file"], finding["line"]) == ("cup", str(path), 9)


def test_an_option_for_suites_is_refused_if_only_tasks_are_named(folder: Path) -> None:
    write(folder, "cup", TASK)
    refused = CliRunner().invoke(app, ["check", str(folder), "--update-ledger"])
    assert refused.exit_code == 2
    assert "--update-ledger is for suites" in " ".join(refused.output.split())
