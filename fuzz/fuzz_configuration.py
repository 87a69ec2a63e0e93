"""Configurations: a spoilt `cranfield.toml` is read, or refused with a message; nothing is run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.evaluation.project import open_project
from mutations import spoil

if TYPE_CHECKING:
    from random import Random

BUNDLED = Path(__file__).resolve().parents[1] / "suites"
_KINDS = b"""
suites = ["suite.toml"]

[systems.old]
kind = "command"
run = ["false", "{query}", "--limit", "{k}"]
timeout = 3

[systems.new]
kind = "http"
url = "http://127.0.0.1:9/search?q={query}"
headers = { "X-Name" = "value" }

[systems.agent]
kind = "mcp"
run = ["false"]
tool = "search"

[modes.nightly]
systems = ["old", "new"]
beats = "old"
reports = { json = "out/{suite}.json" }

[[thresholds]]
measure = "nDCG@10"
at_least = 0.5
"""
FILES = [_KINDS, *(path.read_bytes() for path in sorted(BUNDLED.glob("*/cranfield.toml")))]


def attack(random: Random, folder: Path) -> None:
    """Open a project with a spoilt configuration."""
    path = folder / "cranfield.toml"
    path.write_bytes(spoil(random, random.choice(FILES)))
    with suppress(CranfieldError):
        open_project(path)
