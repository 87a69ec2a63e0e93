"""Completion in shells: the script of bash in a real bash, what zsh and fish ask for."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Programs of both names that start this environment's commands."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("cranfield", "stacks"):
        program = folder / name
        program.write_text(
            f"#!{sys.executable}\nimport sys\nfrom {name}.cli.main import main\n"
            f"sys.argv[0] = {name!r}\nmain()\n"
        )
        program.chmod(0o755)
    return folder


def complete(folder: Path, programs: Path, typed: str) -> list[str]:
    """Type words in bash and press the tabulator."""
    program = typed.split(maxsplit=1)[0]
    script = (
        f'eval "$({program} completion bash)"\n'
        f"COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        f'_{program}_completion {program}\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    )
    path = f"{programs}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_bash_completes_commands_options_and_names(tmp_path: Path, programs: Path) -> None:
    project = make_project(tmp_path)
    cranfield(project, "run", "-s", "new", "--label", "before")
    assert complete(project, programs, "cranfield ba") == ["baseline"]
    assert complete(project, programs, "cranfield runs de") == ["delete"]
    assert complete(project, programs, "cranfield run --ret") == ["--retry-failed"]
    assert complete(project, programs, "cranfield run --system ma") == ["marks"]
    assert complete(project, programs, "cranfield runs show be") == ["before"]
    assert complete(project, programs, "cranfield runs list --format js") == ["json"]
    assert complete(project, programs, "stacks sea") == ["search"]


def test_names_of_a_broken_project_complete_to_nothing(tmp_path: Path, programs: Path) -> None:
    (tmp_path / "cranfield.toml").write_text("not toml")
    assert complete(tmp_path, programs, "cranfield run --system m") == []
    assert complete(tmp_path, programs, "cranfield runs show l") == []


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_have_a_script_and_get_answers(
    tmp_path: Path, programs: Path, shell: str
) -> None:
    script = cranfield(tmp_path, "completion", shell).stdout
    assert f"_CRANFIELD_COMPLETE=complete_{shell}" in script
    asked = {
        "_CRANFIELD_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "cranfield meas",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(
        [programs / "cranfield"],
        env={**os.environ, **asked}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "measures" in done.stdout
    assert "baseline" not in done.stdout


def test_another_shell_is_refused_with_those_there_are(tmp_path: Path) -> None:
    shown = cranfield(tmp_path, "completion", "tcsh")
    assert shown.returncode == 2
    assert "bash" in shown.stderr
