"""The Markdown of a crawled page, without what its other fields say again.

A crawler writes the whole page: front matter, breadcrumbs, the title (once or twice), the word for
its kind, the platforms, the summary and the declaration, then the text. Only the text is the body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import PLATFORMS
from stacks.sources.front_matter import split_front_matter
from stacks.text import change_prose, name_doc_link

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PageBody", "read_body", "read_platforms", "strip_site_name"]

_SITE = re.compile(r"\s+\|\s+(?:[^|]{0,60}\bDocumentation|(?:www\.)?[\w-]{1,60}\.(?:com|org|net))$")
_HEADING = re.compile(r"([A-Z][A-Za-z ]{0,40})?#{1,2} (.{1,500})$")
_ROLE = re.compile(r"\*\*([A-Z][A-Za-z ]{0,40})\*\*$")
_NAMES = "|".join((*PLATFORMS.values(), "iPadOS", "Mac Catalyst"))
_PLATFORM = re.compile(rf"({_NAMES})(?:\s+v?(\d{{1,4}}(?:\.\d{{1,4}}){{0,3}}))?")
_PLATFORM_LINE = re.compile(
    rf"(?:(?:{_NAMES})(?:\s*[\d.]{{1,12}}\+?)?(?:\s*[–-]\s*[\d.]{{1,12}})?"
    r"(?:Deprecated|Beta)?[,\s]{0,5})+"
)
_DECLARATION = re.compile(r"#{2,3} (?:\[)?Declaration\b")
_DOC_LINK = re.compile(r"\[doc:(//[^\[\]\s]{1,500})\]")
_LINKED_HEADING = re.compile(r"^(#{1,6}) \[([^\[\]\n]{1,300})\]\([^()\n]{0,500}\)$", re.MULTILINE)
_JOINED_LINKS = re.compile(r"(?<=\))(?=\[)")
_HASH = re.compile(r"-(?=[a-z]{0,5}[0-9])[0-9a-z]{4,6}$")
_HEAD_LINES = 100


class PageBody(NamedTuple):
    """The text of a page, and what stood before it: the word for its kind, platforms, code."""

    text: str
    role: str = ""
    platforms: str = ""
    declaration: str = ""


class _Block(NamedTuple):
    """A line of the page, or a piece of fenced code, and the number of its first line."""

    line: int
    text: str
    is_code: bool = False


def strip_site_name(title: str) -> str:
    """Remove the name of the site from the title of a web page: `View | Documentation`."""
    return _SITE.sub("", title.strip())


def read_body(markdown: str, title: str, known: frozenset[str]) -> PageBody:
    """Split a page; `known` are texts that are stored apart and need not be said again."""
    lines = split_front_matter(markdown).body.split("\n")
    role, start = _find_title(lines, title)
    platforms = declaration = ""
    end = len(lines)
    for block in _list_blocks(lines, start):
        if match := _ROLE.fullmatch(block.text):
            role = role or match.group(1)
        elif _PLATFORM_LINE.fullmatch(block.text):
            platforms = platforms or block.text
        elif block.is_code and platforms and not declaration:
            declaration = block.text
        elif not (_DECLARATION.match(block.text) or _flatten(block.text) in known):
            end = block.line
            break
    return PageBody(_clean("\n".join(lines[end:])), role, platforms, declaration)


def _find_title(lines: list[str], title: str) -> tuple[str, int]:
    """Find the line after the last heading that is the title, and the role written before it."""
    role, start = "", 0
    for position, line in enumerate(lines[:_HEAD_LINES]):
        match = _HEADING.match(line.strip()) if len(line) < 1000 else None
        if match and strip_site_name(match.group(2)) == title:
            role, start = (match.group(1) or "").strip(), position + 1
    return role, start


def _list_blocks(lines: list[str], start: int) -> Iterator[_Block]:
    """Yield the lines that are not blank; fenced code is one block."""
    position = start
    while position < len(lines):
        line = lines[position]
        if line.startswith("```"):
            rest = enumerate(lines[position + 1 :], position + 1)
            end = next((number for number, each in rest if each.startswith("```")), position)
            yield _Block(position, "\n".join(lines[position + 1 : end]), is_code=True)
            position = end
        elif line.strip():
            yield _Block(position, line.strip())
        position += 1


def _flatten(text: str) -> str:
    return " ".join(text.split())


def _clean(text: str) -> str:
    """Write links to other pages as their names."""
    text = change_prose(text, lambda prose: _DOC_LINK.sub(_name_link, prose))
    text = _LINKED_HEADING.sub(r"\1 \2", text)
    return _JOINED_LINKS.sub(" ", text).strip("\n")


def _name_link(match: re.Match[str]) -> str:
    name = _HASH.sub("", match.group(1).rpartition("/")[2])
    return name_doc_link(name) if "-" in name and "(" not in name else f"`{name}`"


def read_platforms(text: str) -> dict[str, str]:
    """Read the first versions from a text such as `iOS 18.0+ macOS 15.0+`."""
    found = ((name.lower(), version) for name, version in _PLATFORM.findall(text))
    return {name: version for name, version in found if version and name in PLATFORMS}
