"""Markdown without what its reader does not see, and with the parts that it includes.

Code is never changed, except that HTML `<pre>` becomes a fence. Anything left unclosed stays: a
page may keep some markup, but it never loses its text.

A part is a file whose name starts with an underscore. A page that includes one changes when the
part changes, so parts are inserted before the page is yielded.
"""

from __future__ import annotations

import html
import posixpath
import re
from typing import TYPE_CHECKING

from stacks.model import Page
from stacks.sources.front_matter import split_front_matter
from stacks.sources.paths import decode_text
from stacks.text import HTML_TAG, change_prose, get_fence_language, name_doc_link

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "IncludedParts",
    "clean_markdown",
    "is_part",
]

_FENCE_LINE = re.compile(r"\s*+(?:>\s?)*+(`{3,}+|~{3,}+)(?!.*`)")
_LIQUID = re.compile(r"\{%-?\s*(\w+)(?:[^%]|%(?!\})){0,1000}+%\}|\{\{[^{}\n]{0,1000}+\}\}")
_ATTRIBUTES = re.compile(r"\{:[^{}\n]{0,500}+\}")
_RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
_HIGHLIGHT = re.compile(r"\{%-?\s*highlight\s+([\w+#-]+)[^%\n]{0,200}+%\}")
_END_HIGHLIGHT = re.compile(r"\{%-?\s*endhighlight\s*-?%\}")
_EMPTY_LINK = re.compile(r"!?\[[ \t]*\]\([^()\n]{0,500}\)")
_LINK_TO_NOTHING = re.compile(r"!?\[([^\[\]\n]{1,500}+)\]\([ \t]*\)")
_EMPTY_LINE = re.compile(r"^[ \t]*(?:(?:#{1,6}|[*+-]|[0-9]{1,3}\.)[ \t]*|[*-] TOC)$", re.MULTILINE)
_DROPPED_TEMPLATES = frozenset({"comment", "for", "capture", "tablerow"})
"""The Liquid tags whose contents are not text: comments, and templates filled from data."""

_DIRECTIVE = re.compile(
    r"[ \t]*@(Metadata|Options|Comment|Image|Video|Links|Row|Column|TabNavigator|Tab|Small"
    r"|DeprecationSummary|Snippet|CallToAction|PageImage|PageKind|PageColor|TitleHeading"
    r"|TechnologyRoot|Available|SupportedLanguage|AutomaticSeeAlso|AutomaticTitleHeading"
    r"|AutomaticArticleSubheading|Redirected)\b"
)
_WRAPPING_DIRECTIVES = frozenset(
    {"Row", "Column", "TabNavigator", "Tab", "Small", "DeprecationSummary"}
)
"""The DocC directives that only lay out the text between their braces."""
_LONGEST_DIRECTIVE = 100  # lines

_ELEMENT = re.compile(r"<(/?)(script|style|svg|canvas|iframe|pre)(\s[^<>]{0,2000}+)?>")
_CLASS = re.compile(r"class=\"(?:language-|highlight )?([\w+#-]{1,30})")
_INLINE_CODE = re.compile(r"<code>([^<>`\n]{1,500}+)</code>")
_DOC_LINK = re.compile(r"<doc:([^<>\s]{1,500}+)>")
_INLINE_TAGS = re.compile(
    r"a|abbr|b|cite|code|del|em|font|i|img|ins|kbd|label|mark|q|s|samp|small|source|span|strong"
    r"|strike|sub|sup|time|tt|u|var|wbr"
)
_BLOCK = "\ue002"  # private use: marks where a block of HTML starts or ends
_TAG_TEXTS = {"br": " ", "td": " ", "th": " ", "li": f"\n{_BLOCK}- "}
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}+")


_INCLUDE = re.compile(r"\{%-?\s*include(_relative)?\s+([\w./-]{1,300})[^%\n]{0,1000}+%\}")
_PART = re.compile(r"(?:^|/)(?:_includes/.*|_[^/]*)$")
# For one page with nested parts: they may include each other without end.
_MOST_INCLUDES = 200
_MOST_INSERTED = 2**20  # characters


