"""Fields at the head of a page are read as people write them, and never make a page unreadable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.sources.markdown.front_matter import split_front_matter


def test_values_lists_texts_and_nested_fields_are_read() -> None:
    front = split_front_matter(
        "---\n"
        'title: "A: \\"b\\""  # a comment\n'
        "tags: [x, \"y, z\", 'it''s']\n"
        "authors:\n  - Ann\n  - 'Bob'\n"
        "same_column:\n- one\n- two: three\n"
        "folded: >\n  first: line\n  second\n\n"
        "going: on in\n  the next line: here\n"
        "image:\n  url: /a.png\n  alt: 'x'\n"
        "empty:\n"
        "Date: 2015-12-03 10:01:01\n"
        "# a comment: no field\n"
        "---\n# Body\n---\n"
    )
    assert front.fields == {
        "title": ('A: "b"',),
        "tags": ("x", "y, z", "it's"),
        "authors": ("Ann", "Bob"),
        "same_column": ("one", "two: three"),
        "folded": ("first: line second",),
        "going": ("on in the next line: here",),
        "image.url": ("/a.png",),
        "image.alt": ("x",),
        "date": ("2015-12-03 10:01:01",),
    }
    assert front.body == "# Body\n---\n"
    assert front.get("author", "authors") == "Ann, Bob"
    assert front.get("absent") == ""


def test_toml_is_read_and_broken_toml_is_left_out() -> None:
    front = split_front_matter(
        '+++\ntitle = "T"\ntags = ["a", 1]\ndraft = true\n[x]\ny = 2\n+++\nb'
    )
    assert front.fields == {
        "title": ("T",),
        "tags": ("a", "1"),
        "draft": ("true",),
        "x.y": ("2",),
    }
    assert front.body == "b"
    assert split_front_matter("+++\nbroken = [\n+++\nbody") == ({}, "body")
    assert split_front_matter(f"+++\na = {'[' * 9000}\n+++\nbody") == ({}, "body")


def test_a_block_that_is_never_closed_ends_at_the_first_line_that_is_no_field() -> None:
    front = split_front_matter("---\ntitle: Open\nauthor: me\n\n# Heading\ntext: not a field\n")
    assert front.fields == {"title": ("Open",), "author": ("me",)}
    assert front.body == "\n# Heading\ntext: not a field\n"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "# Title",
        "---\nJust a rule above prose\n---\nmore",
        "text\n---\na: b\n---\n",
        "----\na: b",
    ],
)
def test_a_page_without_front_matter_is_left_as_it_is(page: str) -> None:
    assert split_front_matter(page) == ({}, page)


def test_an_empty_block_and_a_byte_order_mark_are_no_text() -> None:
    assert split_front_matter("\ufeff---\n---\nbody") == ({}, "body")
    assert split_front_matter("\n---\na: b\n...\nbody") == ({"a": ("b",)}, "body")


@given(st.text(alphabet=st.sampled_from("ab:-\n #'\"[],|>\\"), max_size=120))
def test_any_text_can_stand_there(text: str) -> None:
    for mark in ("---", "+++"):
        split_front_matter(f"{mark}\na: b\n{text}\n{mark}\nbody")


@pytest.mark.parametrize("line", ["a: " + "'" * 10**6, "a:" + " x:" * 300_000, "[" * 10**6])
def test_a_line_without_end_is_read_in_time(line: str) -> None:
    assert split_front_matter(f"---\nt: x\n{line}\n---\nbody").body == "body"
