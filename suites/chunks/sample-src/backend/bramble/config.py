"""Settings: built-in values, then a TOML file, then the environment; the last one wins."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Mapping

PREFIX = "BRAMBLE_"
HIDDEN = {"smtp_password", "signing_key"}


@dataclass(frozen=True)
class Settings:
    database: str = "bramble.sqlite"
    branch: str = "main"
    smtp_host: str = "localhost"
    smtp_port: int = 25
    smtp_password: str = ""
    signing_key: str = ""
    page_size: int = 25
    requests_per_minute: int = 120
    session_hours: float = 8.0
    debug: bool = False


def load_settings(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    settings = Settings()
    if path is not None and path.exists():
        settings = replace(settings, **_read_file(path))
    return replace(settings, **_read_environment(environ))


def _read_file(path: Path) -> dict[str, Any]:
    known = {each.name for each in fields(Settings)}
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = sorted(set(given) - known)
    if unknown:
        raise ValueError(f"{path}: unknown settings {', '.join(unknown)}")
    return given


def _read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Pick BRAMBLE_* variables and give each the type of its default."""
    found: dict[str, Any] = {}
    for each in fields(Settings):
        raw = environ.get(PREFIX + each.name.upper())
        if raw is not None:
            found[each.name] = _convert(raw, type(each.default))
    return found


def _convert(raw: str, kind: type) -> Any:
    if kind is bool:
        return raw.strip().lower() in {"1", "true", "yes", "on"}
    return kind(raw)


def describe(settings: Settings) -> dict[str, Any]:
    """For the status page: what is in force, with a row of dots where nobody should look."""
    return {
        each.name: "•••" if each.name in HIDDEN else getattr(settings, each.name)
        for each in fields(settings)
    }
