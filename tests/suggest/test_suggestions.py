"""Suggestions from a log: ranked by failure, stratified, nothing personal, nothing known."""

from __future__ import annotations

import json
import random
import tomllib
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.model import Query
from cranfield.suggest.query_logs import read_column_options
from cranfield.suggest.suggestions import (
    Suggestions,
    describe_suggestions,
    guess_class,
    render_suggestions,
    suggest_queries,
)
from cranfield.suites import CLASSES, load_suite

if TYPE_CHECKING:
    from pathlib import Path


def suggest(
    folder: Path, *lines: dict[str, object], known: tuple[Query, ...] = (), limit: int = 30
) -> Suggestions:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return suggest_queries(path, known, limit)


def texts(found: Suggestions) -> list[str]:
    return [each.text for each in found.queries]


def line(query: str, count: int = 1, **more: object) -> dict[str, object]:
    return {"query": query, "count": count, **more}


def test_what_fails_most_often_comes_first(tmp_path: Path) -> None:
    found = suggest(
        tmp_path,
        line("always helps", 100, helpful=True),
        line("half helps", 50, helpful=0.5),
        line("never helps", 30, helpful=False),
    )
    assert texts(found) == ["never helps", "half helps", "always helps"]
    assert [each.score for each in found.queries] == [30.0, 25.0, 0.0]
    assert [each.helpful for each in found.queries] == [0.0, 0.5, 1.0]


def test_without_feedback_frequency_decides_and_no_share_is_made_up(tmp_path: Path) -> None:
    found = suggest(tmp_path, line("rare"), line("often", 9))
    assert texts(found) == ["often", "rare"]
    assert [each.helpful for each in found.queries] == [None, None]
    assert "helpful" not in render_suggestions(found)


def test_a_text_without_feedback_is_taken_to_help_as_often_as_the_others(tmp_path: Path) -> None:
    found = suggest(tmp_path, line("rated", 10, helpful=5), line("unrated", 8))
    assert {each.text: each.score for each in found.queries} == {"rated": 5.0, "unrated": 4.0}


def test_spellings_of_one_query_are_added_up_under_the_most_frequent(tmp_path: Path) -> None:
    found = suggest(
        tmp_path,
        line("How to sort a list?", 2, helpful=1),
        line("sort lists please", 1, helpful=True),
        line("how do I sort the list", 5, helpful=0),
        line("list sort", 1),
        line("sort list", 1),
    )
    [only] = found.queries
    assert (only.text, only.count) == ("how do I sort the list", 10)
    # One of two, one of one, none of five: the last two say nothing.
    assert only.helpful == 2 / 8
    assert found.different == 1


def test_known_queries_are_not_suggested_again_in_whatever_spelling(tmp_path: Path) -> None:
    known = (
        Query("a", "How do I sort the list?"),
        Query("b", "Cómo meditar", language="es"),
        Query("c", "retired words", deprecated=True),
    )
    found = suggest(
        tmp_path,
        line("sort list", 100),
        line("como meditar", 50),
        line("retired words", 20),
        line("new one"),
        known=known,
    )
    assert texts(found) == ["new one"]
    assert found.known == 3


def test_classes_take_turns_so_that_none_is_crowded_out(tmp_path: Path) -> None:
    found = suggest(
        tmp_path,
        *(line(f"why does part {chr(97 + number)} fail", 100 - number) for number in range(9)),
        line("URL", 3),
        line("LazyVStack", 2),
        limit=4,
    )
    assert [each.category for each in found.queries] == ["prose", "acronym", "canonical", "prose"]
    assert all(each.guessed for each in found.queries)


def test_a_class_that_the_log_names_is_kept_and_not_called_a_guess(tmp_path: Path) -> None:
    found = suggest(tmp_path, line("URL", category="emotional"), {"query": "URI", "class": "root"})
    assert [(each.category, each.guessed) for each in found.queries] == [
        ("root", False),
        ("emotional", False),
    ]
    assert "guessed" not in render_suggestions(found)


