from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.corpus

DOCS = Path(__file__).parents[2] / "docs"


def test_the_documented_help_pages_are_the_printed_ones() -> None:
    built = runpy.run_path(str(DOCS / "build_commands.py"))["help_pages"]()
    assert (DOCS / "commands.md").read_text() == built, "run: python docs/build_commands.py"
