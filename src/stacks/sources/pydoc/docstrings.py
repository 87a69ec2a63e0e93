"""Docstrings: their first sentence, and the code in them."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "DocstringBlock",
    "clean_text",
    "find_call_forms",
    "get_summary",
    "render_blocks",
    "split_blocks",
]

_LONGEST_SUMMARY = 300
_CALL_FORM = re.compile(r"(?P<call>[\w.]+\(.*\))\s*(?:(?:-{1,2}>|=>|--)\s*(?P<result>.*))?$")
_TYPE_OF_RESULT = re.compile(r"^\w+\.\s+(?=[A-Z])")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*\"'(])")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([\w+-]*)")
_DIRECTIVE = re.compile(r"\s*\.\.\s+(code-block|code|sourcecode)::\s*(\w*)\s*$")
_UNPRINTABLE = re.compile("[\0\ud800-\udfff]")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class DocstringBlock(NamedTuple):
    """A part of a docstring: prose, or code in a language, empty if it is not stated."""

    text: str
    is_code: bool = False
    language: str = ""


def clean_text(text: str) -> str:
    """Drop what no index can store, and memory addresses, which differ between runs."""
    return _ADDRESS.sub("", _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def find_call_forms(docstring: str, name: str) -> tuple[list[tuple[str, str]], str]:
    """Split off the lines at the start of a docstring that show how its function is called.

    `range(stop) -> range object` gives the call and its result; the rest of the text follows.
    """
    forms: list[tuple[str, str]] = []
    lines = docstring.strip().splitlines()
    while lines:
        match = _CALL_FORM.match(lines[0].strip())
        is_call = match is not None and match["call"].split("(", 1)[0].endswith(name)
        if match is not None and is_call:
            forms.append((match["call"], (match["result"] or "").strip()))
        elif not (forms and lines[0].startswith(" ")):
            break
        lines.pop(0)
    return forms, "\n".join(lines).strip()


def get_summary(docstring: str, name: str = "") -> str:
    """Return the first paragraph of a docstring in one line; of a long one, its first sentences.

    If a docstring starts with how its function is called, the result stated there is the summary,
    unless it is only the name of a type.
    """
    forms, rest = find_call_forms(docstring, name) if name else ([], docstring.strip())
    results = [_TYPE_OF_RESULT.sub("", result) for _, result in forms if result]
    described = [result for result in results if result.count(" ") >= 2]
    if described:
        return _shorten(described[0])
    if rest and not rest.startswith(">>>"):
        aside = re.match(r"\([^()]*(?:\([^()]*\)[^()]*)*\)\s*\n\s*\n", rest)
        return _shorten(rest[aside.end() :] if aside else rest)
    return next(iter((*results, *(call for call, _ in forms))), "")


def _shorten(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0].split())
    if len(paragraph) <= _LONGEST_SUMMARY:
        return paragraph
    kept = ""
    for sentence in _SENTENCE_END.split(paragraph):
        if kept and len(kept) + len(sentence) >= _LONGEST_SUMMARY:
            return kept
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= _LONGEST_SUMMARY else textwrap.shorten(kept, _LONGEST_SUMMARY)


def split_blocks(docstring: str) -> list[DocstringBlock]:
    """Split a docstring into prose and code: doctests, literal blocks, fences, directives."""
    return [block for block in _scan(docstring.expandtabs().splitlines()) if block.text.strip()]


def render_blocks(blocks: list[DocstringBlock]) -> str:
    """Write blocks as Markdown."""
    parts = []
    for block in blocks:
        # A longer fence than any in the code, so the code cannot close it.
        longest = max((len(run) for run in re.findall(r"`{3,}", block.text)), default=2)
        fence = "`" * (longest + 1)
        parts.append(
            f"{fence}{block.language}\n{block.text}\n{fence}" if block.is_code else block.text
        )
    return "\n\n".join(parts)


def _scan(lines: list[str]) -> Iterator[DocstringBlock]:
    position = 0
    prose: list[str] = []
    while position < len(lines):
        end, block = _read_code(lines, position)
        if block is None:
            line, opens = _open_literal(lines, position)
            prose.append(line)
            position += 1
            if not opens:
                continue
            end, block = _read_indented(lines, position, lines[position - 1])
        yield DocstringBlock("\n".join(prose).strip("\n"))
        prose = []
        if block is not None:
            yield block
        position = max(end, position)
    yield DocstringBlock("\n".join(prose).strip("\n"))


def _read_code(lines: list[str], start: int) -> tuple[int, DocstringBlock | None]:
    """Read code that starts at a line: a doctest, a fence or a directive."""
    line = lines[start]
    if line.lstrip().startswith(">>>"):
        end = start
        while end < len(lines) and lines[end].strip():
            end += 1
        return end, DocstringBlock(textwrap.dedent("\n".join(lines[start:end])), True, "pycon")
    if fence := _FENCE.match(line):
        closing = fence[1]
        end = start + 1
        while end < len(lines) and not lines[end].strip().startswith(closing):
            end += 1
        code = textwrap.dedent("\n".join(lines[start + 1 : end]))
        return end + 1, DocstringBlock(code, True, fence[2].lower())
    if directive := _DIRECTIVE.match(line):
        end, block = _read_indented(lines, start + 1, line)
        return (end, block._replace(language=directive[2].lower())) if block else (end, None)
    return start, None


def _open_literal(lines: list[str], position: int) -> tuple[str, bool]:
    """Return a line, and whether its two colons, which become one, open a literal block."""
    line = lines[position]
    if not line.rstrip().endswith("::") or line.lstrip().startswith(".. "):
        return line, False
    kept = line.rstrip().removesuffix(":").rstrip()
    return ("" if kept.strip() == ":" else kept), True


def _read_indented(lines: list[str], start: int, before: str) -> tuple[int, DocstringBlock | None]:
    """Read the lines that are indented deeper than the one before them."""
    indent = len(before) - len(before.lstrip())
    end = start
    while end < len(lines) and (
        not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent
    ):
        end += 1
    code = textwrap.dedent("\n".join(lines[start:end])).strip("\n")
    if not code.strip():
        return start, None
    if code.lstrip().startswith(">>>"):
        return end, DocstringBlock(code, True, "pycon")
    return end, DocstringBlock(code, True, "python" if _is_python(code) else "")


def _is_python(code: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
