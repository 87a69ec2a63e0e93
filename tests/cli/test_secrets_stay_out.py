"""A secret that a system gets, prints or answers is in no file that cranfield writes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.cli.projects import cranfield

from cranfield.model import Query, Suite
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - nobody's
VALUE = "s3cr3t/v4lue-of-mine"
INHERITED = "inherited-pa55word"
IN_ADDRESS = "pa55word-in-address"
PROGRAM = f"""
import json, os, sys
if "fail" in sys.argv[1]:
    for name, value in os.environ.items():
        print(f"{{name}}={{value}}", file=sys.stderr)
    print("DSN_PASSWORD=of the program itself", "{TOKEN}", file=sys.stderr)
    print("cannot connect to redis://:of-the-program@cache:6379/0", file=sys.stderr)
    sys.exit(3)
if "mess" in sys.argv[1]:
    print("x" * 3970 + " {TOKEN} " + os.environ["SEARCH_KEY"])
    sys.exit()
key = os.environ["SEARCH_KEY"]
print(json.dumps([{{"id": "a", "text": f"Bearer {{key}}", "echo": {{"key": [key, "{TOKEN}"]}}}}]))
"""
CONFIG = f"""
[systems.mine]
kind = "command"
run = ["{sys.executable}", "program.py", "{{query}}"]
env.SEARCH_KEY = "${{ANY_NAME}}"
"""
SUITE = """
id = "s"
class = "canonical"
[[query]]
id = "q1"
text = "ok"
expect.ids = "a"
[[query]]
id = "q2"
text = "fail"
expect.ids = "a"
[[query]]
id = "q3"
text = "mess"
expect.ids = "a"
"""


def leaking(folder: Path) -> list[str]:
    """Name the files that hold a secret, or most of one."""
    secrets = [TOKEN[:20], VALUE, INHERITED, IN_ADDRESS, "of the program itself"]
    secrets += ["of-the-program"]
    return [
        f"{path.name}: {secret}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "program.py"
        for secret in secrets
        if secret.encode() in path.read_bytes()
    ]


@pytest.mark.process
def test_no_store_report_or_export_holds_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANY_NAME", VALUE)
    monkeypatch.setenv("PGPASSWORD", INHERITED)
    monkeypatch.setenv("DATABASE_URL", f"postgres://me:{IN_ADDRESS}@db/search")
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(PROGRAM)
    Path("cranfield.toml").write_text(CONFIG)
    Path("s.toml").write_text(SUITE)
    ran = cranfield(tmp_path, "run", "s.toml", "--system", "mine", "--verbose")
    Path("ran.txt").write_text(ran.stdout + ran.stderr)
    reports = [f"--report={name}={name}.out" for name in ("json", "junit", "csv", "markdown")]
    judged = cranfield(tmp_path, "gate", "--run", "latest", *reports, "--out", "gate.txt")
    Path("judged.txt").write_text(judged.stdout + judged.stderr)
    for name in ("recorded", "json"):
        cranfield(tmp_path, "runs", "export", "latest", "--format", name, "--out", f"{name}.export")
    for query in ("q1", "q2", "q3"):
        shown = cranfield(tmp_path, "runs", "show", "latest", query)
        Path(f"{query}.txt").write_text(shown.stdout + shown.stderr)
    assert Path("json.out").exists()
    assert "${ANY_NAME}" in Path("recorded.export").read_text()
    assert "PGPASSWORD=" in Path("recorded.export").read_text()
    assert leaking(tmp_path) == []


def test_a_callable_that_answers_or_raises_a_token_is_stored_without_it(tmp_path: Path) -> None:
    def search(text: str, limit: int) -> list[dict[str, str]]:
        if text == "raise":
            raise ValueError(f"bad key {TOKEN}")
        return [{"id": f"doc-{TOKEN}", "text": TOKEN}][:limit]

    queries = (Query("q1", "ok", expect={"ids": "a"}), Query("q2", "raise", expect={"ids": "a"}))
    store = open_store(tmp_path / "runs.db")
    run = run_suite(Suite("s", "canonical", queries), search, store=store)
    answers = [answer.response for answer in run.store.answers(run.header.id)]
    store.close()
    assert answers[0].hits[0].id == "doc-[masked:github-token]"
    assert answers[1].message == "ValueError: bad key [masked:github-token]"
    assert leaking(tmp_path) == []


@pytest.mark.process
def test_a_password_in_the_configuration_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cranfield.toml").write_text(
        CONFIG.replace('env.SEARCH_KEY = "${ANY_NAME}"', 'env.PGPASSWORD = "hunter2"')
    )
    Path("s.toml").write_text(SUITE)
    ran = cranfield(tmp_path, "run", "s.toml", "--system", "mine")
    assert ran.returncode == 2
    assert 'write env.PGPASSWORD = "${NAME}"' in ran.stderr
    assert "hunter2" not in ran.stdout + ran.stderr
