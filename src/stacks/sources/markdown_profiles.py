"""What differs between corpora of Markdown: the addresses of pages, and which files are pages.

An address is the one that the publisher gives a page: the number of a proposal, the name of a
chapter, the path on a site. If the publisher has none, it is the path of the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.sources.paths import decode_text, make_slug, quote_path
from stacks.text import find_sections, first_paragraph, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.model import Page

__all__ = [
    "MARKDOWN_PROFILES",
    "MARKDOWN_SUFFIXES",
    "MarkdownProfile",
    "SwiftProposal",
    "find_summary",
    "read_proposal",
]

MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
"""The extensions of Markdown files."""

_HEADER_BYTES = 65_536
_POST = re.compile(r"(?:(.*)/)?_posts/(?:.*/)?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}-([^/]+)")
_INDEX = re.compile(r"(?:^|/)(?:index|readme)$", re.IGNORECASE)
_HOST = re.compile(r"https?://[^/]+")
_SITE_SUFFIX = re.compile(r"(?:/index)?\.html?$")
_ABOUT_THE_REPOSITORY = r"(?:^|/)(?:readme|contributing|license|code_of_conduct|security)\.[a-z]+$"


_FIELD = re.compile(r"\s{0,3}[*+-]\s+\**([A-Za-z][A-Za-z ()]{1,40})\**:\**\s*(.*)$")
_NUMBER = re.compile(r"\b(S[A-Z])-?([0-9]{4})\b")
_VERSION = re.compile(r"(?:\bSwift\s+|\()([0-9]+(?:\.[0-9]+)*)")
_FLAG = re.compile(r"`([A-Za-z]\w+)`")
_OBSOLETE = re.compile(r"withdrawn|supersed", re.IGNORECASE)
_LINES_OF_HEADER = 80
_SPELLINGS = {
    "authors": ("author", "authors", "author(s)"),
    "review_manager": ("review manager", "review managers"),
    "status": ("status",),
    "number": ("proposal", "policy"),
    "feature_flag": (
        "upcoming feature flag",
        "upcoming feature flags",
        "experimental feature flag",
    ),
    "superseded_by": ("superseded by", "superseding proposal"),
}
_FIELD_NAMES = {spelling: ours for ours, spellings in _SPELLINGS.items() for spelling in spellings}
"""The names of fields in proposals over the years, and ours."""
_SUMMARIES = ("introduction", "summary of changes", "summary", "overview", "abstract")
_SHOWN = {
    "number": "Proposal",
    "authors": "Authors",
    "review_manager": "Review Manager",
    "status": "Status",
    "feature_flag": "Feature Flag",
    "superseded_by": "Superseded by",
}


@dataclass(frozen=True, slots=True)
class MarkdownProfile:
    """A corpus of Markdown.

    - `address(page)` is the path of a page's URI; it depends only on the page.
    - `leaves_out` matches the paths of files that are not documents.
    - `is_template` says that pages are written for Jekyll.
    - `site` is the path on its site that crawled pages lie below.
    """

    name: str
    module: str
    description: str
    address: Callable[[Page], str]
    leaves_out: re.Pattern[str] | None = None
    language: str = "swift"
    weight: float = 1.0
    prefers_symbols: bool = False
    is_archive: bool = False
    is_template: bool = False
    site: str = ""

    def make_page_uri(self, url: str) -> str:
        """Make the URI of a crawled page: its path on the site, without what all have."""
        path = _SITE_SUFFIX.sub("", _HOST.sub("", url, count=1).split("#")[0].split("?")[0])
        path = path.strip("/").removeprefix(self.site).strip("/")
        return f"{self.name}://{quote_path(path) or 'index'}"

    def is_document(self, key: str) -> bool:
        """Return whether a file is a document, by its path."""
        return not (self.leaves_out and self.leaves_out.search(key))


def _without_suffix(key: str) -> str:
    """Remove `.md` from a path, unless the result could be the path of another file."""
    path = key[:-3] if key.lower().endswith(".md") else key
    return key if path.lower().endswith(MARKDOWN_SUFFIXES) else path


def _by_path(page: Page) -> str:
    """Address a page by its path; two paths never get the same address."""
    return quote_path(_without_suffix(page.key))


def _by_site(page: Page) -> str:
    """Address a page as a site does: an index by its folder, a post without its date."""
    path = _without_suffix(page.key)
    post = _POST.fullmatch(path)
    if post:
        path = "/".join(filter(None, (post.group(1), "blog", post.group(2))))
    return quote_path(_INDEX.sub("", path) or path)


def _by_number(page: Page) -> str:
    """Address a proposal by its number: `se-0376`."""
    proposal = read_proposal(decode_text(page.data[:_HEADER_BYTES]))
    return proposal.number.lower() if proposal else _by_path(page)


def _by_chapter(page: Page) -> str:
    """Address a chapter by its name only, as DocC does: names are unique in a catalog."""
    path = _without_suffix(page.key).rpartition("/")[2]
    return quote_path(path.lower())


def _by_slugs(page: Page) -> str:
    """Address a page by its path in lower case with hyphens."""
    path = _INDEX.sub("", _without_suffix(page.key)) or "index"
    return "/".join(filter(None, (make_slug(part) for part in path.split("/")))) or "index"


def _leave_out(*more: str) -> re.Pattern[str]:
    """Return a pattern for files about the repository rather than its subject."""
    return re.compile("|".join([_ABOUT_THE_REPOSITORY, *more]), re.IGNORECASE)


MARKDOWN_PROFILES = (
    MarkdownProfile(
        "swift-evolution",
        "Swift Evolution",
        "Swift Evolution: proposals with status and version, visions and the process",
        _by_number,
        _leave_out(r"(?:^|/)(?:proposal-)?templates/"),
        weight=1.5,
        prefers_symbols=True,
    ),
    MarkdownProfile(
        "swift-book",
        "The Swift Programming Language",
        "The Swift Programming Language: the chapters of TSPL.docc",
        _by_chapter,
        _leave_out(r"(?:^|/)bin/", r"(?:^|/)style\.md$"),
        site="swift-book/documentation/the-swift-programming-language",
    ),
    MarkdownProfile(
        "swift-org",
        "Swift.org",
        "Swift.org: the pages and the blog of the site",
        _by_site,
        _leave_out(r"(?:^|/)(?:_includes|user-stories)/", r"(?:^|/)(?:404|500)\.md$"),
        is_template=True,
    ),
    MarkdownProfile(
        "hig",
        "Human Interface Guidelines",
        "Human Interface Guidelines as Markdown",
        _by_slugs,
        language="",
        weight=0.5,
        site="design/human-interface-guidelines",
    ),
    MarkdownProfile(
        "apple-archive",
        "Apple Archive",
        "Apple's archived guides: Markdown, with a book.json for each guide",
        _by_path,
        language="",
        weight=0.5,
        is_archive=True,
    ),
    MarkdownProfile("markdown", "", "any folder of Markdown files", _by_path, language=""),
)
"""The corpora of Markdown known by name, and one for any other."""


class SwiftProposal(NamedTuple):
    """The fields of a header, and the text without it."""

    number: str
    facts: Mapping[str, str]
    body: str

    @property
    def swift_version(self) -> str:
        """The version in which a proposal was implemented; empty if it was not."""
        status = self.facts.get("status", "")
        version = _VERSION.search(status)
        return version.group(1) if version and "mplemented" in status else ""

    @property
    def is_obsolete(self) -> bool:
        """Whether it was withdrawn or superseded."""
        return "superseded_by" in self.facts or bool(_OBSOLETE.search(self.facts.get("status", "")))

    @property
    def flags(self) -> tuple[str, ...]:
        """The names of the compiler flags that switch the feature on."""
        return tuple(self.facts.get("feature_flag", "").split())

    def write_header(self) -> str:
        """Write the fields of interest to a reader, without their links."""
        shown = {**self.facts, "number": self.number}
        return "\n".join(
            f"* {title}: {shown[name]}" for name, title in _SHOWN.items() if shown.get(name)
        )


def read_proposal(markdown: str) -> SwiftProposal | None:
    """Read the header of a proposal, or None for a page that has no such header."""
    lines = markdown.split("\n", _LINES_OF_HEADER)
    fields, start, end = _find_fields(lines)
    number = _NUMBER.search(fields.get("number", ""))
    if number is None or "status" not in fields:
        return None
    facts = {name: plain(value).strip(" *") for name, value in fields.items() if name != "number"}
    if "feature_flag" in facts:
        facts["feature_flag"] = " ".join(_FLAG.findall(fields["feature_flag"]))
    facts = {name: value for name, value in facts.items() if value}
    body = "\n".join([*lines[:start], *lines[end:]])
    return SwiftProposal("-".join(number.groups()), facts, body)


def _find_fields(lines: list[str]) -> tuple[dict[str, str], int, int]:
    """Find the first list of fields, and its first and last lines."""
    fields: dict[str, str] = {}
    start = end = 0
    name = ""
    for position, line in enumerate(lines[:_LINES_OF_HEADER]):
        match = _FIELD.match(line[:20_000])
        if match:
            start = start if fields or end else position
            name = _FIELD_NAMES.get(match.group(1).strip().lower(), "")
            fields.setdefault(name, match.group(2))
            end = position + 1
        elif end and line.strip():
            if position > end or line.startswith("#"):
                break
            fields[name] += f" {line.strip()}"  # a field continues on the next line
            end = position + 1
    return {name: value for name, value in fields.items() if name}, start, end


def find_summary(markdown: str) -> str:
    """Find the first paragraph of the introduction, or of the section that replaces it."""
    sections = {
        section.title.lower(): section.text for section in reversed(find_sections(markdown))
    }
    found = (first_paragraph(sections.get(title, "")) for title in _SUMMARIES)
    return next(filter(None, found), "") or first_paragraph(markdown)