def test_nothing_personal_is_written_and_what_was_dropped_is_counted(tmp_path: Path) -> None:
    found = suggest(
        tmp_path,
        line("jane@example.org invoice", 500, user="jane"),
        line("call +49 30 901-8200", 500),
        line("fine", category="jane@example.org", user="jane", ip="10.1.2.3"),
    )
    written = render_suggestions(found) + repr(found)
    assert texts(found) == ["fine"]
    assert "jane" not in written
    assert "10.1.2.3" not in written
    assert found.personal == {"a telephone number": 1, "an e-mail address": 1}
    assert describe_suggestions(found)[1] == (
        "dropped as personal: 1 with a telephone number, 1 with an e-mail address"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("URL", "acronym"),
        ("HTTP2", "acronym"),
        ("URLSession", "canonical"),
        ("os.path.join()", "canonical"),
        ("snake_case", "canonical"),
        ("@State", "canonical"),
        ("std::vector", "canonical"),
        ("report.pdf", "files"),
        ("docs/notes", "files"),
        ("why me", "prose"),
        ("fear of death?", "prose"),
        ("I feel lost and alone", "prose"),
        ("cómo meditar", "prose"),
        ("क्या ध्यान", "prose"),
        ("inner peace", "canonical"),
        ("whatever", "canonical"),
    ],
)
def test_a_class_is_guessed_from_the_form(text: str, expected: str) -> None:
    assert guess_class(text) == expected
    assert expected in CLASSES.names()


def test_what_is_written_is_toml_but_no_suite_until_a_person_filled_it_in(tmp_path: Path) -> None:
    odd = 'say "hi" \\ back\\slash # [[query]] é ध्यान'
    found = suggest(tmp_path, line(odd, 7, helpful=2), line("plain"))
    written = render_suggestions(found)
    tables = tomllib.loads(written)
    assert list(tables) == ["query"]
    assert tables["query"][0] == {
        "id": "new-001",
        "text": odd,
        "category": "prose",
        "notes": "asked 7 times, 29% helpful; prose is guessed from its form",
    }
    assert tables["query"][1]["id"] == "new-002"
    path = tmp_path / "suggested.toml"
    path.write_text(written)
    with pytest.raises(InputError):
        load_suite(path)
    path.write_text('id = "a"\nclass = "canonical"\n' + written)
    with pytest.raises(InputError, match="new-001"):
        load_suite(path)
    path.write_text(
        'id = "a"\nclass = "canonical"\n' + written.replace("# expect.… = …", "expect.ids = 'x'")
    )
    assert [query.text for query in load_suite(path).asked] == [odd, "plain"]


def test_the_order_of_the_log_does_not_matter(tmp_path: Path) -> None:
    lines = [
        line(f"open {word} {kind}", 1 + place % 5, helpful=place % 2)
        for place, word in enumerate(["file", "window", "door", "mind", "heart", "port"])
        for kind in ("now", "later", "again")
    ]
    first = render_suggestions(suggest(tmp_path, *lines))
    random.Random(3).shuffle(lines)  # noqa: S311 - a test, not a secret
    assert render_suggestions(suggest(tmp_path, *lines)) == first


def test_garbage_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"query": "a b"}\nnonsense\n{"query": 7}\n\n{"query": "\xff"}\n')
    found = suggest_queries(path, ())
    assert (found.lines, found.unreadable, texts(found)) == (4, 3, ["a b"])
    assert "4 lines, 3 of them not readable" in describe_suggestions(found)[0]


def test_a_log_of_garbage_alone_is_an_error_not_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"q": 1}\n{"q": 2}\n')
    with pytest.raises(InputError, match="no line that could be read, of 2"):
        suggest_queries(path, ())


def test_a_limit_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match="at least one"):
        suggest(tmp_path, line("a"), limit=0)


@pytest.mark.parametrize(
    "text",
    [
        "Search Term,Total Searches,CTR\nred shoes,12,0.25\n",
        "Suchbegriff;Anzahl;Klicks\nred shoes;12;3\n",
        '{"search_term": "red shoes", "searches": 12, "clicks": 3, "user": 7}\n',
        '{"q": "red shoes", "n": 12, "helpful": 0.25}\n',
    ],
)
def test_similar_names_of_columns_are_understood(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    [found] = suggest_queries(path, ()).queries
    assert (found.text, found.count, found.helpful) == ("red shoes", 12, 0.25)


@pytest.mark.parametrize(
    "text",
    ["What they typed,Sum\nred shoes,12\n", '{"What they typed": "red shoes", "Sum": 12}\n'],
)
def test_columns_of_any_name_can_be_chosen(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    columns = read_column_options(["query=What they typed", "count=Sum"])
    [found] = suggest_queries(path, (), columns=columns).queries
    assert (found.text, found.count) == ("red shoes", 12)
    with pytest.raises(
        InputError, match=r"its columns are: What they typed, Sum; .*--column query="
    ):
        suggest_queries(path, ())
    with pytest.raises(InputError, match=r"unknown column 'Summe': did you mean Sum\?"):
        suggest_queries(path, (), columns={**columns, "count": "Summe"})


@pytest.mark.parametrize("written", ["query", "qery=Typed", "query="])
def test_a_column_that_cannot_be_read_is_refused(written: str) -> None:
    with pytest.raises(UnknownNameError, match="query"):
        read_column_options([written])
