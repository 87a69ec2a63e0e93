"""A project as a user has it: a cranfield.toml, a suite, and a search that is a real program."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["cranfield", "make_project"]

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
run = [{python}, "search.py", "old", "{{query}}", "{{k}}"]
files = ["search.py"]

[systems.new]
kind = "command"
run = [{python}, "search.py", "new", "{{query}}", "{{k}}"]

[systems.slow]
kind = "command"
run = [{python}, "search.py", "slow", "{{query}}", "{{k}}"]
timeout = 0.2

[systems.broken]
kind = "command"
run = [{python}, "search.py", "broken", "{{query}}", "{{k}}"]

[systems.marks]
kind = "command"
run = [{python}, "search.py", "marks", "{{query}}", "{{k}}"]

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


def cranfield(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cranfield", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
