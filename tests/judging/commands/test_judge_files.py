"""`cranfield judge export`, `import` and `clicks`, as they are typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cranfield.cli import app
from cranfield.judgments import JudgmentSource, JudgmentStore
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "query_id,query,document,grade\nq1,where is it,a,1\nq1,where is it,b c,0\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judged.csv").write_text(TABLE)
    return tmp_path


def typed(*words: str) -> str:
    done = CliRunner().invoke(app, ["judge", *words, "--store", "s.db"])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


def test_judgments_go_in_and_out(here: Path) -> None:
    assert typed("import", "judged.csv", "--rater", "Ann") == (
        "judged.csv: 2 judgments added, 0 known already\n"
    )
    assert typed("export", "out.jsonl") == "out.jsonl: 2 judgments as jsonl\n"
    assert typed("export", "evals.db") == "evals.db: 2 grades as chunk-scores\n"
    assert "2 documents, whose text is unknown" in typed("export", "beir", "-f", "beir")
    assert (here / "beir" / "qrels" / "test.tsv").read_text() == (
        "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb c\t0\n"
    )
    assert typed("import", "out.jsonl") == "out.jsonl: 0 judgments added, 2 known already\n"


def test_clicks_are_a_source_of_their_own(here: Path) -> None:
    asked = {"query_id": "1", "user_query": "where is it", "query_response_hit_ids": ["a", "b"]}
    rows = [asked | {"query_id": str(number)} for number in range(12)]
    clicked = {"action_name": "click", "event_attributes": {"object": {"object_id": "a"}}}
    events = [clicked | {"query_id": str(number)} for number in range(6)]
    for name, lines in (("q.jsonl", rows), ("e.jsonl", events)):
        (here / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert typed("clicks", "q.jsonl", "e.jsonl") == (
        "1 document graded by clicks for 1 query, 1 new or changed\n"
        "  documents by grade  1: 1\n"
        "  clicks expected by position  1: 0.500, 2: 0.000\n"
        "  1 document without a grade: shown only where nothing is ever clicked\n"
        "  1 query in no suite of the stored runs\n"
    )
    (judgment,) = JudgmentStore(open_store(here / "s.db")).judgments()
    assert judgment.source is JudgmentSource.CLICKS
    assert judgment.note == "COEC 1.000: 6 clicks, 6.00 expected, shown 12 times"
