"""The header of a Swift Evolution proposal: a list of fields below the title, as it has changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stacks.text import find_sections, first_paragraph, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SwiftProposal", "find_summary", "read_proposal"]

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
