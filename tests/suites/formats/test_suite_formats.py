"""Formats are recognised in a stated order; the first that recognises a path reads it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.model import Suite
from cranfield.suites import SUITE_FORMATS, SuiteFormat, SuiteSource, load_suite, read_source
from cranfield.suites.formats import suite_formats

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def test_built_in_formats_come_first_in_the_stated_order() -> None:
    order = [each.name for each in suite_formats._in_order()]
    assert order[:6] == [
        "chunk-scores",
        "native",
        "golden-set",
        "test-corpus",
        "beir",
        "trec-topics",
    ]


def test_every_built_in_format_goes_by_its_registered_name() -> None:
    assert all(SUITE_FORMATS.get(name).name == name for name in SUITE_FORMATS.names())


def test_a_beir_folder_with_trec_files_is_read_as_beir(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "of beir"}\n')
    (tmp_path / "qrels" / "test.tsv").write_text("1\td\t1\n")
    (tmp_path / "topics.txt").write_text("1\tof trec\n")
    (tmp_path / "qrels.txt").write_text("1 0 d 1\n")
    assert SUITE_FORMATS.get("trec-topics").recognises(tmp_path)
    assert [query.text for query in load_suite(tmp_path).asked] == ["of beir"]


def test_sqlite_content_wins_over_the_name_of_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("CREATE TABLE Questions (questionId, question)")
        opened.execute("CREATE TABLE Scores (questionId, chunkHash, score)")
        opened.execute("INSERT INTO Questions VALUES ('q', 'what?')")
        opened.execute("INSERT INTO Scores VALUES ('q', 'h', 1)")
        opened.commit()
    assert SUITE_FORMATS.get("native").recognises(path)
    assert load_suite(path).query_class == "chunks"


def greedy(path: Path) -> SuiteSource:
    return SuiteSource(Suite("plugged-in", "canonical", ()), path)


@pytest.fixture
def plug_in() -> Iterator[None]:
    SUITE_FORMATS.register(
        "a-plug-in", SuiteFormat("a-plug-in", "anything", lambda _: True, greedy)
    )
    yield
    del SUITE_FORMATS._things["a-plug-in"]


@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_reads_only_what_no_built_in_format_recognises(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text("id = 'own'\nclass = 'canonical'\n")
    (tmp_path / "suite.yaml").write_text("id: plugged-in\n")
    assert read_source(tmp_path / "suite.toml").suite.id == "own"
    assert read_source(tmp_path / "suite.yaml").suite.id == "plugged-in"


def test_what_no_format_recognises_is_refused_with_all_there_are(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text("id: a\n")
    with pytest.raises(
        InputError, match="is not a suite that we can read; there are: a BEIR folder"
    ):
        read_source(tmp_path / "suite.yaml")
