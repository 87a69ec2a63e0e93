"""The files of a folder in a stable order, without those that rules as in Git ignore.

A rule is matched one segment of a path at a time, without backtracking, so the time for any
rule is proportional to the length of the path.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from stacks.errors import SourceError
from stacks.sources.folders import read_regular
from stacks.sources.paths import get_reason, make_printable
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "IGNORE_FILES",
    "FoundFile",
    "IgnoreRule",
    "RuleLayer",
    "is_ignored",
    "is_never_entered",
    "parse_rules",
    "walk_files",
]

_LARGEST_RULES = 2**20  # bytes


IGNORE_FILES = (".gitignore", ".stacksignore")
"""The files with rules for their folder; of two rules that match, the later one decides."""
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
_LEFT_BESIDE = "._"  # macOS metadata on disks of other systems
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


class FoundFile(NamedTuple):
    """Anything in a folder except a folder; `key` is its path in a form that can be stored."""

    key: str
    path: tuple[str, ...]
    entry: os.DirEntry[str]


class _Waiting(NamedTuple):
    """An entry that was listed but not visited yet, with the ignore rules of its folder."""

    found: FoundFile
    rules: RuleLayer | None


def walk_files(root: Path) -> Iterator[FoundFile | PageError]:
    """Yield the files of a folder and its subfolders in the order of their names.

    Raises `SourceError` if the folder itself cannot be listed.
    """
    try:
        waiting = _list_folder(str(root), (), None)
    except OSError as error:
        raise SourceError(
            f"{root} cannot be listed: {get_reason(error)}; give a folder that can be read"
        ) from None
    while waiting:
        item = waiting.pop()
        if isinstance(item, PageError):
            yield item
            continue
        found, rules = item
        is_folder = False
        try:
            is_folder = found.entry.is_dir(follow_symlinks=False)
            if is_never_entered(found.path) or is_ignored(rules, found.path, is_folder=is_folder):
                continue
            if is_folder:
                waiting += _list_folder(found.entry.path, found.path, rules)
        except OSError as error:
            yield PageError(f"{found.key} cannot be listed: {get_reason(error)}")
            continue
        if not is_folder:
            yield found


def _list_folder(
    place: str, path: tuple[str, ...], above: RuleLayer | None
) -> list[_Waiting | PageError]:
    """List one folder, last name first, with its own rules and those above it."""
    with os.scandir(place) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    prefix = "".join(f"{make_printable(folder)}/" for folder in path)
    items: list[_Waiting | PageError] = []
    rules = _read_rules(ordered, prefix, len(path), above)
    if isinstance(rules, PageError):
        items.append(rules)
        rules = above
    taken: set[str] = set()
    for entry in ordered:
        name = make_printable(entry.name)
        if name in taken:
            items.append(PageError(f"{prefix}{name} is written like another name beside it"))
            continue
        if "\\" in name:
            taken.add(name)
        items.append(_Waiting(FoundFile(prefix + name, (*path, entry.name), entry), rules))
    items.reverse()
    return items


def _read_rules(
    entries: list[os.DirEntry[str]], prefix: str, depth: int, above: RuleLayer | None
) -> RuleLayer | PageError | None:
    """Read the ignore rules of a folder; those of `.stacksignore` come last, so they decide."""
    files = {entry.name: entry for entry in entries if entry.name in IGNORE_FILES}
    texts: list[str] = []
    for name in IGNORE_FILES:
        entry = files.get(name)
        if entry is None or not entry.is_file(follow_symlinks=False):
            continue
        regular = read_regular(entry.path, prefix + name, _LARGEST_RULES)
        if isinstance(regular, PageError):
            continue  # reported when the file itself is read
        if regular.data is None:
            return PageError(
                f"{prefix}{name} has {regular.size:,} bytes; its rules are not respected, "
                f"at most {_LARGEST_RULES:,} bytes are read"
            )
        texts.append(regular.data.decode("utf-8", "surrogateescape"))
    rules = parse_rules("\n".join(texts))
    return RuleLayer(rules, depth, above) if rules else above


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file; a part that is None matches any number of folders."""

    parts: tuple[re.Pattern[str] | None, ...]
    is_negated: bool = False
    only_folders: bool = False

    def matches(self, path: tuple[str, ...], *, is_folder: bool) -> bool:
        """Return whether the rule matches a path below its folder."""
        if self.only_folders and not is_folder:
            return False
        if len(self.parts) == 2 and self.parts[0] is None and self.parts[1] is not None:
            return self.parts[1].fullmatch(path[-1]) is not None
        places = self._reach({0})
        for name in path:
            places = self._reach({after for place in places for after in self._step(place, name)})
        return len(self.parts) in places

    def _step(self, place: int, name: str) -> Iterator[int]:
        """Yield the positions in the rule that can follow a name."""
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
        """Add the positions reached without a name; a final `**` needs one (`a/**` is not `a`)."""
        reached = set(places)
        for place in sorted(places):
            after = place
            while after < len(self.parts) - 1 and self.parts[after] is None:
                after += 1
                reached.add(after)
        return reached


