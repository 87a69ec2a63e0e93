"""Markdown gives up its title, paragraphs, sections and code, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.model import Snippet
from stacks.text.markup import (
    MarkdownSection,
    change_prose,
    find_sections,
    find_snippets,
    find_title,
    first_paragraph,
    get_fence_language,
    split_blocks,
)


def kinds_of(markdown: str) -> list[str]:
    return [block.kind for block in split_blocks(markdown)]


class TestBlocks:
    def test_a_page_falls_into_its_blocks_in_order(self) -> None:
        page = (
            "# Title\n\nA paragraph\nof two lines.\n\n- item\n- item\n\n> quoted\n\n| a | b |\n"
            "|---|---|\n\n<div>\n\n---\n\n```swift\ncode\n```\nend"
        )
        assert kinds_of(page) == [
            "heading", "paragraph", "list", "quote", "table", "html", "rule", "code", "paragraph",
        ]  # fmt: skip

    def test_underlined_lines_are_headings(self) -> None:
        blocks = list(split_blocks("Title\n=====\n\nSection\n---\ntext\n\n===\n"))
        assert [(block.kind, block.text, block.level) for block in blocks] == [
            ("heading", "Title", 1),
            ("heading", "Section", 2),
            ("paragraph", "text", 0),
            ("paragraph", "===", 0),
        ]

    def test_a_number_sign_without_a_space_is_no_heading(self) -> None:
        assert kinds_of("#include <stdio.h>\n\n####### seven") == ["paragraph", "paragraph"]

    def test_closing_number_signs_are_not_of_the_heading(self) -> None:
        assert [block.text for block in split_blocks("## Using C# ##\n### ")] == ["Using C#", ""]

    def test_text_below_a_list_item_belongs_to_the_list(self) -> None:
        assert kinds_of("- item\n\n  more of it\n\n      even more\n\nparagraph") == [
            "list", "list", "list", "paragraph",
        ]  # fmt: skip

    @given(st.text(alphabet=st.sampled_from("`~#>-* \n\tab|<=1.[]()"), max_size=200))
    def test_any_text_is_split_and_no_word_is_lost(self, text: str) -> None:
        found = "".join(block.text for block in split_blocks(text))
        for letter in "ab":
            # A fence's language may hold letters; nothing else may swallow them.
            fences = sum(block.is_fenced for block in split_blocks(text))
            assert fences or found.count(letter) == text.count(letter)


class TestSnippets:
    def test_fenced_code_keeps_its_text_and_its_language(self) -> None:
        page = "```swift\nlet a = 1\n\n  let b\n```\n\n~~~ Python\nx\n~~~\n\n```\nplain\n```"
        assert find_snippets(page) == (
            Snippet("let a = 1\n\n  let b", "swift"),
            Snippet("x", "python"),
            Snippet("plain", ""),
        )

    def test_a_longer_fence_holds_shorter_ones(self) -> None:
        page = "````markdown\n```swift\nx\n```\n````\nafter"
        assert find_snippets(page) == (Snippet("```swift\nx\n```", "markdown"),)

    def test_a_tilde_does_not_close_backticks(self) -> None:
        assert find_snippets("```\na\n~~~\nb\n```") == (Snippet("a\n~~~\nb"),)

    def test_an_unclosed_fence_runs_to_the_end(self) -> None:
        assert find_snippets("text\n```swift\nlet a\n# no heading") == (
            Snippet("let a\n# no heading", "swift"),
        )

    def test_code_in_a_list_loses_the_indentation_of_the_list(self) -> None:
        page = (
            "1. Do this:\n\n   ```sh\n   ls\n     -l\n   ```\n\n2. - ```swift\n     a\n     ```\n"
        )
        assert find_snippets(page) == (Snippet("ls\n  -l", "shell"), Snippet("a", "swift"))

    def test_code_in_a_quotation_loses_the_marks_and_ends_with_it(self) -> None:
        page = "> Note:\n> ```swift\n> let a\n>   b\n> ```\n> ~~~\n> open\n\noutside"
        assert find_snippets(page) == (Snippet("let a\n  b", "swift"), Snippet("open"))

    def test_a_span_of_three_backticks_in_a_line_opens_nothing(self) -> None:
        assert find_snippets("```code``` in prose\n\nmore") == ()

    def test_indented_code_counts_where_it_looks_like_code(self) -> None:
        page = "Text:\n\n\tindexOf(value, in: c)\n\n\tlet b\n\nText:\n\n    just some prose\n"
        assert find_snippets(page) == (Snippet("indexOf(value, in: c)\n\nlet b"),)

    def test_indented_lines_below_a_list_or_a_paragraph_are_no_code(self) -> None:
        assert find_snippets("- item\n\n    let a = 1\n") == ()
        assert find_snippets("text goes on\n    let a = 1\n") == ()

    def test_empty_fences_are_no_snippets(self) -> None:
        assert find_snippets("```swift\n```\n\n```\n   \n```") == ()

    @pytest.mark.parametrize(
        ("info", "language"),
        [
            ("swift", "swift"),
            ("  Swift  ", "swift"),
            ('swift-testing title="x"', "swift"),
            ("swifttest", "swift"),
            ("{.swift .numberLines}", "swift"),
            ("language-swift", "swift"),
            ("swift,ignore", "swift"),
            ("Objective-C", "objc"),
            ("C++", "cpp"),
            ("C", "c"),
            ("json5", "json"),
            ("shell-session", "shell"),
            ("(3, 5)", ""),
            ("", ""),
            ("swiftui", "swiftui"),
        ],
    )
    def test_languages_have_one_name(self, info: str, language: str) -> None:
        assert get_fence_language(info) == language


class TestTitles:
    @pytest.mark.parametrize(
        ("page", "title"),
        [
            ("# `Ref` and *more* [types](x.md)\n", "Ref and more types"),
            ("Title\n=====\n", "Title"),
            ("text\n\n# Later", "Later"),
            ("## First\n\ntext", "First"),
            ("## First\n\n# Real", "Real"),
            ("text\n\n## Section", ""),
            ("```\n# no title\n```\n", ""),
            ("#\n\n# Second", "Second"),
            ("", ""),
        ],
    )
    def test_the_title_is_the_first_of_the_first_level_or_at_the_top(
        self, page: str, title: str
    ) -> None:
        assert find_title(page) == title


class TestParagraphs:
    def test_the_first_paragraph_is_prose_on_one_line(self) -> None:
        page = (
            "# Title\n\n[![build](b.svg)](ci) [![docs](d.svg)](docs)\n\n* a list item of words\n\n"
            "Swift thread: [a long title of a thread](https://x)\n\n"
            "A *real* `paragraph`\nthat says something.\n\nAnother.\n"
        )
        assert first_paragraph(page) == "A real paragraph that says something."

    def test_a_page_without_prose_has_none(self) -> None:
        assert first_paragraph("# Title\n\n- only\n- a list\n\nTwo words\n") == ""

    def test_a_paragraph_without_end_is_cut_at_a_word(self) -> None:
        summary = first_paragraph("word " * 2_000_000)
        assert summary == "word " * 199 + "word …"


class TestSections:
    def test_a_page_is_split_at_every_heading(self) -> None:
        page = "before\n\n# One\n\ntext\n\n```swift\ncode\n```\n\n## Two\n"
        assert find_sections(page) == (
            MarkdownSection(0, "", "before"),
            MarkdownSection(1, "One", "text\n\n```swift\ncode\n```"),
            MarkdownSection(2, "Two", ""),
        )


class TestProse:
    def test_code_is_out_of_reach(self) -> None:
        page = "a `a` a\n```a\na\n```\n> ~~~\n> a\n> ~~~\na ``a ` a`` a"
        changed = change_prose(page, lambda prose: prose.replace("a", "X"))
        assert changed == "X `a` X\n```a\na\n```\n> ~~~\n> a\n> ~~~\nX ``a ` a`` X"

    @given(st.text(alphabet=st.sampled_from("`~> \nab\\"), max_size=200))
    def test_nothing_is_lost_where_nothing_is_changed(self, text: str) -> None:
        assert change_prose(text, str).rstrip("\n") == text.rstrip("\n")


@pytest.mark.corpus
@pytest.mark.parametrize(
    "hostile",
    [
        "`" * 10**6,
        "`a" * 300_000,
        "[" * 10**6,
        "[](" * 300_000,
        "*" * 10**6,
        "**a " * 300_000,
        "_a" * 300_000,
        "<a " * 300_000,
        "> " * 300_000,
        "#" * 10**6,
        "- " * 300_000,
        "``` " * 200_000,
        "```a\n" * 100_000,
        "> ```\n" * 50_000,
        "`\n\n" * 100_000,
        "    x\n\n" * 100_000,
        " " * 10**6 + "x",
        "word" * 2_500_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_text_made_to_hurt_is_read_like_any_other(hostile: str) -> None:
    # Quadratic work would take hours here, so the test ends is what it asserts.
    find_title(hostile)
    find_snippets(hostile)
    first_paragraph(hostile)
    find_sections(hostile)
    assert change_prose(hostile, str).rstrip("\n") == hostile.rstrip("\n")
