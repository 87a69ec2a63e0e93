"""Every recipe of docs/recipes.md, as a reader follows it: files, commands, what they print."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import PostgresServer

PAGE = (Path(__file__).parents[1] / "docs" / "recipes.md").read_text()
COMMON, *RECIPES = re.split(r"^(?=## )", PAGE, flags=re.M)
FILE = re.compile(r"`([\w./-]+)`:\n\n```\w*\n(.*?)```", re.S)
STEP = re.compile(r"`[\w./-]+`:\n\n```\w*\n.*?```|```console\n.*?```", re.S)
EXIT_CODE = '; echo "exit code $?"'

PORT = "8017"
"""The port of the page's server; a test takes a free one."""

pytestmark = [pytest.mark.process, pytest.mark.server]


def title(recipe: str) -> str:
    return recipe.partition("\n")[0].removeprefix("## ")


def plain(line: str) -> str:
    """Take away what differs between equal runs: ids of runs, times, widths of columns."""
    line = re.sub(r"\d{6}-\d{6}-[0-9a-f]{4}", "RUN", line)
    line = re.sub(r"\d[\d.]* m?s\b", "TIME", line)
    return " ".join(line.split())


def free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


@contextmanager
def started(command: str, folder: Path, port: str) -> Iterator[None]:
    """Keep a server of a recipe running, from when it listens."""
    server = subprocess.Popen(shlex.split(command.replace("python3", sys.executable)), cwd=folder)
    try:
        for _ in range(200):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", int(port))) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def load_database(folder: Path, command: str) -> str:
    """Do what psql does with a file, also where there is no psql; return what it prints."""
    import psycopg

    statements = (folder / shlex.split(command)[-1]).read_text()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        cursor = connection.execute(statements)
        printed = [str(cursor.statusmessage)]
        while cursor.nextset():
            printed.append(str(cursor.statusmessage))
    return "\n".join(printed)


def run(folder: Path, command: str) -> tuple[int, str]:
    """Run a command as a reader types it; cranfield runs in this process, which is faster."""
    if command.startswith("psql "):
        return 0, load_database(folder, command)
    if command.startswith("cranfield "):
        done = cranfield(folder, *shlex.split(command)[1:])
    else:
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False
        )
    return done.returncode, done.stdout + done.stderr


def check(folder: Path, command: str, shown: list[str]) -> None:
    """Run a command and compare: it prints every line that the page shows, and succeeds."""
    bare = command.removesuffix(EXIT_CODE)
    code, printed = run(folder, bare)
    if bare != command:
        printed += f"\nexit code {code}"
    else:
        assert code == 0, f"{command} exits with {code}: {printed}"
    lines = {plain(line.replace(str(folder), "/home/me/search")) for line in printed.splitlines()}
    for line in shown:
        assert line == "…" or plain(line) in lines, f"{command} does not print {line!r}: {printed}"


def follow(recipe: str, folder: Path) -> int:
    """Write the files and run the commands of a recipe in their order; count the commands."""
    port = free_port()
    text = recipe.replace(PORT, port)
    for name, content in FILE.findall(COMMON):
        (folder / name).write_text(content)
    count = 0
    with ExitStack() as servers:
        for step in STEP.findall(text):
            for name, content in FILE.findall(step):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(content)
            if not step.startswith("```console\n"):
                continue
            for block in re.split(r"^\$ ", step.removesuffix("\n```"), flags=re.M)[1:]:
                command, *shown = block.splitlines()
                count += 1
                if command.endswith(" &"):
                    servers.enter_context(started(command.removesuffix(" &"), folder, port))
                else:
                    check(folder, command, shown)
    return count


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", programs)
    monkeypatch.delenv("CRANFIELD_STORE", raising=False)
    return tmp_path


def test_the_list_on_top_names_every_recipe() -> None:
    listed = [words for words, _ in re.findall(r"^\d+\. \[(.*)\]\(#(.*)\)$", COMMON, re.M)]
    assert listed == [title(recipe).partition(". ")[2] for recipe in RECIPES]


@pytest.mark.parametrize("recipe", [each for each in RECIPES if "psql" not in each], ids=title)
def test_a_recipe_does_what_it_shows(recipe: str, folder: Path) -> None:
    assert follow(recipe, folder) > 0


@pytest.mark.xdist_group("postgres")
def test_the_recipe_for_postgresql_does_what_it_shows(
    folder: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", postgres.make_database("recipe"))
    [recipe] = [each for each in RECIPES if "psql" in each]
    assert follow(recipe, folder) == 2
