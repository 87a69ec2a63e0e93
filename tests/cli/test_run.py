"""`cranfield run` as a user types it, against real programs."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.projects import cranfield, make_project

pytestmark = pytest.mark.process


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path)


def test_a_run_shows_the_means_by_category_and_where_it_is_stored(project: Path) -> None:
    shown = cranfield(project, "run", "small.toml", "--system", "old")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    assert lines[0] == "small: old, 10 queries of the class canonical"
    assert lines[2].split() == ["queries", "RR@10", "P@1", "P@5", "nDCG@10", "DCG@10"]
    assert lines[3].split() == ["all", "10", "0.6667", "0.5000", "0.2000", "0.7500", "0.7500"]
    assert lines[4].split()[:3] == ["even", "5", "1.0000"]
    assert lines[5].split()[:3] == ["odd", "5", "0.3333"]
    assert "gate FAILED" in shown.stdout
    assert (project / ".cranfield" / "cranfield.db").exists()


def test_progress_goes_to_standard_error_and_standard_output_has_no_escapes(project: Path) -> None:
    shown = cranfield(project, "run", "--system", "new")
    assert shown.stderr.splitlines()[0] == "[1/10] word0"
    assert "[10/10] word9" in shown.stderr
    assert "\x1b" not in shown.stdout + shown.stderr


@pytest.mark.corpus
def test_a_terminal_gets_a_bar(project: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cranfield", "run", "--system", "new"]
    finished = subprocess.run(
        command, cwd=project, stdout=subprocess.PIPE, stderr=theirs, check=True, timeout=120
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "█" in shown
    assert "10/10" in shown
    assert b"\x1b" not in finished.stdout


@pytest.mark.parametrize("label", ["latest", "old", "a\tb"])
def test_a_label_that_would_mislead_is_refused(project: Path, label: str) -> None:
    shown = cranfield(project, "run", "-s", "new", "--label", label)
    assert shown.returncode == 2
    assert "choose another" in shown.stderr


@pytest.mark.corpus
def test_a_report_follows_a_link_and_leaves_devices_what_they_are(project: Path) -> None:
    (project / "real.csv").write_text("old")
    (project / "link.csv").symlink_to("real.csv")
    assert cranfield(project, "run", "-s", "new", "-f", "csv", "-o", "link.csv").returncode == 0
    assert (project / "link.csv").is_symlink()
    assert (project / "real.csv").read_text().startswith("suite,")
    assert cranfield(project, "run", "-s", "new", "-o", "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()
    for bad in (".", "", "/"):
        shown = cranfield(project, "run", "-s", "new", "-o", bad)
        assert shown.returncode == 2
        assert "Traceback" not in shown.stderr


def test_a_script_that_changed_since_is_not_resumed(tmp_path: Path) -> None:
    project = make_project(tmp_path, queries=20)
    running = start_run(project)
    assert running.stderr is not None
    running.stderr.readline()
    running.kill()
    running.wait()
    running.stderr.close()
    with (project / "search.py").open("a") as script:
        script.write("# edited\n")
    shown = cranfield(project, "run", "-s", "marks", "--resume")
    assert shown.returncode == 2
    assert "another build" in shown.stderr


def test_a_store_that_is_removed_while_running_is_told(tmp_path: Path) -> None:
    project = make_project(tmp_path, queries=30)
    running = start_run(project)
    assert running.stderr is not None
    running.stderr.readline()
    shutil.rmtree(project / ".cranfield")
    told = running.stderr.read().decode()
    running.stderr.close()
    assert running.wait() == 2
    assert "was deleted during the run" in told


def test_the_gate_decides_the_exit_code_when_asked(project: Path) -> None:
    assert cranfield(project, "run", "-s", "old").returncode == 0
    assert cranfield(project, "run", "-s", "old", "--gate").returncode == 1
    assert cranfield(project, "run", "-s", "new", "--gate").returncode == 0


def test_only_a_category_or_the_first_of_each_is_asked(project: Path) -> None:
    odd = cranfield(project, "run", "-s", "new", "--category", "odd", "-f", "csv")
    assert [line.split(",")[2] for line in odd.stdout.splitlines()[1:]] == [
        "q1", "q3", "q5", "q7", "q9",
    ]  # fmt: skip
    smoke = cranfield(project, "run", "-s", "new", "--smoke", "-f", "csv")
    assert [line.split(",")[2] for line in smoke.stdout.splitlines()[1:]] == ["q0", "q1"]
    unknown = cranfield(project, "run", "-s", "new", "--category", "od")
    assert unknown.returncode == 2
    assert "did you mean odd?" in unknown.stderr


def test_a_report_goes_to_a_file_and_the_summary_to_the_terminal(project: Path) -> None:
    shown = cranfield(project, "run", "-s", "new", "-f", "json", "--out", "out/run.json")
    assert shown.stdout.startswith("small: new, 10 queries")
    written = json.loads((project / "out" / "run.json").read_text())
    assert written["runs"][0]["overall"]["means"]["RR@10"] == 1.0


def test_two_runs_give_the_same_bytes_but_for_the_volatile_part(project: Path) -> None:
    reports = [
        json.loads(cranfield(project, "run", "-s", "old", "-f", "json", "-j", jobs).stdout)
        for jobs in ("1", "3")
    ]
    volatile = [report.pop("volatile") for report in reports]
    assert json.dumps(reports[0]) == json.dumps(reports[1])
    assert volatile[0] != volatile[1]


def test_a_system_that_answers_nothing_exits_with_3(project: Path) -> None:
    shown = cranfield(project, "run", "-s", "broken")
    assert shown.returncode == 3
    assert "10 queries were not answered (10 error) and scored 0" in shown.stdout
    assert "ended with code 1" in shown.stdout
    assert "answered no query of small (error: ended with code 1)" in shown.stderr


def test_timeouts_are_recorded_as_such(project: Path) -> None:
    shown = cranfield(project, "run", "-s", "slow", "-j", "5")
    assert shown.returncode == 3
    assert "10 timeout" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["-s", "odl"], 2, "did you mean old"),
        (["-s", "missing"], 3, "no-such-program"),
        (["nothing.toml", "-s", "old"], 2, "nothing.toml: does not exist"),
        ([], 2, "choose a system with --system"),
        (["-s", "old", "-m", "nDCG@20"], 2, "--k 20"),
        (["-s", "old", "-m", "nDGC@10"], 2, "nDCG"),
        (["-s", "old", "-f", "jsn"], 2, "did you mean json"),
        (["-s", "old", "--resume"], 2, "no unfinished run"),
        (["-s", "old", "--config", "other.toml"], 2, "other.toml"),
        (["-s", "old", "--store", "search.py"], 2, "search.py is not a store"),
    ],
)
def test_mistakes_are_told_in_one_message(
    project: Path, arguments: list[str], code: int, told: str
) -> None:
    shown = cranfield(project, "run", *arguments)
    assert shown.returncode == code, shown.stderr
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id = small", "small.toml:1: is not TOML"),
        ('id = "small"\nclass = "canonical"\n', "has no query"),
        ('id = "s"\nclass = "canonicle"\n[[query]]\nid = "a"\ntext = "b"\nexpect.ids = "c"\n',
         "did you mean canonical"),
        ('id = "s"\nclass = "canonical"\n[[query]]\nid = "a"\ntext = "b"\nexpect.matches = "("\n',
         "small.toml:3: query 'a'"),
        ('id = "s"\nclass = "canonical"\n'
         + '[[query]]\nid = "a"\ntext = "b"\nexpect.ids = "c"\n' * 2,
         "small.toml:7: two queries have the id 'a'"),
        ('id = "s"\nclass = "attribute"\n[[query]]\nid = "a"\ntext = "b"\nexpect.ids = "c"\n',
         "needs one of: where, sql"),
        ('id = "s"\nclass = "canonical"\n[[query]]\nid = "a"\ntext = "b"\nexpct.ids = "c"\n',
         "expct"),
    ],
)  # fmt: skip
def test_a_broken_suite_is_told_with_its_place(project: Path, text: str, told: str) -> None:
    (project / "small.toml").write_text(text)
    shown = cranfield(project, "run", "-s", "old")
    assert shown.returncode == 2
    assert told in shown.stderr
    assert "Traceback" not in shown.stderr


def test_a_broken_config_is_told_with_its_place(project: Path) -> None:
    (project / "cranfield.toml").write_text("[systems.old]\nkind = 'command'\nrun = 'search'\n")
    shown = cranfield(project, "run", "small.toml", "-s", "old")
    assert shown.returncode == 2
    assert re.search(r"cranfield\.toml(:1)?: .*run", shown.stderr)


def test_judgments_take_the_place_of_patterns(project: Path) -> None:
    (project / "qrels.txt").write_text("q0 0 doc-x 1\n")
    shown = cranfield(project, "run", "-s", "new", "--qrels", "qrels.txt", "-f", "csv")
    ranks = [line.split(",")[7] for line in shown.stdout.splitlines()[1:]]
    assert ranks == ["2", *["1"] * 9]


def start_run(project: Path, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "cranfield", "run", "-s", "marks", *options],
        cwd=project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


@pytest.mark.corpus
@pytest.mark.parametrize("after", [0, 3, 12])
def test_a_killed_run_is_resumed_and_its_report_equals_an_undisturbed_one(
    tmp_path: Path, after: int
) -> None:
    project = make_project(tmp_path, queries=20)
    running = start_run(project)
    assert running.stderr is not None
    told = [running.stderr.readline().split()[-1].decode() for _ in range(after)]
    if after == 0:
        while not (project / ".cranfield" / "cranfield.db").exists():
            time.sleep(0.01)
        time.sleep(0.3)
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stderr.close()
    before = (
        len((project / "asked.txt").read_text().split()) if (project / "asked.txt").exists() else 0
    )
    resumed = cranfield(project, "run", "-s", "marks", "--resume", "-f", "json")
    if "no unfinished run" in resumed.stderr:
        assert after == 0
        return
    assert resumed.returncode == 0, resumed.stderr
    asked = (project / "asked.txt").read_text().split()
    # Asked twice are at most the query that was being asked when it was killed, and the one whose
    # answer was just being written; none that anyone was told of.
    twice = [text for text in set(asked) if asked.count(text) > 1]
    assert len(twice) <= 2
    assert not set(twice) & set(told)
    assert before >= after
    undisturbed = json.loads(cranfield(project, "run", "-s", "marks", "-f", "json").stdout)
    report = json.loads(resumed.stdout)
    for each in (report, undisturbed):
        del each["volatile"]
    assert report == undisturbed


@pytest.mark.corpus
def test_several_suites_are_resumed_where_they_were_stopped(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    second = (project / "small.toml").read_text().replace('id = "small"', 'id = "other"')
    (project / "other.toml").write_text(second)
    running = start_run(project, "small.toml", "other.toml")
    assert running.stderr is not None
    for _ in range(13):
        running.stderr.readline()
    running.kill()
    running.wait()
    running.stderr.close()
    resumed = cranfield(
        project, "run", "small.toml", "other.toml", "-s", "marks", "--resume", "-f", "csv"
    )
    assert resumed.returncode == 0, resumed.stderr
    assert len(resumed.stdout.splitlines()) == 21
    asked = (project / "asked.txt").read_text().split()
    # One was being asked and one being written when it was stopped, as above.
    assert len(asked) <= 22


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    project = make_project(tmp_path, queries=40)
    running = start_run(project)
    assert running.stderr is not None
    running.stderr.readline()
    running.send_signal(signal.SIGINT)
    told = running.stderr.read().decode()
    running.stderr.close()
    assert running.wait() == 130
    assert "--resume" in told
    assert "Traceback" not in told
