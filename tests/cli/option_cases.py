"""A project in which every option of every command has something to do, and a case for each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tests.cli.projects import cranfield, make_python_project

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CASES", "make_options_project"]

SYSTEMS = """

import threading

meeting = threading.Barrier(2)


def together(text, limit):
    try:
        meeting.wait(5)
    except threading.BrokenBarrierError:
        return ["doc-x"]
    return new(text, limit)


def flaky(text, limit):
    import pathlib
    if not pathlib.Path("repaired").exists() and text == "word19":
        raise RuntimeError("gone")
    return new(text, limit)


def swept(text, limit, step=0):
    is_main = threading.current_thread() is threading.main_thread()
    return new(text, limit) if step == 1 and is_main else ["doc-x"]
"""

CONFIG = """
[systems.together]
kind = "python"
call = "search.py:together"

[systems.flaky]
kind = "python"
call = "search.py:flaky"

[systems.swept]
kind = "python"
call = "search.py:swept"
arguments = { step = 0 }

[judging.model]
kind = "command"
run = ["cat"]
model = "echo"
prompt = "prompt.txt"

[modes.both]
systems = ["old", "new"]

[gate]
paths = ["src/**"]

[[thresholds]]
measure = "P@1"
at_least = 0.99
milestone = "M9"
"""

COMMAND = "import json,sys; print(json.dumps({'a': [{'n': 'doc-1', 'key': 'doc-2'}]}))"
TEXT_COMMAND = "print('see doc-7 and page-8')"
TREC_A = "1 Q0 a 1 3 t\n1 Q0 b 2 3 t\n2 Q0 x 1 2 t\n3 Q0 c 1 2 t\n"
SHOWN = '{"query_id": "%d", "user_query": "word1", "query_response_hit_ids": ["doc-1", "doc-2"]}\n'
CLICKED = (
    '{"query_id": "%d", "action_name": "%s", '
    '"event_attributes": {"object": {"object_id": "doc-1"}}}\n'
)
TREC_B = "1 Q0 x 1 3 t\n1 Q0 a 2 2 t\n2 Q0 b 1 2 t\n"


SWEEP = """\
system = "swept"
[settings]
arguments = { step = "{step}" }
[parameters]
step = [0, %d, 2]
[split]
folds = 2
"""
TASK = """\
id = "sum"
language = "python"
kind = "look-alike"
prompt = "Add numbers."
reference = "print(sum([1, 2]))"
[target]
python = "3.11"
"""
ANSWER = '{"task": "sum", "arm": "%s", "answer": "import math\\nprint(%s([1, 2]))"}\n'


def make_options_project(folder: Path) -> Path:
    """Make the project: two stored runs, two baselines, another project beside it."""
    make_python_project(folder)
    (folder / "search.py").write_text((folder / "search.py").read_text() + SYSTEMS)
    config = folder / "cranfield.toml"
    config.write_text(config.read_text() + CONFIG)
    suite = folder / "small.toml"
    text = suite.read_text().replace('text = "word2"', 'text = "word2"\nlanguage = "en"')
    suite.write_text(text)
    (folder / "part.toml").write_text(text.split('\n[[query]]\nid = "q9"')[0])
    other = text.replace('id = "small"', 'id = "other"').replace("^doc-3$", "^doc-4$")
    (folder / "other.toml").write_text(other)
    (folder / "judged.txt").write_text("".join(f"q{n} 0 doc-x 1\n" for n in range(20)))
    (folder / "paths.txt").write_text("docs/index.md\n")
    (folder / "log.jsonl").write_text('{"query": "open the file", "count": 3}\n{"query": "URL"}\n')
    (folder / "log.csv").write_text("typed,query\nfirst words,1\nmore words,2\n")
    (folder / "qrels").write_text("1 0 a 1\n2 0 b 1\n3 0 c 1\n4 0 d 1\n")
    (folder / "a.run").write_text(TREC_A)
    (folder / "b.run").write_text(TREC_B)
    (folder / "command.py").write_text(COMMAND)
    (folder / "text.py").write_text(TEXT_COMMAND)
    (folder / "prompt.txt").write_text("version: 1\nIs it relevant?\n")
    (folder / "corpus").mkdir()
    (folder / "corpus" / "doc-1").write_text("one")
    for name in ("old", "new"):
        cranfield(folder, "run", "-s", name, "--label", f"{name}-run")
    cranfield(folder, "baseline", "accept", "new-run", "--reason", "good", "--author", "Ann")
    accept = ("baseline", "accept", "old-run", "--reason", "old", "--author", "Ann", "--force")
    cranfield(folder, *accept, "--name", "early")
    _add_judgments(folder)
    _add_tasks(folder)
    (folder / "steps.toml").write_text(SWEEP % 1)
    (folder / "idle.toml").write_text(SWEEP % 3)
    cranfield(folder, "sweep", "steps.toml")
    (folder / "elsewhere").mkdir()
    made = make_python_project(folder / "elsewhere", 8)
    suite = made / "small.toml"
    suite.write_text(suite.read_text().replace('id = "small"', 'id = "elsewhere"'))
    search = made / "search.py"
    search.write_text(search.read_text().replace("doc-y", "doc-z"))
    for name in ("old", "new"):
        cranfield(made, "run", "-s", name, "--label", f"{name}-run")
    return folder


def _add_tasks(folder: Path) -> None:
    """Add a task, what two agents answered to it, and what one of them answered later."""
    (folder / "tasks").mkdir()
    (folder / "tasks" / "sum.toml").write_text(TASK)
    lines = [ANSWER % (arm, code) for arm, code in (("plain", "math.summe"), ("search", "sum"))]
    (folder / "answers.jsonl").write_text("".join(lines))
    (folder / "later.jsonl").write_text(lines[0])


def _add_judgments(folder: Path) -> None:
    """Add grades of Ann and of clicks, and files that contradict them or have other queries."""
    judged = (folder / "judged.txt").read_text()
    (folder / "contrary.qrels").write_text(judged.replace(" 1\n", " 0\n"))
    (folder / "foreign.qrels").write_text(f"{judged}nobody 0 doc-x 1\n")
    (folder / "shown.jsonl").write_text("".join(SHOWN % number for number in range(12)))
    clicks = "".join(CLICKED % (number, "click") for number in range(6))
    (folder / "clicked.jsonl").write_text(clicks + CLICKED % (7, "buy"))
    cranfield(folder, "judge", "import", "judged.txt", "--rater", "Ann")
    cranfield(folder, "judge", "clicks", "shown.jsonl", "clicked.jsonl")


_TRY = f"init --command '{sys.executable} command.py {{query}}' --query word1 --to made"
_READ = f"{_TRY} --hits a --id n"
_PLAIN = f"init --command '{sys.executable} text.py {{query}}' --query word1 --to made"
_UNTRIED = "init --command 'nowhere {query}' --query word1 --to made"

_RUNNING = {
    "--k": "--k 20",
    "--repeat": "--repeat 2",
    "--measure": "-m P@1",
    "--quiet": "--quiet",
    "--format": "-f json",
    "--out": "-o report.txt",
    "--config": "--config elsewhere",
    "--store": "--store other.db",
}
_SELECTING = {
    "--category": "--category even",
    "--language": "--language en",
    "--qrels": "--qrels judged.txt",
}
_COMPARED = {
    **_RUNNING,
    **_SELECTING,
    "--suite": "--suite other.toml",
    "--jobs": "--jobs 2",
    "--margin": "--margin 0.9",
    "--seed": "--seed 5",
    "--show": "--show overview",
    "--report": "--report json=report.json",
    "--fail-on": "--fail-on better",
}
_JUDGED = {
    **_RUNNING,
    "--milestone": "--milestone M9",
    "--baseline": "--baseline early",
    "--changed-paths": "--changed-paths paths.txt",
    "--report": "--report junit=gate.xml",
}

# Nothing is run with these, so there is no progress to be quiet about.
_STORED = {name: option for name, option in _COMPARED.items() if name != "--quiet"}
_STORED_GATE = {name: option for name, option in _JUDGED.items() if name != "--quiet"}

CASES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "init": [
        (_READ, {"--name": "--name mine", "--expect": "--expect doc-9", "--to": "--to there",
                 "--query": "--query other", "--set": "--set timeout=7"}),
        (_TRY, {"--hits": "--hits a --id n", "--id": "--hits a --id key"}),
        (_PLAIN, {"--pattern": r"--pattern 'page-\d'"}),
        (_UNTRIED, {"--no-try": "--no-try"}),
        ("init --query word1 --to made --no-try", {
            "--command": "--command 'nowhere {query}'",
            "--url": "--url http://127.0.0.1:9/?q={query}",
            "--python": "--python search.py:new",
            "--mcp": "--mcp 'nowhere' --tool find",
            "--sql": "--sql fulltext",
        }),
        ("init --query word1 --to made --no-try --mcp nowhere", {"--tool": "--tool find"}),
    ],
    "run": [
        ("run -s new", {**_RUNNING, **_SELECTING, "--system": "-s old", "--smoke": "--smoke",
                        "--label": "--label mine", "--verbose": "--verbose",
                        "--milestone": "--milestone M9", "--resume": "--resume",
                        "--retry-failed": "--retry-failed",
                        "--report": "--report json=report.json"}),
        ("run", {"--mode": "--mode both"}),
        ("run -s together", {"--jobs": "--jobs 2", "--executor": "--executor nowhere"}),
        ("run -s old", {"--gate": "--gate"}),
    ],
    "compare": [
        ("compare old new", {**_COMPARED, "--jobs": ""}),
        ("compare together new", {"--jobs": "--jobs 2"}),
        ("compare old-run new-run", _STORED),
        ("compare old-run new", {**_COMPARED, "--jobs": ""}),
        ("compare old old new new", {**_COMPARED, "--jobs": "", "--grid": "--grid"}),
        ("compare --grid old old new new", {**_COMPARED, "--jobs": ""}),
        ("compare --grid old-run old-run new-run new-run", _STORED),
        ("compare old-run part", {"--common": "--common"}),
    ],
    "report": [
        ("report old-run new-run -f json", {"--open": "--open", "--margin": "--margin 0.3",
                                            "--seed": "--seed 3", "--format": "-f csv",
                                            "--out": "-o new.json",
                                            "--config": "--config elsewhere",
                                            "--store": "--store other.db"}),
        ("report new-run -f json", {"--margin": "--margin 0.3", "--seed": "--seed 3",
                                    "--site": "--site pages"}),
        ("report old-run new-run -f csv", {"--margin": "--margin 0.3", "--seed": "--seed 3"}),
        ("report old-run new-run part -f csv", {"--margin": "--margin 0.9",
                                                "--seed": "--seed 3"}),
        ("report --site pages", {"--margin": "--margin 0.3", "--open": "", "--format": "-f json",
                                 "--out": "-o page.html", "--seed": "--seed 3",
                                 "--config": "--config elsewhere", "--store": "--store other.db"}),
    ],
    "serve": [
        # What the others change is seen in a server that listens: see tests/web.
        ("serve --host 300.1.2.3", {"--host": "--host 300.1.2.4", "--port": "--port 1",
                                    "--demand-token": "", "--open": "",
                                    "--config": "--config nowhere", "--store": "--store other.db"}),
    ],
    "check": [
        ("check ids.toml", {"--corpus": "--corpus corpus"}),
        ("check", {"--update-ledger": "--update-ledger", "--format": "-f json",
                   "--config": "--config elsewhere", "--store": "--store other.db",
                   "--milestone": "--milestone M9"}),
    ],
    "gate": [
        ("gate -s new", {**_JUDGED, "--system": "-s old", "--run": "--run latest"}),
        ("gate -s together", {"--jobs": "--jobs 2"}),
        ("gate", {"--mode": "--mode both"}),
        ("gate --run new-run", {**_STORED_GATE, "--jobs": "--jobs 2", "--system": "-s old",
                                "--mode": "--mode both"}),
    ],
    "sweep": [
        ("sweep steps.toml", {"--fresh": "--fresh", "--apply": "--apply", "--quiet": "--quiet",
                              "--report": "--report json=sweep.json", "--format": "-f json",
                              "--out": "-o sweep.txt", "--config": "--config elsewhere",
                              "--store": "--store other.db", "--force": "--force"}),
        ("sweep steps.toml --fresh", {"--jobs": "--jobs 2",
                                     "--executor": "--executor nowhere"}),
        ("sweep idle.toml --apply", {"--force": "--force"}),
    ],
    "agent": [
        ("agent tasks --recorded answers.jsonl", {"--recorded": "--recorded later.jsonl",
                                                  "--against": "--against search",
                                                  "--show": "--show all",
                                                  "--format": "-f json",
                                                  "--model": "--model mockllm/model",
                                                  "--executor": "--executor nowhere",
                                                  "--dry-run": "--dry-run"}),
        ("agent tasks --model mockllm/model --system new --dry-run", {
            "--system": "--system old", "--against-system": "--against-system old",
            "--mode": "--mode ungrounded", "--ground": "--ground paste", "--k": "--k 3",
            "--repeat": "--repeat 4", "--seed": "--seed 3", "--temperature": "--temperature 1",
            "--turns": "--turns 2", "--tokens": "--tokens 3", "--seconds": "--seconds 3",
            "--jobs": "--jobs 1", "--retries": "--retries 1", "--log-dir": "--log-dir asked",
            "--config": "--config elsewhere"}),
    ],
    "judge pool": [
        ("judge old-run new-run", {"--depth": "--depth 1", "--rater": "--rater Ann",
                                   "--decisive": "--decisive old-run new-run",
                                   "--format": "-f json", "--config": "--config elsewhere",
                                   "--store": "--store other.db", "--error": "--error 0.1",
                                   "--seed": "", "--terminal": "--terminal",
                                   "--disputed": "--disputed", "--query": "--query word3",
                                   "--document": "--document doc-3",
                                   "--since": "--since 2026-01-01",
                                   "--until": "--until 2026-01-01"}),
    ],
    "judge progress": [
        ("judge progress old-run new-run -f json", {"--seed": "--seed 3"}),
        ("judge progress old-run new-run", {"--depth": "--depth 1", "--rater": "--rater Ann",
                                            "--format": "-f json",
                                            "--config": "--config elsewhere",
                                            "--store": "--store other.db"}),
    ],
    "judge export": [
        ("judge export out.csv", {"--format": "-f trec", "--by": "--by clicks",
                                  "--suite": "--suite nothing", "--config": "--config elsewhere",
                                  "--run": "--run latest", "--store": "--store other.db"}),
        ("judge export judged.txt -f trec", {"--force": "--force"}),
    ],
    "judge import": [
        ("judge import judged.txt --rater Ann", {
            "--format": "-f csv", "--rater": "--rater Bo", "--source": "--source model",
            "--suite": "--suite part.toml", "--config": "--config elsewhere",
            "--store": "--store other.db"}),
        ("judge import contrary.qrels --rater Ann", {"--conflicts": "--conflicts keep"}),
        ("judge import foreign.qrels --rater Ann", {"--skip-unknown": "--skip-unknown"}),
    ],
    "judge clicks": [
        ("judge clicks shown.jsonl clicked.jsonl", {
            "--click": "--click buy", "--fewest": "--fewest 13", "--highest": "--highest 3",
            "--log": "--log other", "--config": "--config elsewhere",
            "--store": "--store other.db"}),
    ],
    "judge model": [
        ("judge model old-run new-run", {"--depth": "--depth 1", "--dry-run": "--dry-run",
                                         "--executor": "--executor nowhere",
                                         "--format": "-f json", "--config": "--config elsewhere",
                                         "--store": "--store other.db"}),
    ],
    "judge calibrate": [
        ("judge calibrate old-run", {"--depth": "--depth 1", "--seed": "--seed 5",
                                     "--format": "-f json", "--config": "--config elsewhere",
                                     "--store": "--store other.db"}),
    ],
    "power": [
        ("power", {"--delta": "--delta 0.2", "--system": "-s old", "--format": "-f json",
                   "--out": "-o power.txt", "--config": "--config elsewhere",
                   "--store": "--store other.db"}),
    ],
    "suggest": [
        ("suggest --log log.jsonl", {"--log": "--log log.csv", "--limit": "--limit 1",
                                     "--out": "-o new.toml"}),
        ("suggest --log log.csv", {"--column": "--column query=typed"}),
        ("suggest --log asked.jsonl", {"--suite": "--suite part.toml",
                                      "--config": "--config elsewhere"}),
    ],
    "score": [
        ("score qrels a.run b.run", {"--measure": "-m P@1", "--per-query": "--per-query",
                                     "--missing": "--missing skip", "--tie-bounds": "--tie-bounds",
                                     "--format": "-f json", "--margin": "--margin 0.9"}),
        ("score qrels a.run b.run -f json", {"--seed": "--seed 3"}),
        ("score qrels a.run b.run -f csv", {"--margin": "--margin 0.9", "--seed": "--seed 3",
                                            "--tie-bounds": "--tie-bounds"}),
        ("score qrels tied.run", {"--ties": "--ties given", "--margin": "--margin 0.9",
                                  "--seed": "--seed 1967"}),
    ],
    "measures": [("measures", {"--format": "-f json"})],
    "completion": [],
    "baseline accept": [
        ("baseline accept new-run --reason good --author Ann", {
            "--reason": "--reason better", "--name": "--name next", "--author": "--author Bo",
            "--config": "--config elsewhere", "--store": "--store other.db"}),
        ("baseline accept old-run --reason good --author Ann", {"--force": "--force"}),
    ],
    "baseline show": [
        ("baseline show", {"--name": "--name early", "--format": "-f json",
                           "--config": "--config elsewhere"}),
    ],
    "baseline history": [
        ("baseline history", {"--name": "--name early", "--format": "-f json",
                              "--config": "--config elsewhere"}),
    ],
    "runs list": [
        ("runs list", {"--format": "-f json", "--config": "--config elsewhere",
                       "--store": "--store other.db"}),
    ],
    "runs show": [
        (base, {"--format": "-f json", "--config": "--config elsewhere",
                "--store": "--store other.db"})
        for base in ("runs show new-run", "runs show new-run q3", "runs show old-run new-run q3")
    ],
    "runs export": [
        ("runs export new-run", {"--format": "-f trec", "--out": "-o run.json",
                                 "--config": "--config elsewhere", "--store": "--store other.db"}),
    ],
    "runs import": [
        ("runs import elsewhere/.cranfield/cranfield.db", {"--config": "--config elsewhere",
                                                            "--store": "--store other.db"}),
    ],
    "runs delete": [
        ("runs delete old-run", {"--yes": "--yes", "--keep": "--keep 1 --yes",
                                 "--older-than": "--older-than 2w --yes"}),
        ("runs delete old-run --yes", {"--config": "--config elsewhere",
                                       "--store": "--store other.db"}),
    ],
    "store copy": [],
    "runs audit": [
        ("runs audit", {"--format": "-f json", "--config": "--config elsewhere",
                        "--store": "--store other.db"}),
    ],
}  # fmt: skip
