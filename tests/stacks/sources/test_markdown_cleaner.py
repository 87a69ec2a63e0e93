"""A cleaned page holds what its reader would see, included parts too, and all of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.model import Page
from stacks.sources.markdown_cleaner import IncludedParts, clean_markdown


def clean_template(page: str) -> str:
    return clean_markdown(page, is_template=True)


class TestComments:
    def test_comments_go_with_the_fences_within_them(self) -> None:
        page = "a\n\n<!--\n- test: `x`\n\n```swifttest\n-> let a\n-->\n\nb"
        assert clean_markdown(page) == "a\n\nb"

    def test_comments_within_a_line_and_over_several_go(self) -> None:
        assert clean_markdown("b <!-- c --> d <!-- e\nf --> g") == "b  d \n g"

    def test_comments_in_code_stay(self) -> None:
        page = "```html\n<!-- kept -->\n```\n\n`<!-- kept -->` <!-- gone -->"
        assert clean_markdown(page) == "```html\n<!-- kept -->\n```\n\n`<!-- kept -->` "

    def test_a_comment_that_is_never_closed_swallows_nothing(self) -> None:
        assert clean_markdown("a\n\n<!-- b\n\nc") == "a\n\n<!-- b\n\nc"


class TestLiquid:
    def test_tags_go_and_what_they_enclose_stays(self) -> None:
        page = "{% if x %}\nshown {{ name }}text\n{%- else -%}\nother\n{% endif %}{: .note}"
        assert clean_template(page) == "shown text\n\nother"

    def test_notes_and_patterns_go_with_their_contents(self) -> None:
        page = (
            "a\n{% comment %} note {% endcomment %}\n{% for x in y %}{% for z in x %}"
            "- [{{ z }}]({{ z.url }}){% endfor %}{% endfor %}\nb\n"
            "{% include tabs.html\n  a=b\n%}\nc"
        )
        assert clean_template(page).split() == ["a", "b", "c"]

    def test_a_loop_that_is_never_closed_swallows_nothing(self) -> None:
        assert clean_template("a {% for x in y %} b") == "a  b"

    def test_what_lost_its_text_goes_too(self) -> None:
        page = (
            "## {{ title }}\n\n- [{{ a }}]({{ b }})\n\n[text]({% link x %}) end\n\n* TOC\n{:toc}\n"
        )
        assert clean_template(page) == "text end"

    def test_highlighted_code_becomes_a_fence_and_raw_code_stays(self) -> None:
        page = "{% highlight swift %}\nlet a\n{% endhighlight %}\n\n"
        raw = "```\n{% raw %}{{ x }}{% endraw %}\n```"
        assert clean_template(page + raw) == "```swift\nlet a\n```\n\n```\n{{ x }}\n```"

    def test_braces_are_text_where_the_page_is_no_template(self) -> None:
        assert clean_markdown("a {{ b }} {% c %}") == "a {{ b }} {% c %}"


class TestDirectives:
    def test_directives_go_and_wrapped_text_stays(self) -> None:
        page = (
            "# Title\n\n@Metadata {\n  @TechnologyRoot\n  @PageImage(purpose: icon,\n"
            '    source: "x")\n}\n\n@Row {\n  @Column {\n    Kept.\n  }\n}\n\n'
            '@Image(source: "a")\nEnd.'
        )
        assert clean_markdown(page) == "# Title\n\n    Kept.\n\nEnd."

    def test_an_attribute_of_swift_is_no_directive(self) -> None:
        assert (
            clean_markdown("@available(iOS 17, *)\n@MainActor")
            == "@available(iOS 17, *)\n@MainActor"
        )

    def test_a_directive_that_is_never_closed_is_one_line(self) -> None:
        assert clean_markdown("@Metadata {\ntext\n\nmore") == "text\n\nmore"

    def test_links_to_chapters_become_words(self) -> None:
        assert (
            clean_markdown("See <doc:TheBasics#Memory-Safety>.") == "See The Basics: Memory Safety."
        )


class TestHtml:
    def test_tags_become_markdown_or_nothing(self) -> None:
        page = (
            '<div class="a">\n    <h2 id="x">Head</h2>\n    <p>Text <b>bold</b>\n'
            "        goes on</p>\n"
            '    <ul><li>one</li><li>two</li></ul>\n</div>\n<a href="x">link</a> <code>f(x)</code>'
        )
        words = clean_markdown(page)
        assert [line for line in words.split("\n") if line] == [
            "## Head", "Text bold", "goes on", "- one", "- two", "link `f(x)`",
        ]  # fmt: skip

    def test_code_and_generic_parameters_keep_their_brackets(self) -> None:
        page = "Array<Element> <T> `<div>`\n\n```html\n<div>\n```"
        assert clean_markdown(page) == page

    def test_scripts_and_styles_go_with_their_contents(self) -> None:
        assert clean_markdown("a<style>\np { x }\n</style>b<script>alert(1)</script>c") == "abc"

    def test_preformatted_text_becomes_a_fence(self) -> None:
        page = 'a\n\n<pre class="language-swift">\nlet a: <b>Int</b> &lt; 3\n</pre>\n\nb'
        assert clean_markdown(page) == "a\n\n```swift\nlet a: Int < 3\n```\n\nb"

    def test_what_is_never_closed_swallows_nothing(self) -> None:
        assert clean_markdown("a <script> b </div> c").split() == ["a", "b", "c"]

    def test_blank_lines_in_code_stay_and_others_become_one(self) -> None:
        assert clean_markdown("a\n\n\n\nb\n```\nx\n\n\n\ny\n```") == "a\n\nb\n```\nx\n\n\n\ny\n```"


@given(st.text(alphabet=st.sampled_from("`<>!-{}%:@\nabdiv/ "), max_size=200))
def test_any_text_can_be_cleaned(text: str) -> None:
    clean_markdown(text)
    clean_template(text)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "hostile",
    [
        "<!--" * 200_000,
        "<!--" * 200_000 + "-->",
        "{%" * 200_000,
        "{{" * 200_000,
        "{% for %}" * 50_000,
        "{:" * 200_000,
        "<pre>" * 100_000,
        "<div " * 100_000,
        "<a>" * 200_000,
        "@Metadata {\n" * 20_000,
        "@Row {\n" * 50_000,
        "\n" * 10**6,
        "&lt" * 200_000,
        "<doc:" * 200_000,
    ],
    ids=lambda text: repr(text[:10]),
)
def test_text_made_to_hurt_is_cleaned_like_any_other(hostile: str) -> None:
    # Quadratic work would take hours here, so the test ends is what it asserts.
    clean_template(hostile)


def test_a_part_that_includes_itself_fills_a_page_up_to_a_limit() -> None:
    parts = IncludedParts()
    part = b"{% include part.md %}" + b"words " * 50_000
    parts.add(Page("_includes/part.md", part))
    filled = parts.fill(Page("index.md", b"# Title\n\n{% include part.md %}\n"))
    assert filled.data.startswith(b"# Title\n\n")
    assert len(filled.data) < 2**20 + 2 * len(part)


def test_a_long_page_has_its_parts_inserted_too() -> None:
    parts = IncludedParts()
    parts.add(Page("_includes/part.md", b"the part"))
    filled = parts.fill(Page("index.md", b"word " * 2_000_000 + b"{% include part.md %}"))
    assert filled.data.endswith(b"word the part")
