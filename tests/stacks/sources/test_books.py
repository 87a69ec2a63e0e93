"""Books are found, divided into chapters and named as their folders and front matter say."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources.books import BooksSource
from stacks.sources.source import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = "The saint sat by the river and he was at peace with all that is."
SPANISH = "El santo estaba sentado junto al río y tenía paz en su corazón."
HINDI = "संत नदी के पास बैठे थे और उनका मन शांत था।"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def read_all(location: Path, **settings: int) -> tuple[list[Document], list[str]]:
    source = BooksSource(str(location), **settings)
    documents: list[Document] = []
    errors: list[str] = []
    for page in source.pages():
        if isinstance(page, PageError):
            errors.append(str(page))
            continue
        try:
            documents += source.read(page)
        except PageError as error:
            errors.append(f"{page.key} {error}")
    return documents, errors


def outline(location: Path) -> list[tuple[str, str, str]]:
    """Book, chapter and title of every passage."""
    documents, errors = read_all(location)
    assert errors == []
    return [(each.facts["book"], each.facts["chapter"], each.title) for each in documents]


def test_a_passage_says_where_it_stands(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Autobiography of a Yogi\nauthor: P. Y.\n"
        "language: en-US\nslug: Auto Yogi\n---\n"
        f"# Chapter 1: Childhood\n\nAn *old* [saint](http://x) came.\n\n# Chapter 2\n\n{ENGLISH}\n"
    )
    documents, errors = read_all(write(tmp_path, {"a.md": text}))
    assert errors == []
    first = documents[0]
    digest = first.facts["hash"]
    assert first == Document(
        uri=f"books://auto-yogi/1/{digest[:12]}",
        title="Childhood",
        content="An old saint came.",
        framework="auto-yogi",
        module="Autobiography of a Yogi",
        kind="passage",
        language="en",
        facts={
            "book": "auto-yogi",
            "chapter": "1",
            "chapter_title": "Childhood",
            "passage": "1",
            "hash": digest,
            "author": "P. Y.",
            "words": "4",
        },
    )
    assert (documents[1].title, documents[1].facts["chapter"]) == ("Autobiography of a Yogi", "2")
    assert "chapter_title" not in documents[1].facts


def test_a_file_is_a_book_and_what_stands_before_the_first_heading_is_chapter_0(
    tmp_path: Path,
) -> None:
    text = (
        f"# My Life\n\nTo my friends.\n\n## Home\n\n{ENGLISH}\n\n### A river\n\nIt flows."
        "\n\n## Away\n\nFar."
    )
    write(tmp_path, {"en/my-life.md": text})
    assert outline(tmp_path) == [
        ("my-life", "0", "My Life"),
        ("my-life", "1", "Home"),
        ("my-life", "2", "Away"),
    ]
    documents, _ = read_all(tmp_path)
    assert documents[1].content == f"{ENGLISH}\n\nA river\n\nIt flows."
    assert documents[1].module == "My Life"


@pytest.mark.parametrize(
    ("lines", "numbers", "titles"),
    [
        (["CHAPTER I", "CHAPTER II", "CHAPTER XIV"], ["1", "2", "14"], ["T", "T", "T"]),
        (["Chapter 3", "Chapter Four: The Way"], ["3", "4"], ["T", "The Way"]),
        (["Capítulo 3", "CAPÍTULO IX — La luz"], ["3", "9"], ["T", "La luz"]),
        (["अध्याय ४", "अध्याय १२: प्रेम"], ["4", "12"], ["T", "प्रेम"]),
    ],
)
def test_plain_text_has_its_chapters_at_lines_that_say_so(
    tmp_path: Path, lines: list[str], numbers: list[str], titles: list[str]
) -> None:
    text = "\n\n".join(f"{line}\n\nw{n} words." for n, line in enumerate(lines))
    write(tmp_path, {"t.txt": text})
    assert outline(tmp_path) == [("t", n, t) for n, t in zip(numbers, titles, strict=True)]


def test_a_title_may_stand_below_the_number(tmp_path: Path) -> None:
    text = (
        f"CHAPTER I\n\nThe River\n\n{ENGLISH}\n\nCHAPTER II\nThe Sea\n\n{ENGLISH}\n\n"
        f"CHAPTER III\n\n{ENGLISH}\n"
    )
    write(tmp_path, {"t.txt": text})
    assert [title for _, _, title in outline(tmp_path)] == ["The River", "The Sea", "T"]


def test_a_sentence_about_a_chapter_begins_none(tmp_path: Path) -> None:
    text = "Chapter 3 tells us that all is one.\n\nChapter 4 tells us more\nof the same river."
    write(tmp_path, {"t.txt": text})
    assert outline(tmp_path) == [("t", "1", "T")]


def test_a_table_of_contents_makes_no_passages_of_its_own(tmp_path: Path) -> None:
    contents = "Contents\n\nChapter 1\n\nChapter 2\n\n"
    text = f"{contents}CHAPTER 1\n\n{ENGLISH}\n\nCHAPTER 2\n\n{SPANISH}"
    write(tmp_path, {"t.txt": text})
    assert outline(tmp_path) == [("t", "0", "T"), ("t", "1", "T"), ("t", "2", "T")]


def test_headings_without_numbers_fit_between_those_with(tmp_path: Path) -> None:
    names = ["Preface", "Note", "Chapter 3", "Interlude", "Chapter 4", "Epilogue"]
    text = "\n\n".join(f"# {name}\n\nAbout {name}." for name in names)
    write(tmp_path, {"t.md": text})
    assert [number for _, number, _ in outline(tmp_path)] == ["0", "1", "3", "3", "4", "5"]


def test_parts_of_a_book_are_no_chapters_where_the_level_below_has_the_numbers(
    tmp_path: Path,
) -> None:
    text = (
        "# East\n\n## 1. One\n\nA word.\n\n## 2. Two\n\nB word.\n\n# West\n\n## 3. Three\n\nC word."
    )
    write(tmp_path, {"t.md": text})
    assert outline(tmp_path) == [("t", "1", "One"), ("t", "2", "Two"), ("t", "3", "Three")]


def test_a_book_without_headings_is_one_chapter(tmp_path: Path) -> None:
    write(tmp_path, {"one.md": ENGLISH, "two.txt": f"{ENGLISH}\n\n{ENGLISH}"})
    assert outline(tmp_path) == [("one", "1", "One"), ("two", "1", "Two")]


def test_a_folder_of_numbered_files_is_a_book(tmp_path: Path) -> None:
    write(
        tmp_path / "the-way",
        {
            "10-the-end.md": f"{ENGLISH}",
            "2-begin.md": f"# The Beginning\n\n{ENGLISH}",
            "appendix.txt": "More words.",
            "README.md": "not a chapter",
        },
    )
    assert sorted(outline(tmp_path)) == [
        ("the-way", "10", "The end"),
        ("the-way", "11", "Appendix"),
        ("the-way", "2", "The Beginning"),
    ]


def test_a_book_file_makes_a_book_of_its_folder_and_those_below(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "way/book.toml": 'title = "The Way"\nauthor = "A. B."\nlanguage = "Spanish"',
            "way/one/01.md": "Uno.",
            "way/two/preface.md": "---\ntitle: Antes\nauthor: C.\n---\n# Otro\n\nDos.",
            "lone.md": "Words.",
        },
    )
    documents, errors = read_all(tmp_path)
    assert errors == []
    assert [
        (each.framework, each.module, each.title, each.language, each.facts.get("author"))
        for each in documents
    ] == [
        ("lone", "Lone", "Lone", "", None),
        ("way", "The Way", "The Way", "es", "A. B."),
        ("way", "The Way", "Antes", "es", "C."),
    ]
    assert [each.facts["chapter"] for each in documents] == ["1", "1", "2"]
    assert documents[2].content == "Otro\n\nDos."


def test_a_book_file_in_markdown_is_chapter_0_and_alone_the_whole_book(tmp_path: Path) -> None:
    facts = "---\ntitle: The Way\n---\n"
    write(tmp_path / "a", {"book.md": f"{facts}For you.", "b.md": "B word.", "c.md": "C word."})
    chapters = [("a", "0", "The Way"), ("a", "1", "B"), ("a", "2", "C")]
    assert sorted(outline(tmp_path / "a")) == chapters
    write(tmp_path / "alone", {"book.md": f"{facts}# One\n\nA word.\n\n# Two\n\nB word."})
    expected = [("alone", "1", "One"), ("alone", "2", "Two")]
    assert outline(tmp_path / "alone") == expected
    assert outline(tmp_path / "alone" / "book.md") == expected
    write(tmp_path / "d", {"book.md": facts, "b.md": "B word.", "c.md": "C word."})
    assert len(outline(tmp_path / "d")) == 2


def test_the_language_is_stated_or_stands_in_the_path_or_is_told_from_the_text(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        {
            "a.md": ENGLISH,
            "b.md": SPANISH,
            "c.md": HINDI,
            "es/d.md": ENGLISH,
            "es/e.md": f"---\nlanguage: fr\n---\n{ENGLISH}",
            "f.md": "Om.",
        },
    )
    documents, _ = read_all(tmp_path)
    assert [each.language for each in documents] == ["en", "es", "hi", "es", "fr", ""]
    assert [each.language for each in read_all(tmp_path / "es")[0]] == ["es", "fr"]


def test_one_book_in_three_languages_is_three_books_of_one_slug(tmp_path: Path) -> None:
    write(tmp_path, {"en/yogi.md": ENGLISH, "es/yogi.md": SPANISH, "hi/yogi.md": HINDI})
    documents, errors = read_all(tmp_path)
    assert errors == []
    assert [(each.framework, each.language) for each in documents] == [
        ("yogi", "en"),
        ("yogi", "es"),
        ("yogi", "hi"),
    ]


def test_two_books_of_one_slug_in_one_language_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a/yogi.md": ENGLISH, "b/yogi.md": "Other words."})
    documents, errors = read_all(tmp_path)
    assert len(documents) == 1
    (error,) = errors
    assert error == (
        "b/yogi.md is of a book with the same slug as a/yogi.md (yogi); "
        "give one of them another slug, or a language, in its front matter"
    )


def test_hashes_stay_when_lines_are_wrapped_anew_and_other_chapters_change(tmp_path: Path) -> None:
    words = " ".join(f"word{n}." if n % 9 == 0 else f"word{n}" for n in range(1000))
    wrapped = words.replace(" ", "\n", 1).replace(" word5", "\r\nword5")
    one = write(tmp_path / "1", {"b.md": f"# A\n\nx\n\n# B\n\n{words}\n"})
    two = write(tmp_path / "2", {"b.md": f"# A\r\n\r\nother x\r\n\r\n# B\r\n\r\n{wrapped}\r\n"})
    uris = [[each.uri for each in read_all(folder)[0]] for folder in (one, two)]
    assert uris[0][1:] == uris[1][1:]
    assert uris[0][0] != uris[1][0]
    assert len(uris[0]) > 3


def test_a_hash_is_of_book_chapter_and_text(tmp_path: Path) -> None:
    write(
        tmp_path, {"a.md": "# Sun\n\nOm.\n\n# Sea\n\nOm.", "b.md": "# Sun\n\nOm.\n\n# Sea\n\nNo."}
    )
    documents, _ = read_all(tmp_path)
    assert len({each.facts["hash"] for each in documents}) == 4
    # blake2b of 16 bytes over slug, stated language, number and text, parted by NULs.
    assert documents[0].facts["hash"] == "dc51662551952e50b9d083b72e55d361"


def test_the_same_passage_twice_in_a_chapter_is_one_document(tmp_path: Path) -> None:
    refrain = " ".join(["om"] * 19) + "."
    write(tmp_path, {"a.txt": "\n\n".join([refrain] * 3 + ["peace " * 18])})
    documents, _ = read_all(tmp_path, size=20, overlap=0)
    assert [each.facts["passage"] for each in documents] == ["1", "4"]


def test_a_page_depends_on_what_its_book_file_and_its_folder_say(tmp_path: Path) -> None:
    folder = write(tmp_path, {"book.toml": 'title = "Old"', "1.md": "One.", "2.md": "Two."})

    def data() -> dict[str, bytes]:
        pages = list(BooksSource(str(folder)).pages())
        return {page.key: page.data for page in pages if isinstance(page, Page)}

    before = data()
    write(tmp_path, {"2.md": "Three."})
    changed = data()
    assert (before["1.md"] == changed["1.md"], before["2.md"] == changed["2.md"]) == (True, False)
    write(tmp_path, {"book.toml": 'title = "New"'})
    assert data()["1.md"] != before["1.md"]


def test_archives_and_folders_are_read_alike(tmp_path: Path) -> None:
    folder = write(tmp_path / "library", {"es/way/01.md": SPANISH, "es/way/02.md": "Om."})
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        for path in sorted(folder.rglob("*.md")):
            archive.write(path, path.relative_to(folder))
    assert read_all(tmp_path / "library.zip") == read_all(folder)
    assert BooksSource(str(folder)).count() == 2


def test_marks_of_markdown_go_and_lines_of_verse_stay(tmp_path: Path) -> None:
    text = (
        "> *God is love,*\n> and *love\n> is* God.\n\n- one **thing**\n- another\n\n1. first\n\n"
        "    indented line\n\n***\n\nhard break  \nof a line that is otherwise very long, longer"
        " than any verse would ever be\n\n<!-- note -->a&nbsp;b"
    )
    documents, _ = read_all(write(tmp_path, {"a.md": text}))
    assert documents[0].content == (
        "God is love,\nand love\nis God.\n\none thing\n\nanother\n\n1. first\n\nindented line\n\n"
        "hard break\nof a line that is otherwise very long, longer than any verse would ever be"
        "\n\na b"
    )


def test_plain_text_means_its_signs(tmp_path: Path) -> None:
    text = "# 5 * 3 * 2 = _thirty_\n<b>no mark</b>"
    documents, _ = read_all(write(tmp_path, {"a.txt": text}))
    assert documents[0].content == text


def test_signs_that_are_not_seen_do_not_split_words(tmp_path: Path) -> None:
    text = "क्\u200dया medi\u00adtation cafe\u0301 \u0958लम"
    documents, _ = read_all(write(tmp_path, {"a.txt": text}))
    assert documents[0].content == "क्या meditation café \u0915\u093cलम"


def test_hindi_names_make_whole_slugs(tmp_path: Path) -> None:
    write(tmp_path, {"योगी कथामृत.md": HINDI})
    (document,), _ = read_all(tmp_path)
    assert document.uri.startswith("books://योगी-कथामृत/1/")


def test_garbage_is_told_of_and_the_rest_is_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "binary.md": b"\x00\x01\x02" * 1000,
            "bytes.txt": b"\xff\xfe\xfa caf\xe9 words \x80\x81" + b"\xf0" * 10,
            "empty.md": b"",
            "good.md": ENGLISH,
            "latin.txt": b"caf\xe9 words and more",
            "signs.md": "* * *\n\n---\n\n!!!",
        },
    )
    documents, errors = read_all(tmp_path)
    assert errors == [
        "binary.md is not text: it holds NUL bytes",
        "empty.md has no words in it",
        "signs.md has no words in it",
    ]
    assert {each.framework for each in documents} >= {"good", "latin"}
    assert all(each.content.strip() for each in documents)


@pytest.mark.corpus
def test_one_enormous_paragraph_is_cut_with_overlap(tmp_path: Path) -> None:
    text = " ".join(f"Word{n} and so on to the end." for n in range(5000))
    documents, _ = read_all(write(tmp_path, {"a.md": text}))
    found = {word for each in documents for word in each.content.split()}
    assert found == set(text.split())
    # A sentence has 8 tokens: 37 fill a passage (296), 7 are carried over, so each adds 30.
    assert [each.content.count(".") for each in documents[:3]] == [37, 37, 37]
    assert len(documents) == 1 + -(-(5000 - 37) // 30)


def test_a_book_of_nothing_but_headings_or_front_matter_says_so(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# One\n\n# Two\n", "b.md": "---\ntitle: B\n---\n"})
    assert read_all(tmp_path) == ([], ["a.md has no words in it"])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 19}, "books.size is 19; allowed are 20 to 10,000 tokens"),
        ({"size": -5}, "books.size is -5"),
        ({"size": 10_001}, "books.size is 10001"),
        ({"overlap": -1}, "books.overlap is -1; with books.size 300, 0 to 149 are allowed"),
        ({"overlap": 150}, "books.overlap is 150"),
        ({"size": 21, "overlap": 11}, "with books.size 21, 0 to 10 are allowed"),
    ],
)
def test_settings_out_of_range_are_errors_that_say_the_range(
    settings: dict[str, int], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        BooksSource("anywhere", **settings)


def test_a_location_without_books_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"a.pdf": "x", "README.md": "x"})
    with pytest.raises(SourceError, match="holds no books"):
        list(BooksSource(str(tmp_path)).pages())
    with pytest.raises(SourceError, match="cannot be read"):
        list(BooksSource(str(tmp_path / "absent")).pages())


def test_a_link_is_told_of_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": ENGLISH})
    (tmp_path / "book.md").symlink_to(tmp_path / "a.md")
    documents, errors = read_all(tmp_path)
    assert (len(documents), errors) == (1, ["book.md is a symbolic link; it is not followed"])


def test_a_page_of_another_source_is_a_page_error() -> None:
    for data in (b"", b"words", b"{}\nwords", b"\xff\nwords"):
        with pytest.raises(PageError, match="does not say which book"):
            list(BooksSource("x").read(Page("a.md", data)))


def test_the_kind_is_registered_with_its_settings() -> None:
    kind = SOURCES.get("books")
    assert (kind.database, kind.settings) == ("books", {"size": 300, "overlap": 60})
