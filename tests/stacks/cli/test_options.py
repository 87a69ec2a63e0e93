"""Every option of every command changes the outcome or is refused; none is ignored."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.command_options import list_cases, list_commands, list_options
from tests.stacks.cli.commands import stacks
from tests.stacks.cli.option_cases import CASES, make_folder
from typer.main import get_command

from stacks.cli.main import build_app

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.corpus, pytest.mark.process]

VOLATILE = (
    (r"\d+(\.\d+)? (s|MB)\b", "SIZE"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)?", "TIME"),
)


COMMANDS = dict(list_commands(get_command(build_app())))
WALKED = list_cases(CASES)


class Outcome(NamedTuple):
    """All that a command leaves behind: what it wrote anywhere, and its exit code."""

    code: int
    out: str
    err: str
    indexes: dict[str, str]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("options"))


def stable(text: str) -> str:
    for pattern, name in VOLATILE:
        text = re.sub(pattern, name, text)
    return text


def perform(prepared: Path, typed: str) -> Outcome:
    """Run a command; one that writes, in a copy of the folder, always at the same place."""
    folder = prepared
    if typed.startswith(("save", "bundle", "export")):
        folder = prepared.with_name("work")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(prepared, folder, ignore=shutil.ignore_patterns("home", "other"))
    done = stacks(folder, *shlex.split(typed))
    indexes = (
        {str(path.relative_to(folder)): dump(path) for path in sorted(folder.rglob("*.db"))}
        if folder != prepared
        else {}
    )
    return Outcome(done.returncode, stable(done.stdout), stable(done.stderr), indexes)


def dump(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return stable("\n".join(connection.iterdump()))


@cache
def outcome_of(prepared: Path, typed: str) -> Outcome:
    return perform(prepared, typed)


def test_every_option_of_every_command_has_a_case() -> None:
    assert COMMANDS.keys() == CASES.keys()
    for name, command in COMMANDS.items():
        covered = {option for _, cases in CASES[name] for option in cases}
        assert covered == list_options(command), name


@pytest.mark.parametrize(
    ("command", "base", "name", "option"),
    WALKED,
    ids=[f"{base} + {option}" for _, base, _, option in WALKED],
)
def test_an_option_changes_the_outcome_or_is_refused(
    prepared: Path, command: str, base: str, name: str, option: str
) -> None:
    plain = outcome_of(prepared, base)
    given = perform(prepared, f"{base} {option}")
    assert given != plain, f"{option} is ignored by stacks {command}"
    assert "Traceback" not in given.err
    # What is wrong with another index is said of that.
    if given.code == 2 and plain.code != 2 and name != "--db":
        value = option.rsplit(maxsplit=1)[-1]
        assert name in given.err or value in given.err, given.err


@pytest.mark.parametrize(
    "base",
    ["save --from markdown=handbook --to index", "search shape --format json", "doctor", "list"],
)
def test_the_same_command_twice_has_the_same_outcome(prepared: Path, base: str) -> None:
    """Whatever differs above is due to the option."""
    assert perform(prepared, base) == outcome_of(prepared, base)


def test_an_option_that_takes_one_value_is_refused_if_it_is_repeated(prepared: Path) -> None:
    refused = stacks(prepared, "search", "release", "--mode", "fts5", "--mode", "plain")
    assert refused.returncode == 2
    assert "--mode is given 2 times; give it once" in refused.stderr


def test_the_help_says_which_options_may_be_repeated() -> None:
    repeated = [
        (name, option.help)
        for name, command in COMMANDS.items()
        for option in command.params
        if option.param_type_name == "option" and option.multiple
    ]
    assert repeated
    assert [each for each in repeated if "may be repeated" not in each[1]] == []