class RuleLayer(NamedTuple):
    """The rules of a folder, its depth, and the rules of the folders above it."""

    rules: tuple[IgnoreRule, ...]
    depth: int
    above: RuleLayer | None = None


def is_ignored(layer: RuleLayer | None, path: tuple[str, ...], *, is_folder: bool) -> bool:
    """Return whether a path is ignored: the nearest folder decides, and in it the last rule."""
    while layer is not None:
        below = path[layer.depth :]
        for rule in reversed(layer.rules):
            if rule.matches(below, is_folder=is_folder):
                return not rule.is_negated
        layer = layer.above
    return False


def is_never_entered(path: tuple[str, ...]) -> bool:
    """Return whether a path is never entered, whatever the rules: caches, version control."""
    name = path[-1]
    if name in _NEVER or name.startswith(_LEFT_BESIDE):
        return True
    return any(path[-len(place) :] == place for place in _NEVER_PATHS)


def parse_rules(text: str) -> tuple[IgnoreRule, ...]:
    """Parse an ignore file; as in Git, invalid lines are skipped."""
    lines = text.removeprefix("\ufeff").split("\n")
    return tuple(rule for line in lines if (rule := _parse_rule(line.removesuffix("\r"))))


def _parse_rule(line: str) -> IgnoreRule | None:
    """Parse one line; None for blank lines, comments and invalid rules."""
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
    return IgnoreRule(tuple(parts), is_negated, only_folders)


def _strip_spaces(line: str) -> str:
    """Strip trailing spaces, except one after a backslash."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(line) else bare


def _translate(segment: str) -> str | None:
    """Translate one segment of a pattern to a regular expression; None if it matches nothing."""
    chunks = [""]  # between stars
    position = 0
    while position < len(segment):
        character = segment[position]
        if character == "*":
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
    # The first match of a chunk is as good as any later one, so no backtracking is needed.
    return first + "".join(f"(?>.*?{chunk})" for chunk in middle if chunk) + ".*" + last


class _Token(NamedTuple):
    """Part of a regular expression, and its end in the pattern."""

    expression: str
    end: int


def _read_token(segment: str, position: int) -> _Token | None:
    """Read one character of a pattern, or a wildcard for one."""
    character = segment[position]
    if character == "?":
        return _Token(".", position + 1)
    if character == "[":
        return _read_class(segment, position + 1)
    if character == "\\":
        escaped = segment[position + 1 : position + 2]
        return _Token(re.escape(escaped), position + 2) if escaped else None
    return _Token(re.escape(character), position + 1)


def _read_class(segment: str, position: int) -> _Token | None:
    """Read a character class after its bracket; None if it is not closed."""
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
    """Read one character of a class, which may be escaped."""
    position += segment[position : position + 1] == "\\"
    return segment[position : position + 1], position + 1
