"""Judgments laid over a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import InputError
from cranfield.model import Hit, Query, Response, Suite
from cranfield.relevance import read_expectation
from cranfield.suites import hash_query, overlay_qrels

if TYPE_CHECKING:
    from pathlib import Path

TREC = "q1 0 docs://a 2\nq1 0 docs://b 0\nq9 0 docs://c 1\n"
PLAIN = "q1 docs://a 2\nq1 docs://b 0\nq9 docs://c 1\n"
BEIR = "query-id\tcorpus-id\tscore\n" + PLAIN.replace(" ", "\t")


def suite(**expect: Any) -> Suite:
    return Suite(
        "lookup",
        "canonical",
        (
            Query("q1", "one", expect),
            Query("q2", "two", {"matches": "^docs://two$"}),
            Query("q9", "nine", {"matches": "x"}, deprecated=True),
        ),
        description="by patterns",
    )


def write(folder: Path, text: str) -> Path:
    path = folder / "qrels.tsv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("text", [TREC, PLAIN, BEIR])
def test_judged_ids_take_the_place_of_patterns(tmp_path: Path, text: str) -> None:
    before = suite(matches="^docs://a")
    after = overlay_qrels(before, write(tmp_path, text))
    assert after.queries[0].expect == {"ids": {"docs://a": 2, "docs://b": 0}}
    assert after.queries[1:] == before.queries[1:]
    assert after.description == "by patterns; 1 of 2 queries judged by qrels.tsv"
    assert hash_query(after.queries[0]) != hash_query(before.queries[0])
    response = Response.of((Hit("docs://b"), Hit("docs://a/more"), Hit("docs://a")))
    assert read_expectation(after.queries[0]).grade(response).ranked == (0, None, 2)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("matches", "a"),
        ("ids", ["a"]),
        ("files", ["a"]),
        ("passages", "a"),
        ("chunks", ["a"]),
        ("where", {"kind": "method"}),
        ("sql", "SELECT 1"),
        ("sources", [{"source": "a", "pattern": "a"}]),
        ("prefers", {"this": "a", "over": "b"}),
    ],
)
def test_every_rule_that_names_hits_makes_way(tmp_path: Path, rule: str, value: Any) -> None:
    after = overlay_qrels(suite(**{rule: value, "route": "search"}), write(tmp_path, TREC))
    assert after.queries[0].expect == {"ids": {"docs://a": 2, "docs://b": 0}, "route": "search"}


def test_checks_of_the_answer_stay(tmp_path: Path) -> None:
    checks = {
        "route": "search",
        "excludes": "^old",
        "nothing": {"below_score": 0.1},
        "anything": True,
        "flags": ["a"],
    }
    after = overlay_qrels(suite(**checks), write(tmp_path, TREC))
    assert after.queries[0].expect == {"ids": {"docs://a": 2, "docs://b": 0}, **checks}


@pytest.mark.parametrize("judged", ["q7 0 d 1\n", "q9 0 d 1\n"])
def test_judgments_of_no_query_that_is_asked_are_refused(tmp_path: Path, judged: str) -> None:
    with pytest.raises(InputError, match=r"qrels\.tsv: judges 1 query \(q. …\) and not one of"):
        overlay_qrels(suite(matches="a"), write(tmp_path, judged))


def test_broken_judgments_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"qrels\.tsv:2: grade 'x' is not a whole number"):
        overlay_qrels(suite(matches="a"), write(tmp_path, "q1 0 d 1\nq1 0 e x\n"))


def test_queries_without_right_answers_are_judged_ones_then(tmp_path: Path) -> None:
    listed = Suite("asked", "unjudged", (Query("q1", "one"), Query("q2", "two")))
    after = overlay_qrels(listed, write(tmp_path, TREC))
    assert after.query_class == "judged"
    assert after.queries[1] == listed.queries[1]
