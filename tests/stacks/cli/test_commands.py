"""The command as people type it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HANDBOOK = {
    "deploy.md": "# Deploying\n\nHow to ship a release to production servers.\n",
    "rollback.md": "# Rolling back\n\nUndo a release that went wrong.\n",
    "alerts/paging.md": "# Paging\n\nWho is woken at night.\n",
}


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    for name, text in HANDBOOK.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def stacks(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `stacks` with its home in the test's folder."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "STACKS_HOME": str(tmp_path / "home")}
        command = [sys.executable, "-m", "stacks", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
        )

    return run


Run: TypeAlias = "Callable[..., subprocess.CompletedProcess[str]]"


def test_save_then_search_then_read(stacks: Run, handbook: Path) -> None:
    saved = stacks("save", "--from", f"markdown={handbook}")
    assert saved.returncode == 0, saved.stderr
    assert "3 documents" in saved.stdout
    assert "markdown: 3 pages read, 3 documents written" in saved.stdout
    found = stacks("search", "undo a release")
    assert found.stdout.splitlines()[0].startswith(" 1. Rolling back")
    uri = found.stdout.splitlines()[1].strip()
    read = stacks("read", uri)
    assert "Undo a release that went wrong." in read.stdout
    assert read.returncode == 0


def test_search_as_json_has_every_field_a_program_wants(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    report = json.loads(stacks("search", "release", "--format", "json", "--explain").stdout)
    assert report["query"] == "release"
    first = report["hits"][0]
    assert {"rank", "uri", "title", "score", "source", "kind", "summary"} <= first.keys()
    assert first["explanation"]["standing"]["rank"] == 1


def test_explain_shows_columns_factors_and_fusion(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    text = stacks("search", "paging", "--explain").stdout
    assert "title " in text
    assert "title is the query" in text
    assert "markdown rank 1, weight 1" in text


def test_nothing_found_says_so(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    assert "nothing found for 'zebra'" in stacks("search", "zebra").stdout
    assert "nothing to look for" in stacks("search", "***").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "x"], "there is no index at"),
        (["search", "x", "--format", "xml"], "formats are text, json, markdown"),
        (["search", "x", "--weight", "docs"], "--weight takes SOURCE=NUMBER"),
        (["save", "--from", "markdown"], "--from takes SOURCE=PATH"),
        (["save", "--from", "markdwon=x"], "did you mean 'markdown'?"),
        (["save", "--from", "markdown=/nowhere/at/all"], "/nowhere/at/all"),
        (["save", "--packages", "--from", "markdown=."], "no --from names a source of packages.db"),
        (["read", "markdown://x"], "there is no index at"),
        (["symbols"], "there is no index at"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_2(
    stacks: Run, arguments: list[str], message: str
) -> None:
    done = stacks(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("stacks: ")


def test_doctor_tells_of_a_sound_index_and_of_a_broken_one(
    stacks: Run, handbook: Path, tmp_path: Path
) -> None:
    (handbook / "empty.md").write_text("")
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    sound = stacks("doctor")
    assert sound.returncode == 0
    assert "3 documents, 3 in the text index" in sound.stdout
    assert "unreadable 1" in sound.stdout
    path = tmp_path / "home" / "search.db"
    path.write_bytes(path.read_bytes()[:20_000])
    broken = stacks("doctor")
    assert broken.returncode == 1
    assert "WRONG" in broken.stdout


def test_list_tells_what_is_there_and_what_can_be_saved(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    assert "3  markdown  (weight 1)" in stacks("list").stdout
    kinds = stacks("list", "--kinds").stdout
    for name in ("apple-docs", "swift-evolution", "pydoc", "packages", "samples", "jsonl"):
        assert name in kinds


def test_only_changed_reads_what_changed(stacks: Run, handbook: Path) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    (handbook / "deploy.md").write_text("# Deploying\n\nOtherwise.\n")
    saved = stacks("save", "--from", f"markdown={handbook}", "--only-changed", "--quiet")
    assert "3 pages read, 1 documents written" in saved.stdout


def test_a_reader_that_has_seen_enough_is_no_error(
    stacks: Run, handbook: Path, tmp_path: Path
) -> None:
    stacks("save", "--from", f"markdown={handbook}", "--quiet")
    environment = {**os.environ, "STACKS_HOME": str(tmp_path / "home")}
    command = f"{sys.executable} -m stacks search release --explain | head -1"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stderr == ""


def test_help_shows_examples(stacks: Run) -> None:
    for command in ("save", "search", "symbols", "serve"):
        assert f"\n  stacks {command} " in stacks(command, "--help").stdout


def test_the_light_start_loads_no_reader(stacks: Run) -> None:
    heavy = ("griffe", "tree_sitter", "mcp", "stacks.sources", "numpy")
    code = f"import sys, stacks.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
