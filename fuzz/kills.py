"""Commands in a child process that is killed at a random moment, as by a crash of the machine."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["Ended", "list_files", "repeat_until_killed", "run_child", "run_here", "write_project"]

_SEARCH = """
import time

def marks(text, limit):
    with open("asked.txt", "a") as asked:
        asked.write(text + "\\n")
    time.sleep(0.002)
    return [f"doc-{text.removeprefix('word')}", "doc-x"][:limit]
"""
QUERIES = 120
_MOST_ATTEMPTS = 50
_LOGS = ("-wal", "-shm")


class Ended(NamedTuple):
    """How a child ended, and what it wrote."""

    is_killed: bool
    code: int
    out: str
    err: str
    seconds: float


def run_child(
    folder: Path, work: Callable[[], object], random: Random | None = None, within: float = 0.0
) -> Ended:
    """Do work in a child in a folder; with `random` it is killed within so many seconds."""
    outputs = [folder.with_name(f"{folder.name}.{name}") for name in ("out", "err")]
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        _work(folder, work, outputs)
    if random is not None:
        time.sleep(random.uniform(0, within))
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    passed = time.monotonic() - began
    texts = [path.read_text(errors="replace") if path.exists() else "" for path in outputs]
    for path in outputs:
        path.unlink(missing_ok=True)
    code = os.waitstatus_to_exitcode(status)
    return Ended(code == -signal.SIGKILL, code, texts[0], texts[1], passed)


def repeat_until_killed(attempt: Callable[[], bool]) -> None:
    """Attempt until a kill comes before the end; an attempt returns whether it did."""
    for _ in range(_MOST_ATTEMPTS):
        if attempt():
            return
    raise AssertionError(f"no kill came in time in {_MOST_ATTEMPTS} attempts")


def run_here(folder: Path, work: Callable[[], object]) -> None:
    """Do work in this process, so children find all modules loaded."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as err:
            work()
    except SystemExit as ended:
        if ended.code not in {0, 1, None}:
            raise AssertionError(err.getvalue()) from None
    finally:
        os.chdir(here)


def _work(folder: Path, work: Callable[[], object], outputs: list[Path]) -> None:
    """Never return: the child ends here, whatever happens."""
    code = 1
    try:
        for descriptor, path in zip((1, 2), outputs, strict=True):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        os.chdir(folder)
        work()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 - shown by the parent
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def write_project(folder: Path, queries: int = QUERIES) -> None:
    """Write a project with a suite and a system that notes what it was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "search.py").write_text(_SEARCH)
    (folder / "cranfield.toml").write_text(
        'suites = ["small.toml"]\n\n[systems.marks]\nkind = "python"\ncall = "search.py:marks"\n'
    )
    entries = "".join(
        f'\n[[query]]\nid = "q{n}"\ntext = "word{n}"\nexpect.matches = "^doc-{n}$"\n'
        for n in range(queries)
    )
    (folder / "small.toml").write_text(f'id = "small"\nclass = "canonical"\n{entries}')


def list_files(folder: Path) -> set[str]:
    """List all files of a folder, hidden ones too; Python's cache and SQLite's log apart."""
    files = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name for name in files if "__pycache__" not in name and not name.endswith(_LOGS)}
