"""Front matter: the block of YAML or TOML fields at the start of a Markdown page.

Every value is a tuple, even a single one; nested fields are named with dots. YAML that people
write but no YAML parser accepts (`title: A: b`) is read line by line. Nothing is an error: what
cannot be understood is left out, and the page is read without it.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield_shared.settings_files import parse_toml
from stacks.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FrontMatter", "split_front_matter"]

_KEY = re.compile(r"(\s*)([\"']?)([\w@][\w .@/-]{0,80}?)\2\s*:(?:\s+(.*)|\s*)$")
_ITEM = re.compile(r"\s*-\s+(.*)$")
_COMMENT = re.compile(r"\s+#.*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^']|'')*+)'")
_LISTED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^']|'')*+'|[^,\"']++|[\"']")
_ESCAPED = re.compile(r"\\(.)")
_LINE_BREAK = re.compile(r"\s*\n\s*")
_NESTING = re.compile(r"[\[{]|[-?](?=\s)")
_BLOCK_STYLES = ("|", ">", "|-", ">-", "|+", ">+")
_ENDS = {"---": {"---", "..."}, "+++": {"+++"}}
_LONGEST = 2000  # lines; a longer block is not front matter
_LONGEST_YAML = 65_536  # characters; a longer block is read line by line
_DEEPEST_YAML = 1000  # brackets and dashes that might nest: the C parser has no limit of its own
_LARGEST_VALUE = 100_000  # characters of all fields, with every alias written out


class FrontMatter(NamedTuple):
    """The fields of a page and the text below them."""

    fields: Mapping[str, tuple[str, ...]]
    body: str

    def get(self, *names: str) -> str:
        """Return the first of the named fields that is set, its values joined by commas."""
        return next((", ".join(self.fields[name]) for name in names if self.fields.get(name)), "")


def split_front_matter(text: str) -> FrontMatter:
    """Split a page into its fields and its body.

    A block that is never closed ends at the first line that is not a field.
    """
    text = text.lstrip("\ufeff")
    lines = text.lstrip("\n").split("\n", _LONGEST + 1)
    mark = lines[0].rstrip()
    if mark not in _ENDS or not _begins_with_field(lines, mark):
        return FrontMatter({}, text)
    rest = lines[1:]
    end = next((n for n, line in enumerate(rest) if line.rstrip() in _ENDS[mark]), None)
    body_start = end + 1 if end is not None else _find_last_field(rest)
    inside = rest[:end] if end is not None else rest[:body_start]
    fields = _read_toml(inside) if mark == "+++" else _read_yaml(inside)
    return FrontMatter(fields, "\n".join(rest[body_start:]))


def _begins_with_field(lines: list[str], mark: str) -> bool:
    """Return whether a block is front matter and not text below a horizontal rule."""
    first = next((line for line in lines[1:] if line.strip()), "").strip()
    if mark == "+++":
        return True
    return first in _ENDS[mark] or first.startswith("#") or bool(_KEY.match(first[:500]))


def _find_last_field(lines: list[str]) -> int:
    """Find where the fields of an unclosed block end."""
    for position, line in enumerate(lines):
        is_field = line[:1] in {" ", "\t", "-"} or _KEY.match(line[:500]) or " = " in line[:100]
        if not line.strip() or not is_field:
            return position
    return len(lines)


def _read_toml(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Read TOML; an invalid block has no fields."""
    try:
        return _flatten(parse_toml("\n".join(lines)))
    except (tomllib.TOMLDecodeError, RecursionError, _TooLargeError):
        return {}


