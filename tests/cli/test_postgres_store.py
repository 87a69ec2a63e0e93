"""Every command on a store in PostgreSQL says what it says on a file."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest
from tests.cli.projects import cranfield, make_python_project
from tests.web.servers import serving

from cranfield.cli.output import run_command

if TYPE_CHECKING:
    from pathlib import Path

    from tests.databases import PostgresServer

pytestmark = [pytest.mark.process, pytest.mark.server, pytest.mark.xdist_group("postgres")]

COMMANDS = [
    "run -s new --label late --quiet",
    "run -s old --label early --quiet",
    "runs list -f csv",
    "runs show late",
    "runs show early late q3",
    "compare old new --quiet -f json",
    "compare early late -f markdown",
    "gate --system new --quiet",
    "baseline accept late --reason first",
    "judge import judged.txt --rater Ann",
    "judge import judged.txt --rater Ann",
    "judge progress late",
    "judge export out.jsonl",
    "report late -f json",
    "runs export late -f trec",
    "runs audit",
    "runs delete early --yes",
    "runs list",
]
VOLATILE = (
    (r"\d{6}-\d{6}-[0-9a-f]{4}", "RUN"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d[.\d]*)?(\+00:00|Z)?", "TIME"),
    (r"\d+(\.\d+)? m?s\b", "SECONDS"),
    (r'"(seconds|p50|p95|q\d+)": [\d.e-]+', "SECONDS"),
    (r"postgresql://\S+|\.cranfield/cranfield\.db|\S*/cranfield\.db", "STORE"),
)


def stable(text: str) -> str:
    for pattern, name in VOLATILE:
        text = re.sub(pattern, name, text)
    return text


def perform(folder: Path, head: str = "") -> list[tuple[str, int, str, str]]:
    config = make_python_project(folder) / "cranfield.toml"
    config.write_text(f"{head}\n{config.read_text()}")
    judged = "".join(f"q{number} 0 doc-{number} 1\n" for number in range(20))
    (folder / "judged.txt").write_text(judged)
    outcomes = []
    for typed in COMMANDS:
        done = cranfield(folder, *shlex.split(typed))
        said = [stable(each.replace(str(folder), "")) for each in (done.stdout, done.stderr)]
        outcomes.append((typed, done.returncode, said[0], said[1]))
    return outcomes


def test_every_command_has_the_same_outcome_on_a_file_and_on_a_server(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("file", "server"):
        (tmp_path / name).mkdir()
    on_file = perform(tmp_path / "file")
    monkeypatch.setenv("TEAM_STORE", postgres.make_database("commands"))
    on_server = perform(tmp_path / "server", 'store = "${TEAM_STORE}"')
    assert not (tmp_path / "server" / ".cranfield" / "cranfield.db").exists()
    failed = [each for each in on_file if each[1] not in (0, 1) or "Traceback" in each[3]]
    assert failed == []
    for one, other in zip(on_file, on_server, strict=True):
        assert one == other


def test_a_store_is_copied_to_a_server_and_back(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_python_project(tmp_path)
    monkeypatch.setenv("TEAM_STORE", postgres.make_database("team"))
    cranfield(folder, "run", "-s", "new", "--quiet")
    done = cranfield(folder, "store", "copy", ".cranfield/cranfield.db", "${TEAM_STORE}")
    assert done.returncode == 0, done.stderr
    assert "/team" in done.stdout
    assert done.stdout.endswith(": 1 suites, 1 runs, 20 answers\n")
    again = cranfield(folder, "store", "copy", ".cranfield/cranfield.db", "${TEAM_STORE}")
    assert again.stdout.endswith(": nothing new\n")
    cranfield(folder, "store", "copy", "${TEAM_STORE}", "back.db")
    assert cranfield(folder, "runs", "audit", "--store", "back.db").returncode == 0
    missing = cranfield(folder, "store", "copy", "${NO_STORE}", "back.db")
    assert missing.returncode == 2
    assert "the environment variable NO_STORE is not set" in missing.stderr


def test_serve_shows_and_judges_on_a_server_and_says_when_it_is_away(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_python_project(tmp_path)
    place = postgres.make_database("served")
    monkeypatch.setenv("CRANFIELD_STORE", place)
    cranfield(folder, "run", "-s", "new", "--label", "late", "--quiet")
    with serving(folder, place=place) as served, served.client() as client:
        assert "late" in client.get("/").text
        postgres.stop()
        try:
            away = client.get("/")
        finally:
            postgres.start()
        assert away.status_code == 503
        assert "cannot be reached" in away.text
        assert client.get("/").status_code == 200


def test_the_line_that_continues_a_run_names_the_store_as_it_was_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRANFIELD_STORE", "postgresql://ada:hunter2@db.example/cranfield")
    assert "--store" not in run_command([], {"--store": None})("new")
    typed = run_command([], {"--store": "${CRANFIELD_STORE}"})("new")
    assert "--store '${CRANFIELD_STORE}'" in typed
    assert "hunter2" not in typed
