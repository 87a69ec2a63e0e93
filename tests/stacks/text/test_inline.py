"""Inline Markdown reads as a person reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.text.inline import plain, split_code_spans


@pytest.mark.parametrize(
    ("inline", "text"),
    [
        ("`Array<Int>` and ``a`b``", "Array<Int> and a`b"),
        ("[text](https://a.b/c_(d)) [ref][1]", "text ref"),
        ("[`code` link](x.md)", "code link"),
        ("[![badge](b.svg)](ci)", "badge"),
        ("**bold** *it* ***both*** __b__ _i_ ~~gone~~", "bold it both b i gone"),
        ("**bold *nested* text**", "bold nested text"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("__init__ stays? `__init__` does", "init stays? __init__ does"),
        (r"\*not\* \[a\] \\", r"*not* [a] \ ".strip()),
        ("<b>x</b><br/>y &amp; &lt;T&gt;", "xy & <T>"),
        ("Array<Element> has <T>", "Array<Element> has <T>"),
        ("<https://swift.org>", "https://swift.org"),
        ("<doc:TheBasics#Memory-Safety>", "The Basics: Memory Safety"),
        ("a footnote[^1] here", "a footnote here"),
        ("several\n  lines\tof text", "several lines of text"),
        ("unclosed `code and *star", "unclosed `code and *star"),
        ("[Int] is an array", "[Int] is an array"),
        ("", ""),
    ],
)
def test_marks_are_taken_off_and_words_stay(inline: str, text: str) -> None:
    assert plain(inline) == text


def test_a_span_does_not_reach_into_the_next_paragraph() -> None:
    assert list(split_code_spans("a ` b\n\nc ` d `e`")) == [
        (False, "a ` b"),
        (False, "\n\nc "),
        (True, "` d `"),
        (False, "e`"),
    ]


def test_an_escaped_backtick_opens_nothing() -> None:
    assert [span for is_code, span in split_code_spans(r"\`a `b`") if is_code] == ["`b`"]


@given(st.text(alphabet=st.sampled_from("`\\a \n"), max_size=100))
def test_spans_and_prose_together_are_the_text(text: str) -> None:
    assert "".join(piece for _, piece in split_code_spans(text)) == text


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    assert "\n" not in plain(text)
