"""A project as a user has it: a cranfield.toml, a suite, and a search that is a real program."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from typing import TYPE_CHECKING
from unittest.mock import patch

from cranfield.cli import main

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["cranfield", "cranfield_process", "make_project", "make_python_project"]

SEARCH = """\
import json, sys, time
build, query, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
number = query.removeprefix("word")
right, wrong = f"doc-{number}", ["doc-x", "doc-y"]
if build == "slow":
    time.sleep(30)
if build == "broken":
    sys.exit("no index")
if build == "marks":
    with open("asked.txt", "a") as asked:
        asked.write(query + "\\n")
hits = [right, *wrong] if build in ("new", "marks") or number in "02468" else [*wrong, right]
print(json.dumps({"results": [{"id": hit, "score": 3 - rank} for rank, hit in enumerate(hits)]}))
"""

CONFIG = """\
suites = ["small.toml"]

[systems.old]
kind = "command"
run = [{python}, "-S", "search.py", "old", "{{query}}", "{{k}}"]
files = ["search.py"]

[systems.new]
kind = "command"
run = [{python}, "-S", "search.py", "new", "{{query}}", "{{k}}"]

[systems.slow]
kind = "command"
run = [{python}, "-S", "search.py", "slow", "{{query}}", "{{k}}"]
timeout = 0.2

[systems.broken]
kind = "command"
run = [{python}, "-S", "search.py", "broken", "{{query}}", "{{k}}"]

[systems.marks]
kind = "command"
run = [{python}, "-S", "search.py", "marks", "{{query}}", "{{k}}"]

[systems.missing]
kind = "command"
run = ["./no-such-program", "{{query}}"]
"""


def make_project(folder: Path, queries: int = 10) -> Path:
    (folder / "search.py").write_text(SEARCH)
    (folder / "cranfield.toml").write_text(CONFIG.format(python=f"'{sys.executable}'"))
    entries = "".join(
        f'\n[[query]]\nid = "q{number}"\ntext = "word{number}"\n'
        f'category = "{"even" if number % 2 == 0 else "odd"}"\n'
        f"expect.matches = '^doc-{number}$'\n"
        for number in range(queries)
    )
    (folder / "small.toml").write_text(
        'id = "small"\nclass = "canonical"\n\n[[gate]]\nmeasure = "RR@10"\nat_least = 0.8\n'
        + entries
    )
    return folder


def cranfield(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, as if typed in a folder: its exit code and its output."""
    code = 0
    out, err = StringIO(), StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch("sys.argv", ["cranfield", *arguments]),
        patch("sys.stdin", TextIOWrapper(BytesIO())),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


def cranfield_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, for what only a whole process shows."""
    return subprocess.run(
        [sys.executable, "-m", "cranfield", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


PYTHON_SEARCH = """\
def old(text, limit):
    number = text.removeprefix("word")
    right, wrong = f"doc-{number}", ["doc-x", "doc-y"]
    return ([right, *wrong] if number in "02468" else [*wrong, right])[:limit]


def new(text, limit):
    return [f"doc-{text.removeprefix('word')}", "doc-x", "doc-y"][:limit]


def partly(text, limit):
    if int(text.removeprefix("word")) % 5 == 1:
        raise RuntimeError("the server is gone")
    return new(text, limit)


def mostly(text, limit):
    if int(text.removeprefix("word")) == 19:
        raise RuntimeError("the server is gone")
    return new(text, limit)
"""


def make_python_project(folder: Path, queries: int = 20) -> Path:
    """Make a project whose systems are functions: as above, without a process for each query.

    `partly` fails for every fifth query, `mostly` for the last of twenty.
    """
    make_project(folder, queries)
    (folder / "search.py").write_text(PYTHON_SEARCH)
    systems = "".join(
        f'\n[systems.{name}]\nkind = "python"\ncall = "search.py:{name}"\n'
        for name in ("old", "new", "partly", "mostly")
    )
    (folder / "cranfield.toml").write_text(f'suites = ["small.toml"]\n{systems}')
    return folder
