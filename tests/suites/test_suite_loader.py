"""Suites that can be run, and parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.model import Query, Suite
from cranfield.suites import (
    CLASSES,
    SUITE_FORMATS,
    SuiteFormat,
    SuiteSource,
    load_suite,
    select,
    select_all,
)

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, text: str, name: str = "suite.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


HEAD = "id = 'a'\nclass = 'canonical'\n"
GOOD = "[[query]]\nid = 'q1'\ntext = 'x'\nexpect.ids = ['a']\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "suite.toml: has no query to run"),
        (HEAD + GOOD + "deprecated = true", "suite.toml: has no query to run"),
        (HEAD + GOOD + GOOD, "suite.toml:7: two queries have the id 'q1' (first in line 3)"),
        (HEAD + GOOD.replace("'q1'", "''"), "suite.toml:3: a query has no id"),
        (HEAD + GOOD.replace("'x'", "' '"), "suite.toml:3: query 'q1' has no text"),
        (HEAD.replace("canonical", "canon") + GOOD, "unknown class 'canon': did you mean"),
        (HEAD + GOOD + "pass_rank = 0", "suite.toml:3: query 'q1' has the pass_rank 0"),
        (
            HEAD + GOOD.replace(".ids", ".id"),
            "suite.toml:3: query 'q1' expects id, which does not fit",
        ),
        (HEAD + GOOD + "expect.match = 'a'", "suite.toml:3: query 'q1': unknown rule 'match'"),
        (HEAD + GOOD.replace("expect.ids = ['a']", ""), "suite.toml:3: query 'q1' expects nothing"),
        (HEAD + GOOD.replace("['a']", "3"), "suite.toml:3: query 'q1': ids: expected"),
        (HEAD + GOOD + "expect.matches = '('", "query 'q1': matches: '(' is not a regular"),
        (
            HEAD + GOOD.replace("ids = ['a']", "where = {kind = 'x'}"),
            "expects where, which does not fit the class canonical; it needs one of: matches",
        ),
    ],
)
def test_a_suite_that_cannot_be_run_is_refused_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, text))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("measure = 'nope@3'\nat_least = 1", "gate: unknown measure 'nope'"),
        ("measure = 'P@0'\nat_least = 1", "gate: P@0: the cutoff must be a whole number"),
        ("measure = 'P@1'\nat_least = nan", "gate: P@1 has to reach nan, which nothing can be"),
        ("measure = 'P@1'\nat_least = 80", "gate: P@1 is never above 1, and 80 is required"),
        ("measure = 'P@1'\nat_least = 0", "gate: every run reaches 0 of P@1"),
        (
            "measure = 'P@1'\nat_least = 1\ncategory = 'protocol'",
            "gate: unknown category of the suite 'protocol': did you mean protocols?",
        ),
    ],
)
def test_a_gate_that_cannot_be_tested_is_refused(tmp_path: Path, gate: str, message: str) -> None:
    text = f"{HEAD}[[gate]]\n{gate}\n{GOOD}category = 'protocols'"
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, text))
    assert message in str(refused.value)


def test_a_gate_must_not_ask_what_the_class_refuses(tmp_path: Path) -> None:
    text = (
        "id = 'a'\nclass = 'attribute'\n[[gate]]\nmeasure = 'RR@10'\nat_least = 0.5\n"
        "[[query]]\nid = 'q'\ntext = 'x'\nexpect.where.kind = 'method'\n"
    )
    with pytest.raises(InputError, match="RR@10 makes no sense for attribute: many answers are"):
        load_suite(write(tmp_path, text))


def test_an_sql_rule_waits_for_its_system(tmp_path: Path) -> None:
    text = HEAD.replace("canonical", "attribute") + GOOD.replace("ids = ['a']", "sql = 'SELECT 1'")
    assert load_suite(write(tmp_path, text)).queries[0].expect == {"sql": "SELECT 1"}


@pytest.mark.parametrize("name", ["suite.yaml", "suite.json", "README", "x.ledger.json"])
@pytest.mark.parametrize("text", ["", "what is this?", '"a string"'])
def test_a_file_of_no_known_format_is_refused(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(InputError, match="is not a suite that we can read; there are: a BEIR"):
        load_suite(write(tmp_path, text, name))


def test_a_suite_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.toml: does not exist; give a suite file or folder"):
        load_suite(tmp_path / "no.toml")


def test_a_format_of_ones_own_is_read(tmp_path: Path) -> None:
    def read(path: Path) -> SuiteSource:
        text = path.read_text().strip()
        suite = Suite("mine", "canonical", (Query(text, text, {"ids": [text]}),))
        return SuiteSource(suite, path, (1,))

    if "own" not in SUITE_FORMATS.names():
        SUITE_FORMATS.register(
            "own", SuiteFormat("own", "a file .own", lambda path: path.suffix == ".own", read)
        )
    assert load_suite(write(tmp_path, "word\n", "suite.own")).queries[0].text == "word"


SUITE = Suite(
    "s",
    "canonical",
    (
        Query("1", "a", category="x", language="en"),
        Query("2", "b", category="x", language="hi", tags=("smoke",)),
        Query("3", "c", category="y", language="en"),
        Query("4", "d", category="z", language="en", deprecated=True),
    ),
)


@pytest.mark.parametrize(
    ("categories", "languages", "smoke", "ids"),
    [
        ((), (), False, ["1", "2", "3"]),
        (("x",), (), False, ["1", "2"]),
        (("x",), ("hi",), False, ["2"]),
        (("x", "y"), ("en",), False, ["1", "3"]),
        ((), (), True, ["2"]),
        ((), ("en",), True, ["1", "3"]),
    ],
)
def test_categories_languages_and_smoke_select(
    categories: tuple[str, ...], languages: tuple[str, ...], smoke: bool, ids: list[str]
) -> None:
    kept = select(SUITE, categories=categories, languages=languages, smoke=smoke)
    assert [query.id for query in kept.queries] == ids


def test_an_unknown_category_or_language_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown category of the suite s 'z'"):
        select(SUITE, categories=("z",))
    with pytest.raises(
        UnknownNameError, match="unknown language of the suite s 'es': did you mean en"
    ):
        select(SUITE, languages=("es",))


def test_a_language_is_refused_if_no_query_has_any() -> None:
    plain = Suite("plain", "canonical", (Query("1", "one", {"ids": "a"}),))
    with pytest.raises(CranfieldError) as caught:
        select_all([plain], languages=("en",))
    assert str(caught.value) == "unknown language 'en': no query of these suites has a language"
    with pytest.raises(CranfieldError, match="no query of the suite plain has a category"):
        select(plain, categories=("lookup",))


@pytest.mark.parametrize("line", ['class = "lookup"\n', 'class = "cannonical"\n', ""])
def test_an_unknown_or_missing_class_lists_the_classes_and_which_to_take(
    tmp_path: Path, line: str
) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(f'id = "x"\n{line}[[query]]\nid = "q"\ntext = "t"\nexpect.ids = ["a"]\n')
    with pytest.raises(InputError) as raised:
        load_suite(path)
    message = str(raised.value)
    assert ("did you mean canonical?" in message) == ("cann" in line)
    assert "if unsure, take canonical if each query has one right answer, and judged" in message
    for name in CLASSES.names():
        assert f"{name} ({CLASSES.get(name).summary})" in message
