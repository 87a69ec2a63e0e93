"""A look into a program's own configuration before anything is asked: is it the right index?"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.systems.paths import JsonPath

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ConfigCheck"]


class ConfigCheck(msgspec.Struct, forbid_unknown_fields=True):
    """A value that a JSON or TOML file has to hold. `key` is a path, such as `index.path`."""

    file: str
    key: str
    equals: Any

    def __post_init__(self) -> None:
        JsonPath(self.key)

    def check(self, folder: Path) -> None:
        """Raise SystemUnusableError unless the file holds the value."""
        path = folder / self.file
        found = JsonPath(self.key).all(_read(path))
        if not found:
            raise SystemUnusableError(
                f"its configuration {path} has no {self.key}, expected {self.equals!r}; "
                "mend the file, or the key in config"
            )
        if found[0] != self.equals:
            raise SystemUnusableError(
                f"its configuration {path} says {self.key} = {found[0]!r}, expected "
                f"{self.equals!r}; it would search something else"
            )


def _read(path: Path) -> Any:
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise SystemUnusableError(
            f"its configuration {path} cannot be read: {problem.strerror}; mend config.file"
        ) from None
    is_toml = path.suffix == ".toml"
    try:
        return tomllib.loads(content.decode()) if is_toml else msgspec.json.decode(content)
    except (ValueError, RecursionError) as problem:
        form = "TOML" if is_toml else "JSON"
        raise SystemUnusableError(f"its configuration {path} is not {form}: {problem}") from None
