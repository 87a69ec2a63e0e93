"""Our own format: one TOML file a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.model import Query, Threshold
from cranfield.suites import load_suite

if TYPE_CHECKING:
    from pathlib import Path

SUITE = r"""
id = "lookup"
class = "canonical"
description = "one place each"
language = "en"
pass_rank = 5

[[gate]]
measure = "RR@10"
at_least = 0.7

[[query]]
id = "q1"
text = "hashable"
expect.matches = '^docs://swift/hashable($|/)'
category = "protocols"
tags = ["smoke"]
filters = { source = "docs" }

[[query]]
id = "q2"
text = "शांति"
language = "hi"
pass_rank = 1
notes = "why"
deprecated = true
expect = { ids = { "a" = 2 } }
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "suite.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_all_that_is_written_is_read(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path, SUITE))
    assert (suite.id, suite.query_class, suite.description) == (
        "lookup",
        "canonical",
        "one place each",
    )
    assert suite.gate == (Threshold("RR@10", 0.7),)
    assert suite.queries == (
        Query(
            "q1",
            "hashable",
            {"matches": "^docs://swift/hashable($|/)"},
            category="protocols",
            language="en",
            tags=("smoke",),
            filters={"source": "docs"},
            pass_rank=5,
        ),
        Query(
            "q2",
            "शांति",
            {"ids": {"a": 2}},
            language="hi",
            pass_rank=1,
            notes="why",
            deprecated=True,
        ),
    )
    assert [query.id for query in suite.asked] == ["q1"]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    plain = load_suite(write(tmp_path, SUITE))
    marked = b"\xef\xbb\xbf" + SUITE.replace("\n", "\r\n").encode()
    assert load_suite(write(tmp_path, marked)) == plain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "suite.toml: is empty"),
        ("id = ", "suite.toml:1: is not TOML: Invalid value"),
        ("\nid == 3", "suite.toml:2: is not TOML: Invalid value"),
        (b"id = '\xff'", "suite.toml:1: is not UTF-8 (byte 0xff); convert it"),
        (
            "x = " + "[" * 5000,
            "suite.toml: is not TOML: it is nested too deeply; write fewer brackets",
        ),
        ("x = " + "9" * 5000, "suite.toml: is not TOML: Exceeds the limit"),
        ("id = 'a'", "object missing required field `class`; if unsure, take canonical"),
        (SUITE.replace("text = ", "txt = "), "suite.toml:12: query[0]: unknown key 'txt'"),
        (SUITE.replace('"hashable"', "5"), "suite.toml:12: query[0].text: expected `str`, got"),
        (SUITE.replace("at_least", "atleast"), "unknown key 'atleast': did you mean at_least?"),
        (f"latency.p95 = 0\n{SUITE}", "latency[...]: expected `float` > 0.0"),
        (f"latency.p0 = 1\n{SUITE}", "expected `str` matching regex '^p("),
        (f"latency.mean = 1\n{SUITE}", "[latency] with p50 or p95"),
        (
            SUITE.replace("notes", "note"),
            "suite.toml:20: query[1]: unknown key 'note': did you mean notes",
        ),
    ],
)
def test_a_broken_suite_is_refused_with_its_place(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, text))
    assert message in str(refused.value)


def test_a_suite_declares_its_own_measures(tmp_path: Path) -> None:
    assert load_suite(write(tmp_path, f"measures = ['nDCG@10', 'AP']\n{SUITE}")).measures == (
        "nDCG@10",
        "AP",
    )


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("['nDGC@10']", "unknown measure 'nDGC': did you mean nDCG or "),
        ("['Judged@10']", "cannot be the headline"),
        ("'nDCG@10'", "expected `array`, got `str`"),
    ],
)
def test_measures_that_cannot_be_used_are_refused(
    tmp_path: Path, measures: str, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        load_suite(write(tmp_path, f"measures = {measures}\n{SUITE}"))
    assert message in str(refused.value)
