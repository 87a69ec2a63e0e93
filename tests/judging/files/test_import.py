"""Imports: all of a file or nothing, and a word for whatever is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import judge, questions

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.judging.files.judgment_export import ExportOptions, export_judgments
from cranfield.judging.files.judgment_import import (
    ConflictRule,
    ImportOptions,
    KnownQueries,
    KnownQuery,
    import_judgments,
    read_conflict_rule,
    read_source,
)
from cranfield.judging.files.judgment_records import JUDGMENT_FORMATS
from cranfield.judgments import (
    JudgedBy,
    Judgment,
    JudgmentSource,
    JudgmentState,
    JudgmentStore,
)
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.runs.store import Store

ASKED = questions(2)
KNOWN = KnownQueries([(query.id, KnownQuery(query, "open")) for query in ASKED])
TREC = ImportOptions(rater="ann")


@pytest.fixture
def store() -> Store:
    return open_store()


def write(folder: Path, text: str, name: str = "judged.qrels") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def stored(store: Store) -> list[tuple[str, str, int | None]]:
    return [(each.query_id, each.document, each.grade) for each in JudgmentStore(store).judgments()]


def test_an_unknown_query_refuses_the_whole_file(tmp_path: Path, store: Store) -> None:
    path = write(tmp_path, "q0 0 a 1\nq9 0 a 1\nq9 0 b 0\n")
    with pytest.raises(InputError, match=r"2 judgments are of 1 query .*'q9'.*--skip-unknown"):
        import_judgments(path, store, KNOWN, TREC)
    assert stored(store) == []
    done = import_judgments(path, store, KNOWN, replace(TREC, skip_unknown=True))
    assert done.unknown == {"q9": 2}
    assert stored(store) == [("q0", "a", 1)]


def test_an_id_of_two_queries_asks_for_the_suite(tmp_path: Path, store: Store) -> None:
    both = KnownQueries([("q0", KnownQuery(each, f"suite {each.id}")) for each in ASKED])
    with pytest.raises(CranfieldError, match=r"2 queries have the id 'q0' .*--suite FILE"):
        import_judgments(write(tmp_path, "q0 0 a 1\n"), store, both, TREC)


def test_what_is_known_is_not_added_again(tmp_path: Path, store: Store) -> None:
    path = write(tmp_path, "q0 0 a 1\nq1 0 a 0\n")
    import_judgments(path, store, KNOWN, TREC)
    again = import_judgments(path, store, KNOWN, TREC)
    assert (again.added, again.duplicates) == ((), 2)
    assert len(stored(store)) == 2


def test_judgments_of_a_content_are_found_again_by_their_id(tmp_path: Path, store: Store) -> None:
    shown = judge(ASKED[0], "a", 1, content="c" * 32, query_id="q0")
    JudgmentStore(store).add([shown], ASKED)
    path = tmp_path / "judged.qrels"
    export_judgments(store, path)
    assert import_judgments(path, store, KNOWN, TREC).duplicates == 1
    done = import_judgments(
        write(tmp_path, "q0 0 a 0\n"), store, KNOWN, replace(TREC, conflicts=ConflictRule.REPLACE)
    )
    assert done.added[0].content == "c" * 32


@pytest.mark.parametrize(
    ("rule", "grades"), [(ConflictRule.KEEP, [1]), (ConflictRule.REPLACE, [1, 0])]
)
def test_a_contradiction_is_refused_unless_a_rule_decides(
    tmp_path: Path, store: Store, rule: ConflictRule, grades: list[int]
) -> None:
    import_judgments(write(tmp_path, "q0 0 a 1\n"), store, KNOWN, TREC)
    path = write(tmp_path, "q0 0 a 0\nq1 0 b 1\n")
    with pytest.raises(InputError, match=r"ann on 'a' for query 'q0': 0 in the file and 1 in"):
        import_judgments(path, store, KNOWN, TREC)
    assert stored(store) == [("q0", "a", 1)]
    done = import_judgments(path, store, KNOWN, replace(TREC, conflicts=rule))
    assert len(done.conflicts) == 1
    assert [grade for query, _, grade in stored(store) if query == "q0"] == grades
    assert ("q1", "b", 1) in stored(store)


def test_a_later_judgment_is_no_contradiction_and_an_earlier_one_is(
    tmp_path: Path, store: Store
) -> None:
    def at(hour: int, grade: int) -> Judgment:
        given = f"2026-11-16T{hour:02}:00:00+00:00"
        return judge(ASKED[0], "a", grade, given=given, query_id="q0")

    for name, judgments in (("later", [at(10, 1), at(11, 0)]), ("earlier", [at(9, 0)])):
        other = open_store()
        JudgmentStore(other).add(judgments, ASKED)
        export_judgments(other, tmp_path / f"{name}.jsonl")
    JudgmentStore(store).add([at(10, 1)], ASKED)
    done = import_judgments(tmp_path / "later.jsonl", store, KNOWN)
    assert (len(done.added), done.duplicates) == (1, 1)
    with pytest.raises(InputError, match="1 judgment contradicts"):
        import_judgments(tmp_path / "earlier.jsonl", store, KNOWN)


def test_two_grades_in_a_file_without_times_are_refused(tmp_path: Path, store: Store) -> None:
    table = "query_id,document,grade,rater\nq1,b,1,ann\nq0,a,1,ann\nq0,a,0,ann\n"
    path = write(tmp_path, table, "judged.csv")
    with pytest.raises(InputError, match=r"judged.csv:4: ann grades 'a' twice .* 1 and 0"):
        import_judgments(path, store, KNOWN)
    assert stored(store) == []


def test_judgments_without_a_rater_need_one_and_others_refuse_it(
    tmp_path: Path, store: Store
) -> None:
    with pytest.raises(InputError, match="1 judgment names no rater; give one with --rater NAME"):
        import_judgments(write(tmp_path, "q0 0 a 1\n"), store, KNOWN)
    named = write(tmp_path, "query_id,document,grade,rater,source\nq0,a,1,bob,people\n", "j.csv")
    with pytest.raises(InputError, match="leave --rater out"):
        import_judgments(named, store, KNOWN, TREC)
    with pytest.raises(InputError, match="leave --source out"):
        import_judgments(named, store, KNOWN, ImportOptions(source=JudgmentSource.MODEL))


def test_a_models_qrels_stay_a_models(tmp_path: Path, store: Store) -> None:
    options = ImportOptions(rater="small", source=JudgmentSource.MODEL)
    import_judgments(write(tmp_path, "q0 0 a 1\nq0 0 b -1\n"), store, KNOWN, options)
    first, second = JudgmentStore(store).judgments()
    assert first.source is second.source is JudgmentSource.MODEL
    assert (second.grade, second.state) == (None, JudgmentState.UNRATEABLE)


def test_a_spreadsheets_table_is_read_as_it_is_saved(tmp_path: Path, store: Store) -> None:
    text = (
        '\ufeffQuery;Document;Grade;Note\r\nWo ist die Tür?;haus.md;1;"zwei\r\nZeilen; ""ja"""\r\n'
    )
    path = tmp_path / "judged.csv"
    path.write_bytes(text.encode())
    import_judgments(path, store, KNOWN, TREC)
    (judgment,) = JudgmentStore(store).judgments()
    assert judgment.note == 'zwei\r\nZeilen; "ja"'
    (query,) = JudgmentStore(store).queries().values()
    assert query.text == "Wo ist die Tür?"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("j.csv", "query,document,grade\nx,a,high\n", r"j.csv:2: the grade 'high' is not a whole"),
        ("j.csv", "query,document,grade,stat\n", r"j.csv:1: unknown column 'stat'"),
        ("j.csv", "query,grade\nx,1\n", r"columns query or query_id, document and grade"),
        ("j.csv", "query,document,grade\nx,a\n", r"j.csv:2: this row has 2 cells"),
        ("j.csv", "query,document,grade,state\nx,a,1,good\n", r"none of graded"),
        ("j.jsonl", '{"kind": "verdict"}\n', r"j.jsonl:1: the kind 'verdict' is unknown"),
        ("j.jsonl", '{"kind": "header", "version": 9}\n', r"has version 9, and this"),
        ("j.jsonl", '{"kind": "query", "key": "x", "text": "a"}\n', r"does not belong to this"),
        ("j.jsonl", "[]\n", r"j.jsonl:1: is not a JSON object"),
        ("j.jsonl", '{"kind": "judgment", "query": 3}\n', r"query"),
        ("j.bin", "x", r"does not say which format it has; give --format"),
        ("j.qrels", "q0 0 a 1\nq0 0 a 0\n", r"j.qrels:2: document 'a' is judged twice"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_why(
    tmp_path: Path, store: Store, name: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        import_judgments(write(tmp_path, text, name), store, KNOWN, TREC)
    assert stored(store) == []


def test_an_export_replaces_nothing_by_accident(tmp_path: Path, store: Store) -> None:
    path = write(tmp_path, "precious", "judged.csv")
    with pytest.raises(CranfieldError, match="exists; give another name, or --force"):
        export_judgments(store, path)
    with pytest.raises(CranfieldError, match="no judgment to export"):
        export_judgments(store, path, ExportOptions(replace=True))
    assert path.read_text() == "precious"


def test_an_export_of_an_unknown_rater_names_the_known_ones(tmp_path: Path, store: Store) -> None:
    JudgmentStore(store).add([judge(ASKED[0], "a", 1, rater="Ann")], ASKED)
    path = tmp_path / "judged.qrels"
    with pytest.raises(UnknownNameError, match=r"'ann'.*Ann"):
        export_judgments(store, path, ExportOptions(by=JudgedBy(rater="ann")))
    with pytest.raises(CranfieldError, match="no judgment by model:m to export"):
        export_judgments(store, path, ExportOptions(by=JudgedBy(JudgmentSource.MODEL, "m")))


def test_two_queries_of_one_id_need_a_suite_in_formats_of_ids(tmp_path: Path, store: Store) -> None:
    judged = [judge(each, "a", 1, query_id="same", suite=f"of {each.id}") for each in ASKED]
    JudgmentStore(store).add(judged, ASKED)
    with pytest.raises(CranfieldError, match=r"two queries have the id 'same'.*--suite NAME"):
        export_judgments(store, tmp_path / "judged.qrels")
    done = export_judgments(store, tmp_path / "judged.qrels", ExportOptions(suite="of q1"))
    assert done.count == 1


def test_names_that_are_unknown_suggest_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="keep"):
        read_conflict_rule("kep")
    with pytest.raises(UnknownNameError, match="model"):
        read_source("modl")
    with pytest.raises(UnknownNameError, match="jsonl"):
        JUDGMENT_FORMATS.get("json")
