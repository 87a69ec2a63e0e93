"""The whole text of each report, as its reader sees it: one file a report, in `texts`.

`make golden` writes the files again; the difference is then read, and committed with the change
that made it. Other tests hold the rules and the figures, this one the sentences.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from tests.cli.option_cases import make_options_project
from tests.cli.projects import cranfield

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("golden")]

TEXTS = Path(__file__).with_name("texts")
COMMANDS = {
    "agent": "agent tasks --recorded answers.jsonl --show all",
    "agent-markdown": "agent tasks --recorded answers.jsonl -f markdown",
    "baseline-accept": "baseline accept old-run --reason good --author Ann",
    "baseline-history": "baseline history",
    "baseline-show": "baseline show",
    "calibration": "judge calibrate old-run",
    "check": "check",
    "compare": "compare old new",
    "compare-all": "compare old-run new-run --show all",
    "compare-alike": "compare new-run new-run",
    "compare-failures": "compare partly new",
    "compare-few-failures": "compare new mostly",
    "compare-judged": "compare old new --qrels judged.txt",
    "compare-markdown": "compare old-run new-run -f markdown",
    "gate": "gate -s new",
    "gate-failures": "gate -s partly",
    "gate-github": "gate -s old -f github",
    "gate-junit": "gate -s old -f junit",
    "gate-red": "gate -s old",
    "grid": "compare --grid old old new new",
    "judge-clicks": "judge clicks shown.jsonl clicked.jsonl",
    "judge-import": "judge import contrary.qrels --rater Ann",
    "judge-model": "judge model old-run new-run --dry-run",
    "judge-progress": "judge progress old-run new-run",
    "leaderboard": "compare old new mostly",
    "measures": "measures",
    "mode": "run --mode both",
    "power": "power",
    "run": "run -s new",
    "run-failures": "run -s partly --verbose",
    "run-gate": "run -s old --gate",
    "runs-audit": "runs audit old-run",
    "runs-delete": "runs delete old-run --yes",
    "runs-list": "runs list",
    "runs-show": "runs show new-run",
    "runs-show-change": "runs show old-run new-run q3",
    "runs-show-query": "runs show old-run q3",
    "score": "score qrels a.run b.run",
    "score-queries": "score qrels a.run b.run --per-query --tie-bounds",
    "suggest": "suggest --log log.jsonl",
    "sweep": "sweep steps.toml --fresh",
}
VOLATILE = (
    (r"\d{6}-\d{6}-[0-9a-f]{4}", "RUN"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d(:|&#58;)\d\d(\1\d\d[.\d]*)?(\+00:00|Z)?", "TIME"),
    (r"\d{4}-\d\d-\d\d", "DATE"),
    (r"\d+((\.|&#46;)\d+)? m?s\b", "SECONDS"),
    (r'time="[\d.]+"', 'time="SECONDS"'),
    (r" +(SECONDS|median)$", r"  \1"),  # a column as wide as its times
    (r"\b[0-9a-f]{12,}\b", "HASH"),
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_options_project(tmp_path_factory.mktemp("golden"))


def show(project: Path, typed: str) -> str:
    """Run a command in a copy of the project, and return all that it says, but for times."""
    folder = project.with_name("golden-work")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(project, folder)
    done = cranfield(folder, *shlex.split(typed))
    shown = f"$ cranfield {typed}\n\n{done.stdout}"
    said = re.sub(r"^\[\d+/\d+\] .*\n", "", done.stderr, flags=re.MULTILINE)  # without progress
    if said:
        shown += f"\n--- on standard error\n{said}"
    shown += f"\n--- exit code {done.returncode}\n"
    shown = shown.replace(str(folder), "FOLDER").replace(sys.executable, "PYTHON")
    for pattern, name in VOLATILE:
        shown = re.sub(pattern, name, shown, flags=re.MULTILINE)
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_report_says_what_its_file_holds(
    project: Path, name: str, pytestconfig: pytest.Config
) -> None:
    shown = show(project, COMMANDS[name])
    file = TEXTS / f"{name}.txt"
    if pytestconfig.getoption("--golden"):
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8"), "if this is meant: make golden"


def test_every_file_has_a_report() -> None:
    assert {path.stem for path in TEXTS.glob("*.txt")} == COMMANDS.keys()
