"""What is exported and imported again is the same, in every format as far as it can hold it."""

from __future__ import annotations

import re
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judging.files.records import NAMES, given_judgments, plain, store_of
from tests.judging.samples import judge, questions

from cranfield.errors import CranfieldError
from cranfield.judging.files.judgment_export import ExportOptions, collect_records, export_judgments
from cranfield.judging.files.judgment_import import (
    ImportOptions,
    KnownQueries,
    KnownQuery,
    find_known_queries,
    import_judgments,
)
from cranfield.judging.files.judgment_records import JUDGMENT_FORMATS, graded_documents
from cranfield.judgments import (
    JudgedBy,
    JudgmentStore,
    Preference,
    PreferredAnswer,
    query_key,
    settle,
)
from cranfield.model import Query
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from tests.judging.files.records import Given

    from cranfield.runs.store import Store

FITS = {
    "trec": re.compile(r"(?!#|query-id|\ufeff)[^\x00-\x20\x7f]+").fullmatch,
    "beir": re.compile(r'(?!["# \ufeff])[^\x00-\x1f\x7f]*[^\x00-\x20\x7f]').fullmatch,
}
FITTING, TABLED = (st.text(min_size=1).filter(FITS[name]) for name in ("trec", "beir"))


SOME = settings(max_examples=30)


def write_and_read(store: Store, name: str, options: ImportOptions, known: KnownQueries) -> Store:
    """Export to a new folder, and import from there into a new store."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judged"
        export_judgments(store, path, ExportOptions(name))
        again = open_store()
        import_judgments(path, again, known, options)
        return again


def grades(store: Store) -> dict[tuple[str, str], tuple[int, str]]:
    """The grade of people for each document, and the time it was given."""
    rows = graded_documents(collect_records(store, ExportOptions()))
    return {(row.query_id, row.document): (row.grade, row.content) for row in rows}


def judged_by_people(given: Given) -> bool:
    return bool(settle(given.judgments))


@pytest.mark.parametrize("name", ["jsonl", "csv"])
@given(given_judgments())
@SOME
def test_every_judgment_comes_back_with_its_history(name: str, judged: Given) -> None:
    store = store_of(judged)
    distinct = list(dict.fromkeys(plain(store)))
    again = write_and_read(store, name, ImportOptions(name), KnownQueries([]))
    assert plain(again) == distinct
    first, second = JudgmentStore(store), JudgmentStore(again)
    used = {each.query for each in judged.judgments}
    asked = {key: query for key, query in first.queries().items() if key in used}
    assert {key: second.queries()[key] for key in used} == asked
    assert second.texts(judged.texts) == judged.texts


@given(given_judgments(FITTING).filter(judged_by_people))
@SOME
def test_qrels_keep_every_grade_by_id(judged: Given) -> None:
    store = store_of(judged)
    again = write_and_read(
        store, "trec", ImportOptions("trec", rater="ann"), find_known_queries(store)
    )
    kept = {pair: grade for pair, (grade, _) in grades(store).items()}
    assert {pair: grade for pair, (grade, _) in grades(again).items()} == kept
    assert {each.query for each in plain(again)} <= {query_key(each) for each in judged.queries}


@given(given_judgments(TABLED).filter(judged_by_people))
@SOME
def test_beir_keeps_grades_queries_and_texts(judged: Given) -> None:
    store = store_of(judged)
    again = write_and_read(store, "beir", ImportOptions("beir", rater="ann"), KnownQueries([]))
    assert grades_by_id(again) == grades_by_id(store)
    keys = {each.query for each in plain(again)}
    assert keys <= {query_key(each) for each in judged.queries}
    assert set(JudgmentStore(again).texts(judged.texts).items()) <= set(judged.texts.items())


def grades_by_id(store: Store) -> dict[tuple[str, str], int]:
    return {pair: grade for pair, (grade, _) in grades(store).items()}


@given(given_judgments().filter(judged_by_people))
@SOME
def test_scored_chunks_keep_grades_contents_and_any_id(judged: Given) -> None:
    store = store_of(judged)
    known = [(each.id, KnownQuery(each, "")) for each in judged.queries]
    options = ImportOptions("chunk-scores", rater="ann")
    again = write_and_read(store, "chunk-scores", options, KnownQueries(known))
    assert items(again) == items(store)
    contents = {each.content for each in plain(again)} & judged.texts.keys()
    assert JudgmentStore(again).texts(contents) == {each: judged.texts[each] for each in contents}


def items(store: Store) -> dict[tuple[str, str], tuple[int, str]]:
    """The grade of each content for each query, and when it was given."""
    rows = graded_documents(collect_records(store, ExportOptions()))
    return {(row.query_id, row.item): (row.grade, row.given) for row in rows}


@pytest.mark.parametrize("name", ["trec", "beir"])
@given(given_judgments(NAMES).filter(judged_by_people))
@SOME
def test_an_id_that_does_not_fit_is_refused_and_never_changed(name: str, judged: Given) -> None:
    store = store_of(judged)
    options = ImportOptions(name, rater="ann")
    refused = pytest.raises(CranfieldError, match=r"cannot hold \d+ of the ids .*\.csv or \.jsonl")
    ids = {each for pair in grades(store) for each in pair}
    with refused if not all(map(FITS[name], ids)) else nullcontext():
        again = write_and_read(store, name, options, find_known_queries(store))
        assert grades_by_id(again) == grades_by_id(store)


def test_preferences_are_kept_as_json_lines(tmp_path: Path) -> None:
    store = open_store()
    query = Query("q", "a query")
    preference = Preference(
        query_key(query), "x", "y", PreferredAnswer.SECOND, "ann", is_swapped=True, given="2026"
    )
    JudgmentStore(store).add([], [query], preferences=[preference])
    again = open_store()
    exported = collect_records(store, ExportOptions())
    path = tmp_path / "judged.jsonl"
    path.write_bytes(JUDGMENT_FORMATS.get("jsonl").write(exported).contents[""])
    for expected in (1, 0):
        done = import_judgments(path, again, KnownQueries([]))
        assert done.preferences == expected
    assert len(JudgmentStore(again).preferences()) == 1


def test_the_same_judgments_are_the_same_bytes() -> None:
    store = open_store()
    asked = questions(2)
    given_at = "2026-11-16T10:00:00+00:00"
    judged = [judge(query, "a", 1, given=given_at, query_id=query.id) for query in asked]
    JudgmentStore(store).add(judged, asked)
    for name in JUDGMENT_FORMATS.names():
        records = collect_records(store, ExportOptions(by=JudgedBy()))
        first, second = (JUDGMENT_FORMATS.get(name).write(records).contents for _ in range(2))
        assert first == second
