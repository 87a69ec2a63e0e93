"""The GitHub Action: its steps, run as the runner runs them, with stand-ins for what they call."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cranfield.formats import render
from cranfield.formats.github_format import MARKER
from cranfield.reports.gate_report import report_gates

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
COMMENT = f"{MARKER}\n## ❌ Search quality: failed\n"

CRANFIELD = """#!/usr/bin/env bash
printf '%s\\n' "$@" > "$CALLS/cranfield"
[ "$CODE" -lt 2 ] || exit "$CODE"
while [ $# -gt 0 ]; do
  if [ "$1" = --report ]; then printf 'report %s\\n' "${2%%=*}" > "${2#*=}"; fi
  shift
done
exit "$CODE"
"""
GH = """#!/usr/bin/env bash
printf '%s\\n' "$@" >> "$CALLS/gh"
for each in "$@"; do
  case "$each" in
    --method) [ -z "$REFUSED" ] || exit 1; exit 0 ;;
  esac
done
printf '%s' "$FOUND"
exit "${UNREADABLE:-0}"
"""


def read_yaml(text: str) -> Any:
    library: Any = pytest.importorskip("yaml", reason="needs PyYAML to read the action")
    return library.safe_load(text)


def action() -> dict[str, Any]:
    content: dict[str, Any] = read_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))
    return content


@dataclass
class Runner:
    """A folder with stand-ins on the path; `run` runs one step in bash as GitHub does."""

    folder: Path

    def __post_init__(self) -> None:
        for name, script in (("cranfield", CRANFIELD), ("gh", GH)):
            program = self.folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(script)
            program.chmod(0o755)
        (self.folder / "temp").mkdir()

    def run(self, step: str, **variables: str) -> subprocess.CompletedProcess[str]:
        [found] = [each for each in action()["runs"]["steps"] if each["name"] == step]
        assert "${{" not in found["run"], "an input inside a script could be a script"
        surroundings = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "CI": "true",
            "CALLS": str(self.folder),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        known = dict.fromkeys(found.get("env", {}), "")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
            env={"CODE": "0", **surroundings, **known, **variables},
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def read(self, name: str) -> list[str]:
        path = self.folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_every_step_of_ours_names_its_shell_and_no_secret() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    steps = action()["runs"]["steps"]
    assert all(step.get("shell") == "bash" for step in steps if "run" in step)
    assert "secrets." not in text
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(action()["inputs"])


def test_the_last_step_ends_with_the_code_of_the_gate_after_the_upload(runner: Runner) -> None:
    names = [step["name"] for step in action()["runs"]["steps"]]
    assert names.index("Keep the reports") < names.index("Pass or fail") == len(names) - 1
    for code in (0, 1, 2, 3):
        assert runner.run("Pass or fail", CODE=str(code)).returncode == code


def test_the_checkout_is_installed_unless_something_else_is_named(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    python = tmp_path / "bin" / "python"
    python.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "${@: -1}" >> "$CALLS/python"\n')
    python.chmod(0o755)
    runner.run("Install cranfield", CHECKOUT="/the action")
    runner.run("Install cranfield", CHECKOUT="/the action", EXTRAS="stacks,onnx")
    runner.run("Install cranfield", CHECKOUT="/the action", VERSION="cranfield==1.2")
    assert runner.read("python") == ["/the action", "/the action[stacks,onnx]", "cranfield==1.2"]


def test_the_site_is_written_only_if_asked_for_and_kept_before_the_end(runner: Runner) -> None:
    steps = {step["name"]: step for step in action()["runs"]["steps"]}
    assert action()["inputs"]["site"]["default"] == "false"
    assert "inputs.site == 'true'" in steps["Write the site"]["if"]
    assert runner.run("Write the site").returncode == 0
    site = runner.folder / "temp" / "cranfield-site"
    assert runner.read("cranfield") == ["report", "--site", str(site)]
    assert runner.read("output") == [f"folder={site}"]
    assert list(steps).index("Keep the site") < list(steps).index("Pass or fail")


def test_the_gate_is_asked_with_what_was_given(runner: Runner) -> None:
    finished = runner.run(
        "Judge",
        SUITES="a.toml\n  b.toml c.json\n",
        SYSTEM="new; rm -rf $HOME",
        BASELINE="main",
        CHANGED_PATHS="/list",
        ARTIFACT="gate",
    )
    assert finished.returncode == 0, finished.stderr
    reports = runner.folder / "temp" / "gate"
    assert runner.read("cranfield") == [
        *("gate", "a.toml", "b.toml", "c.json", "--system", "new; rm -rf $HOME"),
        *("--baseline", "main", "--changed-paths", "/list"),
        *("--report", f"junit={reports}/gate.xml", "--report", f"json={reports}/gate.json"),
        *("--report", f"github={reports}/summary.md"),
        *("--report", f"comment={reports}/comment.md"),
    ]
    assert runner.read("output") == ["code=0", f"reports={reports}"]
    assert runner.read("summary") == ["report github"]


def test_without_inputs_the_project_decides(runner: Runner) -> None:
    assert runner.run("Judge", ARTIFACT="gate").returncode == 0
    assert runner.read("cranfield")[:2] == ["gate", "--report"]


def test_a_gate_that_failed_still_leaves_its_reports(runner: Runner) -> None:
    assert runner.run("Judge", ARTIFACT="gate", CODE="1").returncode == 0
    assert runner.read("output")[0] == "code=1"
    written = sorted(path.name for path in (runner.folder / "temp" / "gate").iterdir())
    assert written == ["comment.md", "gate.json", "gate.xml", "summary.md"]


def test_a_gate_that_could_not_be_asked_says_so_in_the_summary(runner: Runner) -> None:
    assert runner.run("Judge", ARTIFACT="gate", CODE="3").returncode == 0
    assert runner.read("output")[0] == "code=3"
    assert runner.read("summary") == ["## ❌ Search quality: could not be judged (exit code 3)"]


def comment_on(runner: Runner, body: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (runner.folder / "comment.md").write_text(body, encoding="utf-8")
    known = {"REPOSITORY": "me/it", "NUMBER": "7", "REPORTS": str(runner.folder)}
    return runner.run("Comment on the pull request", **known, **variables)


def written_to(runner: Runner) -> list[str]:
    """Read the method and the address of the call that writes."""
    calls = runner.read("gh")
    return calls[calls.index("--method") + 1 :][:2] if "--method" in calls else []


def test_the_first_comment_is_made_and_later_ones_take_its_place(runner: Runner) -> None:
    assert comment_on(runner, COMMENT).returncode == 0
    assert written_to(runner) == ["POST", "repos/me/it/issues/7/comments"]
    (runner.folder / "gh").unlink()
    assert comment_on(runner, COMMENT, FOUND="41\n42\n").returncode == 0
    assert written_to(runner) == ["PATCH", "repos/me/it/issues/comments/41"]
    assert f"body=@{runner.folder}/comment.md" in runner.read("gh")


def test_the_comment_is_found_by_the_mark_that_reports_write() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert f'startswith("{MARKER}")' in text
    assert '.user.login == "github-actions[bot]"' in text


def test_a_skipped_gate_makes_no_comment_but_corrects_an_earlier_one(runner: Runner) -> None:
    skipped = render(report_gates([], "nothing relevant changed"), "comment")
    assert comment_on(runner, skipped).returncode == 0
    assert written_to(runner) == []
    assert comment_on(runner, skipped, FOUND="41").returncode == 0
    assert written_to(runner) == ["PATCH", "repos/me/it/issues/comments/41"]


@pytest.mark.parametrize("trouble", [{"REFUSED": "1"}, {"UNREADABLE": "1"}])
def test_a_token_that_may_not_comment_is_a_warning(runner: Runner, trouble: dict[str, str]) -> None:
    finished = comment_on(runner, COMMENT, **trouble)
    assert finished.returncode == 0
    assert finished.stdout.startswith("::warning::")


def test_no_comment_without_a_report(runner: Runner) -> None:
    assert comment_on(runner, "").returncode == 0
    assert runner.read("gh") == []


def list_paths(runner: Runner, **variables: str) -> subprocess.CompletedProcess[str]:
    return runner.run("List the changed paths", REPOSITORY="me/it", NUMBER="7", **variables)


def test_changed_paths_are_listed_for_the_gate(runner: Runner) -> None:
    assert list_paths(runner, FOUND="src/a b.py\nold.py\n").returncode == 0
    [output] = runner.read("output")
    assert Path(output.removeprefix("list=")).read_text() == "src/a b.py\nold.py\n"


@pytest.mark.parametrize("trouble", [{"UNREADABLE": "1"}, {"FOUND": "a\n" * 3000}])
def test_paths_that_are_not_all_known_skip_nothing(runner: Runner, trouble: dict[str, str]) -> None:
    finished = list_paths(runner, **trouble)
    assert finished.returncode == 0
    assert runner.read("output") == []
    assert finished.stdout.startswith("::warning::")


def test_the_documented_inputs_and_workflows_are_the_actions() -> None:
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    table = text.partition("| input |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.M) == list(action()["inputs"])
    workflow, _, gitlab = (
        read_yaml(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)
    )
    [job] = workflow["jobs"].values()
    [used] = [step for step in job["steps"] if "/cranfield@" in step["uses"]]
    assert set(used["with"]) <= set(action()["inputs"])
    assert gitlab["search quality"]["artifacts"]["reports"] == {"junit": "gate.xml"}


def used_actions() -> list[str]:
    """All lines with which the action and the documentation use an action."""
    files = [ROOT / "action.yml", ROOT / "README.md", ROOT / "SECURITY.md"]
    files += [*(ROOT / "docs").glob("*.md"), *(ROOT / ".github").rglob("*.yml")]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [line.split("uses:")[1].strip() for line in lines if re.match(r"[ -]*uses:", line)]


def test_every_action_that_is_used_or_shown_is_pinned_by_commit() -> None:
    used = used_actions()
    assert len(used) >= 5
    for each in used:
        is_pinned = re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
        assert is_pinned or each == "OWNER/cranfield@COMMIT", each
    pins = {each.split("@")[0]: set[str]() for each in used}
    for each in used:
        pins[each.split("@")[0]].add(each)
    assert {name: found for name, found in pins.items() if len(found) > 1} == {}


def test_no_shown_workflow_runs_pull_requests_with_secrets() -> None:
    """The workflows that the documentation shows check out with a token that they do not keep."""
    for file in (ROOT / "docs").glob("*.md"):
        for block in re.findall(r"```yaml\n(.*?)```", file.read_text(encoding="utf-8"), re.S):
            assert "pull_request_target" not in block, file.name
            assert block.count("actions/checkout@") == block.count("persist-credentials: false")
