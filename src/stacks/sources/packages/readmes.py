"""READMEs: which file is one, its first paragraph, and the code in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stacks.model import Snippet
from stacks.sources.pydoc.docstrings import split_blocks as split_docstring
from stacks.text import split_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["choose_readme", "find_readme_snippets", "get_first_paragraph"]

_README = re.compile(r"readme(\.(md|markdown|rst|txt))?", re.IGNORECASE)
_SUFFIXES = ("md", "markdown", "rst", "txt", "")
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})[^`]*$")
# A heading, a rule, a badge, a picture, a tag, a list, a quotation, a table, a link's target.
_NO_PROSE = re.compile(
    r"\s*(#|[-=*_~^+]{3,}\s*$|!?\[!|!\[|<|[-*+] |\d+\. |>|\||\.\. |\[[^\]]+\]:|:\w)"
)
_UNDERLINE = re.compile(r"\s*[-=*~^\"'#+]{3,}\s*$")
_LONGEST = 300


def choose_readme(names: Iterable[str]) -> str | None:
    """Choose the README of a folder by the names of its files; Markdown before others."""
    found = [name for name in names if _README.fullmatch(name)]
    return min(found, key=_rank, default=None)


def find_readme_snippets(readme: str, *, is_markdown: bool = True) -> list[Snippet]:
    """List the code of a README: fences in Markdown, code blocks in reStructuredText."""
    if not is_markdown:
        parts = split_docstring(readme)
        return [Snippet(part.text, part.language) for part in parts if part.is_code]
    blocks = (block for block in split_blocks(readme) if block.is_fenced and block.text.strip())
    return [Snippet(block.text, block.language) for block in blocks]


def get_first_paragraph(readme: str) -> str:
    """Return the first paragraph that is prose, on one line; empty if there is none."""
    is_code = False
    paragraph: list[str] = []
    for line in (*readme.splitlines(), ""):
        is_fence = _FENCE.match(line) is not None
        is_code = is_code != is_fence
        is_prose = bool(line.strip()) and not (is_fence or is_code or _NO_PROSE.match(line))
        if is_prose:
            paragraph.append(line.strip())
        elif paragraph and not (len(paragraph) == 1 and _UNDERLINE.match(line)):
            text = " ".join(paragraph)
            return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
        else:
            paragraph = []
    return ""


def _rank(name: str) -> tuple[int, str]:
    suffix = name.partition(".")[2].lower()
    return _SUFFIXES.index(suffix), name
