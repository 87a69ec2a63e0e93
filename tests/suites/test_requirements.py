"""Names that nobody knows are mistakes, all of them at once; a project may accept its own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import InputError
from cranfield.suites import AcceptedNames, load_suite

if TYPE_CHECKING:
    from pathlib import Path

QUERY: dict[str, Any] = {
    "id": "t1",
    "query": "How do I breathe?",
    "category": "technique_boundary",
    "expected_routing": "practice_bridge",
}
FILE: dict[str, Any] = {"id": "f1", "query": "budget", "expected_files": ["budget.xlsx"]}


def golden(folder: Path, *queries: dict[str, Any]) -> Path:
    path = folder / "golden-set-en.json"
    path.write_text(json.dumps(queries).replace("}, {", "},\n{"))
    return path


def corpus(folder: Path, *queries: dict[str, Any], **keys: Any) -> Path:
    path = folder / "test_corpus.json"
    path.write_text(json.dumps({**keys, "queries": queries}))
    return path


def native(folder: Path, *queries: str, head: str = "") -> Path:
    path = folder / "suite.toml"
    listed = "".join(
        f"[[query]]\nid = 'q{number}'\ntext = 'word {number}'\nexpect.ids = ['a']\n{lines}\n"
        for number, lines in enumerate(queries)
    )
    path.write_text(f"id = 'a'\nclass = 'canonical'\n{head}\n{listed}")
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as problem:
        load_suite(path)
    return str(problem.value)


def test_a_category_that_would_drop_its_hard_gate_is_refused(tmp_path: Path) -> None:
    path = golden(tmp_path, {**QUERY, "category": "technique-boundary"})
    message = refused(path)
    assert "json:1: unknown category 'technique-boundary': did you mean technique_bound" in message
    assert "write [accept] categories = ['technique-boundary'] in cranfield.toml" in message


def test_a_category_of_a_test_corpus_is_known_or_refused(tmp_path: Path) -> None:
    message = refused(corpus(tmp_path, {**FILE, "category": "exact-filename"}))
    assert "unknown category 'exact-filename': did you mean exact_filename" in message


def test_one_category_written_in_two_ways_is_refused_in_any_suite(tmp_path: Path) -> None:
    one, other = "category = 'dark night'", "category = 'Dark-Night'"
    message = refused(native(tmp_path, one, one, other))
    assert "suite.toml:14: category 'Dark-Night' of 1 query is written 'dark night'" in message


@pytest.mark.parametrize(
    ("language", "near"), [("english", "en"), ("EN", "en"), ("espanish", "es"), ("pt_BR", "pt-br")]
)
def test_a_language_is_a_code(tmp_path: Path, language: str, near: str) -> None:
    message = refused(golden(tmp_path, {**QUERY, "language": language}))
    assert f"unknown language {language!r}: did you mean {near}" in message
    assert load_suite(golden(tmp_path, {**QUERY, "language": "pt-BR"})).queries[0].language


def test_keys_that_inform_people_are_passed_over(tmp_path: Path) -> None:
    plain = load_suite(golden(tmp_path, QUERY)).queries
    more = {**QUERY, "author": "A. N. Other", "difficulty": "hard"}
    assert load_suite(golden(tmp_path, more)).queries == plain
    plain = load_suite(corpus(tmp_path, FILE)).queries
    [tagged] = load_suite(corpus(tmp_path, {**FILE, "tags": ["new"]}, description="mine")).queries
    assert [replace(tagged, tags=each.tags) for each in plain] == [*plain]


def test_a_key_inside_a_passage_is_looked_at_too(tmp_path: Path) -> None:
    passage = {"passage_substring": "a calm lake", "chapter": 12}
    message = refused(golden(tmp_path, {**QUERY, "expected_passages": [passage]}))
    assert "unknown key 'chapter': did you mean chapter_number" in message


def test_a_key_of_a_rule_is_looked_at_too(tmp_path: Path) -> None:
    text = "expect.matches = [{pattern = 'a', grad = 2}]"
    message = refused(native(tmp_path, text))
    assert "query 'q0': matches: [0]: unknown key 'grad': did you mean grade" in message


def test_a_threshold_in_a_test_corpus_says_where_thresholds_are_set(tmp_path: Path) -> None:
    message = refused(corpus(tmp_path, FILE, threshold=0.95))
    assert "unknown key 'threshold'" in message
    assert "[[thresholds]] in cranfield.toml" in message


def test_every_mistake_of_a_golden_set_is_told_at_once(tmp_path: Path) -> None:
    path = golden(
        tmp_path,
        {**QUERY, "catgory": "x"},
        {**QUERY, "category": "emotionl", "language": "hindi"},
        {**QUERY, "id": "t3", "expected_routing": 3},
        {"id": "t4", "qeury": "?"},
    )
    message = refused(path)
    assert "json:1: unknown key 'catgory': did you mean category" in message
    assert "json:3: expected_routing: expected `str`, got `int`" in message
    assert "json:4: object missing required field `query`" in message
    assert "json:4: unknown key 'qeury': did you mean query" in message
    path = golden(tmp_path, QUERY, {**QUERY, "category": "emotionl", "language": "hindi"})
    message = refused(path)
    assert "3 mistakes" in message
    assert "two queries have the id 't1'" in message
    assert "unknown category 'emotionl'" in message
    assert "unknown language 'hindi': did you mean hi" in message


def test_a_key_in_many_queries_is_told_once(tmp_path: Path) -> None:
    queries = [{**QUERY, "id": f"t{number}", "mood": "sad"} for number in range(40)]
    message = refused(golden(tmp_path, *queries))
    assert message.count("unknown key") == 1
    assert "unknown key 'mood' (in 40 places)" in message
    assert message.count("[accept] keys = ['mood']") == 1


def test_every_mistake_of_our_own_format_is_told_at_once(tmp_path: Path) -> None:
    message = refused(native(tmp_path, "pasrank = 3", "tags = 3", head="[[gates]]\nmeasure = 'x'"))
    assert "unknown key 'gates': did you mean gate" in message
    assert "suite.toml:5: query[0]: unknown key 'pasrank': did you mean pass_rank" in message
    assert "suite.toml:10: query[1].tags: expected `array`, got `int`" in message


def test_what_a_project_accepts_is_no_mistake(tmp_path: Path) -> None:
    path = golden(tmp_path, {**QUERY, "mood": "sad", "category": "howto", "language": "gsw"})
    accepted = AcceptedNames(keys=("mood",), categories=("howto",), languages=("gsw",))
    assert load_suite(path, accepted).queries[0].category == "howto"
    broken = golden(tmp_path, {"id": "t1", "mood": "sad"})
    with pytest.raises(InputError) as problem:
        load_suite(broken, accepted)
    assert "mood" not in str(problem.value)


def test_beir_and_trec_queries_have_known_keys(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\td\t1\n")
    line = {"_id": "1", "text": "a", "metadata": {"url": "x"}, "langage": "en"}
    (tmp_path / "queries.jsonl").write_text(json.dumps(line) + "\n")
    assert "queries.jsonl:1: unknown key 'langage'" in refused(tmp_path)
