"""What the figures do not show is said beside them: fields nobody has, filters nobody applied."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from pathlib import Path

SEARCH = """\
def search(text, limit):
    return [{"id": f"doc-{n}", "kind": "method", "framework": "swiftui"} for n in range(3)]
def filtered(text, limit, query):
    return search(text, limit)[len(query.filters):]
def nothing(text, limit):
    return []
"""
CONFIG = """\
suites = ["suite.toml"]
[systems.old]
kind = "python"
call = "mine.py:search"
[systems.new]
kind = "python"
call = "mine.py:search"
[systems.filtered]
kind = "python"
call = "mine.py:filtered"
[systems.nothing]
kind = "python"
call = "mine.py:nothing"
[systems.ignoring]
kind = "python"
call = "mine.py:search"
ignored_filters = ["min_ios"]
"""
SUITE = """\
id = "methods"
class = "attribute"
[[gate]]
measure = "P@5"
at_least = 0.1
diagnostic = true
"""
NOTICE = (
    "no hit has the field frameworks, which the expectation of q0, q1, q2 and 1 more reads, so "
    "that cannot be checked; did you mean framework?; hits have framework, id, kind"
)


def make(folder: Path, where: str, more: str = "") -> Path:
    (folder / "mine.py").write_text(SEARCH)
    (folder / "cranfield.toml").write_text(CONFIG)
    queries = "".join(
        f'[[query]]\nid = "q{number}"\ntext = "word{number}"\nexpect.where = {where}\n{more}\n'
        for number in range(4)
    )
    (folder / "suite.toml").write_text(SUITE + queries)
    return folder


@pytest.mark.parametrize(
    ("command", "times"),
    [
        (["run", "--system", "new"], 1),
        (["gate", "--system", "new"], 1),
        (["compare", "old", "new"], 2),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_field_that_no_hit_has_is_reported_with_near_names(
    tmp_path: Path, command: list[str], times: int
) -> None:
    make(tmp_path, '{ kind = "method", frameworks = "swiftui" }')
    shown = cranfield(tmp_path, *command)
    assert shown.returncode == 0, shown.stderr
    words = " ".join(shown.stdout.split())
    assert words.count(NOTICE) == times
    data = json.loads(cranfield(tmp_path, *command, "--format", "json").stdout)
    assert list(find_warnings(data)) == [[NOTICE]] * times


def find_warnings(data: Any) -> Any:
    if isinstance(data, dict):
        if "warnings" in data:
            yield data["warnings"]
        for value in data.values():
            yield from find_warnings(value)
    elif isinstance(data, list):
        for value in data:
            yield from find_warnings(value)


@pytest.mark.parametrize(
    ("where", "system"),
    [
        ('{ kind = "method" }', "new"),
        ('{ framework = "uikit" }', "new"),
        ('{ id = "doc-1" }', "new"),
        ('{ frameworks = "swiftui" }', "nothing"),
    ],
)
def test_fields_that_hits_have_and_runs_without_hits_are_not_reported(
    tmp_path: Path, where: str, system: str
) -> None:
    make(tmp_path, where)
    shown = cranfield(tmp_path, "run", "--system", system)
    assert "no hit has the field" not in shown.stdout


def test_a_passage_that_no_hit_can_show_is_reported(tmp_path: Path) -> None:
    make(tmp_path, '{ kind = "method" }')
    suite = 'id = "p"\nclass = "passages"\n[[query]]\nid = "q"\ntext = "lake"\n'
    expected = 'expect.passages = [{ text = "calm as a lake at dawn", book = "letters" }]\n'
    (tmp_path / "suite.toml").write_text(suite + expected)
    shown = " ".join(cranfield(tmp_path, "run", "--system", "new").stdout.split())
    assert "no hit has the field text, which the expectation of q reads" in shown
    assert "no hit has the field book or book_slug, which" in shown


def test_a_filter_is_honoured_refused_or_knowingly_ignored(tmp_path: Path) -> None:
    make(tmp_path, '{ kind = "method" }', 'filters = { min_ios = "13.0" }')
    refused = cranfield(tmp_path, "run", "--system", "new")
    assert refused.returncode == 3
    assert (
        "system 'new': the suite has the filters min_ios (of q0, q1, q2 and 1 more), and sear"
        in (refused.stderr)
    )
    assert "0.4000" in cranfield(tmp_path, "run", "--system", "filtered").stdout
    ignoring = cranfield(tmp_path, "run", "--system", "ignoring")
    assert "0.6000" in ignoring.stdout
    assert "the system was searched without the filter min_ios of 4 queries" in ignoring.stdout
    assert cranfield(tmp_path, "compare", "ignoring", "new").returncode == 3
    compared = cranfield(tmp_path, "compare", "filtered", "ignoring").stdout
    assert "ignoring: the system was searched without the filter min_ios" in compared


def test_recorded_answers_carry_the_filters_they_were_made_with(tmp_path: Path) -> None:
    make(tmp_path, '{ kind = "method" }', 'filters = { min_ios = "13.0" }')
    config = tmp_path / "cranfield.toml"
    config.write_text(CONFIG + '[systems.tape]\nkind = "recorded"\nfile = "tape.jsonl"\n')
    cranfield(tmp_path, "run", "--system", "filtered")
    written = ["runs", "export", "latest", "--format", "recorded", "--out", "tape.jsonl"]
    assert cranfield(tmp_path, *written).returncode == 0
    assert "0.4000" in cranfield(tmp_path, "run", "--system", "tape").stdout
    suite = tmp_path / "suite.toml"
    suite.write_text(suite.read_text().replace("13.0", "14.0"))
    refused = cranfield(tmp_path, "run", "--system", "tape")
    assert refused.returncode == 3
    assert "was recorded with the filters min_ios = '13.0', and the query has min_ios = '14.0'" in (
        refused.stderr
    )
