"""Passages are read in blocks, and a bad line costs nothing but itself."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from real_data import COLLECTIONS, reason_to_skip
from stacks.errors import SourceError
from stacks.model import Document, Page
from stacks.sources import jsonl
from stacks.sources.jsonl import JsonLinesSource
from stacks.sources.source import SOURCES, PageError

if TYPE_CHECKING:
    from pathlib import Path


def write_lines(folder: Path, lines: list[str], name: str = "corpus.jsonl") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join(lines) + "\n")
    return folder


def make_lines(count: int) -> list[str]:
    return [json.dumps({"_id": f"D-{n}", "title": f"T{n}", "text": "words"}) for n in range(count)]


def read_all(location: Path) -> tuple[list[Document], list[str], list[str]]:
    source = JsonLinesSource(str(location))
    documents: list[Document] = []
    keys: list[str] = []
    errors: list[str] = []
    for page in source.pages():
        if isinstance(page, Page):
            keys.append(page.key)
            documents += source.read(page)
        else:
            errors.append(str(page))
    return documents, keys, errors


def test_a_passage_keeps_what_it_says_and_gets_nothing_more(tmp_path: Path) -> None:
    line = json.dumps(
        {
            "_id": "MED-10",
            "title": "Statins",
            "text": "Recent studies.",
            "metadata": {"url": "http://x", "year": 2014, "ok": True, "list": [1], "none": None},
            "more": "is not asked for",
        }
    )
    (document,), _, errors = read_all(write_lines(tmp_path / "nfcorpus", [line]))
    assert errors == []
    assert document == Document(
        uri="jsonl://nfcorpus/MED-10",
        title="Statins",
        content="Recent studies.",
        framework="nfcorpus",
        module="nfcorpus",
        kind="passage",
        facts={"url": "http://x", "year": "2014", "ok": "true"},
    )


def test_lines_come_in_blocks_named_by_their_numbers(tmp_path: Path) -> None:
    documents, keys, _ = read_all(write_lines(tmp_path / "c", make_lines(1201)))
    assert keys == ["corpus.jsonl:1-500", "corpus.jsonl:501-1000", "corpus.jsonl:1001-1201"]
    assert [document.title for document in documents] == [f"T{n}" for n in range(1201)]


def test_long_lines_end_a_block_early(tmp_path: Path) -> None:
    lines = [json.dumps({"_id": str(n), "text": "x" * 3 * 2**20}) for n in range(4)]
    _, keys, _ = read_all(write_lines(tmp_path / "c", lines))
    assert keys == ["corpus.jsonl:1-2", "corpus.jsonl:3-4"]


def test_a_change_changes_its_block_alone(tmp_path: Path) -> None:
    lines = make_lines(1000)
    before = list(JsonLinesSource(str(write_lines(tmp_path / "c", lines))).pages())
    lines[700] = lines[700].replace("words", "other words")
    after = list(JsonLinesSource(str(write_lines(tmp_path / "c", lines))).pages())
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_a_bad_line_is_an_error_with_its_number_and_the_rest_is_kept(tmp_path: Path) -> None:
    good = make_lines(2)
    bad = [
        '{"_id": "x", "text": ',
        "[]",
        '{"text": "no id"}',
        '{"_id": null, "text": "x"}',
        '{"_id": " ", "text": "x"}',
        '{"_id": "x", "text": 5}',
        '{"_id": "x", "title": "", "text": ""}',
        "[" * 100_000,
        "\udcff garbage",
    ]
    path = tmp_path / "c"
    path.mkdir()
    text = "\n".join([good[0], *bad, "", good[1]])
    (path / "corpus.jsonl").write_bytes(text.encode("utf-8", "surrogateescape"))
    documents, keys, errors = read_all(path)
    assert [document.title for document in documents] == ["T0", "T1"]
    assert keys == [f"corpus.jsonl:1-{len(bad) + 3}"]
    assert [error.split(" ")[2] for error in errors] == [str(n) for n in range(2, len(bad) + 2)]
    assert "missing required field `_id`" in errors[2]
    assert all('a passage is {"_id": ' in error for error in errors)


def test_identifiers_are_quoted_so_that_none_is_lost(tmp_path: Path) -> None:
    names = ["a/b", "a%2Fb", "a b", "a?b#c", "ü", "a\nb", "1"]
    lines = [json.dumps({"_id": name, "text": "x"}) for name in names] + ['{"_id": 2, "text": "x"}']
    documents, _, errors = read_all(write_lines(tmp_path / "my corpus", lines))
    assert errors == []
    assert [document.uri for document in documents] == [
        "jsonl://my%20corpus/a%2Fb",
        "jsonl://my%20corpus/a%252Fb",
        "jsonl://my%20corpus/a%20b",
        "jsonl://my%20corpus/a%3Fb%23c",
        "jsonl://my%20corpus/ü",
        "jsonl://my%20corpus/a%0Ab",
        "jsonl://my%20corpus/1",
        "jsonl://my%20corpus/2",
    ]


def test_marks_of_other_systems_are_no_fault(tmp_path: Path) -> None:
    text = "\ufeff" + "\r\n".join(make_lines(2)) + "\r\n\r\n"
    (tmp_path / "corpus.jsonl").write_bytes(text.encode())
    documents, _, errors = read_all(tmp_path)
    assert (len(documents), errors) == (2, [])


def test_a_compressed_file_and_a_folder_and_a_file_are_the_same(tmp_path: Path) -> None:
    folder = write_lines(tmp_path / "nf", make_lines(3))
    packed = tmp_path / "packed" / "nf"
    packed.mkdir(parents=True)
    data = (folder / "corpus.jsonl").read_bytes()
    (packed / "corpus.jsonl.gz").write_bytes(gzip.compress(data))
    expected, _, _ = read_all(folder)
    assert read_all(folder / "corpus.jsonl")[0] == expected
    assert read_all(packed)[0] == expected
    assert expected[0].uri == "jsonl://nf/D-0"


def test_a_file_of_another_name_names_its_corpus(tmp_path: Path) -> None:
    write_lines(tmp_path, make_lines(1), "papers.jsonl")
    (document,), _, _ = read_all(tmp_path / "papers.jsonl")
    assert document.uri == "jsonl://papers/D-0"


def test_of_a_file_that_breaks_off_what_came_before_is_kept(tmp_path: Path) -> None:
    lines = [json.dumps({"_id": str(n), "text": hex(n**99)}) for n in range(2000)]
    data = gzip.compress("\n".join(lines).encode())
    (tmp_path / "corpus.jsonl.gz").write_bytes(data[: len(data) // 2])
    documents, _, errors = read_all(tmp_path)
    assert len(documents) > 500
    assert [document.uri.rpartition("/")[2] for document in documents] == [
        str(n) for n in range(len(documents))
    ]
    (error,) = errors
    assert f"is damaged after line {len(documents)}, the rest of it is lost" in error


@pytest.mark.parametrize("bomb", [b"\n" * 2**25, b"x" * 2**25])
def test_a_packed_file_that_unpacks_to_too_much_is_not_read_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bomb: bytes
) -> None:
    monkeypatch.setattr("stacks.sources.archives._LEAST_TOTAL", 2**20)
    monkeypatch.setattr("stacks.sources.jsonl._LONGEST_LINE", 2**16)
    lines = "\n".join(make_lines(2)).encode()
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(gzip.compress(lines + b"\n" + bomb + b"\n" + lines))
    documents, _, errors = read_all(path)
    assert len(documents) == 2
    assert "corpus.jsonl.gz unpacks to more than 100 times its size" in errors[-1]


def test_a_line_without_end_is_an_error_and_is_never_held_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "_LONGEST_LINE", 1000)
    lines = make_lines(2)
    write_lines(tmp_path, [lines[0], '{"_id": "x", "text": "' + "y" * 5500 + '"}', lines[1]])
    documents, _, errors = read_all(tmp_path)
    assert [document.title for document in documents] == ["T0", "T1"]
    assert errors == ["corpus.jsonl line 2 has more than 1,000 bytes"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("absent", None, "is not there; give a .jsonl"),
        ("folder/x", b"", "holds no corpus.jsonl or corpus.jsonl.gz"),
        ("a.txt", b"{}", "is not a .jsonl file"),
    ],
)
def test_a_location_that_holds_no_passages_is_an_error_that_says_what_would(
    tmp_path: Path, name: str, data: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if data is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    location = path.parent if "/" in name else path
    with pytest.raises(SourceError, match=message):
        JsonLinesSource(str(location))


def test_a_file_of_something_else_is_an_error_of_the_source(tmp_path: Path) -> None:
    write_lines(tmp_path, ["no JSON at all"] * 1000)
    with pytest.raises(SourceError, match="is not a file of passages"):
        list(JsonLinesSource(str(tmp_path)).pages())
    (tmp_path / "corpus.jsonl").rename(tmp_path / "corpus.jsonl.gz")
    with pytest.raises(SourceError, match="cannot be read"):
        list(JsonLinesSource(str(tmp_path)).pages())


def test_a_block_that_was_changed_by_hand_is_a_page_error(tmp_path: Path) -> None:
    source = JsonLinesSource(str(write_lines(tmp_path, make_lines(1))))
    with pytest.raises(PageError, match="is not a passage"):
        list(source.read(Page("corpus.jsonl:1-1", b"garbage")))


def test_the_kind_is_registered() -> None:
    kind = SOURCES.get("jsonl")
    assert (kind.database, kind.weight) == ("search", 1.0)


@pytest.mark.skipif(not COLLECTIONS.is_dir(), reason=reason_to_skip())
def test_real_collections_are_read_whole() -> None:
    for name, expected, faults in (
        ("nfcorpus", 3633, 0),
        ("cosqa", 6267, 0),
        ("cranfield", 1398, 2),
    ):
        documents, _, errors = read_all(COLLECTIONS / name)
        # Two of Cranfield's documents are empty in the collection itself.
        assert (len(documents), len(errors)) == (expected, faults)
