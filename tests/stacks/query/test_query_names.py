"""Names inside queries, of symbols and of files: joined, spaced, or with words that ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index
from stacks.query.document_names import find_framework_name
from stacks.query.query_names import (
    NAME_MATCHES,
    find_name_runs,
    join_words,
    match_name,
    qualify_words,
    split_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def uris(index: Index, text: str, **settings: Any) -> list[str]:
    return [hit.uri.removeprefix("docs://") for hit in index.search(text, **settings)]


@pytest.fixture
def index(index_of: Open, page: Make) -> Index:
    """Names among pages that repeat the words which people type beside them."""
    chatter = "class type function method counter tally result example how to use " * 5
    parser = ("shapes.Parser.add_argument", "Parser.add_argument")
    helper = ("shapes.Helper.add_argument", "Helper.add_argument")
    return index_of(
        [
            page("shapes", "shapes", "Shapes.", kind="module", module="shapes"),
            page("clocks", "clocks", "Clocks.", kind="module", module="clocks"),
            page("clocks/perf_counter", "perf_counter", chatter, kind="function"),
            page("clocks/about", "About clocks", chatter, kind="article"),
            page("shapes/tally", "Tally", "Counts.", kind="class"),
            page("clocks/tally", "tally", "Counts.", kind="function"),
            page("shapes/result", "Result", "Holds.", kind="enum"),
            page("clocks/resulttype", "resultType", "Says.", kind="property"),
            page("shapes/media", "ContentAndMedia", "Holds.", kind="struct"),
            page("shapes/long", "one_of_the_very_long_names", "x", kind="function"),
            *(page(f"shapes/parser/p{n}", f"p{n}", "x", kind="method") for n in range(9)),
            page("shapes/parser", "Parser", "Parses.", kind="class"),
            page("shapes/helper", "Helper", "Helps to add argument text.", kind="class"),
            page("shapes/helper/add", "Helper.add_argument", "shapes", kind="method", names=helper),
            page("shapes/parser/add", "Parser.add_argument", "Adds.", kind="method", names=parser),
        ]
    )


@pytest.mark.parametrize(
    "text",
    [
        "Tally class",
        "class Tally",
        "tally class",
        "the Tally type",
        "Tally shapes",
        "shapes Tally",
        "Tally in shapes",
        "how to use the Tally class",
        "Tally class example",
        "example of Tally in the shapes module",
        "What is the Tally class?",
    ],
)
def test_a_name_is_found_beside_words_that_describe_it(index: Index, text: str) -> None:
    assert uris(index, text)[0] == "shapes/tally"


@pytest.mark.parametrize("text", ["tally function", "clocks tally", "how to use tally in clocks"])
def test_kind_and_framework_choose_among_namesakes(index: Index, text: str) -> None:
    assert uris(index, text)[0] == "clocks/tally"


def test_a_kind_that_no_namesake_is_of_does_not_hide_the_name(index: Index) -> None:
    assert uris(index, "Result protocol")[0] == "shapes/result"


def test_a_name_beside_its_kind_goes_before_the_words_joined(index: Index) -> None:
    found = uris(index, "Result type")
    assert found[0] == "shapes/result"
    assert "clocks/resulttype" in found
    assert uris(index, "resultType")[0] == "clocks/resulttype"


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("content and media", "shapes/media"),
        ("content and media struct", "shapes/media"),
        ("how to use content and media in shapes", "shapes/media"),
        ("one of the very long names", "shapes/long"),
        ("usage of perf counter", "clocks/perf_counter"),
    ],
)
def test_words_of_a_name_may_be_spaced_and_stop_words(index: Index, text: str, uri: str) -> None:
    assert uris(index, text)[0] == uri


@pytest.mark.parametrize(
    "text", ["shapes add_argument", "add_argument shapes", "how to use shapes add_argument"]
)
def test_a_member_beside_its_framework_is_that_of_the_larger_type(index: Index, text: str) -> None:
    assert uris(index, text)[:2] == ["shapes/parser/add", "shapes/helper/add"]


def test_a_member_with_its_owner_is_found_beside_other_words(index: Index) -> None:
    for text in ("Helper add_argument method", "how to use Helper.add_argument in shapes"):
        assert uris(index, text)[0] == "shapes/helper/add", text


def test_a_question_is_no_name(index: Index) -> None:
    hits = index.search("count the tally of a clock")
    assert "title is nearly the query" not in {each.reason for hit in hits for each in hit.factors}


def test_runs_are_the_longest_first_and_never_the_whole() -> None:
    runs = list(find_name_runs(("the", "grid", "type"), lambda _: ""))
    assert [run.words for run in runs] == [("the", "grid"), ("grid", "type"), ("grid",)]
    assert [bool(run.kinds) for run in runs] == [True, False, True]


def test_a_name_is_of_one_kind_in_one_framework() -> None:
    runs = list(find_name_runs(("class", "grid", "module"), lambda _: ""))
    assert ("grid",) not in [run.words for run in runs]


def test_signs_at_the_ends_of_words_are_no_part_of_a_name() -> None:
    assert split_name("what is `grid()`, and why?") == ("what", "is", "grid", "and", "why")


@given(st.text(alphabet="ab. ()@?", max_size=30))
def test_any_query_has_runs_of_its_own_words(text: str) -> None:
    words = split_name(text)
    for run in find_name_runs(words, lambda name: name if "a" in name else ""):
        assert 0 < len(run.words) < len(words)
        assert all(run.spellings)


def test_two_words_are_a_member_with_its_owner() -> None:
    assert qualify_words("array append") == ("array.append",)


def test_the_dot_may_be_between_any_two_words() -> None:
    assert set(qualify_words("url session shared")) == {
        "url.session.shared",
        "url.sessionshared",
        "url.session_shared",
        "urlsession.shared",
        "url_session.shared",
    }


def test_the_arguments_of_a_member_stay() -> None:
    assert "array.append(contentsof:)" in qualify_words("array append(contentsof:)")


def test_an_import_from_a_module_is_a_member_of_it() -> None:
    assert qualify_words("from xml.etree import elementtree") == ("xml.etree.elementtree",)


@pytest.mark.parametrize("name", ["", "array", "how do i append to an array"])
def test_one_word_and_a_sentence_have_no_owner(name: str) -> None:
    assert qualify_words(name) == ()


def test_words_are_joined_in_each_way_that_names_are_written() -> None:
    assert join_words(["read", "csv"]) == ("readcsv", "read_csv", "read-csv")
    assert join_words(["read"]) == join_words(list("abcdefgh")) == ()
    assert join_words(list("abcdefg"))[0] == "abcdefg"


@pytest.mark.parametrize(
    ("name", "framed"),
    [
        ("import corelocation", "corelocation"),
        ("core location framework", "core location"),
        ("framework swiftui", "swiftui"),
        ("json module", "json"),
        ("swift standard library", "swift"),
        ("swift library", "swift"),
        ("framework", ""),
        ("import", ""),
        ("important", ""),
        ("swiftui frameworks", ""),
        ("", ""),
    ],
)
def test_what_is_said_to_be_a_framework_is_taken_out_of_its_frame(name: str, framed: str) -> None:
    assert find_framework_name(name) == framed


@given(st.text())
def test_any_text_can_be_worded(text: str) -> None:
    name = " ".join(text.casefold().split())
    assert all("." in each for each in qualify_words(name))
    assert len(find_framework_name(name)) < max(len(name), 1)
    assert len(qualify_words(name)) <= 13


FILES = {
    "Documents/budget-2026.xlsx.txt": "money",
    "Documents/budget.txt": "nothing of note",
    "Documents/old-budget-copy.txt": "",
    "Documents/rebudgeting.txt": "",
    "budget/readme.md": "what the folder is for",
    "Notes/long.md": "the budget of the year " * 20,
    "src/test_config.py": "assert config",
    "src/config_parser.cpp": "int parseConfig(); // used by the test of the parser",
    "src/ConfigLoader.swift": "struct ConfigLoader {}",
    "src/analysis.r": "x <- 1",
    ".zshrc": "export PATH=/bin",
    "Notes/été à Paris.md": "vacances",
    "Notes/gradient.md": "colours",
    "Notes/descent.md": "mountains",
    "Notes/learning.md": "a method called gradient descent is used",
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Callable[..., list[str]]]:
    opened: list[Index] = []
    root = tmp_path / "home"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    save([Request.parse(f"files={root}")], tmp_path / "index", SaveOptions(embedder="wordllama"))
    opened.append(open_index(tmp_path / "index"))

    def find(text: str, mode: str = "fts5", **settings: Any) -> list[str]:
        from urllib.parse import unquote

        hits = opened[0].search(text, mode=mode, **settings)
        return [unquote(hit.uri).removeprefix("files://home/") for hit in hits]

    yield find
    opened[0].close()


@pytest.mark.parametrize(
    ("typed", "name", "folder", "match"),
    [
        ("makefile", "Makefile", "", 0),
        (".zshrc", ".zshrc", "", 0),
        ("zshrc", ".zshrc", "", 1),
        ("budget", "budget.xlsx", "", 1),
        ("bud", "budget.xlsx", "", 2),
        ("test_", "test_config.py", "", 2),
        ("meeting notes jan", "meeting-notes-jan.md", "", 2),
        ("config", "test_config.py", "", 3),
        ("notes jan", "meeting-notes-jan.md", "", 3),
        ("loader", "ConfigLoader.swift", "", 3),
        ("udge", "budget.xlsx", "", 4),
        ("docs budget", "budget.xlsx", "docs/2026", 5),
        ("docs", "budget.xlsx", "my docs", 5),
        ("été", "Été à Paris.md", "", 2),
        ("invoice", "budget.xlsx", "docs", None),
        ("", "a", "", None),
    ],
)
def test_a_name_is_matched_the_way_a_person_sees_it(
    typed: str, name: str, folder: str, match: int | None
) -> None:
    assert match_name(typed, name, folder) == (2 if typed == "" else match)
    assert match is None or NAME_MATCHES[match]


@pytest.mark.parametrize("mode", ["fts5", "semantic", "both"])
def test_names_come_before_paths_and_paths_before_content(
    home: Callable[..., list[str]], mode: str
) -> None:
    assert home("budget", mode)[:6] == [
        "Documents/budget.txt",
        "Documents/budget-2026.xlsx.txt",
        "Documents/old-budget-copy.txt",
        "Documents/rebudgeting.txt",
        "budget/readme.md",
        "Notes/long.md",
    ]


def test_a_single_letter_finds_what_begins_with_it(home: Callable[..., list[str]]) -> None:
    found = home("r", "both")
    assert found[0] == "budget/readme.md" or found[0].startswith("Documents/re")
    assert "src/analysis.r" in found


def test_a_pattern_names_the_files_that_fit_it(home: Callable[..., list[str]]) -> None:
    assert home("*.py", "both")[0] == "src/test_config.py"
    assert home("*.PY")[0] == "src/test_config.py"
    assert home("*config*.*") == home("*config*")
    assert set(home("budget*")[:2]) == {"Documents/budget.txt", "Documents/budget-2026.xlsx.txt"}
    assert home("[*") == []


def test_a_word_after_a_minus_leaves_out_names_not_contents(
    home: Callable[..., list[str]],
) -> None:
    found = home("config -test", "both")
    assert "src/test_config.py" not in found[:2]
    assert set(found[:2]) == {"src/config_parser.cpp", "src/ConfigLoader.swift"}


def test_a_quoted_phrase_is_found_in_names(home: Callable[..., list[str]]) -> None:
    assert home('"old budget"') == ["Documents/old-budget-copy.txt"]


def test_a_file_with_every_word_comes_before_names_with_some(
    home: Callable[..., list[str]],
) -> None:
    assert home("gradient descent")[0] == "Notes/learning.md"


def test_accents_do_not_matter(home: Callable[..., list[str]]) -> None:
    assert home("ete a paris")[0] == "Notes/été à Paris.md"


@pytest.mark.parametrize(
    "text",
    ["x" * 10_000, "*" * 500, '"', "-", "?", "a" * 300 + "*", "NEAR(", "{title} : x", "'; --"],
)
def test_any_text_is_a_query(home: Callable[..., list[str]], text: str) -> None:
    assert isinstance(home(text, "both"), list)


@pytest.mark.parametrize("mode", ["fts5", "both", "semantic"])
@pytest.mark.parametrize("text", ["config-parser???", "config_parser*.nosuch", "*parser?"])
def test_a_pattern_that_no_name_matches_is_words(
    home: Callable[..., list[str]], text: str, mode: str
) -> None:
    assert home(text, mode)[0] == "src/config_parser.cpp"


def test_a_pattern_with_a_slash_is_compared_with_the_path(home: Callable[..., list[str]]) -> None:
    assert home("src/*.py") == ["src/test_config.py"]
    assert home("Documents/*budget*") == home("*budget*.txt")
    assert home("budget/*") == ["budget/readme.md"]


def test_brackets_in_a_pattern_mean_themselves(home: Callable[..., list[str]]) -> None:
    assert home("[b]udget.*") == []
