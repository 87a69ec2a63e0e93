"""A suite looked at from all sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.suites import FindingSeverity
from cranfield.suites.checks.suite_check import SuiteCheck, check_suite

HEAD = "id = 'a'\nclass = 'passages'\n"
PASSAGE = "the calm lake of the mind reflects the moon"


def query(
    name: str, text: str = "", expect: str = f"passages = '{PASSAGE}'", more: str = ""
) -> str:
    return f"[[query]]\nid = '{name}'\ntext = '{text or name}'\nexpect.{expect}\n{more}\n"


def write(folder: Path, *queries: str, head: str = HEAD) -> Path:
    path = folder / "suite.toml"
    path.write_text(head + "".join(queries))
    return path


def messages(check: SuiteCheck, severity: FindingSeverity) -> list[str]:
    return [finding.message for finding in check.findings if finding.severity is severity]


def errors(check: SuiteCheck) -> list[str]:
    return messages(check, FindingSeverity.ERROR)


def warnings(check: SuiteCheck) -> list[str]:
    return messages(check, FindingSeverity.WARNING)


def test_a_sound_suite_passes_without_a_finding(tmp_path: Path) -> None:
    check = check_suite(write(tmp_path, query("q1")))
    assert check.passed
    assert check.suite is not None
    assert check.suite.id == "a"
    assert check.findings == ()


def test_everything_that_is_wrong_is_found_at_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "[[gate]]\nmeasure = 'nope'\nat_least = 1\n",
        query("q1", "a" * 60 + "!", expect="matches = ['(', '[', '(a|aa)+$']"),
        query("q2", expect="passages = ''"),
        query("q1"),
        query("q1"),
        query("q3", expect="rout = 'x'"),
    )
    check = check_suite(path)
    assert not check.passed
    found = [(finding.query_id, finding.line, finding.message) for finding in check.findings]
    expected = [
        ("q1", 16, "two queries have the id 'q1' (first in line 6); ids are never reused"),
        ("q1", 21, "two queries have the id 'q1' (first in line 6); ids are never reused"),
        ("q1", 6, "query 'q1' expects matches, which does not fit the class passages"),
        ("q1", 6, "query 'q1': matches: '(' is not a regular expression"),
        ("q1", 6, "query 'q1': matches: '[' is not a regular expression"),
        ("q2", 11, "query 'q2': passages: an empty passage is in every text"),
        ("q3", 26, "query 'q3' expects rout, which does not fit"),
        ("q3", 26, "query 'q3': unknown rule 'rout': did you mean route"),
        ("", None, "gate: unknown measure 'nope'"),
        ("q1", 6, "query 'q1': matches: the pattern '(a|aa)+$' took more than"),
    ]
    in_error = found[: len(expected)]
    for (name, line, message), (wanted_name, wanted_line, start) in zip(
        in_error, expected, strict=True
    ):
        assert (name, line) == (wanted_name, wanted_line), message
        assert message.startswith(start)
    assert len(errors(check)) == len(expected)


def test_a_suite_that_cannot_be_read_is_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text("id = 'a'\nclass == 3\n")
    check = check_suite(path)
    assert check.suite is None
    assert not check.passed
    [finding] = check.findings
    assert (finding.line, finding.message) == (2, "is not TOML: Invalid value")
    assert finding.file == str(path)


@pytest.mark.parametrize(
    ("queries", "place"),
    [
        ('{"_id": "1", "text": "x"}\n{"_id": "1", "text": "y"}\n', ("queries.jsonl", 2)),
        ('{"_id": "1", "text": "x"}\n\n{"_id": 2.5}\n', ("queries.jsonl", 3)),
        ('{"_id": "7", "text": "x"}\n', ("test.tsv", None)),
    ],
)
def test_a_finding_in_a_folder_names_the_file_that_its_line_is_of(
    tmp_path: Path, queries: str, place: tuple[str, int | None]
) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text(queries)
    (tmp_path / "qrels" / "test.tsv").write_text("1\td\t1\n")
    finding = check_suite(tmp_path).findings[0]
    assert (Path(finding.file).name, finding.line) == place


def test_a_suite_or_corpus_that_is_not_there_is_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.toml: does not exist"):
        check_suite(tmp_path / "no.toml")
    with pytest.raises(InputError, match=r"no\.txt: does not exist; give the corpus as a file"):
        check_suite(write(tmp_path, query("q1")), corpora=[tmp_path / "no.txt"])


def test_deprecated_queries_are_listed_and_not_looked_into(tmp_path: Path) -> None:
    old = query("q2", expect="matches = '('", more="deprecated = true")
    check = check_suite(write(tmp_path, query("q1"), old))
    assert check.passed
    assert messages(check, FindingSeverity.NOTE)[0] == "query 'q2' is deprecated and never run"


def test_one_question_with_two_expectations_is_warned_of(tmp_path: Path) -> None:
    other = "passages = 'quite another passage of many words'"
    path = write(
        tmp_path,
        query("q1", "same question"),
        query("q2", "same  question", other),
        query("q3", "same question"),
        query("q4", "same question", other, "language = 'hi'"),
        query("q5", "same question", other, "filters = { source = 'docs' }"),
    )
    check = check_suite(path)
    [warning] = warnings(check)
    assert warning.startswith("query 'q2' asks the same as 'q1' and expects something else")
    assert "query 'q3' asks the same as 'q1'" in messages(check, FindingSeverity.NOTE)


@pytest.mark.parametrize(
    ("passage", "is_short"),
    [
        ("four words are few", True),
        ("so as we go on", True),
        ("five words are just enough", False),
        ("मन की शांति ही सबसे बड़ा धन है", False),
        ("平静的湖面映照着月亮没有涟漪", False),
        ("平静的湖面", True),
    ],
)
def test_a_short_passage_is_warned_of(tmp_path: Path, passage: str, is_short: bool) -> None:
    found = warnings(check_suite(write(tmp_path, query("q1", expect=f"passages = '{passage}'"))))
    assert len(found) == is_short
    assert all("is short; others may hold it by chance" in each for each in found)


def test_passages_are_looked_for_in_every_text_of_a_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "deep").mkdir(parents=True)
    (corpus / "one.md").write_text(f"# One\n\n{PASSAGE.replace(' ', chr(10))}\n")
    (corpus / "deep" / "two.jsonl").write_text(
        json.dumps({"text": "Twice we sing it out. And twice we sing it out!"}) + "\n\n"
    )
    (corpus / "empty.txt").write_text("")
    (corpus / "image.png").write_bytes(b"\x89PNG\xff")
    path = write(
        tmp_path,
        query("q1"),
        query("q2", expect="passages = ['twice we sing it out']"),
        query("q3", expect="passages = ['these words are in no book at all', '" + PASSAGE + "']"),
    )
    check = check_suite(path, corpora=[corpus])
    [error] = errors(check)
    assert error.startswith("query 'q3': the passage 'these words are in no book at all' is not in")
    [warning] = warnings(check)
    assert warning.startswith("query 'q2': the passage 'twice we sing it out' is in")
    assert warning.endswith("2 times; a longer one would say which is meant")


def test_a_book_tells_two_places_of_one_passage_apart(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(
        "".join(
            json.dumps({"book_slug": book, "chapter": 1, "text": f"Then {PASSAGE}."}) + "\n"
            for book in ("letters", "songs")
        )
    )
    narrow = "passages = [{ text = '" + PASSAGE + "', book = 'songs' }]"
    path = write(tmp_path, query("q1"), query("q2", expect=narrow))
    check = check_suite(path, corpora=[corpus])
    assert errors(check) == []
    [warning] = warnings(check)
    assert warning.startswith("query 'q1': the passage")
    assert warning.endswith("corpus.jsonl 2 times; a longer one would say which is meant")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("corpus.jsonl", '{"text": "a"}\n{"title": "b"}\n', "corpus.jsonl:2: has no text; each"),
        ("corpus.jsonl", "[]\n", "corpus.jsonl:1: expected `object`, got `array`"),
        ("corpus.txt", b"\xff\xfe", "corpus.txt:1: is not UTF-8"),
    ],
)
def test_a_corpus_that_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    corpus = tmp_path / name
    corpus.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as refused:
        check_suite(write(tmp_path, query("q1")), corpora=[corpus])
    assert message in str(refused.value)


def test_a_folder_without_texts_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"has no text; a corpus has files of the kinds \.txt"):
        check_suite(write(tmp_path, query("q1")), corpora=[tmp_path / "empty"])


def test_a_measure_from_beyond_the_class_is_a_note(tmp_path: Path) -> None:
    gate = "[[gate]]\nmeasure = 'P@7'\nat_least = 0.5\n"
    check = check_suite(write(tmp_path, gate, query("q1")))
    assert check.passed
    assert "gate: P@7 is not among the class's own measures (Success(rel=2)@3, RR@10, Route)" in (
        messages(check, FindingSeverity.NOTE)
    )


def test_a_measure_that_the_suite_declares_is_no_note(tmp_path: Path) -> None:
    gate = "measures = ['P@7']\n[[gate]]\nmeasure = 'P@7'\nat_least = 0.5\n"
    check = check_suite(write(tmp_path, gate, query("q1")))
    assert not any("gate" in each for each in messages(check, FindingSeverity.NOTE))


def test_a_query_of_ten_thousand_characters_is_checked(tmp_path: Path) -> None:
    long = "why is it so " * 800
    path = write(tmp_path, query("q1", long, "matches = '(is|it|so| )+$'\nexpect.route = 'a'"))
    assert check_suite(path).suite is not None


def test_real_collections_pass(collections: Path) -> None:
    for name in ("nfcorpus", "cranfield", "cosqa"):
        check = check_suite(collections / name)
        assert check.passed, check.findings[:3]


@pytest.mark.parametrize(
    ("expect", "is_impossible"),
    [
        ("ids = { a = 0 }", True),
        ("ids = { a = 0, b = -1 }", True),
        ("ids = { a = 0, b = 1 }", False),
        ("ids = { a = 1 }", False),
        ("matches = [{ pattern = 'a', grade = 0 }]", True),
    ],
)
def test_a_query_that_no_answer_can_satisfy_is_warned_of(
    tmp_path: Path, expect: str, is_impossible: bool
) -> None:
    path = write(tmp_path, query("q", "x", expect), head='id = "s"\nclass = "judged"\n')
    found = [each for each in warnings(check_suite(path)) if "no answer can be right" in each]
    assert len(found) == is_impossible


def test_an_id_that_cannot_name_a_file_is_told_before_a_baseline_is_wanted(tmp_path: Path) -> None:
    for name in ("a b", "a/b", ".a", "*"):
        check = check_suite(write(tmp_path, query("q1"), head=HEAD.replace("'a'", f"'{name}'")))
        assert check.passed
        assert [each for each in warnings(check) if "cannot name a file" in each], name
    assert not warnings(check_suite(write(tmp_path, query("q1"))))


def test_a_rule_for_a_category_that_no_query_has_is_an_error(tmp_path: Path) -> None:
    for rule in ("protected", "watched"):
        head = f"{HEAD}[regressions]\n{rule} = ['dnager']\n"
        path = write(tmp_path, query("q1", more="category = 'danger'"), head=head)
        assert errors(check_suite(path)) == [
            f"regressions: {rule}: unknown category of the suite 'dnager': did you mean danger?"
        ]


def test_a_test_corpus_without_the_usual_categories_can_be_run(tmp_path: Path) -> None:
    entry = {"id": "q1", "query": "budget", "expected_files": ["a.txt"], "category": "other"}
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps({"version": "1", "fixture_id": "f", "queries": [entry]}))
    check = check_suite(path)
    assert check.suite is not None
    assert (check.suite.rules.protected, check.suite.rules.watched) == ((), ())
    told = [each for each in warnings(check) if "nothing there is protected" in each]
    assert len(told) == 2
