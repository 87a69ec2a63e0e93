"""Whatever a file holds, it is a suite or it is refused in words."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.suites import load_suite
from cranfield.suites.checks.suite_check import check_suite

KEYS = [
    "id", "_id", "query", "queries", "text", "title", "expected_passages", "passage_substring",
    "relevance", "expected_files", "expected_routing", "retrieval_intent", "pass_rank",
]  # fmt: skip
TOKENS = [
    b"[[query]]\n", b"id = 'a'\n", b"class = 'canonical'\n", b"text = 'x'\n",
    b"expect.ids = ['a']\n", b"[[gate]]\n", b"measure = 'P@1'\n", b"<top>", b"<num> Number: 1\n",
    b"<title> x", b"1\tx\n",
    b"1 0 d 1\n", b"query-id\tcorpus-id\tscore\n", b'{"_id": "1", "text": "x"}\n', b"\n", b"\xff",
    b"query,expected\n", b'"a;b",', b"x|y\n", b"query;grade;ids\n", b"[",
]  # fmt: skip
FILES = [
    "a.toml",
    "a.json",
    "a.db",
    "a.csv",
    "a.tsv",
    "a.txt",
    "topics.txt",
    "qrels.txt",
    "queries.jsonl",
    "qrels/test.tsv",
]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inside, max_size=5)
    ),
    max_leaves=12,
)
contents = (
    st.binary(max_size=60)
    | st.lists(st.sampled_from(TOKENS), max_size=8).map(b"".join)
    | values.map(lambda value: json.dumps(value).encode())
)


def lay_out(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


@pytest.mark.parametrize("ask", [load_suite, check_suite])
@given(name=st.sampled_from(FILES), content=contents)
def test_any_file_is_a_suite_or_refused(ask: Any, name: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        lay_out(Path(folder), {name: content})
        with suppress(InputError):
            ask(Path(folder) / name)


@given(files=st.dictionaries(st.sampled_from(FILES), contents, max_size=4))
def test_any_folder_is_a_suite_or_refused(files: dict[str, bytes]) -> None:
    with TemporaryDirectory() as folder:
        lay_out(Path(folder), files)
        with suppress(InputError):
            load_suite(folder)
