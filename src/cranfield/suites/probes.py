"""Texts that bring out the worst in a regular expression, derived from its own structure."""

from __future__ import annotations

import re
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["probe_texts"]

_FEW = 40
"""Repetitions that are too many for a search that doubles with each."""

_MANY = 1000
"""Characters that are too many for a search that grows with the cube of their number."""

_BREAKERS = ("!", "\n\n", "\x00")
"""Ends that hardly any repetition goes on with, nor `$` stops before."""

_ORDINARY = "a0A-_/. :é"
_END = "\ue000"
_MOST_REPEATS = 12
_MOST_BRANCHES = 4
_LONGEST = 4 * _MANY


def probe_texts(pattern: str) -> list[str]:
    """Make texts that nearly match: one repetition drawn out, then something that cannot match.

    The short ones come first. A pattern that only our engine understands, and not Python's own
    parser, gets repeated ordinary characters.
    """
    try:
        tree = _parse(pattern)
        texts = [
            text
            for count in (_FEW, _MANY)
            for drawn_out in range(min(_count_repeats(tree), _MOST_REPEATS))
            for branch in range(_MOST_BRANCHES)
            for text in _nearly_matching(tree, drawn_out, branch, count)
        ]
    except (re.error, OverflowError, RecursionError, ValueError):
        texts = [f"{each * count}!" for count in (_FEW, _MANY) for each in _ORDINARY]
    return list(dict.fromkeys(texts))


def _parse(pattern: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("re._parser").parse(pattern)


def _count_repeats(tree: Any) -> int:
    """Count the repetitions in a parsed pattern, wherever they are nested."""
    if isinstance(tree, tuple) and tree and str(tree[0]).endswith("_REPEAT"):
        return 1 + _count_repeats(tree[1])
    if isinstance(tree, list | tuple) or hasattr(tree, "data"):
        return sum(_count_repeats(part) for part in tree)
    return 0


def _nearly_matching(tree: Any, drawn_out: int, branch: int, count: int) -> Iterator[str]:
    plain = _Sampler(branch).sample(tree)
    marked = _Sampler(branch, drawn_out, count).sample(tree)
    until, whole = marked.partition(_END)[0], marked.replace(_END, "")
    for end in _BREAKERS:
        yield f"{until}{end}"
        yield f"{whole}{end}"
        # All that has to follow is there, but too late: an engine may look for it first.
        yield f"{until}{end}{plain}"


class _Sampler:
    """Writes a text that a parsed pattern matches, with one of its repetitions drawn out.

    The drawn out repetition is told by its number from the left, and marked at its end. The
    others are as short as they may be, but not empty. Of alternatives the one at `branch` is
    taken.
    """

    def __init__(self, branch: int, drawn_out: int | None = None, count: int = 1) -> None:
        self._branch = branch
        self._drawn_out = drawn_out
        self._count = count
        self._repeats = 0
        self._groups: dict[int, str] = {}

    def sample(self, tree: Iterable[tuple[Any, Any]]) -> str:
        """Write the text of a sequence."""
        return "".join(self.one(str(kind), value) for kind, value in tree)[:_LONGEST]

    def one(self, kind: str, value: Any) -> str:
        write = _WRITERS.get(kind)
        return "" if write is None else write(self, value)

    def repeat(self, value: Any) -> str:
        least, most, inside = value
        number = self._repeats
        self._repeats += 1
        text = self.sample(inside)
        if number != self._drawn_out:
            return (text * min(max(int(least), 1), int(most), _LONGEST))[:_LONGEST]
        text = text.replace(_END, "")
        times = self._count if self._count < _MANY else _MANY // max(len(text), 1)
        return text * max(times, 1) + _END

    def alternatives(self, value: Any) -> str:
        _, alternatives = value
        return self.sample(alternatives[self._branch % len(alternatives)])

    def group(self, value: Any) -> str:
        number, *_, inside = value
        text = self.sample(inside)
        self._groups[number] = text.replace(_END, "")
        return text

    def reference(self, number: int) -> str:
        return self._groups.get(number, "")


def _one_of(items: list[tuple[Any, Any]]) -> str:
    """Choose a character of a set, an ordinary one if there is one."""
    parts = [(str(kind), value) for kind, value in items]
    wanted = ("NEGATE", None) not in parts
    named = [chr(value) for kind, value in parts if kind == "LITERAL"]
    named += [chr(value[0]) for kind, value in parts if kind == "RANGE"]
    chosen = (each for each in [*_ORDINARY, *named] if _is_in(each, parts) == wanted)
    return next(chosen, _ORDINARY[0])


def _is_in(character: str, parts: list[tuple[str, Any]]) -> bool:
    code = ord(character)
    return any(
        (kind == "LITERAL" and code == value)
        or (kind == "RANGE" and value[0] <= code <= value[1])
        or (kind == "CATEGORY" and _CATEGORIES[str(value)](character))
        for kind, value in parts
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_NOT_DIGIT": lambda each: not each.isdigit(),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda each: not each.isspace(),
    "CATEGORY_WORD": _is_word,
    "CATEGORY_NOT_WORD": lambda each: not _is_word(each),
}

_WRITERS: dict[str, Callable[[_Sampler, Any], str]] = {
    "LITERAL": lambda _, value: chr(value),
    "NOT_LITERAL": lambda _, value: next(each for each in _ORDINARY if ord(each) != value),
    "ANY": lambda _, __: _ORDINARY[0],
    "IN": lambda _, value: _one_of(value),
    "BRANCH": _Sampler.alternatives,
    "SUBPATTERN": _Sampler.group,
    "ATOMIC_GROUP": _Sampler.sample,
    "MAX_REPEAT": _Sampler.repeat,
    "MIN_REPEAT": _Sampler.repeat,
    "POSSESSIVE_REPEAT": _Sampler.repeat,
    "ASSERT": lambda sampler, value: sampler.sample(value[1]),
    "ASSERT_NOT": lambda sampler, value: sampler.sample(value[1]),
    "GROUPREF": _Sampler.reference,
    "GROUPREF_EXISTS": lambda sampler, value: sampler.sample(value[1]),
}
