"""Every file is met once, in a stable order, without those that are ignored."""

from __future__ import annotations

import errno
import os
import random
import shutil
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.files.files_source import FilesSource
from stacks.sources.files.traversal import RuleLayer, is_ignored, is_never_entered, parse_rules
from stacks.sources.source import SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.stacks.sources.files.conftest import Outcome


def test_the_kind_has_its_own_database_and_settings(tmp_path: Path) -> None:
    kind = SOURCES.get("files")
    assert kind.database == "files"
    assert kind.settings == {"megabytes": 32, "seconds": 20}
    assert isinstance(kind.open(str(tmp_path), **kind.settings), FilesSource)


def test_hidden_files_are_met_too_in_the_order_of_names(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({"b.txt": "", "a/z.txt": "", "a/.y/x": "", ".zshrc": "", "a.txt": "", "B": ""})
    expected = [".zshrc", "B", "a/.y/x", "a/z.txt", "a.txt", "b.txt"]
    assert read(home).keys == expected
    assert read(home).keys == expected
    assert FilesSource(str(home)).count() == 6


@pytest.mark.server
def test_what_is_no_file_is_named_and_not_opened(
    write: Callable[..., Path], read: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = write({"real.txt": "words"})
    os.mkfifo(home / "fifo.txt")
    (home / "link.txt").symlink_to("real.txt")
    (home / "loop").symlink_to(home)
    (home / "broken.md").symlink_to("nowhere")
    monkeypatch.chdir(home)  # a socket's whole path may be too long for it
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.txt")
        outcome = read(home)
    assert outcome.keys == ["real.txt"]
    assert outcome.errors == [
        "broken.md is a symbolic link; it is not followed",
        "fifo.txt is a pipe; it is not opened",
        "link.txt is a symbolic link; it is not followed",
        "loop is a symbolic link; it is not followed",
        "socket.txt is a socket; it is not opened",
    ]


def test_what_may_not_be_read_is_named(
    write: Callable[..., Path], read: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system is asked to refuse, since it refuses nothing to an administrator."""
    home = write({"closed.txt": "x", "closed/x.txt": "x", "open.txt": "x"})

    def refusing(call: Callable[..., Any], name: str) -> Callable[..., Any]:
        def ask(path: str, *rest: object) -> Any:
            if str(path).endswith(name):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            return call(path, *rest)

        return ask

    monkeypatch.setattr(os, "open", refusing(os.open, "closed.txt"))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir, "closed"))
    outcome = read(home)
    assert outcome.keys == ["open.txt"]
    assert outcome.errors == [
        "closed cannot be listed: Permission denied",
        "closed.txt cannot be read: Permission denied",
    ]


def test_a_sparse_file_of_two_gigabytes_is_not_read(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({})
    with (home / "huge.txt").open("wb") as file:
        file.truncate(2 * 2**30)
    outcome = read(home)
    reason = "has 2,147,483,648 bytes; files of at most 33,554,432 are read"
    assert outcome.reasons == {"huge.txt": reason}
    assert outcome.documents["huge.txt"].facts["size"] == "2147483648"
    assert len(outcome.pages[0].data) < 200


def test_the_largest_size_is_a_setting(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({"exact.txt": b"a" * 2**20, "more.txt": b"a" * (2**20 + 1)})
    outcome = read(home, megabytes=1)
    assert list(outcome.reasons) == ["more.txt"]
    assert len(outcome.documents["exact.txt"].content) == 2**20


def test_a_name_that_is_not_utf8_is_found_as_it_can_be_written(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({})
    folder = os.fsencode(home) + b"/ordner-\xfc"
    os.mkdir(folder)  # noqa: PTH102 - a path of bytes
    with open(folder + b"/caf\xe9.txt", "wb") as file:  # noqa: PTH123 - likewise
        file.write(b"menu")
    outcome = read(home)
    document = outcome.documents["ordner-\\xfc/caf\\xe9.txt"]
    assert document.title == "caf\\xe9.txt"
    assert document.uri == "files://home/ordner-%5Cxfc/caf%5Cxe9.txt"
    assert document.content == "menu"
    assert document.facts["extension"] == "txt"


def test_two_names_that_are_written_alike_are_not_one_page(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    home = write({"caf\\xe9.txt": "written so"})
    with open(os.fsencode(home) + b"/caf\xe9.txt", "wb") as file:  # noqa: PTH123 - bytes
        file.write(b"other")
    outcome = read(home)
    assert outcome.keys == ["caf\\xe9.txt"]
    assert outcome.errors == ["caf\\xe9.txt is written like another name beside it"]


def test_odd_names_have_addresses_of_their_own(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    names = ["a b.txt", "a%20b.txt", "a?b#c.txt", "日本.txt", "new\nline.txt", "...", "x" * 250]
    outcome = read(write(dict.fromkeys(names, "x")))
    uris = {document.uri for document in outcome.documents.values()}
    assert len(uris) == len(names)
    assert "files://home/日本.txt" in uris
    assert "files://home/a%20b.txt" in uris
    assert "files://home/a%2520b.txt" in uris


def test_a_page_of_a_name_changes_with_the_size_of_its_file(
    write: Callable[..., Path], read: Callable[..., Outcome]
) -> None:
    (before,) = read(write({"photo.jpg": b"1"})).pages
    (same,) = read(write({"photo.jpg": b"2"})).pages
    (after,) = read(write({"photo.jpg": b"22"})).pages
    assert before == same
    assert before.data != after.data


def test_a_document_depends_on_its_page_alone(
    write: Callable[..., Path], read: Callable[..., Outcome], tmp_path: Path
) -> None:
    outcome = read(write({"a/notes.md": "words", "a/photo.jpg": b"12345", "a/.env": "KEY=1"}))
    elsewhere = tmp_path / "elsewhere" / "home"
    elsewhere.mkdir(parents=True)
    other = FilesSource(str(elsewhere))
    for page in outcome.pages:
        again = list(other.read(Page(page.key, page.data)))
        assert again[0] == outcome.documents[page.key]


def test_a_place_that_is_no_folder_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not a folder"):
        FilesSource(str(tmp_path / "missing"))
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(SourceError, match="is not a folder"):
        FilesSource(str(tmp_path / "file.txt"))


@pytest.mark.parametrize(("megabytes", "seconds"), [(0, 20), (32, 0), (32, -1)])
def test_a_limit_of_nothing_is_refused(megabytes: int, seconds: int, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="from 1 on"):
        FilesSource(str(tmp_path), megabytes=megabytes, seconds=seconds)


def test_an_empty_folder_has_no_pages(write: Callable[..., Path]) -> None:
    assert list(FilesSource(str(write({}))).pages()) == []


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