def _read_yaml(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Read YAML, or read line by line what is not YAML or too large to be trusted."""
    text = "\n".join(lines)
    if len(text) > _LONGEST_YAML or len(_NESTING.findall(text)) > _DEEPEST_YAML:
        return _read_lines(lines)
    yaml = _import_yaml()
    # The loader of plain strings: no types, no tags, no objects.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        loaded = yaml.load(text, Loader=loader)
        return _flatten(loaded) if isinstance(loaded, dict) else _read_lines(lines)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, _TooLargeError):
        return _read_lines(lines)


def _import_yaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise SourceError(
            f"front matter is read with PyYAML: pip install 'cranfield[stacks]' ({error})"
        ) from error
    return yaml


class _TooLargeError(Exception):
    """Fields whose aliases, written out, are too large."""


def _flatten(fields: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Name nested fields with dots, in lower case, and write all values as text."""
    flat: dict[str, tuple[str, ...]] = {}
    size = 0
    waiting: list[tuple[str, Any]] = [("", fields)]
    while waiting:
        name, value = waiting.pop()
        size += 1
        if isinstance(value, dict):
            # What `<<` merges comes first, so the fields themselves override it.
            ordered = sorted(value.items(), key=lambda pair: pair[0] != "<<")
            inner = [(name if key == "<<" else f"{name}.{key}", each) for key, each in ordered]
            waiting.extend((path.strip(".").lower(), each) for path, each in reversed(inner))
        else:
            flat[name] = tuple(_write_all(value))
            size += sum(map(len, flat[name]))
        if size > _LARGEST_VALUE:
            raise _TooLargeError
    return {name: _strip(values) for name, values in flat.items() if any(_strip(values))}


def _write_all(value: object) -> Iterator[str]:
    """Write a value, or the items of a list; a table in a list is one item, `key: value, …`."""
    size = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(reversed(item))
            text = ""
        elif isinstance(item, dict):
            pairs = ((str(key), ", ".join(_write_all(each))) for key, each in item.items())
            text = ", ".join(f"{key}: {each}" for key, each in pairs)
            yield text
        else:
            text = str(item).lower() if isinstance(item, bool) else str(item)
            yield _LINE_BREAK.sub(" ", text)
        size += len(text) + 1
        if size > _LARGEST_VALUE:
            raise _TooLargeError


def _read_lines(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Read fields line by line, as people write them."""
    fields: dict[str, tuple[str, ...]] = {}
    owners: list[tuple[int, str]] = []  # the fields that the next lines may belong to
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        field = _KEY.match(line) if len(line) < 100_000 else None
        if field and not _is_within_text(fields, owners, line):
            indent = len(field.group(1))
            owners = [owner for owner in owners if owner[0] < indent]
            name = ".".join([*(owner[1] for owner in owners), field.group(3).lower()])
            owners = [*owners, (indent, field.group(3).lower())]
            fields[name] = _read_value(field.group(4) or "")
        elif owners:
            name = ".".join(owner[1] for owner in owners)
            fields[name] = _extend(fields.get(name, ()), line)
    return {name: _strip(values) for name, values in fields.items() if any(_strip(values))}


def _is_within_text(
    fields: Mapping[str, tuple[str, ...]], owners: list[tuple[int, str]], line: str
) -> bool:
    """Return whether a line with a colon continues a text that began above it."""
    if not owners:
        return False
    begun = fields.get(".".join(owner[1] for owner in owners), ())
    return bool(begun) and len(line) - len(line.lstrip()) > owners[-1][0]


def _read_value(written: str) -> tuple[str, ...]:
    """Read the value after a colon."""
    written = written.strip()
    if written.startswith("[") and written.rstrip().endswith("]"):
        parts = (part.strip() for part in _join_parts(written[1:-1]))
        return tuple(_unquote(part) for part in parts if part)
    if written in _BLOCK_STYLES:
        return ("",)
    return (_unquote(written),) if written and not written.startswith("#") else ()


def _join_parts(written: str) -> list[str]:
    """Split a list at the commas outside quotes."""
    parts = [""]
    position = 0
    for match in _LISTED.finditer(written):
        if "," in written[position : match.start()]:
            parts.append("")
        parts[-1] += match.group()
        position = match.end()
    return parts


def _extend(values: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Add a line to a field: another item of its list, or more of its text."""
    item = _ITEM.match(line)
    if item and values[:1] != ("",) and (len(values) != 1 or not values[0].endswith(":")):
        return (*values, _unquote(item.group(1).strip()))
    text = line.strip()
    return (*values[:-1], f"{values[-1]} {text}".strip() if values else text)


def _unquote(written: str) -> str:
    """Remove quotes or a comment from a value."""
    quoted = _QUOTED.match(written)
    if quoted is None:
        return _COMMENT.sub("", written)
    double, single = quoted.groups()
    return _ESCAPED.sub(r"\1", double) if double is not None else single.replace("''", "'")


def _strip(values: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out empty values."""
    return tuple(value.strip() for value in values if value.strip())
