"""Every option of every command changes the outcome or is refused; none is ignored."""

from __future__ import annotations

import re
import shlex
import shutil
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.cli.option_cases import CASES, make_options_project
from tests.cli.projects import cranfield
from tests.command_options import list_cases, list_commands, list_options
from typer.main import get_command

from cranfield.cli import app
from cranfield.runs.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

VOLATILE = (
    (r"\d{6}-\d{6}-[0-9a-f]{4}", "RUN"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)?", "TIME"),
    (r"\d+(\.\d+)? m?s\b", "SECONDS"),
    (r'"(seconds|p50|p95)": [\d.e-]+', "SECONDS"),
)


class Outcome(NamedTuple):
    """All that a command leaves behind: what it wrote anywhere, and its exit code."""

    code: int
    out: str
    err: str
    files: dict[str, str]
    stored: list[str]


COMMANDS = dict(list_commands(get_command(app)))
WALKED = list_cases(CASES)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_options_project(tmp_path_factory.mktemp("options"))
    (made / "asked.jsonl").write_text('{"query": "word9"}\n{"query": "word8"}\n')
    whole = (made / "small.toml").read_text()
    (made / "ids.toml").write_text(
        whole.replace("expect.matches = '^", "expect.ids = '").replace("$'", "'")
    )
    (made / "tied.run").write_text("1 Q0 a 1 3 t\n1 Q0 z 2 3 t\n")
    suite = made / "small.toml"
    suite.write_text((made / "part.toml").read_text())
    cranfield(made, "run", "-s", "new", "--label", "part")
    suite.write_text(whole)
    cranfield(made, "run", "-s", "new", "--label", "new-run")
    return made


def stable(text: str) -> str:
    for pattern, name in VOLATILE:
        text = re.sub(pattern, name, text)
    return text


class Copy(NamedTuple):
    """A copy of a project: what it was made of, its files' sizes and times, and what they hold."""

    source: Path
    marks: dict[Path, tuple[int, int]]
    files: dict[str, str]
    stored: list[str]


_copies: dict[Path, Copy] = {}


def perform(prepared: Path, typed: str) -> Outcome:
    """Run a command in a copy of the project, always at the same place.

    The copy of a command that changed nothing serves the next one.
    """
    folder = prepared.with_name("work")
    copy = _copies.pop(folder, None)
    if copy is None or copy.source != prepared:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(prepared, folder)
        copy = Copy(prepared, mark(folder), *read_all(folder))
    done = cranfield(folder, *shlex.split(typed))
    if mark(folder) == copy.marks:
        _copies[folder] = copy
        files, stored = copy.files, copy.stored
    else:
        files, stored = read_all(folder)
    return Outcome(done.returncode, stable(done.stdout), stable(done.stderr), files, stored)


def mark(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return when each file was written last, and its size; readers of a store leave empty logs."""
    found = {}
    for path in folder.rglob("*"):
        if not path.is_file() or path.name.endswith(("-shm", ".pyc")):
            continue
        written = path.stat()
        if written.st_size or not path.name.endswith("-wal"):
            found[path] = (written.st_mtime_ns, written.st_size)
    return found


def read_all(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return the text of every file, and what is said of the runs in every store."""
    files, stored = {}, []
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".db":
            stored += [f"{name} {described(header)}" for header in open_store(path).headers()]
        elif path.is_file() and "-wal" not in name and "-shm" not in name and ".pyc" not in name:
            files[name] = stable(path.read_text())
    return files, stored


def described(header: object) -> str:
    names = ("label", "system", "limit", "repeats", "measures", "selection", "state")
    return str([getattr(header, name) for name in names])


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
    ids=[f"{base.partition(' --to')[0]} + {name}" for _, base, name, _ in WALKED],
)
def test_an_option_changes_the_outcome_or_is_refused(
    prepared: Path, command: str, base: str, name: str, option: str
) -> None:
    plain = outcome_of(prepared, base)
    given = outcome_of(prepared, f"{base} {option}")
    assert given != plain, f"{option} is ignored by cranfield {command}"
    # What is wrong with another project or store is said of that.
    if given.code == 2 and plain.code != 2 and name not in ("--config", "--store"):
        value = option.rsplit(maxsplit=1)[-1]
        said = given.out + given.err
        assert name in said or value in said, said
        assert "Traceback" not in given.err


STORING = {
    command: base
    for command, base, name, _ in reversed(WALKED)
    if name == "--store" and command != "serve"  # see tests/web/test_workbench.py
}


@pytest.fixture(scope="module")
def keyed(prepared: Path) -> Path:
    """The same project, whose file names the store."""
    made = prepared.with_name("keyed")
    shutil.copytree(prepared, made)
    config = made / "cranfield.toml"
    config.write_text(f'store = "other.db"\n{config.read_text()}')
    return made


@pytest.mark.parametrize("base", STORING.values(), ids=STORING)
def test_the_store_of_the_file_is_used_as_one_that_is_typed(
    prepared: Path, keyed: Path, base: str
) -> None:
    typed = outcome_of(prepared, f"{base} --store other.db")
    written = perform(keyed, base)
    here = f"{prepared.with_name('work')}/"
    assert (written.code, written.stored) == (typed.code, typed.stored)
    assert written.out.replace(here, "") == typed.out.replace(here, "")
    assert written.err.replace(here, "") == typed.err.replace(here, "")


def test_an_option_wins_over_the_store_of_the_file(prepared: Path, keyed: Path) -> None:
    typed = outcome_of(prepared, "run -s new --quiet --store third.db")
    written = perform(keyed, "run -s new --quiet --store third.db")
    assert written.stored == typed.stored


@pytest.mark.parametrize("base", ["run -s new", "compare old new", "compare old-run new-run"])
def test_the_same_command_twice_has_the_same_outcome(prepared: Path, base: str) -> None:
    """Whatever differs above is due to the option."""
    assert perform(prepared, base) == outcome_of(prepared, base)
