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
    "Block",
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


class Block(NamedTuple):
    """A stretch of a docstring: prose, or code in a language, empty where nobody said."""

    text: str
    is_code: bool = False
    language: str = ""


def clean_text(text: str) -> str:
    """Drop what no index can store, and addresses that differ from one run to the next."""
    return _ADDRESS.sub("", _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text))


def find_call_forms(docstring: str, name: str) -> tuple[list[tuple[str, str]], str]:
    """Split off the lines that a docstring begins with to say how its function is called.

    `range(stop) -> range object` gives the call and what it results in; the rest follows.
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

    Where a docstring begins with how its function is called, what that results in is a summary
    if it is more than the name of a type.
    """
    forms, rest = find_call_forms(docstring, name) if name else ([], docstring.strip())
    results = [_TYPE_OF_RESULT.sub("", result) for _, result in forms if result]
    told = [result for result in results if result.count(" ") >= 2]
    if told:
        return _shorten(told[0])
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


def split_blocks(docstring: str) -> list[Block]:
    """Split a docstring into prose and code: doctests, literal blocks, fences, directives."""
    return [block for block in _scan(docstring.expandtabs().splitlines()) if block.text.strip()]


def render_blocks(blocks: list[Block]) -> str:
    """Write blocks as Markdown."""
    parts = []
    for block in blocks:
        # More marks than the code has itself, so that it cannot close its fence.
        longest = max((len(run) for run in re.findall(r"`{3,}", block.text)), default=2)
        fence = "`" * (longest + 1)
        parts.append(
            f"{fence}{block.language}\n{block.text}\n{fence}" if block.is_code else block.text
        )
    return "\n\n".join(parts)


def _scan(lines: list[str]) -> Iterator[Block]:
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
        yield Block("\n".join(prose).strip("\n"))
        prose = []
        if block is not None:
            yield block
        position = max(end, position)
    yield Block("\n".join(prose).strip("\n"))


def _read_code(lines: list[str], start: int) -> tuple[int, Block | None]:
    """Read code that begins at a line: a doctest, a fence or a directive."""
    line = lines[start]
    if line.lstrip().startswith(">>>"):
        end = start
        while end < len(lines) and lines[end].strip():
            end += 1
        return end, Block(textwrap.dedent("\n".join(lines[start:end])), True, "pycon")
    if fence := _FENCE.match(line):
        closing = fence[1]
        end = start + 1
        while end < len(lines) and not lines[end].strip().startswith(closing):
            end += 1
        code = textwrap.dedent("\n".join(lines[start + 1 : end]))
        return end + 1, Block(code, True, fence[2].lower())
    if directive := _DIRECTIVE.match(line):
        end, block = _read_indented(lines, start + 1, line)
        return (end, block._replace(language=directive[2].lower())) if block else (end, None)
    return start, None


def _open_literal(lines: list[str], position: int) -> tuple[str, bool]:
    """Tell whether a line announces a literal block by its two colons, which become one."""
    line = lines[position]
    if not line.rstrip().endswith("::") or line.lstrip().startswith(".. "):
        return line, False
    kept = line.rstrip().removesuffix(":").rstrip()
    return ("" if kept.strip() == ":" else kept), True


def _read_indented(lines: list[str], start: int, before: str) -> tuple[int, Block | None]:
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
        return end, Block(code, True, "pycon")
    return end, Block(code, True, "python" if _is_python(code) else "")


def _is_python(code: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True
