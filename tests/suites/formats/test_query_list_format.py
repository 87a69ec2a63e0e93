"""Plain lists of queries: run as they are, judged later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.model import Hit, Undefined
from cranfield.runs.runner import run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite, overlay_qrels
from cranfield.suites.checks.suite_check import check_suite

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "searches.txt"
    path.write_bytes("\ufeffrot\r\n\r\n# a comment\r\n  grüne   Schuhe\r\nrot\r\n".encode())
    return path


def test_a_line_is_a_query(listed: Path) -> None:
    suite = load_suite(listed)
    assert (suite.id, suite.query_class) == ("searches", "unjudged")
    assert [(query.id, query.text) for query in suite.queries] == [
        ("rot", "rot"),
        ("grüne-schuhe", "grüne Schuhe"),
    ]


def test_a_check_says_what_cannot_be_measured(listed: Path) -> None:
    messages = [each.message for each in check_suite(listed).findings]
    assert "a run measures only whether there is a result" in messages[0]
    assert "1 lines repeat a query and are left out" in messages
    assert check_suite(listed).passed


def test_a_check_counts_the_lines_that_are_comments(listed: Path, tmp_path: Path) -> None:
    messages = [each.message for each in check_suite(listed).findings]
    assert "1 line begins with #, read as a comment; a CSV file keeps such queries" in messages
    (tmp_path / "tags.txt").write_text("#one\n #two\nc# strings\n")
    messages = [each.message for each in check_suite(tmp_path / "tags.txt").findings]
    assert "2 lines begin with #, read as comments; a CSV file keeps such queries" in messages
    (tmp_path / "tags.csv").write_text("query\n#one\n#two\nc# strings\n")
    assert len(load_suite(tmp_path / "tags.csv").queries) == 3
    (tmp_path / "plain.txt").write_text("one\nc# strings\n")
    messages = [each.message for each in check_suite(tmp_path / "plain.txt").findings]
    assert not any("#" in each for each in messages)


def test_a_list_is_run_and_only_results_are_measured(listed: Path) -> None:
    run = run_suite(load_suite(listed), lambda text, _: [Hit("a")] if text == "rot" else [])
    means = {str(name): mean for name, mean in summarise(run).overall.means.items()}
    assert means["AnyResult"] == 0.5
    assert isinstance(means["nDCG@10"], Undefined)


def test_a_list_is_judged_later(listed: Path, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("rot 0 a 1\ngrüne-schuhe 0 b 1\n")
    judged = overlay_qrels(load_suite(listed), tmp_path / "qrels.txt")
    run = run_suite(judged, lambda *_: [Hit("a")])
    means = {str(name): mean for name, mean in summarise(run).overall.means.items()}
    assert means["nDCG@10"] == 0.5


def test_an_empty_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("# only a comment\n")
    with pytest.raises(InputError, match="has no query to run"):
        load_suite(tmp_path / "none.txt")
