"""Ignore rules as Git has them: `.gitignore`, and `.stacksignore` of the same form.

A rule is matched a part of a path at a time and without going back, so that no rule, however
it is written, takes longer than the path is long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["IGNORE_FILES", "Layer", "Rule", "is_ignored", "is_never_entered", "parse_rules"]

IGNORE_FILES = (".gitignore", ".stacksignore")
"""The files that hold rules for their folder; of two rules that differ the later one decides."""

_OWNERS = {
    "version control": ".git .hg .svn .jj CVS",
    "JavaScript": "node_modules bower_components .npm .yarn .pnpm-store",
    "Python": (
        "__pycache__ .venv venv .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis"
    ),
    "other builds": ".cache .gradle .terraform .rustup DerivedData Pods",
    "macOS": (
        ".Trash .Trashes .Spotlight-V100 .fseventsd .TemporaryItems .DocumentRevisions-V100 "
        "__MACOSX .DS_Store"
    ),
    "Windows": "Thumbs.db desktop.ini $RECYCLE.BIN",
}
_NEVER = frozenset(name for names in _OWNERS.values() for name in names.split())
_NEVER_PATHS = (
    ("Library", "Caches"),
    ("Library", "Logs"),
    (".local", "share", "Trash"),
    (".cargo", "registry"),
    ("go", "pkg", "mod"),
)
_LEFT_BESIDE = "._"  # what macOS writes beside a file on other systems' disks

_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "a-fA-F0-9",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a file of rules; a part that is None stands for any number of folders."""

    parts: tuple[re.Pattern[str] | None, ...]
    is_negated: bool = False
    only_folders: bool = False

    def matches(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        """Tell whether a path below the folder of the rule is meant."""
        if self.only_folders and not is_folder:
            return False
        if len(self.parts) == 2 and self.parts[0] is None and self.parts[1] is not None:
            return self.parts[1].fullmatch(path[-1]) is not None
        places = self._reach({0})
        for name in path:
            places = self._reach({after for place in places for after in self._step(place, name)})
        return len(self.parts) in places

    def _step(self, place: int, name: str) -> Iterator[int]:
        """Say where in the rule one may stand behind a name."""
        if place == len(self.parts):
            return
        part = self.parts[place]
        if part is None:
            yield place
            if place == len(self.parts) - 1:
                yield place + 1
        elif part.fullmatch(name):
            yield place + 1

    def _reach(self, places: set[int]) -> set[int]:
        """Add the places that need no name; at its end a rule needs one (`a/**` is not `a`)."""
        reached = set(places)
        for place in sorted(places):
            after = place
            while after < len(self.parts) - 1 and self.parts[after] is None:
                after += 1
                reached.add(after)
        return reached


class Layer(NamedTuple):
    """The rules of a folder, how deep it lies, and the rules of the folders above it."""

    rules: tuple[Rule, ...]
    depth: int
    above: Layer | None = None


def is_ignored(layer: Layer | None, path: tuple[str, ...], *, is_folder: bool) -> bool:
    """Tell whether a path is left out: the nearest folder decides, in it the last rule."""
    while layer is not None:
        below = path[layer.depth :]
        for rule in reversed(layer.rules):
            if rule.matches(below, is_folder=is_folder):
                return not rule.is_negated
        layer = layer.above
    return False


def is_never_entered(path: tuple[str, ...]) -> bool:
    """Tell whether a path is what programs keep for themselves, whatever the rules say."""
    name = path[-1]
    if name in _NEVER or name.startswith(_LEFT_BESIDE):
        return True
    return any(path[-len(place) :] == place for place in _NEVER_PATHS)


def parse_rules(text: str) -> tuple[Rule, ...]:
    """Read the lines of a file of rules; a line that makes no sense means nothing, as in Git."""
    lines = text.removeprefix("\ufeff").split("\n")
    return tuple(rule for line in lines if (rule := _parse_rule(line.removesuffix("\r"))))


def _parse_rule(line: str) -> Rule | None:
    """Read one line; None for blank lines, comments and nonsense."""
    line = _strip_spaces(line)
    if not line or line.startswith("#"):
        return None
    is_negated = line.startswith("!")
    pattern = line[is_negated:]
    only_folders = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    is_anchored = "/" in pattern
    if not pattern.strip("/"):
        return None
    parts: list[re.Pattern[str] | None] = [] if is_anchored else [None]
    for position, segment in enumerate(pattern.split("/")):
        if is_anchored and segment == "**":
            parts += [None] if parts[-1:] != [None] else []
        elif segment or position:
            translated = _translate(segment)
            if translated is None:
                return None
            parts.append(re.compile(translated, re.DOTALL))
    return Rule(tuple(parts), is_negated, only_folders)


def _strip_spaces(line: str) -> str:
    """Take spaces off the end, but for one behind a backslash."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(line) else bare


def _translate(segment: str) -> str | None:
    """Write one part of a pattern as a regular expression, or None where it matches nothing."""
    chunks = [""]  # between stars
    position = 0
    while position < len(segment):
        sign = segment[position]
        if sign == "*":
            chunks.append("")
            position += 1
            continue
        token = _read_token(segment, position)
        if token is None:
            return None
        chunks[-1] += token.expression
        position = token.end
    first, *rest = chunks
    if not rest:
        return first
    *middle, last = rest
    # The first place where a chunk fits is as good as any later one, so it is never given back.
    return first + "".join(f"(?>.*?{chunk})" for chunk in middle if chunk) + ".*" + last


class _Token(NamedTuple):
    """A piece of a regular expression, and where in the pattern it ends."""

    expression: str
    end: int


def _read_token(segment: str, position: int) -> _Token | None:
    """Read one character of a pattern, or what stands for one."""
    sign = segment[position]
    if sign == "?":
        return _Token(".", position + 1)
    if sign == "[":
        return _read_class(segment, position + 1)
    if sign == "\\":
        escaped = segment[position + 1 : position + 2]
        return _Token(re.escape(escaped), position + 2) if escaped else None
    return _Token(re.escape(sign), position + 1)


def _read_class(segment: str, position: int) -> _Token | None:
    """Read a class of characters from behind its bracket; None where it does not end."""
    is_negated = segment[position : position + 1] in {"!", "^"}
    position += is_negated
    start = position
    items = ""
    while position < len(segment) and (segment[position] != "]" or position == start):
        named = re.match(r"\[:(\w*):\]", segment[position:])
        if named:
            if named[1] not in _POSIX:
                return None
            items += _POSIX[named[1]]
            position += named.end()
            continue
        low, position = _read_member(segment, position)
        high = low
        if segment[position : position + 1] == "-" and segment[position + 1 : position + 2] != "]":
            high, position = _read_member(segment, position + 1)
        if low <= high:
            items += f"{re.escape(low)}-{re.escape(high)}"
    if position >= len(segment):
        return None
    if not items:
        return _Token("." if is_negated else "(?!)", position + 1)
    return _Token(f"[{'^' * is_negated}{items}]", position + 1)


def _read_member(segment: str, position: int) -> tuple[str, int]:
    """Read one character of a class, which may stand behind a backslash."""
    position += segment[position : position + 1] == "\\"
    return segment[position : position + 1], position + 1
