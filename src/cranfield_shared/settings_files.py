"""Files that are read whole: bounded before they are read, and TOML before it is parsed.

`tomllib` remembers every beginning of a dotted key, so one key of 100 KB takes 9.9 GB. Nobody
writes such keys; they are refused like a mistake of syntax, with their line.
"""

from __future__ import annotations

import errno
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "parse_toml",
    "read_limited",
    "read_settings",
    "render_key",
    "render_value",
]

_MOST_BYTES = 8 << 20
"""Bytes of a file that people write: tens of thousands of queries."""

_MOST_PARTS = 100
_MOST_REMEMBERED = 10_000_000
"""Parts of all beginnings of all long keys."""

_PART = r"(?:[\w-]++|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')"
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}[ \t]*+\.[ \t]*+){{15,}}+", re.ASCII)
_PARTS = re.compile(rf"{_PART}[ \t]*+\.", re.ASCII)


def read_limited(path: Path, most: int = _MOST_BYTES) -> bytes:
    """Read a file; one with more bytes than `most` raises OSError and is not read on."""
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        message = f"it has more than {most >> 20} MiB, the limit; split it, or name another file"
        raise OSError(errno.EFBIG, message)
    return content


def read_settings(path: Path) -> str:
    """Read a text that people write, in UTF-8; raises OSError if it is too large."""
    text = read_limited(path).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML; raises TOMLDecodeError also for more than it is safe to parse."""
    # Every command imports this module, and few read TOML.
    import tomllib

    _refuse_large(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply; write fewer brackets") from None
    except ValueError as problem:  # a number of thousands of digits
        raise tomllib.TOMLDecodeError(str(problem)) from None


def _refuse_large(text: str) -> None:
    import tomllib

    if len(text) > _MOST_BYTES:
        raise tomllib.TOMLDecodeError(
            f"it has more than {_MOST_BYTES >> 20} MiB, the limit; split it"
        )
    remembered = 0
    for found in _LONG_KEY.finditer(text):
        parts = len(_PARTS.findall(found[0])) + 1
        remembered += parts * parts
        if parts > _MOST_PARTS or remembered > _MOST_REMEMBERED:
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            limit = f"a key has {parts:,} parts, the limit is {_MOST_PARTS}"
            if parts <= _MOST_PARTS:
                limit = "too many keys have many parts"
            raise tomllib.TOMLDecodeError(
                f"{limit}; write fewer dots (at line {line}, column {column})"
            )


_BARE_KEY = re.compile(r"[\w-]+", re.ASCII)


def render_key(name: str) -> str:
    """Render a TOML key, quoted only if it must be."""
    return name if _BARE_KEY.fullmatch(name) else _quote(name)


def render_value(value: Any) -> str:
    """Render a TOML value on one line; a text with backslashes as a literal string.

    A text of several lines is rendered as such.
    """
    if isinstance(value, str):
        return _render_text(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{render_key(name)} = {render_value(it)}" for name, it in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(render_value, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _render_text(text: str) -> str:
    if not all(line.isprintable() for line in text.split("\n")):
        return _quote(text)
    if "\n" in text.strip() and "'''" not in text:
        return f"'''\n{text}'''"
    return f"'{text}'" if "\\" in text and "'" not in text and "\n" not in text else _quote(text)


def _quote(text: str) -> str:
    """Render a basic string, which is a JSON string except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
