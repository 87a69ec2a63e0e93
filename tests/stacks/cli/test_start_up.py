"""What a command imports before it does anything: help pages need no engine, words no model."""

from __future__ import annotations

import subprocess
import sys

import pytest

from stacks.cli.main import COMMANDS, build_app

pytestmark = pytest.mark.process

LIST_MODULES = "print(*sorted(__import__('sys').modules))"


def list_imported(code: str) -> set[str]:
    """Run code in a fresh interpreter; return the names of all modules that it imported."""
    command = [sys.executable, "-c", f"{code}\n{LIST_MODULES}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_all_commands_are_built_without_the_engine() -> None:
    imported = list_imported("from stacks.cli.main import build_app\nbuild_app()")
    assert "stacks.cli.search_command" in imported
    assert not imported & {"stacks.query", "stacks.sources", "numpy", "tomllib"}


def test_one_command_is_built_without_the_others() -> None:
    imported = list_imported("from stacks.cli.main import build_app\nbuild_app(['search'])")
    assert "stacks.cli.search_command" in imported
    assert not imported & {"stacks.cli.save_command", "stacks.cli.serve_command"}


def test_the_engine_is_imported_when_its_names_are_used() -> None:
    assert "stacks.query" not in list_imported("import stacks")
    assert "stacks.query" in list_imported("import stacks\nstacks.open")
    assert "numpy" not in list_imported("import stacks\nstacks.open")


def test_an_application_of_one_command_still_takes_its_name() -> None:
    assert [each.name for each in build_app(["search"]).registered_commands] == [
        "search",
        None,  # completion, named by its function
    ]
    assert list(COMMANDS) == [
        *("save", "search", "read", "symbols", "conformances", "inheritance", "examples"),
        *("serve", "list", "doctor", "bundle", "export"),
    ]
