"""TREC collections: topics in their three shapes, with judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.suites import load_suite

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "301 0 d1 2\n301 0 d2 0\n302 0 d1 1\n"
CLASSIC = """
<top>

<num> Number: 301
<title> International Organized
Crime &amp; Law

<desc> Description:
Identify organizations.

<narr> Narrative:
A relevant document < another.

</top>

<top>
<num> Number: 302
<title>
<desc> Description:
Is the disease of <i>poliomyelitis</i> under control?
</top>
<top>
<num> Number: 303
<title> Hubble Telescope
</top>
"""
TABBED = (
    "301\tInternational Organized Crime & Law\r\n\n302\tIs the disease of\n303\tHubble Telescope\n"
)
JSON_LINES = (
    '{"_id": "301", "text": "International Organized Crime & Law"}\n'
    '{"id": 302, "title": "Is the disease of"}\n'
    '{"id": "303", "text": "Hubble Telescope", "narrative": "which one"}\n'
)


def write(folder: Path, topics: str, qrels: str = QRELS) -> Path:
    collection = folder / "robust"
    collection.mkdir()
    (collection / "topics.robust.txt").write_text(topics)
    (collection / "qrels.robust.txt").write_text(qrels)
    return collection


@pytest.mark.parametrize("topics", [CLASSIC, TABBED, JSON_LINES])
def test_topics_of_every_shape_join_their_judgments(tmp_path: Path, topics: str) -> None:
    suite = load_suite(write(tmp_path, topics))
    assert (suite.id, suite.query_class) == ("robust", "judged")
    assert [(query.id, query.text, query.expect) for query in suite.queries] == [
        ("301", "International Organized Crime & Law", {"ids": {"d1": 2, "d2": 0}}),
        ("302", "Is the disease of", {"ids": {"d1": 1}}),
    ]
    assert suite.description == (
        "judged by qrels.robust.txt; 1 query without judgments is left out"
    )


def test_old_topics_label_their_titles(tmp_path: Path) -> None:
    topics = "<top><num> Number: 051\n<title> Topic:  Airbus Subsidies\n</top>"
    [query] = load_suite(write(tmp_path, topics, "51 0 d 1\n99 0 d 1\n")).queries
    assert (query.id, query.text) == ("51", "Airbus Subsidies")


def test_judged_queries_without_a_text_are_counted(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, "301\tcrime\n"))
    assert suite.description == "judged by qrels.robust.txt; 1 judged query has no text"


@pytest.mark.parametrize(
    ("topics", "qrels", "message"),
    [
        ("", QRELS, "topics.robust.txt: is empty"),
        ("301\tcrime\n302 no tab\n", QRELS, "topics.robust.txt:2: has no tab; topics are lines"),
        ("\n<top><title>x</top>", QRELS, "topics.robust.txt:2: this topic has no number"),
        ('{"_id": "1"', QRELS, "topics.robust.txt:1: is not JSON"),
        ('{"_id": "301"}\n{"text": "x"}', QRELS, "topics.robust.txt:2: has no id"),
        ('{"_id": []}', QRELS, "topics.robust.txt:1: _id: expected"),
        ("301\t\n", QRELS, "topics.robust.txt:1: query '301' has no text"),
        ("301\ta\n301\tb\n", QRELS, "topics.robust.txt:2: two queries have the id '301'"),
        ("7\tx\n", QRELS, "qrels.robust.txt: not one of the 2 judged queries (301, 302 …) is in"),
        ("301\tx\n", "", "qrels.robust.txt: holds no judgment"),
        ("301\tx\n", "301 0 d x\n", "qrels.robust.txt:1: grade 'x' is not a whole number"),
    ],
)
def test_a_broken_collection_is_refused_with_file_and_line(
    tmp_path: Path, topics: str, qrels: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, topics, qrels))
    assert message in str(refused.value)


def test_a_folder_has_one_file_of_topics_and_one_of_judgments(tmp_path: Path) -> None:
    collection = write(tmp_path, TABBED)
    (collection / "topics.more.txt").write_text(TABBED)
    with pytest.raises(InputError, match=r"one file topics\*.*topics.more.txt, topics.robust.txt"):
        load_suite(collection)
    for topics in collection.glob("topics*"):
        topics.unlink()
    with pytest.raises(InputError, match="of one of them there are: none"):
        load_suite(collection)


def test_a_folder_that_is_nothing_is_refused_with_what_there_could_be(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"is not a suite that we can read; there are: a BEIR folder"
    ):
        load_suite(tmp_path)
