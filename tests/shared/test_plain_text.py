"""Text of others can be shown: it moves no cursor, commands no build and shows no secret."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield_shared.plain_text import escape_json, printable, printable_lines

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - nobody's


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31m\x00\x9b", "a�[31m��"),
        ("one\ntwo\r\u2028three", "one�two��three"),
        ("safe\u202egnp.exe", "safe�gnp.exe"),
        ("\u2066\u2069\u200f\u061c\ufeff", "�����"),
        ("\ud800", "�"),
        ("::error::boo", ": :error::boo"),
        ("  ::add-mask::x", "  : :add-mask::x"),
        ("a ##[error]boo", "a # #[error]boo"),
        ("##vso[task.complete]", "# #vso[task.complete]"),
        (f"key {TOKEN}", "key [masked:github-token]"),
        ("std::vector and a::b ## Title", "std::vector and a::b ## Title"),
        ("::marker is a pseudo-element", "::marker is a pseudo-element"),
        ("नमस्\u200dते 👩\u200d👧 שלום", "नमस्\u200dते 👩\u200d👧 שלום"),
    ],
)
def test_a_line_is_made_harmless(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_lines_stay_lines_and_none_is_a_command() -> None:
    assert printable_lines("a\n::error::b\n\t\x1b[2J") == "a\n: :error::b\n\t�[2J"


@given(st.text())
def test_whatever_it_is_nothing_can_reach_the_terminal(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert all(each >= " " and not "\x7f" <= each <= "\x9f" for each in shown)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_keeps_its_values_and_has_no_controls(text: str) -> None:
    written = escape_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(written) == {text: [text]}
    assert printable_lines(written) == written
    assert not any("\x7f" <= each <= "\x9f" for each in written)
