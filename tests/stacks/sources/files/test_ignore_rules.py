"""Ignore rules mean what they mean to Git."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from stacks.sources.files.ignore_rules import RuleLayer, is_ignored, is_never_entered, parse_rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.stacks.sources.files.conftest import Outcome


def ignores(rules: str, path: str) -> bool:
    """Ask of a path as a walk would: from the outermost folder to the path itself."""
    layer = RuleLayer(parse_rules(rules), 0)
    parts = tuple(path.rstrip("/").split("/"))
    for end in range(1, len(parts)):
        if is_ignored(layer, parts[:end], is_folder=True):
            return True
    return is_ignored(layer, parts, is_folder=path.endswith("/"))


TABLE = [
    ("*.log", "a.log", True),
    ("*.log", "deep/er/a.log", True),
    ("*.log", "a.log.txt", False),
    ("# a comment", "# a comment", False),
    ("\\#literal", "#literal", True),
    ("\\!literal", "!literal", True),
    ("trailing   ", "trailing", True),
    ("kept\\ ", "kept ", True),
    ("*.log\n!keep.log", "keep.log", False),
    ("*.log\n!keep.log", "x/keep.log", False),
    ("!keep.log\n*.log", "keep.log", True),
    ("folder\n!folder/inside", "folder/inside", True),
    ("build/", "build/", True),
    ("build/", "build", False),
    ("build/", "a/build/x", True),
    ("/top", "top", True),
    ("/top", "below/top", False),
    ("a/b", "a/b", True),
    ("a/b", "x/a/b", False),
    ("a/*", "a/b", True),
    ("a/*", "a/b/c", True),
    ("*/b", "a/b", True),
    ("*/b", "b", False),
    ("*/b", "x/a/b", False),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/xb", False),
    ("**/b", "b", True),
    ("**/b", "x/y/b", True),
    ("a/**", "a/x/y", True),
    ("a/**", "a/", False),
    ("**/**/b", "b", True),
    ("a/**/**", "a/x", True),
    ("?.c", "a.c", True),
    ("?.c", "ab.c", False),
    ("[a-c].txt", "b.txt", True),
    ("[!a-c].txt", "b.txt", False),
    ("[^a-c].txt", "d.txt", True),
    ("[]x].txt", "].txt", True),
    ("[[:digit:]]*", "1st", True),
    ("[[:digit:]]*", "first", False),
    ("[unclosed", "[unclosed", False),
    ("a\\*b", "a*b", True),
    ("a\\*b", "axb", False),
    ("*", ".hidden", True),
    ("**", "x/y", True),
    ("/", "a", False),
    ("", "a", False),
    ("!", "a", False),
    ("windows.txt\r", "windows.txt", True),
    ("\ufeffmarked", "marked", True),
    ("Case", "case", False),
    ("name with space", "name with space", True),
    ("ünï*", "ünïcode", True),
    ("a(b|c)+", "ab", False),
    ("a(b|c)+", "a(b|c)+", True),
]


@pytest.mark.parametrize(("rules", "path", "expected"), TABLE)
def test_a_rule_means_what_git_says(rules: str, path: str, expected: bool) -> None:
    assert ignores(rules, path) is expected


def ask_git(folder: Path, rules: str, paths: list[str]) -> set[str]:
    (folder / ".gitignore").write_text(rules)
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]
    asked = "\0".join(paths).encode()
    found = subprocess.run(command, cwd=folder, input=asked, capture_output=True, check=False)
    assert found.returncode in {0, 1}, found.stderr
    return {path for path in found.stdout.decode().split("\0") if path}


@pytest.mark.corpus
@pytest.mark.process
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_two_hundred_random_files_of_rules_agree_with_git(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    chance = random.Random(5)  # noqa: S311 - repeatable, not secret
    paths = ["a", "b", "ab", "a.b", "a/b", "b/a", "a/a/b", "ab/b/a", "b/ab/a.b", "a/b/ab/a"]
    pieces = ["a", "b", "ab", "*", "**", "?", "/", "/", "!", "[ab]", "[!a]", "\\a", ".", " "]
    for _ in range(200):
        lines = ["".join(chance.choices(pieces, k=chance.randint(1, 5))) for _ in range(3)]
        rules = "\n".join(lines)
        ours = {path for path in paths if ignores(rules, path)}
        assert ours == ask_git(tmp_path, rules, paths), rules


def test_a_rule_of_many_stars_is_matched_at_once() -> None:
    """A matcher that goes back would not come to an end here."""
    assert not ignores("*a" * 60 + "b", "a" * 250)
    assert not ignores("**/" * 60 + "x", "/".join("a" * 120))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("node_modules", True),
        ("x/.git", True),
        ("x/._photo.jpg", True),
        ("home/Library/Caches", True),
        ("Library", False),
        ("Caches", False),
        (".config", False),
        (".gitignore", False),
    ],
)
def test_what_programs_keep_for_themselves_is_never_entered(path: str, expected: bool) -> None:
    assert is_never_entered(tuple(path.split("/"))) is expected


def test_rules_hold_below_their_folder_and_stacksignore_comes_last(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write(
        {
            ".gitignore": "*.tmp\nsecret/\n",
            ".stacksignore": "!wanted.tmp\nnot-for-search.md\n",
            "a.tmp": "x",
            "wanted.tmp": "x",
            "not-for-search.md": "x",
            "secret/plan.md": "x",
            "project/.gitignore": "/local.md\n!b.tmp\n",
            "project/b.tmp": "x",
            "project/local.md": "x",
            "project/deep/local.md": "x",
            "node_modules/x/index.js": "x",
            "project/.git/config": "x",
            "project/.cache/x.txt": "x",
        }
    )
    outcome = read(home)
    assert outcome.keys == [
        ".gitignore",
        ".stacksignore",
        "project/.gitignore",
        "project/b.tmp",
        "project/deep/local.md",
        "wanted.tmp",
    ]
    assert outcome.errors == []


def test_a_huge_file_of_rules_is_said_and_not_respected(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({"a/.gitignore": "x.md\n" * 300_000, "a/x.md": "here"})
    outcome = read(home)
    assert "a/x.md" in outcome.keys
    assert outcome.errors == [
        (
            "a/.gitignore has 1,500,000 bytes; its rules are not respected, "
            "at most 1,048,576 bytes are read"
        )
    ]
