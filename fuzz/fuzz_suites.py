"""Suites in every format: loaded, or refused with a message."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError
from cranfield.suites import load_suite
from mutations import spoil

if TYPE_CHECKING:
    from random import Random

BUNDLED = Path(__file__).resolve().parents[1] / "suites"
_MOST_ENTRIES = 3


def attack(random: Random, folder: Path) -> None:
    """Load a spoilt suite."""
    name = random.choice(sorted(SUITES))
    path = folder / name
    path.write_bytes(spoil(random, SUITES[name]))
    with suppress(CranfieldError):
        load_suite(path)


def _shorten(value: Any) -> Any:
    """Keep the first entries of each list, so a mutation meets every field soon."""
    if isinstance(value, list):
        return [_shorten(each) for each in value[:_MOST_ENTRIES]]
    if isinstance(value, dict):
        return {name: _shorten(each) for name, each in value.items()}
    return value


def _read_json(path: str) -> bytes:
    return json.dumps(_shorten(json.loads((BUNDLED / path).read_bytes()))).encode()


def _read_toml(path: str) -> bytes:
    return b"[[queries]]".join((BUNDLED / path).read_bytes().split(b"[[queries]]")[:4])


_TABLE = b'id,query,expected,category\nq1,array,docs://array,a\nq2,"a, b",docs://b|docs://c,b\n'
SUITES = {
    **{f"{name}.toml": _read_toml(f"apple-docs/{name}.toml") for name in ("canonical", "agent")},
    "attributes.toml": _read_toml("python-docs/attributes.toml"),
    "golden-set.json": _read_json("teachings/golden-set-en.json"),
    "test_corpus.json": _read_json("home/test_corpus.json"),
    "table.csv": _TABLE,
    "table.tsv": _TABLE.replace(b",", b"\t"),
    "queries.txt": b"first query\nsecond query\n# a comment\n",
    "topics.txt": b"<top>\n<num> Number: 301\n<title> cats\n<desc> Description:\nCats.\n</top>\n",
}
"""A suite of each format by the name of its file."""
