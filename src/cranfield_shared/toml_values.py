"""Keys and values as TOML has them, for files that people go on writing."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["render_key", "render_value"]

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
