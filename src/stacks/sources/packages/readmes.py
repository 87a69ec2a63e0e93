"""READMEs: which file is one, its first paragraph, and the code in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stacks.model import Snippet
from stacks.sources.pydoc.docstrings import split_blocks
from stacks.text import get_fence_language

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["choose_readme", "find_readme_snippets", "get_first_paragraph"]

_README = re.compile(r"readme(\.(md|markdown|rst|txt))?", re.IGNORECASE)
_SUFFIXES = ("md", "markdown", "rst", "txt", "")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\s`{]*)[^`]*$")
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
        blocks = split_blocks(readme)
        return [Snippet(block.text, block.language) for block in blocks if block.is_code]
    snippets: list[Snippet] = []
    lines = iter(readme.splitlines())
    for line in lines:
        opening = _FENCE.match(line)
        if not opening:
            continue
        code: list[str] = []
        for inner in lines:
            if re.fullmatch(rf" {{0,3}}{re.escape(opening[1])}{opening[1][0]}*\s*", inner):
                break
            code.append(inner)
        if any(each.strip() for each in code):
            snippets.append(Snippet("\n".join(code), get_fence_language(opening[2])))
    return snippets


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
