"""Queries added to suite files: as a person would write them, and nothing else changes."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import make_python_project
from tests.web.samples import HOSTILE

from cranfield.errors import CranfieldError
from cranfield.evaluation.project import open_project
from cranfield.suites import load_suite
from cranfield.web.suite_entries import NewQuery, add_query, propose_id

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.evaluation.project import Project

START = """\
# Kept: what people ask most.
id = "small"
class = "canonical"   # one right place each

"""
FIRST = """\
[[query]]
id = "hash"
text = "hashable"
expect.ids = "doc-1"  # not doc-2
category = "names"
"""
GATE = """
# The bar for a release.
[[gate]]
measure = "RR@10"
at_least = 0.8
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(make_python_project(tmp_path, 4) / "cranfield.toml")


def suite_file(project: Project, text: str) -> Path:
    file = project.folder / "small.toml"
    file.write_bytes(text.encode())
    return file


def test_a_query_follows_the_last_one_in_its_form(project: Project) -> None:
    file = suite_file(project, START + FIRST)
    add_query(project, "small.toml", NewQuery("open the file", ("doc-3",), category="words"))
    entry = '\n[[query]]\nid = "open-the-file"\ntext = "open the file"\nexpect.ids = "doc-3"\n'
    assert file.read_text() == START + FIRST + entry + 'category = "words"\n'
    assert load_suite(file).queries[-1].expect == {"ids": "doc-3"}


def test_tables_after_the_queries_stay_after_them_with_their_comments(project: Project) -> None:
    file = suite_file(project, START + FIRST + GATE)
    add_query(project, "small.toml", NewQuery("x y", ("a", "b"), id="mine"))
    entry = '\n[[query]]\nid = "mine"\ntext = "x y"\nexpect.ids = ["a", "b"]\n'
    assert file.read_text() == START + FIRST + entry + GATE


def test_an_inline_expectation_and_windows_lines_are_followed(project: Project) -> None:
    first = FIRST.replace("expect.ids =", "expect = { ids =").replace('"doc-1"', '"doc-1" }')
    file = suite_file(project, (START + first).replace("\n", "\r\n"))
    add_query(project, "small.toml", NewQuery("x", ("a",)))
    written = file.read_bytes().decode()
    assert written.endswith('\r\n[[query]]\r\nid = "x"\r\ntext = "x"\r\nexpect = { ids = "a" }\r\n')
    assert "\n" not in written.replace("\r\n", "")


def test_many_hits_stand_one_a_line(project: Project) -> None:
    file = suite_file(project, START + FIRST)
    ids = tuple(f"https://example.org/documentation/page-{number}" for number in range(4))
    written = add_query(project, "small.toml", NewQuery("x", ids))
    assert written.count('\n    "https://') == 4
    assert load_suite(file).queries[-1].expect == {"ids": list(ids)}


@pytest.mark.parametrize(
    "text", [*HOSTILE, 'a"b', "a\\b'c", "'''", "C:\\x", "# [[query]]", "ü\n[x]"]
)
def test_any_text_and_id_is_read_back_as_it_was(project: Project, text: str) -> None:
    file = suite_file(project, START + FIRST + GATE)
    add_query(project, "small.toml", NewQuery(text, (text, "z"), id=f"i{text}", category=text))
    last = tomllib.loads(file.read_bytes().decode())["query"][-1]
    assert last == {
        "id": f"i{text}", "text": text, "expect": {"ids": [text, "z"]}, "category": text,
    }  # fmt: skip


def test_a_header_inside_a_text_is_no_place_to_write(project: Project) -> None:
    tricky = START + FIRST + 'notes = """\n[gate]\n[[query]]\n"""\n'
    file = suite_file(project, tricky)
    add_query(project, "small.toml", NewQuery("x", ("a",)))
    assert file.read_text().startswith(tricky)
    assert [query.id for query in load_suite(file).queries] == ["hash", "x"]


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (NewQuery("x", ()), "mark at least one hit"),
        (NewQuery("  Hashable ", ("a",)), "asks this already, as 'hash'"),
        (NewQuery("x", ("a",), id="hash"), "ids are never reused"),
        (NewQuery("x", (" ",)), "an empty name can match nothing"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(
    project: Project, new: NewQuery, said: str
) -> None:
    file = suite_file(project, START + FIRST)
    with pytest.raises(CranfieldError, match=said):
        add_query(project, "small.toml", new)
    assert file.read_text() == START + FIRST


@pytest.mark.parametrize(
    "name", ["../small.toml", "/etc/passwd", "other.toml", "", "cranfield.toml"]
)
def test_only_listed_suites_are_written(project: Project, name: str) -> None:
    suite_file(project, START + FIRST)
    (project.folder / "other.toml").write_text(START + FIRST)
    with pytest.raises(CranfieldError, match="lists no suite"):
        add_query(project, name, NewQuery("x", ("a",)))


def test_a_class_that_needs_more_than_hits_is_refused(project: Project) -> None:
    suite = START.replace("canonical", "routing") + FIRST.replace("expect.ids", "expect.route")
    suite_file(project, suite)
    with pytest.raises(CranfieldError, match="whose queries expect route"):
        add_query(project, "small.toml", NewQuery("x", ("a",)))


def test_ids_are_proposed_from_the_words() -> None:
    assert propose_id("How do I open a file?", ()) == "how-do-i-open-a-file"
    assert propose_id("Größe", ("grosse",)) == "groe"
    assert propose_id("मदद", ("query",)) == "query-2"
    assert propose_id("x", ("x", "x-2")) == "x-3"
    assert len(propose_id("word " * 50, ())) <= 40
