"""What all kinds of systems have in common."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from cranfield.errors import SystemUnusableError, UnknownNameError
from cranfield.systems import PRESETS, SYSTEMS, SystemSpec, open_system

KINDS = ["command", "http", "mcp", "postgres", "python", "recorded", "runfile", "stacks"]


def test_every_kind_is_there() -> None:
    assert SYSTEMS.names() == KINDS
    assert PRESETS.names() == ["elasticsearch", "meilisearch", "opensearch", "solr", "typesense"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_kind_can_be_read(kind: str) -> None:
    told = msgspec.toml.decode(SYSTEMS.get(kind).example)
    assert told.pop("kind") == kind
    assert SystemSpec("example", kind, told, Path()).read_settings()


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_setting_suggests_near_ones(kind: str) -> None:
    spec = SystemSpec("mine", kind, {"preparre": 3, "corpuss": 4}, Path())
    with pytest.raises(SystemUnusableError) as refused:
        spec.read_settings()
    for wrong, right in (("preparre", "prepare"), ("corpuss", "corpus")):
        known = f"unknown setting of the kind {kind} {wrong!r}: did you mean {right}"
        assert known in str(refused.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_time_limit_is_refused_if_nothing_can_be_stopped(kind: str) -> None:
    """An option is honoured or refused, never ignored."""
    told = {**msgspec.toml.decode(SYSTEMS.get(kind).example), "timeout": 5}
    told.pop("kind")
    spec = SystemSpec("mine", kind, told, Path())
    if kind in ("command", "http", "mcp", "postgres"):
        assert spec.read_settings().timeout == 5
        return
    with pytest.raises(SystemUnusableError, match=f"timeout has no effect on the kind {kind}: "):
        spec.read_settings()


def test_an_unknown_kind_suggests_near_ones() -> None:
    with pytest.raises(UnknownNameError, match="unknown kind of system 'comand': did you mean co"):
        open_system(SystemSpec("mine", "comand", {}, Path()), {})


def test_a_system_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    spec = SystemSpec("mine", "command", {"run": ["./gone", "{query}"]}, tmp_path)
    with pytest.raises(SystemUnusableError, match=r"^system 'mine': the program .*gone does not"):
        open_system(spec, {}).check()


def test_paths_start_from_the_folder_and_the_database_comes_first(tmp_path: Path) -> None:
    told = {"run": ["x", "{query}"], "files": ["x", "index.db"], "database": "index.db"}
    spec = SystemSpec("mine", "command", told, tmp_path)
    assert spec.paths() == [tmp_path / "index.db", tmp_path / "x"]
    assert spec.database == tmp_path / "index.db"


@pytest.mark.process
def test_nothing_is_loaded_before_it_is_needed() -> None:
    script = (
        "import sys, cranfield.systems\n"
        "sys.exit(', '.join({'httpx', 'asyncio', 'mcp', 'regex', 'numpy'} & set(sys.modules)))"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert finished.stderr.strip() == b""


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("command", "run", True),  # a list of texts
        ("command", "env", True),  # a table of texts
        ("http", "url", True),
        ("http", "body", False),  # any JSON
        ("stacks", "rrf_k", False),
        ("stacks", "weights", False),  # a table of numbers
        ("python", "arguments", False),
        ("python", "no_such_setting", False),
    ],
)
def test_a_kind_says_which_settings_hold_texts_alone(kind: str, name: str, expected: bool) -> None:
    assert SYSTEMS.get(kind).takes_texts(name) is expected
