"""Code is cut again after it changed, and no score of what stayed as it was is lost."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.shipped.projects import SUITES, load_script

from cranfield.suites import load_suite
from cranfield.suites.checks.suite_check import check_suite
from stacks.index import Request, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpus

EDITED = "backend/bramble/circulation/fines.py"
"""The file in which one method changes."""
BEFORE = 'return [Entry(row["cents"], row["reason"], row["at"]) for row in rows]'
AFTER = 'return [Entry(row["cents"], row["reason"].strip(), row["at"]) for row in rows]'
METHOD = f"{EDITED} :: Ledger.statement"
ADDED = "backend/archive.py"
"""A file that stands before all others, so every number after it is another one."""


@dataclass(frozen=True)
class Again:
    """The sample as it is shipped, and as it was cut again."""

    script: Any
    folder: Path
    before: dict[str, Any]
    after: dict[str, Any]


@pytest.fixture
def again(tmp_path: Path) -> Again:
    script = load_script(SUITES / "chunks" / "build_scores.py")
    folder = shutil.copytree(SUITES / "chunks" / "sample-src", tmp_path / "sample-src")
    code = (folder / EDITED).read_text()
    assert code.count(BEFORE) == 1
    (folder / EDITED).write_text(code.replace(BEFORE, AFTER))
    (folder / ADDED).write_text(
        '"""Old loans."""\n\n\ndef forget(loan: int) -> int:\n    return 0\n'
    )
    before, after = (
        {chunk.name: chunk for chunk in script.cut_sample(place).chunks}
        for place in (SUITES / "chunks" / "sample-src", folder)
    )
    return Again(script, folder, before, after)


def test_only_what_changed_has_another_hash(again: Again) -> None:
    assert set(again.after) - set(again.before) == {ADDED, f"{ADDED} :: forget"}
    changed = {name for name in again.before if again.before[name].hash != again.after[name].hash}
    assert changed == {METHOD}


def test_every_chunk_gets_another_id(again: Again) -> None:
    kept = [name for name in again.before if again.before[name].id == again.after[name].id]
    assert kept == []


def test_scores_stay_with_all_chunks_that_did_not_change(again: Again, tmp_path: Path) -> None:
    scores = tmp_path / "evals.db"
    shutil.copy(SUITES / "chunks" / "evals.db", scores)
    replace_chunks(again, scores)
    shipped = {query.id: query for query in load_suite(SUITES / "chunks" / "evals.db").queries}
    kept = {again.after[name].hash: name for name in again.before if name != METHOD}
    assert len(kept) == 399
    for query in load_suite(scores).queries:
        before, after = shipped[query.id].expect["chunks"], query.expect["chunks"]
        assert {each: after[each] for each in kept} == {each: before[each] for each in kept}
        needed = {kept[each] for each in kept if after[each] == 1}
        assert needed, query.id
    warned = {each.message for each in check_suite(scores).findings if "Hashes" in each.message}
    assert all("1 scored chunks" in message for message in warned)
    assert len(warned) == len(shipped)


def replace_chunks(again: Again, scores: Path) -> None:
    """Put the new cut into a file with scores, in place of the old one."""
    given = again.script.read_questions(again.script.QUESTIONS)
    cut = scores.with_name("cut.db")
    cut.write_bytes(again.script.build_scores(given, again.script.cut_sample(again.folder)))
    with closing(sqlite3.connect(scores)) as database:
        database.execute("ATTACH ? AS cut", (str(cut),))
        for table in ("Files", "Chunks", "Blobs", "Hashes"):
            database.execute(f"DELETE FROM main.{table}")  # noqa: S608 - our own names
            database.execute(f"INSERT INTO main.{table} SELECT * FROM cut.{table}")  # noqa: S608
        database.commit()


def test_an_index_of_the_new_cut_has_the_hashes_that_were_scored(
    again: Again, tmp_path: Path
) -> None:
    save([Request.parse(f"code={again.folder}")], tmp_path / "i", SaveOptions(embedder="none"))
    with open_index(tmp_path / "i") as index:
        rows = index.databases[0].rows("SELECT uri FROM docs_metadata")
        hashes = {index.read(uri).facts["hash"] for (uri,) in rows}
    assert hashes == {chunk.hash for chunk in again.after.values()}
    scored = load_suite(SUITES / "chunks" / "evals.db").queries[0].expect["chunks"].keys()
    assert scored - hashes == {again.before[METHOD].hash}
    assert len(hashes - scored) == 3
