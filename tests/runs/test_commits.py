"""The commit of a work tree, from git's own files."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cranfield.runs.commits import find_commit

if TYPE_CHECKING:
    from pathlib import Path

A, B = "a" * 40, "b" * 40


def make(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / ".git" / name.replace("__", "/").replace("_", "-")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_branch_leads_to_its_commit_from_any_folder_below(tmp_path: Path) -> None:
    make(tmp_path, HEAD="ref: refs/heads/main\n", refs__heads__main=f"{A}\n")
    (tmp_path / "deep" / "er").mkdir(parents=True)
    assert find_commit(tmp_path / "deep" / "er") == A


def test_a_packed_branch_and_a_detached_head_are_read(tmp_path: Path) -> None:
    packed = f"# pack-refs\n{B} refs/heads/other\n{A} refs/heads/main\n"
    assert find_commit(make(tmp_path, HEAD="ref: refs/heads/main\n", packed_refs=packed)) == A
    assert find_commit(make(tmp_path, HEAD=f"{B}\n")) == B


def test_what_is_no_work_tree_or_has_no_commit_yet_has_none(tmp_path: Path) -> None:
    assert find_commit(make(tmp_path, HEAD="ref: refs/heads/main\n")) == ""
    assert find_commit(make(tmp_path, HEAD="nonsense")) == ""


@pytest.mark.process
def test_a_further_work_tree_has_the_commit_that_git_says(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "-q", "one")
    git("-C", "one", "commit", "-q", "--allow-empty", "-m", "first")
    git("-C", "one", "worktree", "add", "-q", "../two", "-b", "side")
    assert find_commit(tmp_path / "two") == git("-C", "two", "rev-parse", "HEAD")
