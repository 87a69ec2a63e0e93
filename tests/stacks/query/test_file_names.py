"""Files as a launcher finds them: names before paths before content, in every mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index
from stacks.query.file_names import NAME_MATCHES, match_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
