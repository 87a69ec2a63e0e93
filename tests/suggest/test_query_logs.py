"""Query logs read line by line, garbage and all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.suggest.query_logs import LogEntry, read_log

if TYPE_CHECKING:
    from pathlib import Path


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "log"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, content: str | bytes) -> list[LogEntry | None]:
    return list(read_log(write(folder, content)))


def test_json_lines_and_csv_say_the_same(tmp_path: Path) -> None:
    expected = [LogEntry("open file", 12, 3.0, "prose"), LogEntry("URL", 1, None, "")]
    lines = '{"query": "open file", "count": 12, "clicked": 3, "class": "prose"}\n{"text": "URL"}\n'
    assert read(tmp_path, lines) == expected
    rows = "Query,count,clicked,class\r\nopen file,12,3,prose\r\nURL,,,\r\n"
    assert read(tmp_path, rows) == expected
    assert read(tmp_path, "\ufeff" + rows.replace(",", ";")) == expected
    assert read(tmp_path, rows.replace(",", "\t")) == expected


def test_only_the_fields_that_are_asked_for_are_read(tmp_path: Path) -> None:
    [entry] = read(tmp_path, '{"query": "a", "user": "jane", "ip": "10.0.0.1", "x": {"y": [1]}}')
    assert entry == LogEntry("a", 1, None, "")


@pytest.mark.parametrize(
    ("helpful", "count", "expected"),
    [
        (True, 5, 5.0),
        (False, 5, 0.0),
        ("yes", 5, 5.0),
        ("False", 5, 0.0),
        (3, 5, 3.0),
        (1, 5, 1.0),
        (0, 5, 0.0),
        (0.4, 5, 2.0),
        (1.0, 5, 5.0),
        ("0.4", 5, 2.0),
        ("3", 5, 3.0),
        (9, 5, 5.0),
        (-1, 5, None),
        ("perhaps", 5, None),
        ([1], 5, None),
        (None, 5, None),
    ],
)
def test_helpful_is_yes_or_no_a_share_or_a_number(
    tmp_path: Path, helpful: object, count: int, expected: float | None
) -> None:
    [entry] = read(tmp_path, json.dumps({"query": "a", "count": count, "helpful": helpful}))
    assert entry is not None
    assert entry.helpful == expected


GARBAGE = [
    b"not json",
    b"[1, 2]",
    b'{"query": 3}',
    b'{"query": ""}',
    b'{"query": "  \\u0000 "}',
    b'{"other": "x"}',
    b'{"query": "x", "count": 0}',
    b'{"query": "x", "count": -3}',
    b'{"query": "x", "count": 1.5}',
    b'{"query": "x", "count": true}',
    b'{"query": "x", "count": "many"}',
    b'{"query": "x", "count": 1e300}',
    b'{"query": "\xff\xfe"}',
    b'{"query": "x"',
    b'{"query": "\\ud800"}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("line", GARBAGE, ids=lambda line: line[:30])
def test_garbage_is_told_apart_and_never_fatal(tmp_path: Path, line: bytes) -> None:
    good = b'{"query": "good"}\n'
    assert read(tmp_path, good + line + b"\n\n" + good) == [
        LogEntry("good", 1, None, ""),
        None,
        LogEntry("good", 1, None, ""),
    ]


@pytest.mark.parametrize("row", ['"open', "a,b,c,d", "a", "x,none", "\udcff,1", ",3"])
def test_garbage_in_csv_costs_its_own_line_only(tmp_path: Path, row: str) -> None:
    content = f"query,count\ngood,1\n{row}\nalso good,2\n".encode(errors="surrogateescape")
    first, bad, last = read(tmp_path, content)
    assert (first, bad, last) == (
        LogEntry("good", 1, None, ""),
        None,
        LogEntry("also good", 2, None, ""),
    )


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_quoted_query_may_go_over_several_lines(tmp_path: Path, end: str) -> None:
    rows = ["query,count", '"how do I', "", 'say ""hello"", twice?",3', "URL,2", '"last', 'one",1']
    assert read(tmp_path, end.join(rows)) == [
        LogEntry('how do I say "hello", twice?', 3, None, ""),
        LogEntry("URL", 2, None, ""),
        LogEntry("last one", 1, None, ""),
    ]


def test_a_mark_that_is_never_closed_spoils_its_own_line_only(tmp_path: Path) -> None:
    """However far its end was looked for, and whatever mark stood for it."""
    plain = "".join(f"word{number},1\n" for number in range(200))
    found = read(tmp_path, f'query,count\n"open,1\n{plain}')
    assert found[0] is None
    assert [entry and entry.text for entry in found[1:]] == [f"word{n}" for n in range(200)]
    found = read(tmp_path, 'query,count\n"open,1\nplain,1\n"quoted\nquery",2\nlast,1\n')
    assert [entry and entry.text for entry in found] == [None, "plain", "quoted query", "last"]


def test_lines_that_together_have_too_many_cells_are_read_by_themselves(tmp_path: Path) -> None:
    found = read(tmp_path, 'query,count\na,b,"1\nc,2\n"\nd,4\n')
    assert [entry and entry.text for entry in found] == [None, "c", None, "d"]


def test_a_line_that_is_too_long_ends_a_quoted_query(tmp_path: Path) -> None:
    content = f'query,count\n"open\n{"x" * (2**20 + 5)}\nlast,1\n'
    assert [entry and entry.text for entry in read(tmp_path, content)] == [None, None, "last"]


def test_a_line_without_end_is_passed_over(tmp_path: Path) -> None:
    content = b'{"query": "a"}\n{"query": "' + b"x" * (3 * 2**20) + b'"}\n{"query": "b"}\n'
    assert [entry and entry.text for entry in read(tmp_path, content)] == ["a", None, "b"]


def test_marks_that_cannot_be_seen_are_taken_out(tmp_path: Path) -> None:
    [entry] = read(tmp_path, json.dumps({"query": " open\n\tthe \u202efile\x7f "}))
    assert entry is not None
    assert entry.text == "open the file"


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "some text\n", "", "\x00\x01\x02"])
def test_what_is_no_log_is_refused_with_what_is(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match=r"is not a query log, or its queries have another name"):
        read(tmp_path, content)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "no.jsonl", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            list(read_log(path))
