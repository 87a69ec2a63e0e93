"""BEIR collections, small ones made here and real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import Hit, Response
from cranfield.relevance import read_expectation
from cranfield.suites import load_suite

if TYPE_CHECKING:
    from pathlib import Path

QUERIES = '{"_id": "q1", "text": "one", "metadata": {}}\n{"_id": "q2", "text": "zwei"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td 2\t1\n"


def write(folder: Path, queries: str = QUERIES, **splits: str) -> Path:
    collection = folder / "tiny"
    (collection / "qrels").mkdir(parents=True)
    (collection / "queries.jsonl").write_text(queries)
    for name, qrels in splits.items():
        (collection / "qrels" / f"{name}.tsv").write_text(qrels)
    return collection


def test_the_judged_queries_of_the_test_split_are_asked(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, test=QRELS, dev=QRELS.replace("q1", "q2")))
    assert (suite.id, suite.query_class) == ("tiny", "judged")
    [query] = suite.queries
    assert (query.id, query.text, query.expect) == ("q1", "one", {"ids": {"d1": 2, "d 2": 1}})
    assert suite.description == "judged by test.tsv; 1 query without judgments is left out"


def test_without_a_test_split_the_next_best_is_taken_and_named(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, train=QRELS, dev=QRELS.replace("q1", "q2")))
    assert suite.id == "tiny-dev"
    assert [query.id for query in suite.queries] == ["q2"]


def test_one_split_can_be_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = write(tmp_path, test=QRELS, dev=QRELS.replace("q1", "q2"))
    assert load_suite(collection / "qrels" / "dev.tsv").id == "tiny-dev"
    monkeypatch.chdir(collection / "qrels")
    assert load_suite("dev.tsv").id == "tiny-dev"


@pytest.mark.parametrize(
    ("queries", "qrels", "message"),
    [
        ("", QRELS, "queries.jsonl: is empty"),
        (QUERIES + "{", QRELS, "queries.jsonl:3: is not JSON: input data was truncated; each"),
        (QUERIES + "[]", QRELS, "queries.jsonl:3: expected `object`, got `array`"),
        ('{"text": "x"}', QRELS, "queries.jsonl:1: object missing required field `_id`"),
        (QUERIES + QUERIES, QRELS, "queries.jsonl:3: two queries have the id 'q1' (first in line"),
        (QUERIES, "query-id\tcorpus-id\tscore\n", "test.tsv: holds a header and no judgment"),
        (QUERIES, QRELS.replace("q1", "q9"), "test.tsv: not one of the 1 judged queries (q9 …)"),
        (QUERIES, QRELS.replace("\t2", "\tx"), "test.tsv:2: grade 'x' is not a whole number"),
    ],
)
def test_a_broken_collection_is_refused_with_file_and_line(
    tmp_path: Path, queries: str, qrels: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, queries, test=qrels))
    assert message in str(refused.value)


def test_queries_without_judgments_are_no_collection(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has queries and no judgments; a BEIR collection has"):
        load_suite(write(tmp_path))


def test_nfcorpus_has_its_323_test_queries(collections: Path) -> None:
    suite = load_suite(collections / "nfcorpus")
    assert (suite.id, len(suite.queries)) == ("nfcorpus", 323)
    assert sum(len(query.expect["ids"]) for query in suite.queries) == 12_334
    assert load_suite(collections / "nfcorpus" / "qrels" / "dev.tsv").id == "nfcorpus-dev"


def test_cranfields_judgments_make_a_perfect_ranking_perfect(collections: Path) -> None:
    suite = load_suite(collections / "cranfield")
    assert len(suite.queries) == 225
    assert sum(len(query.expect["ids"]) for query in suite.queries) == 1_837
    measure = parse_measure("nDCG@10")
    for query in suite.queries:
        grades = query.expect["ids"]
        best = sorted(grades, key=lambda name: -grades[name])
        response = Response.of(tuple(Hit(name) for name in best))
        assert measure(read_expectation(query).grade(response)) == pytest.approx(1.0)
