"""Systems as a file has them: found upwards, and refused with file and line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cranfield.errors import CranfieldError, InputError
from cranfield.systems import SystemSpec, find_config, get_system, load_systems, open_system

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
title = "other things are allowed"
[run]
jobs = 2

[systems.grep]
kind = "command"
run = ["grep", "{query}"]

[systems."my run"]
kind = "runfile"
file = "bm25.run"

[systems.web]
kind = "http"
url = "http://localhost/{query}"
[systems.web.headers]
x-name = "y"
"""


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "cranfield.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_the_nearest_file_is_found_upwards(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    outer = write(tmp_path, "")
    assert find_config(deep) == outer
    inner = write(tmp_path / "a" / "b", "")
    assert find_config(deep) == inner
    assert find_config(tmp_path / "a") == outer
    (tmp_path / "a" / "cranfield.toml").mkdir()
    assert find_config(tmp_path / "a") == outer


@pytest.mark.parametrize("is_linked", [False, True])
def test_the_search_ends_at_the_root_of_a_repository(tmp_path: Path, *, is_linked: bool) -> None:
    root = tmp_path / "checkout"
    (root / "deep").mkdir(parents=True)
    write(tmp_path, "")
    if is_linked:
        (root / ".git").write_text("gitdir: elsewhere")
    else:
        (root / ".git").mkdir()
    assert find_config(root / "deep") is None
    own = write(root, "")
    assert find_config(root / "deep") == own
    assert find_config(root) == own


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_above_that_belongs_to_somebody_else_is_refused(tmp_path: Path) -> None:
    here = tmp_path / "mine"
    here.mkdir()
    planted = write(tmp_path, "")
    os.chown(planted, 12345, 12345)
    with pytest.raises(CranfieldError, match="another user") as refused:
        find_config(here)
    assert "(id 12345); the commands that it names would be run as you" in str(refused.value)
    assert f"--config {planted}" in str(refused.value)
    # In the folder itself, or in a folder of the same owner, it is what one came for.
    assert find_config(tmp_path) == planted
    os.chown(here, 12345, 12345)
    assert find_config(here) == planted


def test_no_file_is_none(tmp_path: Path) -> None:
    assert find_config(tmp_path) is None


def test_every_system_is_read_with_its_folder_and_line(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    systems = load_systems(path)
    assert list(systems) == ["grep", "my run", "web"]
    run = {"run": ["grep", "{query}"]}
    assert systems["grep"] == SystemSpec("grep", "command", run, tmp_path, str(path), 6)
    assert [systems[name].line for name in ("my run", "web")] == [10, 14]
    assert systems["web"].settings["headers"] == {"x-name": "y"}
    assert load_systems(write(tmp_path, "")) == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[x]\na = 1\n\n  [ systems . a ]\nkind = 'mcp'", 4),
        ("[x]\na = 1\n[systems]\nb = {kind = 'mcp'}\na = {kind = 'mcp'}\n[b]\na = 2", 5),
        ("a = 1\nsystems.a.kind = 'mcp'", 2),
        ("systems = {a = {kind = 'mcp'}}", None),
    ],
)
def test_the_line_is_that_of_the_system_and_of_no_other_a(
    tmp_path: Path, text: str, line: int | None
) -> None:
    assert load_systems(write(tmp_path, text))["a"].line == line


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[systems.a\n", ":1: is not TOML: "),
        ("\n\nx = \n", ":3: is not TOML: Invalid value"),
        ('x = """\n\n', "is not TOML: "),
        ("[systems.a]\nkind = 'mcp'\n[systems.a]\n", ":3: is not TOML: Cannot declare"),
        (b"x = '\n\xff'", ":2: is not UTF-8; convert it"),
        ("systems = 3", "systems is not a table; write [systems.NAME]"),
        ("[systems]\na = 'command'", ":2: [systems.a] is 'command', not a table; write"),
        ("[[systems.a]]\nkind = 'x'", "[systems.a] is [{'kind': 'x'}], not a table"),
        ("[x]\n[systems.a]\nrun = ['x']", ":2: [systems.a] has no kind; write kind = and one of: "),
        ("[systems.a]\nkind = 3", ":1: [systems.a] has kind = 3; write kind = and one of: command"),
        (
            "[systems.a]\nkind = 'comand'",
            ":1: [systems.a] unknown kind of system 'comand': did you mean command",
        ),
    ],
)
def test_a_mistake_is_told_with_file_and_line(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as refused:
        load_systems(path)
    assert str(refused.value).startswith(str(path))
    assert message in str(refused.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_systems(tmp_path / "cranfield.toml")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", "Object missing required field `run`; a system of the kind command looks like:\nkind"),
        ("run = ['x', 3]", "Expected `str | array`, got `int` - at `$.run[1]`"),
        ("run = ['x', '{query}']\nhits = 'a b'", "cannot read the path 'a b'"),
    ],
)
def test_settings_are_checked_when_the_system_is_opened(
    tmp_path: Path, settings: str, message: str
) -> None:
    path = write(tmp_path, f"\n[systems.a]\nkind = 'command'\n{settings}\n")
    spec = load_systems(path)["a"]
    with pytest.raises(InputError) as refused:
        open_system(spec, os.environ)
    assert str(refused.value).startswith(f"{path}:2: [systems.a] ")
    assert message in str(refused.value)


