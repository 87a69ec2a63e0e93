"""The block of fields at the head of a Markdown page, in the YAML and TOML that people write there.

Every value is a tuple, a single one too; fields within fields are named with dots. Nothing is an
error: what cannot be understood is left out, and the page is read without it.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["FrontMatter", "split_front_matter"]

_KEY = re.compile(r"(\s*)([\"']?)([\w@][\w .@/-]{0,80}?)\2\s*:(?:\s+(.*)|\s*)$")
_ITEM = re.compile(r"\s*-\s+(.*)$")
_COMMENT = re.compile(r"\s+#.*$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^']|'')*+)'")
_LISTED = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^']|'')*+'|[^,\"']++|[\"']")
_ESCAPED = re.compile(r"\\(.)")
_BLOCK_STYLES = ("|", ">", "|-", ">-", "|+", ">+")
_ENDS = {"---": {"---", "..."}, "+++": {"+++"}}
_LONGEST = 2000  # lines; what is longer is no front matter


class FrontMatter(NamedTuple):
    """The fields of a page and the text below them."""

    fields: Mapping[str, tuple[str, ...]]
    body: str

    def get(self, *names: str) -> str:
        """Return the first of the named fields that is set, several values joined by commas."""
        return next((", ".join(self.fields[name]) for name in names if self.fields.get(name)), "")


def split_front_matter(text: str) -> FrontMatter:
    """Split a page into its fields and its body.

    A block that is never closed ends at the first line that is no field.
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
    """Tell front matter from a page that begins with a rule."""
    first = next((line for line in lines[1:] if line.strip()), "").strip()
    if mark == "+++":
        return True
    return first in _ENDS[mark] or first.startswith("#") or bool(_KEY.match(first[:500]))


def _find_last_field(lines: list[str]) -> int:
    """Find where the fields of a block end that nothing closes."""
    for position, line in enumerate(lines):
        is_field = line[:1] in {" ", "\t", "-"} or _KEY.match(line[:500]) or " = " in line[:100]
        if not line.strip() or not is_field:
            return position
    return len(lines)


def _read_toml(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Read TOML; a block that is none gives no fields."""
    try:
        return dict(_flatten("", tomllib.loads("\n".join(lines))))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _flatten(name: str, value: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name the values within values with dots, in lower case."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flatten(f"{name}.{key}".strip(".").lower(), inner)
    elif isinstance(value, list):
        yield name, tuple(_write(item) for item in value if not isinstance(item, dict | list))
    else:
        yield name, (_write(value),)


def _write(value: object) -> str:
    """Write a value as YAML would have it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_yaml(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Read the part of YAML that front matter is written in."""
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
    """Tell whether a line with a colon goes on with a text that began above it."""
    if not owners:
        return False
    begun = fields.get(".".join(owner[1] for owner in owners), ())
    return bool(begun) and len(line) - len(line.lstrip()) > owners[-1][0]


def _read_value(written: str) -> tuple[str, ...]:
    """Read what stands behind a colon."""
    written = written.strip()
    if written.startswith("[") and written.rstrip().endswith("]"):
        parts = (part.strip() for part in _join_parts(written[1:-1]))
        return tuple(_unquote(part) for part in parts if part)
    if written in _BLOCK_STYLES:
        return ("",)
    return (_unquote(written),) if written and not written.startswith("#") else ()


def _join_parts(written: str) -> list[str]:
    """Split a list at the commas that are not within quotes."""
    parts = [""]
    position = 0
    for match in _LISTED.finditer(written):
        if "," in written[position : match.start()]:
            parts.append("")
        parts[-1] += match.group()
        position = match.end()
    return parts


def _extend(values: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Add a line to a field: one more value of a list, or more of its text."""
    item = _ITEM.match(line)
    if item and values[:1] != ("",) and (len(values) != 1 or not values[0].endswith(":")):
        return (*values, _unquote(item.group(1).strip()))
    text = line.strip()
    return (*values[:-1], f"{values[-1]} {text}".strip() if values else text)


def _unquote(written: str) -> str:
    """Take quotes or a comment off a value."""
    quoted = _QUOTED.match(written)
    if quoted is None:
        return _COMMENT.sub("", written)
    double, single = quoted.groups()
    return _ESCAPED.sub(r"\1", double) if double is not None else single.replace("''", "'")


def _strip(values: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out empty values."""
    return tuple(value.strip() for value in values if value.strip())
