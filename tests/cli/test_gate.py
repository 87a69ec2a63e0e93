"""`cranfield gate` and `cranfield baseline`: the real commands, from a fresh project on."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from tests.cli.projects import cranfield, make_project, make_python_project
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.cli import main
from cranfield.evaluation.acceptance import Acceptance, accept_by_rule
from cranfield.evaluation.project import Project
from cranfield.gates.baseline_files import baseline_path, read_baseline, write_baseline
from cranfield.gates.baselines import make_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.model import RegressionRules
from cranfield.runs.runner import RunOptions, run_suite

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

RULES = """
[regressions]
at_most = 1
protected = ["even"]
accept_at = 2
"""


def add_rules(folder: Path) -> Path:
    suite = folder / "small.toml"
    head, query, rest = suite.read_text().partition("[[query]]")
    suite.write_text(f"{head}{RULES}\n{query}{rest}")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return add_rules(make_python_project(tmp_path, 10))


@pytest.fixture
def command_project(tmp_path: Path) -> Path:
    """The same, whose systems are programs, with one that fails."""
    return add_rules(make_project(tmp_path))


def accept(project: Path, system: str) -> Path:
    assert cranfield(project, "run", "--system", system).returncode == 0
    told = ("baseline", "accept", "latest", "--reason", "as released", "--force")
    done = cranfield(project, *told)
    assert done.returncode == 0, done.stderr
    return project / "baselines" / "small.main.json"


def test_without_a_baseline_the_thresholds_alone_decide(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new")
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert "PASSED" in done.stdout


@pytest.mark.corpus
def test_a_slow_answer_is_told_beside_the_baseline_and_fails_nothing(project: Path) -> None:
    suite = project / "small.toml"
    head, query, rest = suite.read_text().partition("[[query]]")
    suite.write_text(f"{head}[latency]\np90 = 0.000001\n\n{query}{rest}")
    baseline = read_baseline(accept(project, "new"))
    assert list(baseline.accepted.latency) == ["p50", "p95"]
    done = cranfield(project, "gate", "--system", "new", "--report", "json=gate.json")
    assert done.returncode == 0
    assert "p90 ≤ 0.0 ms" in done.stdout
    assert "above, diagnostic" in done.stdout
    assert "(baseline " in done.stdout
    told = json.loads((project / "gate.json").read_text())["volatile"][0]["latency"]
    assert list(told) == ["p50", "p90", "p95"]
    assert told["p90"]["at_most"] == 1e-6
    shown = cranfield(project, "baseline", "history")
    assert "p95 " in shown.stdout


@pytest.mark.corpus
def test_a_build_that_lost_queries_fails(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "gate", "--system", "old")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    assert "queries got worse; at most 1 may" in done.stdout


def test_an_unchanged_build_passes(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 0, done.stdout


@pytest.mark.corpus
def test_a_better_build_becomes_the_baseline_and_says_so_loudly(command_project: Path) -> None:
    path = accept(command_project, "old")
    before = path.read_text()
    assert "NEW BASELINE" not in cranfield(command_project, "gate", "--system", "new").stderr
    search = command_project / "search.py"
    search.write_text(search.read_text().replace('build in ("new",', 'build in ("old", "new",'))
    done = cranfield(command_project, "gate", "--system", "old")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "these files of the system changed since the baseline: search.py" in done.stdout
    assert "NEW BASELINE" in done.stderr
    assert path.read_text() != before
    history = cranfield(command_project, "baseline", "history")
    assert history.stdout.count("RR@10") == 2
    assert "as released" in history.stdout


def test_a_stored_run_can_be_judged_again(project: Path) -> None:
    accept(project, "new")
    cranfield(project, "run", "--system", "old")
    assert cranfield(project, "gate", "--run", "latest").returncode == 1


def test_reports_are_written_beside_the_terminal(project: Path) -> None:
    accept(project, "new")
    reports = [f"--report={name}=out/{name}" for name in ("junit", "json", "github", "comment")]
    done = cranfield(project, "gate", "--system", "old", *reports)
    assert done.returncode == 1
    assert "FAILED" in done.stdout
    suites = ET.parse(project / "out" / "junit").getroot()  # noqa: S314 - our own file
    assert suites.findall(".//failure")
    assert json.loads((project / "out" / "json").read_text())
    assert (project / "out" / "comment").read_text().startswith("<!-- cranfield gate -->")


def test_a_change_that_touches_nothing_relevant_is_skipped_and_said_so(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[gate]\npaths = ["src/search/**", "*.toml"]\n')
    changed = project / "changed.txt"
    changed.write_text("docs/index.md\nREADME.md\n")
    done = cranfield(project, "gate", "--system", "broken", "--changed-paths", str(changed))
    assert done.returncode == 0
    assert "none of the 2 changed paths matches src/search/**, *.toml" in done.stdout
    changed.write_text("small.toml\n")
    done = cranfield(project, "gate", "--system", "new", "--changed-paths", str(changed))
    assert "PASSED" in done.stdout


def test_a_run_of_a_part_is_neither_judged_nor_accepted(project: Path) -> None:
    cranfield(project, "run", "--system", "new", "--category", "even")
    for command in (("gate", "--run", "latest"), ("baseline", "accept", "latest", "--reason", "x")):
        done = cranfield(project, *command)
        assert done.returncode == 2
        assert "has 5 of the 10 queries" in done.stderr


def test_a_run_without_an_answer_is_no_baseline(command_project: Path) -> None:
    cranfield(command_project, "run", "--system", "broken")
    done = cranfield(command_project, "baseline", "accept", "latest", "--reason", "x")
    assert done.returncode == 2
    assert "has no answer" in done.stderr


def test_an_empty_list_of_paths_skips_nothing(project: Path) -> None:
    config = project / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[gate]\npaths = ["src/**"]\n')
    (project / "changed.txt").write_text("\n")
    done = cranfield(project, "gate", "--system", "old", "--changed-paths", "changed.txt")
    assert done.returncode == 1


def test_a_stored_run_is_judged_without_asking_anybody(project: Path) -> None:
    done = cranfield(project, "gate", "--run", "latest", "--system", "new")
    assert done.returncode == 2
    assert "it takes no --system" in done.stderr
    done = cranfield(project, "gate", "small.toml", "--run", "latest", "--k", "3")
    assert "it takes no suite and no --k" in done.stderr


def test_changed_paths_without_patterns_is_a_mistake(project: Path) -> None:
    (project / "changed.txt").write_text("a\n")
    done = cranfield(project, "gate", "--system", "new", "--changed-paths", "changed.txt")
    assert done.returncode == 2
    assert "[gate]" in done.stderr


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda text: text.replace('"P@1": 1.0', '"P@1": 0.0', 1), "was changed by hand"),
        (lambda text: text[: len(text) // 2], "is not a baseline"),
        (lambda text: text.replace('"version": 3', '"version": 9'), "has version 9"),
        (lambda _: "", "is not a baseline"),
    ],
)
def test_a_damaged_baseline_never_passes(project: Path, damage: object, message: str) -> None:
    path = accept(project, "new")
    path.write_text(damage(path.read_text()))  # type: ignore[operator]
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_baseline_of_another_suite_is_refused(project: Path) -> None:
    path = accept(project, "new")
    other = project / "other.toml"
    other.write_text((project / "small.toml").read_text().replace('id = "small"', 'id = "other"'))
    path.rename(path.with_name("other.main.json"))
    done = cranfield(project, "gate", "other.toml", "--system", "new")
    assert done.returncode == 2
    assert "is a baseline of the suite 'small', not of 'other'" in done.stderr


def test_a_stale_baseline_says_what_changed(project: Path) -> None:
    accept(project, "new")
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace('text = "word3"', 'text = "word1"'))
    done = cranfield(project, "gate", "--system", "new")
    assert "1 query was added, changed or removed" in done.stdout


def test_a_baseline_that_is_named_must_be_there(project: Path) -> None:
    done = cranfield(project, "gate", "--system", "new", "--baseline", "release")
    assert done.returncode == 2
    assert "cranfield baseline accept" in done.stderr


def test_a_system_that_cannot_be_asked_is_no_failed_gate(command_project: Path) -> None:
    assert cranfield(command_project, "gate", "--system", "broken").returncode == 3
    assert cranfield(command_project, "gate", "--system", "nobody").returncode == 2


def test_a_baseline_is_shown(project: Path) -> None:
    accept(project, "new")
    done = cranfield(project, "baseline", "show")
    assert "small, baseline main: 10 queries by new, 10 hits each" in done.stdout
    assert "P@1 1.0000" in done.stdout
    assert cranfield(project, "baseline", "show", "nothing").returncode == 2


def test_a_baseline_needs_a_reason(project: Path) -> None:
    cranfield(project, "run", "--system", "new")
    assert cranfield(project, "baseline", "accept", "latest").returncode == 2
    done = cranfield(project, "baseline", "accept", "latest", "--reason", " ")
    assert done.returncode == 2


def test_a_suite_that_was_renamed_does_not_lose_its_baseline_unseen(project: Path) -> None:
    accept(project, "new")
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace('id = "small"', 'id = "tiny"', 1))
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 2
    assert "queries of the suite 'tiny' under its old id 'small'" in done.stderr


def test_a_baseline_that_cannot_be_read_is_told_before_anything_is_asked(project: Path) -> None:
    path = accept(project, "new")
    path.write_text("{")
    before = cranfield(project, "runs", "list").stdout
    assert cranfield(project, "gate", "--system", "new").returncode == 2
    assert cranfield(project, "runs", "list").stdout == before


def small_project(folder: Path, queries: int = 3) -> Path:
    """Two suites of few queries: small, and odd, whose queries the old build puts at rank 3."""
    make_project(folder, queries)
    config = folder / "cranfield.toml"
    text = config.read_text()
    config.write_text(text.replace('["small.toml"]', '["small.toml", "odd.toml"]'))
    (folder / "odd.toml").write_text(
        'id = "odd"\nclass = "canonical"\n\n[[query]]\nid = "o1"\ntext = "word11"\n'
        "expect.matches = '^doc-11$'\n"
    )
    return folder


def accept_all(project: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return cranfield(project, "baseline", "accept", "latest", "--reason", "released", *options)


@pytest.mark.corpus
def test_a_reader_that_left_does_not_change_the_exit_code(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    commands = [
        ("gate", "small.toml", "--system", "old"),
        ("run", "small.toml", "--system", "old", "--gate"),
        ("compare", "new", "old", "--suite", "odd.toml", "--fail-on", "cannot tell"),
    ]
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.8", "at_least = 1.0"))
    for arguments in commands:
        with subprocess.Popen(
            [sys.executable, "-m", "cranfield", *arguments],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as started:
            assert started.stdout is not None
            started.stdout.close()
            assert started.wait(120) == 1, arguments


def test_latest_is_every_run_of_the_last_command(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    assert cranfield(project, "run", "--system", "new").returncode == 0
    assert accept_all(project).returncode == 0
    assert {path.name for path in (project / "baselines").iterdir()} == {
        "small.main.json",
        "odd.main.json",
    }
    # A command that asks two systems has two runs of a suite: only one can be its baseline.
    assert cranfield(project, "run", "-s", "old", "-s", "new").returncode == 0
    done = accept_all(project)
    assert (done.returncode, "several runs of one suite" in done.stderr) == (2, True)
    cranfield(project, "run", "--system", "old")
    done = cranfield(project, "gate", "--run", "latest")
    assert done.returncode == 1
    assert "small: FAILED" in done.stdout
    assert "odd: PASSED" in done.stdout
    assert "warning: 1 query got worse, which is no more than noise or chance" in done.stdout


@pytest.mark.corpus
def test_accepting_tells_what_is_lost_and_takes_it_only_by_force(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    cranfield(project, "run", "--system", "new")
    assert accept_all(project).returncode == 0
    before = (project / "baselines" / "small.main.json").read_bytes()
    cranfield(project, "run", "--system", "old")
    done = accept_all(project)
    assert done.returncode == 2
    assert "small: RR@10 is 0.7778; at least 0.8 is required" in done.stdout
    assert "small: worse than the baseline before: 1 (q1)" in done.stdout
    assert "odd: worse than the baseline before: 1 (o1)" in done.stdout
    assert (project / "baselines" / "small.main.json").read_bytes() == before
    assert accept_all(project, "--force").returncode == 0
    assert (project / "baselines" / "small.main.json").read_bytes() != before


def test_a_run_with_queries_that_were_not_answered_is_accepted_only_by_force(
    tmp_path: Path,
) -> None:
    project = small_project(tmp_path)
    search = project / "search.py"
    broken = 'if query == "word2":\n    sys.exit("lost")\n'
    search.write_text(search.read_text().replace("number =", f"{broken}number =", 1))
    suite = project / "small.toml"
    suite.write_text(suite.read_text().replace("at_least = 0.8", "at_least = 0.1"))
    cranfield(project, "run", "small.toml", "--system", "new")
    done = accept_all(project)
    assert done.returncode == 2
    assert "small: not answered, or not every time: 1 (q2)" in done.stdout
    assert accept_all(project, "--force").returncode == 0


@pytest.mark.corpus
def test_a_run_of_a_selection_is_refused_whatever_the_project_lists(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 4)
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace('suites = ["small.toml"]', "suites = []"))
    for selection in (("--category", "even"), ("--smoke",)):
        cranfield(project, "run", "small.toml", "--system", "new", *selection)
        for arguments in (
            ("gate", "--run", "latest"),
            ("baseline", "accept", "latest", "--reason", "x", "--force"),
        ):
            done = cranfield(project, *arguments)
            assert done.returncode == 2
            assert f"has only a part of small ({' '.join(selection)})" in done.stderr


def test_baselines_that_guard_nothing_and_suites_without_one_are_warned_of(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    cranfield(project, "run", "small.toml", "--system", "new")
    assert accept_all(project).returncode == 0
    done = cranfield(project, "gate", "--system", "new")
    assert done.returncode == 0
    assert "warning: odd has no baseline, and other suites have one" in done.stdout
    # The other suite's is in nobody's hands any more: neither judged nor listed.
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace('["small.toml", "odd.toml"]', '["odd.toml"]'))
    done = cranfield(project, "gate", "--system", "new")
    assert "warning: small.main.json is the baseline of no suite that is judged" in done.stdout
    done = cranfield(project, "gate", "small.toml", "--system", "old")
    assert "of another system, new" in done.stdout
    assert "no suite that is judged" not in done.stdout


def test_a_suite_named_beside_its_copy_is_no_renamed_one(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    cranfield(project, "run", "small.toml", "--system", "new")
    assert accept_all(project).returncode == 0
    config = project / "cranfield.toml"
    config.write_text(config.read_text().replace('["small.toml", "odd.toml"]', "[]"))
    copy = (project / "small.toml").read_text().replace('id = "small"', 'id = "copy"', 1)
    (project / "copy.toml").write_text(copy)
    done = cranfield(project, "gate", "copy.toml", "--system", "new")
    assert done.returncode == 2
    done = cranfield(project, "gate", "copy.toml", "small.toml", "--system", "new")
    assert done.returncode == 0, done.stderr


def test_a_file_of_another_suite_is_never_overwritten(tmp_path: Path) -> None:
    project = small_project(tmp_path)
    cranfield(project, "run", "small.toml", "--system", "new")
    assert accept_all(project).returncode == 0
    file = project / "baselines" / "small.main.json"
    file.rename(file.with_name("odd.main.json"))
    cranfield(project, "run", "odd.toml", "--system", "new")
    done = accept_all(project, "--force")
    assert done.returncode == 2
    assert "is a baseline of the suite 'small'" in done.stderr
    for name in ("*", "a.main"):
        assert accept_all(project, "--name", name).returncode == 2


def test_changes_of_the_project_its_suites_and_baselines_are_never_skipped(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    project = tmp_path / "search"
    project.mkdir()
    small_project(project)
    config = project / "cranfield.toml"
    config.write_text(f'{config.read_text()}\n[gate]\npaths = ["src/**"]\n')
    changed = project / "changed.txt"

    def gate(path: str) -> str:
        changed.write_text(f"docs/x.md\n{path}\n")
        arguments = ("odd.toml", "--system", "new", "--changed-paths", "changed.txt")
        return cranfield(project, "gate", *arguments).stdout

    for path in ("search/cranfield.toml", "search/odd.toml", "search/baselines/a.main.json"):
        assert "odd: PASSED" in gate(path), path
    assert "SKIPPED" in gate("odd.toml")
    changed.write_bytes(b"docs/x.md\0src/a.py\0")
    done = cranfield(project, "gate", "--system", "new", "--changed-paths", "changed.txt")
    assert (done.returncode, "NUL" in done.stderr) == (2, True)


def test_a_rule_for_a_category_that_no_query_has_is_refused(tmp_path: Path) -> None:
    project = make_python_project(tmp_path, 2)
    suite = project / "small.toml"
    text = suite.read_text()
    for rule in ("protected", "watched"):
        rules = f'[regressions]\n{rule} = ["evne"]\n\n[[query]]'
        suite.write_text(text.replace("[[query]]", rules, 1))
        for arguments in (("check",), ("gate", "--system", "new")):
            done = cranfield(project, *arguments)
            assert done.returncode == 2, arguments
            assert "did you mean even?" in done.stdout + done.stderr


def test_queries_that_only_moved_keep_their_place_when_a_rule_accepts_a_run(
    tmp_path: Path,
) -> None:
    """Two queries are at ranks 1 and 2 in turn; a run that has them at 2 must not lower the bar."""
    suite = replace(small_suite(4), rules=RegressionRules(accept_at=2))
    turns: dict[str, int] = {}

    def unsure(text: str, limit: int) -> list[str]:
        turns[text] = turns.get(text, 0) + 1
        is_first = turns[text] % 2 and text in ("word0", "word1")
        return (right_first if is_first else right_second)(text, limit)

    def later(text: str, limit: int) -> list[str]:
        return (right_second if text in ("word0", "word1") else right_first)(text, limit)

    accepted = {"date": "", "author": "", "reason": "", "commit": ""}
    twice = RunOptions(repeats=2)
    before = make_baseline(
        run_suite(
            suite,
            unsure,
            twice,
        ),
        "main",
        accepted,
    )
    path = baseline_path(tmp_path, suite.id, "main")
    write_baseline(path, before)
    run = run_suite(suite, later, twice)
    before = replace(before, system=run.header.system)
    project = Project(tmp_path)
    assert accept_by_rule(gate_run(run, before), project, Acceptance("by rule", "today")) == path
    after = read_baseline(path)
    assert after.accepted.run == run.header.id
    assert after.queries[:2] == before.queries[:2]
    assert [query.values["RR@10"] for query in after.queries] == [0.75, 0.75, 1.0, 1.0]


def test_a_fault_of_the_program_is_no_failed_gate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    # The door of the package has the function under the module's name.
    monkeypatch.setattr(sys.modules["cranfield.cli.main"], "app", fault)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 70
    assert "please report this" in capsys.readouterr().err
