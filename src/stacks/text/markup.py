"""The structure of Markdown: titles, paragraphs, sections and code; in linear time, never failing.

It reads what people write rather than what a standard says: a fence that is never closed runs
to the end, a list may hold fences at any depth, and any text at all is legal Markdown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Snippet
from stacks.text.file_types import resolve_language
from stacks.text.inline import CodeShelf, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "MarkdownBlock",
    "MarkdownSection",
    "change_prose",
    "find_sections",
    "find_snippets",
    "find_title",
    "first_paragraph",
    "get_fence_language",
    "plain",
    "split_blocks",
]


class MarkdownBlock(NamedTuple):
    """A piece of a page: `heading`, `paragraph`, `list`, `quote`, `table`, `html`, `rule`, `code`.

    `level` is that of a heading; `language` and `is_fenced` belong to code.
    """

    kind: str
    text: str
    level: int = 0
    language: str = ""
    is_fenced: bool = False


class MarkdownSection(NamedTuple):
    """A heading and the Markdown up to the next heading of any level."""

    level: int
    title: str
    text: str


_LANGUAGE = re.compile(r"\{?\s*\.?(?:language-|lang-)?([a-z][\w+#-]*)")
_VARIANT = re.compile(r"(swift|python|javascript|typescript|objc|json|cpp)[-_0-9]")

# One expression for all kinds of line, so each line is looked at once; order matters.
_LINE = re.compile(
    r"""(?P<blank>\s*+$)
    |(?P<indented>\ {4}|\ {0,3}\t)
    |\ {0,3}(?:
        (?P<heading>\#{1,6}(?:[ \t]|$))
        |(?P<quote>>)
        |(?P<underline>=++[ \t]*+$|-{2,}+[ \t]*+$)
        |(?P<rule>(?P<mark>[*_-])[ \t]*+(?:(?P=mark)[ \t]*+){2,}+$)
        |(?P<list>(?:[*+-]|[0-9]{1,9}[.)])(?:[ \t]|$))
        |(?P<table>\|)
        |(?P<html></?[A-Za-z][\w-]*+(?=[\s/>])|<!)
    )""",
    re.VERBOSE,
)
_BEFORE_FENCE = re.compile(r"\s*+(?:>\s?)*+(?:(?:[*+-]|[0-9]{1,9}[.)])\s++){0,4}+")
_QUOTE_MARKS = re.compile(r"\s{0,3}(?:>\s?)++")
_HEADING = re.compile(r"\s*(#{1,6})(.*)", re.DOTALL)
_CLOSING_MARKS = re.compile(r"\s#+$")
_LOOKS_LIKE_CODE = re.compile(
    r"[{};=]|->|\w\(|^\s*(?:let|var|func|import|def|class|struct|return|\$)\s", re.MULTILINE
)
_LAZY = {"paragraph", "list", "quote", "html", "table"}
_LINKS = re.compile(r"!?\[[^\[\]]*+\](?:\([^()\s]{0,2000}+[^()\n]{0,200}+\))?")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST_SUMMARY = 1000


def get_fence_language(info: str) -> str:
    """Return the language that the text behind a fence states; empty if it states none."""
    match = _LANGUAGE.match(info.strip()[:100].lower())
    if match is None:
        return ""
    word = match.group(1).rstrip("-")
    known = resolve_language(word)
    variant = _VARIANT.match(word)
    return variant.group(1) if known == word and variant else known


class _Fence(NamedTuple):
    """The line that opens fenced code."""

    mark: str
    length: int
    indent: int
    info: str
    is_quoted: bool

    def is_closed_by(self, line: str) -> bool:
        """Return whether a line ends the code."""
        rest = _without_quote(line).strip() if self.is_quoted else line.strip()
        return len(rest) >= self.length and not rest.strip(self.mark)


def _without_quote(line: str) -> str:
    """Remove the marks of a quotation from a line."""
    marks = _QUOTE_MARKS.match(line)
    return line[marks.end() :] if marks else line


def _open_fence(line: str) -> _Fence | None:
    """Recognise the line that opens fenced code, in a list or a quotation as well."""
    if "```" not in line and "~~~" not in line:
        return None
    before = _BEFORE_FENCE.match(line)
    start = before.end() if before else 0
    mark = line[start : start + 1]
    if mark not in {"`", "~"} or not line.startswith(mark * 3, start):
        return None
    info = line[start:].lstrip(mark)
    if mark == "`" and "`" in info:
        return None  # a code span that happens to have three marks
    is_quoted = line[:start].lstrip().startswith(">")
    indent = 0 if is_quoted else start
    return _Fence(mark, len(line) - start - len(info), indent, info, is_quoted)


class _Scanner:
    """Reads the lines once and groups them into blocks."""

    def __init__(self, markdown: str) -> None:
        self.lines = markdown.split("\n")
        self.position = 0
        self.kind = ""
        self.gathered: list[str] = []
        self.is_in_list = False

    def scan(self) -> Iterator[MarkdownBlock]:
        """Yield every block in order."""
        while self.position < len(self.lines):
            line = self.lines[self.position]
            self.position += 1
            fence = _open_fence(line)
            if fence is not None and not (self.kind == "code" and line.startswith("    ")):
                yield from self.end()
                self.is_in_list = self.is_in_list and fence.indent > 0
                yield self.read_fence(fence)
            else:
                match = _LINE.match(line)
                yield from self.take(match.lastgroup or "" if match else "", line)
        yield from self.end()

    def take(self, kind: str, line: str) -> Iterator[MarkdownBlock]:
        """Give a line to the block it belongs to."""
        if kind == "indented":
            kind = "code" if self.starts_code() else ""
        if kind == "blank":
            if self.kind == "code":
                self.gathered.append(line)
            else:
                yield from self.end()
        elif kind == "heading":
            yield from self.end()
            self.is_in_list = False
            yield _make_heading(line)
        elif kind in {"underline", "rule"}:
            yield from self.take_rule(kind, line)
        elif self.kind in ({kind} if kind else _LAZY):
            self.gathered.append(line)
        else:
            yield from self.end()
            self.start(kind, line)

    def starts_code(self) -> bool:
        """Return whether an indented line is code: not in a paragraph, nor below a list item."""
        return self.kind == "code" or not (self.kind or self.is_in_list)

    def start(self, kind: str, line: str) -> None:
        """Begin a block."""
        if not kind:
            is_below_item = self.is_in_list and line[:1] in {" ", "\t"}
            kind = "list" if is_below_item else "paragraph"
        self.is_in_list = kind == "list"
        self.kind = kind
        self.gathered = [line]

    def take_rule(self, kind: str, line: str) -> Iterator[MarkdownBlock]:
        """Turn an underlined paragraph into a heading; without one it is a rule."""
        mark = line.strip()[0]
        if kind == "underline" and self.kind == "paragraph":
            text = "\n".join(self.gathered)
            self.kind, self.gathered = "", []
            yield MarkdownBlock("heading", text.strip(), level=1 if mark == "=" else 2)
        elif mark == "=":
            yield from self.take("", line)
        else:
            yield from self.end()
            yield MarkdownBlock("rule", line.strip())

    def end(self) -> Iterator[MarkdownBlock]:
        """Close the block that is open."""
        if self.kind == "code":
            lines = (
                each[1:] if each.startswith("\t") else _outdent(each, 4) for each in self.gathered
            )
            yield MarkdownBlock("code", "\n".join(lines).rstrip())
        elif self.kind:
            yield MarkdownBlock(self.kind, "\n".join(self.gathered))
        self.kind, self.gathered = "", []

    def read_fence(self, fence: _Fence) -> MarkdownBlock:
        """Read fenced code up to its end."""
        start = self.position
        end, self.position = _find_end(self.lines, start, fence)
        code = [
            _without_quote(line) if fence.is_quoted else _outdent(line, fence.indent)
            for line in self.lines[start:end]
        ]
        language = get_fence_language(fence.info)
        return MarkdownBlock("code", "\n".join(code), language=language, is_fenced=True)


def _find_end(lines: list[str], start: int, fence: _Fence) -> tuple[int, int]:
    """Find where fenced code ends and where the page continues.

    A fence that nothing closes runs to the end of its quotation, or of the page.
    """
    for position in range(start, len(lines)):
        if fence.is_quoted and not lines[position].lstrip().startswith(">"):
            return position, position
        if fence.is_closed_by(lines[position]):
            return position, position + 1
    return len(lines), len(lines)


def _make_heading(line: str) -> MarkdownBlock:
    """Read a heading that begins with number signs."""
    match = _HEADING.match(line)
    marks, text = match.groups() if match else ("#", line)
    return MarkdownBlock("heading", _CLOSING_MARKS.sub("", text.rstrip()).strip(), level=len(marks))


def _outdent(line: str, width: int) -> str:
    """Remove at most that many leading blanks from a line."""
    lead = line[:width]
    return lead.lstrip(" \t") + line[width:]


def split_blocks(markdown: str) -> Iterator[MarkdownBlock]:
    """Split Markdown into its blocks, in order."""
    return _Scanner(markdown).scan()


def find_snippets(markdown: str) -> tuple[Snippet, ...]:
    """Find the code of a page: all that is fenced, and what is indented and looks like code."""
    return tuple(
        Snippet(block.text, block.language)
        for block in split_blocks(markdown)
        if block.kind == "code"
        and block.text.strip()
        and (block.is_fenced or _LOOKS_LIKE_CODE.search(block.text, 0, 4000))
    )


def find_title(markdown: str) -> str:
    """Find the first heading of the first level, or one that the page begins with, as plain text.

    A page that has neither gives an empty title: a section in its middle does not name it.
    """
    first = ""
    for position, block in enumerate(split_blocks(markdown)):
        if block.kind == "heading":
            text = plain(block.text)
            if block.level == 1 and text:
                return text
            first = first or (text if position == 0 else "")
    return first


def find_sections(markdown: str) -> tuple[MarkdownSection, ...]:
    """Split a page at its headings; what stands before the first has level 0 and no title."""
    sections: list[MarkdownSection] = []
    level, title = 0, ""
    texts: list[str] = []
    for block in split_blocks(markdown):
        if block.kind == "heading":
            sections.append(MarkdownSection(level, title, "\n\n".join(texts)))
            level, title, texts = block.level, plain(block.text), []
        elif block.is_fenced:
            texts.append(f"```{block.language}\n{block.text}\n```")
        else:
            texts.append(block.text)
    sections.append(MarkdownSection(level, title, "\n\n".join(texts)))
    return tuple(section for section in sections if section.title or section.text)


def first_paragraph(markdown: str) -> str:
    """Find the first paragraph of prose, as plain text on one line; empty if there is none.

    A line of links or badges is not prose: at least four words must not be links.
    """
    for block in split_blocks(markdown):
        if block.kind == "paragraph" and _is_prose(block.text):
            return _shorten(plain(block.text[:20_000]))
    return ""


def _is_prose(text: str) -> bool:
    """Return whether a paragraph is prose."""
    words = _WORD.findall(_LINKS.sub(" ", text[:5000]))
    return len(words) >= 4


def _shorten(text: str) -> str:
    """Cut a text of unusual length at a word."""
    if len(text) <= _LONGEST_SUMMARY:
        return text
    return text[:_LONGEST_SUMMARY].rsplit(" ", 1)[0] + " …"


def change_prose(markdown: str, change: Callable[[str], str]) -> str:
    """Change everything but fenced code and code spans, which `change` sees as placeholders."""
    lines = markdown.split("\n")
    shelf = CodeShelf()
    shown: list[str] = []
    prose_start = position = 0
    while position < len(lines):
        fence = _open_fence(lines[position])
        position += 1
        if fence is not None:
            shown.append(shelf.put_spans("\n".join([*lines[prose_start : position - 1], ""])))
            _, end = _find_end(lines, position, fence)
            shown.append(shelf.put("\n".join(lines[position - 1 : end])) + "\n")
            prose_start = position = end
    shown.append(shelf.put_spans("\n".join(lines[prose_start:])))
    return shelf.take_back(change("".join(shown)))