def clean_markdown(markdown: str, *, is_template: bool = False) -> str:
    """Return the Markdown that a reader of the published page would see.

    `is_template` says that the page is written for Jekyll, so Liquid tags and attributes in
    braces are not text.
    """
    text = _without_comments(markdown)
    if is_template:
        text = _END_HIGHLIGHT.sub("```", _HIGHLIGHT.sub(r"```\1", text))
        text = _RAW.sub("", change_prose(text, _without_liquid))
    if "</" in text:
        text = change_prose(text, _without_elements)
    text = change_prose(text, _clean_prose)
    if is_template:
        text = change_prose(
            text, lambda prose: _BLANK_LINES.sub("\n\n", _EMPTY_LINE.sub("", prose))
        )
    return text.strip("\n")


def _clean_prose(prose: str) -> str:
    """Clean the text between pieces of code."""
    if "@" in prose:
        prose = _without_directives(prose)
    if "<" in prose:
        prose = _without_tags(prose)
    prose = _EMPTY_LINK.sub("", html.unescape(prose))
    return _BLANK_LINES.sub("\n\n", prose)


# Comments


def _without_comments(markdown: str) -> str:
    """Drop HTML comments, which may hold fences; fenced code may hold comments."""
    if "<!--" not in markdown:
        return markdown
    lines = markdown.split("\n")
    last_end = max((n for n, line in enumerate(lines) if "-->" in line), default=-1)
    kept: list[str] = []
    fence = ""
    is_comment = False
    for number, line in enumerate(lines):
        if not is_comment:
            fence = _follow_fence(fence, line)
        if fence and not is_comment:
            kept.append(line)
            continue
        marks = _find_comments(line, is_open=is_comment, is_closed_later=number < last_end)
        if marks or not is_comment:
            kept.append(_cut(line, marks, is_open=is_comment))
        is_comment ^= len(marks) % 2 == 1
    return "\n".join(kept)


def _follow_fence(fence: str, line: str) -> str:
    """Return the fence that is open after a line, or nothing."""
    match = _FENCE_LINE.match(line)
    if match is None:
        return fence
    mark = match.group(1)
    if not fence:
        return mark
    is_end = mark.startswith(fence) and not line[match.end() :].strip()
    return "" if is_end else fence


def _find_comments(line: str, *, is_open: bool, is_closed_later: bool) -> list[tuple[int, int]]:
    """Find where comments start and end, in turn; one that is never closed is text."""
    last = line.rfind("-->")
    marks: list[tuple[int, int]] = []
    position = ticks = 0
    while position < len(line):
        mark = "-->" if is_open else "<!--"
        start = line.find(mark, position)
        if start < 0 or not (is_open or is_closed_later or start < last):
            break
        end = start + len(mark)
        ticks += 0 if is_open else line.count("`", position, start)
        if is_open or ticks % 2 == 0:  # otherwise it is in a code span
            marks.append((start, end))
            is_open = not is_open
        position = end
    return marks


def _cut(line: str, marks: list[tuple[int, int]], *, is_open: bool) -> str:
    """Keep the text outside comments."""
    kept: list[str] = []
    position = 0
    for start, end in marks:
        if not is_open:
            kept.append(line[position:start])
        is_open = not is_open
        position = end
    return "".join(kept) if is_open else "".join(kept) + line[position:]


# Liquid


def _without_liquid(prose: str) -> str:
    """Drop Liquid tags, with their contents if those are not text."""
    kept: list[str] = []
    done = 0
    for start, end in _find_liquid(prose):
        if start >= done:
            kept.append(prose[done:start])
        done = max(done, end)
    kept.append(prose[done:])
    text = _ATTRIBUTES.sub("", "".join(kept))
    return _LINK_TO_NOTHING.sub(r"\1", text)


def _find_liquid(prose: str) -> list[tuple[int, int]]:
    """Find the spans to drop, in order; of a tag that is never closed, only the tag."""
    stretches: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for match in _LIQUID.finditer(prose):
        name = match.group(1) or ""
        stretches.append(match.span())
        if name in _DROPPED_TEMPLATES:
            opened.append((name, match.start()))
        elif opened and name == f"end{opened[-1][0]}":
            stretches.append((opened.pop()[1], match.end()))
    return sorted(stretches, key=lambda stretch: (stretch[0], -stretch[1]))


# Directives of DocC


def _without_directives(prose: str) -> str:
    """Drop the directives of DocC, with their contents unless they only lay them out."""
    lines = prose.split("\n")
    kept: list[str] = []
    open_wrappings = 0
    position = 0
    while position < len(lines):
        line = lines[position]
        match = _DIRECTIVE.match(line)
        position += 1
        if match is None:
            if open_wrappings and line.strip() == "}":
                open_wrappings -= 1
            else:
                kept.append(line)
        elif match.group(1) in _WRAPPING_DIRECTIVES:
            open_wrappings += line.rstrip().endswith("{")
        else:
            position = _find_directive_end(lines, position)
    return "\n".join(kept)


