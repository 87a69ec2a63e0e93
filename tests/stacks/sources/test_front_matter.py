"""Fields at the head of a page are read as people write them, and never make a page unreadable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.sources.front_matter import split_front_matter


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


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        ('title: "caf\\u00e9 \\x41\\t."', {"title": ("café A\t.",)}),
        ("tags: [one,\n  two,\n  'three, four'\n]", {"tags": ("one", "two", "three, four")}),
        ("author: {name: Ann, mail: a@b.c}", {"author.name": ("Ann",), "author.mail": ("a@b.c",)}),
        (
            "authors:\n  - name: Ann\n    mail: a@b.c\n  - Bob\n",
            {"authors": ("name: Ann, mail: a@b.c", "Bob")},
        ),
        ("nested: [[a, b], [c]]", {"nested": ("a", "b", "c")}),
        (
            "base: &base {kind: guide, level: one}\npage:\n  level: two\n  <<: *base\n",
            {
                "base.kind": ("guide",),
                "base.level": ("one",),
                "page.kind": ("guide",),
                "page.level": ("two",),
            },
        ),
        (
            "text: |\n  first\n  second\nnext: 'a\n\n  b'",
            {"text": ("first second",), "next": ("a b",)},
        ),
        (
            "a: yes\nb: 2015-12-03\nc: 0x10\nd: 1.0",
            {"a": ("yes",), "b": ("2015-12-03",), "c": ("0x10",), "d": ("1.0",)},
        ),
        ("a: !!python/object:os.system x", {"a": ("x",)}),
        ('"quoted key": x\n? other\n: y', {"quoted key": ("x",), "other": ("y",)}),
    ],
)
def test_yaml_is_read_as_yaml(written: str, fields: dict[str, tuple[str, ...]]) -> None:
    assert split_front_matter(f"---\nx: x\n{written}\n---\nbody") == (
        {"x": ("x",)} | fields,
        "body",
    )


@pytest.mark.parametrize(
    ("written", "fields"),
    [
        ("title: A: b", {"title": ("A: b",)}),
        ("title: [Draft] A page", {"title": ("[Draft] A page",)}),
        ("title: *emphasis* in it", {"title": ("*emphasis* in it",)}),
        ("title: @handle", {"title": ("@handle",)}),
        ("title: 100% `code`\nother: `code`", {"title": ("100% `code`",), "other": ("`code`",)}),
        ("title: tabs\n\tand: more", {"title": ("tabs and: more",)}),
        ("title: a\x07b", {"title": ("a\x07b",)}),
        ("title: \ud800", {"title": ("\ud800",)}),
        ("title: *missing", {"title": ("*missing",)}),
    ],
)
def test_what_is_not_yaml_is_read_line_by_line(
    written: str, fields: dict[str, tuple[str, ...]]
) -> None:
    assert split_front_matter(f"---\n{written}\n---\nbody") == (fields, "body")


LAUGHS = "\n".join(
    f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 9)}]" for level in range(1, 12)
)
MAPS = "\n".join(
    f"l{level}: &l{level} {{{', '.join(f'k{n}: *l{level - 1}' for n in range(9))}}}"
    for level in range(1, 12)
)
MIXED = "\n".join(
    f"l{level}: &l{level} [{', '.join([f'{{k: *l{level - 1}}}'] * 9)}]" for level in range(1, 12)
)


@pytest.mark.parametrize("bomb", [LAUGHS, MAPS, MIXED], ids=["lists", "maps", "mixed"])
def test_aliases_are_never_expanded_beyond_a_limit(bomb: str) -> None:
    front = split_front_matter(f"---\ntitle: T\nl0: &l0 lol\n{bomb}\n---\nbody")
    assert front.get("title") == "T"
    assert front.body == "body"
    assert sum(len(value) for values in front.fields.values() for value in values) < 10_000


def test_an_alias_of_a_long_text_is_not_repeated_without_end() -> None:
    repeated = ", ".join(["*long"] * 1000)
    front = split_front_matter(f"---\na: &long {'x' * 9000}\nb: [{repeated}]\n---\n")
    assert len(front.get("b")) < 10_000


@pytest.mark.parametrize(
    "deep",
    [
        "a: " + "[" * 60_000,
        "a: " + "{" * 60_000,
        "a: " + "{a: " * 15_000,
        "- " * 30_000,
        "? " * 30_000,
        "a:\n" + "\n".join(" " * depth + "- a:" for depth in range(300)),
        "a: &a [*a]",
    ],
    ids=["lists", "maps", "nested maps", "dashes", "keys", "indents", "recursive"],
)
def test_deep_nesting_breaks_nothing(deep: str) -> None:
    front = split_front_matter(f"---\nfirst: x\n{deep}\ntitle: T\n---\nbody")
    assert front.get("title") == "T"
    assert front.body == "body"


def test_a_block_of_toml_that_is_never_closed_ends_there_too() -> None:
    front = split_front_matter('+++\ntitle = "Open"\ndraft = true\nText below.\n')
    assert front.fields["title"] == ("Open",)
    assert front.body == "Text below.\n"


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


@pytest.mark.parametrize(
    "body", ["Text below.\nMore: of it\n", "\n# Heading\ntext: not a field\n", " \n a: b\n"]
)
def test_a_block_that_is_never_closed_ends_at_the_first_line_that_is_no_field(body: str) -> None:
    front = split_front_matter(f"---\ntitle: A\ntags:\n  - b\n{body}")
    assert front.fields == {"title": ("A",), "tags": ("b",)}
    assert front.body == body


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
