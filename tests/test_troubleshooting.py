"""docs/troubleshooting.md shows messages as they are printed: each is provoked here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.projects import cranfield

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "troubleshooting.md").read_text()
FILES = dict(
    re.findall(r"`(\w+\.\w+)`:\n\n```\w*\n(.*?)```", (DOCS / "recipes.md").read_text(), re.S)
)
"""The pages, queries and the search of the recipes."""

NEEDS_A_BARE_ENVIRONMENT = "cranfield: serve needs the package starlette; install cranfield[serve]"

SYSTEM = (
    '[systems.{name}]\nkind = "command"\nrun = {run}\npattern = {pattern}\ntimeout = {timeout}\n'
)
SLOW = """
import sys, time, search
if "gzip" in sys.argv[1] or "shutil" in sys.argv[1]:
    time.sleep(9)
print(*search.search(*sys.argv[1:3]), sep="\\n")
"""

pytestmark = [pytest.mark.process, pytest.mark.server]


def project(folder: Path, *systems: str) -> None:
    for name in ("pages.txt", "queries.csv", "search.py"):
        (folder / name).write_text(FILES[name])
    (folder / "cranfield.toml").write_text("\n".join(['suites = ["queries.csv"]\n', *systems]))


def command(name: str, *run: str, pattern: str = r"\w+", timeout: float = 30) -> str:
    return SYSTEM.format(name=name, run=list(run), pattern=f"'{pattern}'", timeout=timeout)


def python(name: str) -> str:
    return f'[systems.{name}]\nkind = "python"\ncall = "search.py:search"\n'


def nowhere(folder: Path) -> list[str]:
    return ["run --quiet"]


def unknown_name(folder: Path) -> list[str]:
    project(folder, python("old"), python("new"))
    return ["compare old nwe --quiet"]


def no_program(folder: Path) -> list[str]:
    project(folder, command("new", "./serach", "{query}"))
    return ["run --quiet"]


def no_server(folder: Path) -> list[str]:
    project(folder, '[systems.new]\nkind = "http"\nurl = "http://localhost:1/?q={query}"\n')
    return ["run --quiet"]


def no_variable(folder: Path) -> list[str]:
    sql = 'dsn = "${DATABASE_URL}"\nsql = "SELECT %(query)s LIMIT %(k)s"\n'
    project(folder, '[systems.new]\nkind = "postgres"\n' + sql)
    return ["run --quiet"]


def text_for_json(folder: Path) -> list[str]:
    (folder / "answers.py").write_text('print("1. json 2. csv")\n')
    project(
        folder, command("mine", sys.executable, "answers.py", "{query}").replace("pattern", "#")
    )
    return ["run --quiet"]


def no_id(folder: Path) -> list[str]:
    (folder / "answers.py").write_text('print(\'{"results": [{"sku": 1, "name": "a"}]}\')\n')
    project(
        folder, command("mine", sys.executable, "answers.py", "{query}").replace("pattern", "#")
    )
    return ["run --quiet"]


def other_ids(folder: Path) -> list[str]:
    (folder / "answers.py").write_text('print("https://example.org/json")\n')
    project(folder, command("mine", sys.executable, "answers.py", "{query}", pattern=r"\S+"))
    return ["run --quiet"]


def timeouts(folder: Path) -> list[str]:
    (folder / "slow.py").write_text(SLOW)
    slow = command("new", sys.executable, "slow.py", "{query}", "{k}", timeout=1)
    project(folder, python("old"), slow)
    return ["compare old new --show overview --quiet --jobs 4"]


def edited_query(folder: Path) -> list[str]:
    project(folder, python("old"))
    cranfield(folder, "run", "--label", "before", "--quiet")
    edited = FILES["queries.csv"].replace("text and re", "text by re")
    (folder / "queries.csv").write_text(edited)
    return ["compare before old --quiet"]


def few_hits(folder: Path) -> list[str]:
    project(folder, python("old"))
    return ["run --k 5 --quiet"]


def baselines(folder: Path) -> list[str]:
    project(folder, python("old"))
    (folder / "queries.csv").write_text(FILES["queries.csv"].replace("text and re", "text by re"))
    cranfield(folder, "run", "--quiet")
    warned = cranfield(folder, "gate", "--quiet").stdout
    cranfield(folder, "baseline", "accept", "latest", "--reason", "the release")
    (folder / "queries.csv").write_text(FILES["queries.csv"].replace("text and re", "text with re"))
    (folder / "warned.txt").write_text(warned)
    return ["gate --quiet"]


def broken_suites(folder: Path) -> list[str]:
    head = 'id = "s"\nclass = "canonical"\n[[query]]\nid = "a"\ntext = "a"\n'
    (folder / "s.toml").write_text(head + 'expect.matches = "x("\n')
    first = cranfield(folder, "check", "s.toml")
    (folder / "warned.txt").write_text(first.stdout + first.stderr)
    (folder / "s.toml").write_text(head + 'expct.matches = "x"\n')
    return ["check s.toml"]


def secret(folder: Path) -> list[str]:
    headers = 'headers = { Authorization = "Bearer abc" }\n'
    project(
        folder, '[systems.key]\nkind = "http"\nurl = "http://localhost:1/?q={query}"\n' + headers
    )
    return ["run --quiet"]


def no_index(folder: Path) -> list[str]:
    stacks = [sys.executable, "-c", "from stacks.cli.main import main; main()"]
    shown = subprocess.run(
        [*stacks, "search", "x", "--db", "nowhere"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    (folder / "warned.txt").write_text(shown.stderr)
    return []


PROVOKED: dict[str, tuple[Callable[[Path], list[str]], ...]] = {
    "Wrong folder": (nowhere,),
    "An unknown name": (unknown_name,),
    "The system does not start": (no_program, no_server, no_variable),
    "The answer is not understood": (text_for_json, no_id),
    "All figures are 0": (other_ids,),
    "Queries failed": (timeouts,),
    "Two runs cannot be compared": (edited_query,),
    "Too few hits": (few_hits,),
    "A gate that cannot fail": (baselines,),
    "A stale baseline": (baselines,),
    "A suite that cannot be read": (broken_suites,),
    "A secret in the file": (secret,),
    "Something is not installed or not built": (no_index,),
}


def shown_messages() -> dict[str, list[str]]:
    """Return the messages under each heading of the page."""
    messages = {}
    for section in re.split(r"^## ", PAGE, flags=re.M)[1:]:
        lines = "".join(re.findall(r"^```\n(.*?)```", section, re.M | re.S)).splitlines()
        if kept := [line for line in lines if line != NEEDS_A_BARE_ENVIRONMENT]:
            messages[section.partition("\n")[0]] = kept
    return messages


def test_every_section_with_a_message_is_provoked() -> None:
    assert sorted(shown_messages()) == sorted(PROVOKED)


@pytest.mark.parametrize("heading", sorted(PROVOKED))
def test_a_message_is_printed_as_the_page_shows_it(
    heading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    printed = ""
    for number, provoke in enumerate(PROVOKED[heading]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for line in provoke(folder):
            shown = cranfield(folder, *line.split())
            printed += shown.stdout + shown.stderr
        if (kept := folder / "warned.txt").exists():
            printed += kept.read_text()
    for message in shown_messages()[heading]:
        parts = re.sub(r"localhost:\d+|toml:\d+", "…", message).split("…")
        pattern = r"[^\n]*".join(map(re.escape, parts))
        assert re.search(f"^{pattern}", printed, re.M), f"{message!r} is not in {printed}"