def _find_directive_end(lines: list[str], position: int) -> int:
    """Find the line after a directive by its brackets; one that is not closed is one line."""
    depth = 0
    for end in range(position - 1, min(position + _LONGEST_DIRECTIVE, len(lines))):
        line = lines[end][:10_000]
        depth += line.count("{") + line.count("(") - line.count("}") - line.count(")")
        if depth <= 0:
            return end + 1
    return position


# HTML


def _without_elements(prose: str) -> str:
    """Drop elements without text, and turn preformatted text into fences."""
    kept: list[str] = []
    done = 0
    opened: re.Match[str] | None = None
    for match in _ELEMENT.finditer(prose):
        slash, name, _ = match.groups()
        if not slash:
            opened = opened or match
        elif opened is not None and name == opened.group(2):
            kept.append(prose[done : opened.start()])
            if name == "pre":
                kept.append(_make_fence(prose, opened, match.start()))
            done, opened = match.end(), None
    kept.append(prose[done:])
    return "".join(kept)


def _make_fence(prose: str, opened: re.Match[str], end: int) -> str:
    """Write preformatted text as fenced code, with the same indentation."""
    line_start = prose.rfind("\n", max(opened.start() - 200, 0), opened.start()) + 1
    before = prose[line_start : opened.start()]
    indent = "" if before.strip() else before
    inner = prose[opened.end() : end]
    stated = _CLASS.search(opened.group(3) or inner[:200])
    code = html.unescape(HTML_TAG.sub("", inner)).strip("\n").rstrip()
    language = get_fence_language(stated.group(1)) if stated else ""
    lead = "" if indent == before else "\n"
    return f"{lead}```{language}\n{code}\n{indent}```\n"


def _without_tags(prose: str) -> str:
    """Remove HTML tags, and the indentation that only they needed."""
    prose = _DOC_LINK.sub(lambda match: name_doc_link(match.group(1)), prose)
    prose = _INLINE_CODE.sub(r"`\1`", prose)
    marked = HTML_TAG.sub(_write_tag, prose)
    if _BLOCK not in marked:
        return marked
    lines: list[str] = []
    is_in_html = False
    for line in marked.split("\n"):
        is_in_html = bool(line.strip()) and (is_in_html or _BLOCK in line)
        lines.append(line.replace(_BLOCK, "").strip() if is_in_html else line)
    return "\n".join(lines)


def _write_tag(match: re.Match[str]) -> str:
    """Return the Markdown for a tag."""
    slash, name, _ = match.groups()
    if _INLINE_TAGS.fullmatch(name):
        return ""
    if len(name) == 2 and name[0] == "h" and name[1].isdigit():
        return "\n\n" if slash else f"\n\n{_BLOCK}{'#' * int(name[1])} "
    text = _TAG_TEXTS.get(name, f"\n{_BLOCK}")
    return "" if slash and name in _TAG_TEXTS else text


def is_part(key: str) -> bool:
    """Return whether a file is a part of pages, by its name."""
    return bool(_PART.search(key))


class IncludedParts:
    """The parts of a site by their paths, and which of them were included."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._used: set[str] = set()

    def add(self, page: Page) -> None:
        """Keep a part."""
        self._texts[page.key] = split_front_matter(decode_text(page.data)).body

    def list_unused(self) -> Iterator[Page]:
        """Yield the parts that no page included, as pages of their own."""
        for key, text in self._texts.items():
            if key not in self._used:
                yield Page(key, text.encode())

    def fill(self, page: Page) -> Page:
        """Insert the parts of a page, and the parts of those parts."""
        if b"include" not in page.data:
            return page
        text = decode_text(page.data)
        folder = posixpath.dirname(page.key)
        inserted = 0
        for _ in range(_MOST_INCLUDES):
            match = _INCLUDE.search(text)
            if match is None or inserted > _MOST_INSERTED:
                break
            part = self._find(folder, match)
            inserted += len(part)
            text = text[: match.start()] + part + text[match.end() :]
        return Page(page.key, text.encode())

    def _find(self, folder: str, match: re.Match[str]) -> str:
        """Return the text of a part; empty if it is missing or not Markdown."""
        is_relative, name = match.groups()
        key = posixpath.normpath(posixpath.join(folder if is_relative else "_includes", name))
        self._used.add(key)
        return self._texts.get(key, "")
