"""Slices: what each offers is its own, is there, and is all that is missing without it."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from cranfield.cli.commands import list_help_lines
from cranfield.slices import load_slices

SOURCE = Path(__file__).parents[1] / "src"
SLICES = sorted(load_slices())
OFFERS = [
    (name, group, offered, place)
    for name, each in load_slices().items()
    for group, things in each.offers.items()
    for offered, place in things.items()
]


@pytest.mark.parametrize("name", SLICES)
def test_what_a_slice_says_of_itself_loads_nothing(name: str) -> None:
    for file in ("slice.py", "__init__.py"):
        tree = ast.parse((SOURCE / "cranfield" / name / file).read_text())
        imported = [each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
        assert set(imported) <= {"__future__", "cranfield.slices"}, file
        assert not [each for each in ast.walk(tree) if isinstance(each, ast.Import)], file


@pytest.mark.parametrize(
    ("name", "group", "offered", "place"), OFFERS, ids=[f"{each[1]} {each[2]}" for each in OFFERS]
)
def test_what_a_slice_offers_is_there_and_its_own(
    name: str, group: str, offered: str, place: str
) -> None:
    module, _, attribute = place.partition(":")
    assert module.startswith(f"cranfield.{name}."), f"{group} {offered}"
    assert hasattr(import_module(module), attribute), f"{group} {offered}"


def test_every_command_has_its_help_line() -> None:
    for name, each in load_slices().items():
        assert each.commands.keys() == each.offers.get("cranfield.commands", {}).keys(), name
    assert all(line.endswith(".") for line in list_help_lines().values())


@pytest.mark.process
def test_without_its_slices_the_core_is_whole(tmp_path: Path) -> None:
    """Every module of the core can be imported, and the command line lists what is left."""
    for package in ("cranfield", "cranfield_shared"):
        shutil.copytree(SOURCE / package, tmp_path / package)
    for name in SLICES:
        shutil.rmtree(tmp_path / "cranfield" / name)
    script = (
        "import cranfield, importlib, pkgutil\n"
        "for each in pkgutil.walk_packages(cranfield.__path__, 'cranfield.'):\n"
        "    if not each.name.endswith(('__main__', 'sql_reader', 'watchdog')):\n"
        "        importlib.import_module(each.name)\n"
        "from cranfield.cli import app\n"
        "app(['--help'], standalone_mode=False)\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "compare" in shown
    offered = [line for each in load_slices().values() for line in each.commands.values()]
    assert not [line for line in offered if line in shown]
