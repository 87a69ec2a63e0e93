"""Values as TOML writes them."""

from __future__ import annotations

import json
import re
from typing import Any

__all__ = ["write_key", "write_value"]

_BARE = re.compile(r"[\w-]+", re.ASCII)


def write_key(name: str) -> str:
    """Write a key, in quotation marks only where it needs them."""
    return name if _BARE.fullmatch(name) else _quote(name)


def write_value(value: Any) -> str:
    """Write a text, a number, a list or a table, on one line; what has backslashes as it is."""
    if isinstance(value, str):
        is_plain = "\\" in value and "'" not in value and value.isprintable()
        return f"'{value}'" if is_plain else _quote(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{write_key(name)} = {write_value(it)}" for name, it in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_value, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quote(text: str) -> str:
    """Write a basic string, which is one of JSON but for the delete sign."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