def test_unknown_settings_of_all_systems_are_reported_at_once(tmp_path: Path) -> None:
    """Also of a system that is not run now; the others would be looked for one by one."""
    text = (
        "[systems.a]\nkind = 'command'\nrun = ['x', '{query}']\n"
        "[systems.b]\nlike = 'a'\nthreshold = 3\nfolders = 'x'\n"
        "[systems.c]\nkind = 'runfile'\nfile = 'x.run'\ntimeout = 3\n"
    )
    path = write(tmp_path, text)
    with pytest.raises(InputError) as refused:
        load_systems(path)
    first, second, third = str(refused.value).splitlines()
    assert first.startswith(f"{path}:4: [systems.b] unknown setting of the kind command 'threshol")
    assert second.startswith(f"{path}:4: [systems.b] unknown setting of the kind command 'folders")
    assert "did you mean folder" in second
    assert third.startswith(f"{path}:8: [systems.c] timeout has no effect on the kind runfile: it")


def test_a_system_is_got_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    systems = load_systems(path)
    assert get_system(systems, "grep") is systems["grep"]
    with pytest.raises(CranfieldError) as near:
        get_system(systems, "gerp")
    assert str(near.value) == (
        f"unknown system 'gerp': did you mean grep? (3 systems are defined in {path})"
    )
    with pytest.raises(CranfieldError) as far:
        get_system({"grep": systems["grep"]}, "xyzzy")
    assert str(far.value) == (
        f"unknown system 'xyzzy': known: grep (1 system is defined in {path})"
    )
    with pytest.raises(CranfieldError, match=r"none is defined; write \[systems.a\] in cranfield"):
        get_system({}, "a")


def test_a_system_takes_over_what_it_does_not_say_from_the_one_it_is_like(tmp_path: Path) -> None:
    text = (
        '[systems.a]\nkind = "stacks"\nindex = "i"\nmode = "both"\n'
        '[systems.b]\nlike = "a"\nmode = "fts5"\n[systems.c]\nlike = "b"\ntext = true\n'
    )
    found = load_systems(write(tmp_path, text))
    assert dict(found["c"].settings) == {"index": "i", "mode": "fts5", "text": True}
    assert found["c"].kind == "stacks"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[systems.a]\nlike = "b"\n', "there is no such system"),
        ('[systems.a]\nlike = "b"\n[systems.b]\nlike = "a"\n', "that is circular"),
    ],
)
def test_a_system_that_is_like_none_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_systems(write(tmp_path, text))
