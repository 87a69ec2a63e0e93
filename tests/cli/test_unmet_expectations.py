"""What a suite expects has to exist: `check` finds what does not, `run` warns or refuses."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.projects import cranfield
from tests.shipped.projects import SUITES

from stacks.index import Request, save

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 'id = "small"\nclass = "canonical"\n'
DOCUMENTS = ({"_id": "doc-13", "title": "Kettles", "text": "It boils."}, {"_id": "doc-14"})
PASSAGE = "the calm lake of the mind reflects the moon without a ripple"


def suite(folder: Path, *expected: str) -> Path:
    queries = "".join(
        f"[[query]]\nid = 'q{number}'\ntext = 'word {number}'\nexpect.{each}\n"
        for number, each in enumerate(expected)
    )
    path = folder / "small.toml"
    path.write_text(f"{HEAD}{queries}")
    return path


def corpus(folder: Path, name: str = "corpus.jsonl") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(each)}\n" for each in DOCUMENTS))
    return path


def check(folder: Path, *arguments: str) -> tuple[int, str]:
    done = cranfield(folder, "check", *arguments)
    return done.returncode, done.stdout + done.stderr


def test_a_misspelt_id_is_found_in_json_lines_with_the_near_one(tmp_path: Path) -> None:
    suite(tmp_path, 'ids = ["doc-13"]', 'ids = ["doc_31", "doc-14"]')
    code, said = check(tmp_path, "small.toml", "--corpus", str(corpus(tmp_path)))
    assert code == 2
    assert "query 'q1' expects 'doc_31' (did you mean 'doc-1" in said
    assert "query 'q0'" not in said


def test_an_id_is_looked_for_in_every_corpus_that_is_given(tmp_path: Path) -> None:
    suite(tmp_path, 'ids = ["doc-13"]', 'ids = ["kettle"]')
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "kettle.md").write_text("It boils.\n")
    given = ("--corpus", str(corpus(tmp_path)), "--corpus", str(tmp_path / "pages"))
    code, said = check(tmp_path, "small.toml", *given)
    assert code == 0, said


def test_the_corpus_of_a_beir_folder_is_known(tmp_path: Path) -> None:
    suite(tmp_path, 'ids = ["doc-13"]', 'ids = ["doc-99"]')
    corpus(tmp_path, "beir/corpus.jsonl")
    (tmp_path / "beir" / "queries.jsonl").write_text('{"_id": "1", "text": "x"}\n')
    code, said = check(tmp_path, "small.toml", "--corpus", str(tmp_path / "beir"))
    assert (code, "query 'q1' expects 'doc-99'" in said) == (2, True)


def test_a_path_is_looked_for_in_a_folder(tmp_path: Path) -> None:
    suite(tmp_path, 'files = ["home/budget.xlsx"]', 'files = ["home/budgte.pdf"]')
    (tmp_path / "files" / "home").mkdir(parents=True)
    (tmp_path / "files" / "home" / "budget.xlsx").write_bytes(b"\xff")
    (tmp_path / "files" / "home" / "budget.pdf").write_bytes(b"\xff")
    code, said = check(tmp_path, "small.toml", "--corpus", str(tmp_path / "files"))
    assert code == 2
    assert "expects 'home/budgte.pdf' (did you mean 'home/budget.pdf'?)" in said


def test_another_corpus_is_said_once(tmp_path: Path) -> None:
    suite(tmp_path, *(f'ids = ["page/{number}"]' for number in range(20)))
    code, said = check(tmp_path, "small.toml", "--corpus", str(corpus(tmp_path)))
    assert code == 2
    assert said.count("is it the right corpus?") == 1
    assert "expects 'page/" not in said


def golden(folder: Path, book: str, chapter: int) -> Path:
    passage = {"passage_substring": PASSAGE, "book_slug": book, "chapter_number": chapter}
    query = {"id": "a", "query": "Moon?", "category": "direct", "expected_passages": [passage]}
    path = folder / "golden-set-en.json"
    path.write_text(json.dumps([query]))
    return path


@pytest.fixture
def books(tmp_path: Path) -> Path:
    for name, text in {"01-start.md": "Nothing yet.", "02-lake.md": f"Then {PASSAGE}."}.items():
        file = tmp_path / "books" / "letters" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# A chapter\n\n{text}\n")
    return tmp_path / "books"


@pytest.mark.parametrize(
    ("book", "chapter", "message"),
    [
        ("letters", 2, ""),
        ("letters", 1, "and not in letters, chapter 1, where it is expected"),
        ("leters", 2, "and not in leters, chapter 2, where it is expected"),
    ],
)
def test_a_wrong_book_or_chapter_is_found_in_an_index(
    tmp_path: Path, books: Path, book: str, chapter: int, message: str
) -> None:
    golden(tmp_path, book, chapter)
    save([Request.parse(f"books={books}")], tmp_path / "index")
    code, said = check(tmp_path, "golden-set-en.json", "--corpus", str(tmp_path / "index"))
    assert code == (2 if message else 0), said
    assert message in said


def test_a_wrong_chapter_is_found_in_a_folder_of_books(tmp_path: Path, books: Path) -> None:
    golden(tmp_path, "letters", 1)
    code, said = check(tmp_path, "golden-set-en.json", "--corpus", str(books))
    assert code == 2
    assert "is in letters/02-lake.md, and not in letters, chapter 1" in said
    golden(tmp_path, "letters", 2)
    assert check(tmp_path, "golden-set-en.json", "--corpus", str(books))[0] == 0


def test_a_passage_with_a_typo_names_the_text_with_similar_words(
    tmp_path: Path, books: Path
) -> None:
    path = golden(tmp_path, "letters", 2)
    path.write_text(path.read_text().replace("without a ripple", "without any ripple"))
    _, said = check(tmp_path, "golden-set-en.json", "--corpus", str(books))
    assert "similar words are in letters/02-lake.md" in said


def make_system(folder: Path, answer: list[str], **settings: Any) -> None:
    (folder / "search.py").write_text(f"def search(text, limit):\n    return {answer!r}\n")
    further = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    (folder / "cranfield.toml").write_text(
        "suites = ['small.toml']\n[systems.mine]\nkind = 'python'\ncall = 'search.py:search'\n"
        f"{further}"
    )


def test_a_run_warns_of_what_its_own_corpus_does_not_have(tmp_path: Path) -> None:
    corpus(tmp_path)
    make_system(tmp_path, ["doc-14"], corpus=["corpus.jsonl"])
    suite(tmp_path, 'ids = ["doc-13"]', 'ids = ["doc_13x"]', 'ids = ["doc-14"]')
    done = cranfield(tmp_path, "run")
    assert done.returncode == 0
    assert "warning: small: query 'q1' expects 'doc_13x' (did you mean 'doc-13'?)" in done.stderr
    assert "query 'q0'" not in done.stderr


def test_a_run_warns_of_an_id_that_an_answer_writes_in_another_way(tmp_path: Path) -> None:
    make_system(tmp_path, ["docs/Doc%2013"])
    suite(tmp_path, 'ids = ["docs/doc-13"]', 'ids = ["never-seen"]')
    done = cranfield(tmp_path, "run")
    assert "query 'q0' expects 'docs/doc-13', and its answer has 'docs/Doc%2013'" in done.stderr
    assert "never-seen" not in done.stderr


def test_a_fixture_without_an_expected_file_refuses_the_run(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("test_corpus.json", "cranfield.toml"):
        shutil.copy(SUITES / "home" / name, home)
    shutil.copytree(SUITES / "home" / "standard_home_v1", home / "standard_home_v1")
    assert cranfield(home, "check").returncode == 0
    (home / "standard_home_v1" / "Documents" / "budget-2026.xlsx").unlink()
    for command in (["check"], ["run", "--mode", "fts5"], ["gate", "--system", "both"]):
        done = cranfield(home, *command)
        assert done.returncode == 2, command
        said = done.stdout + done.stderr
        assert "'Documents/budget-2026.xlsx', which the fixture standard_home_v1 does not" in said
        assert said.count("budget-2026.xlsx") >= 3  # three queries expect it
