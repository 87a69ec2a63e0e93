"""The command as a user runs it: a real process, real files."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from cranfield_shared.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.process

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq3 0 d9 1\n"
RUN_A = "q1 Q0 d2 1 9 a\nq1 Q0 d1 2 8 a\nq2 Q0 d5 1 5 a\nq2 Q0 d1 2 4 a\nqx Q0 d1 1 1 a\n"
RUN_B = "q1 Q0 d1 1 9 b\nq2 Q0 d1 1 5 b\nq3 Q0 d9 1 2 b\n"


def cranfield(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cranfield", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    for name, text in (("qrels", QRELS), ("a.run", RUN_A), ("b.run", RUN_B)):
        (tmp_path / name).write_text(text)
    return str(tmp_path / "qrels"), str(tmp_path / "a.run"), str(tmp_path / "b.run")


def test_the_table_shows_measures_by_runs(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], "-m", "RR", "-m", "P@1", "-m", "NumRet")
    assert shown.returncode == 0
    assert shown.stdout == (
        "measure   a.run\nRR       0.3333\nP@1      0.0000\nNumRet        4\nqueries       3\n"
    )
    assert "\x1b" not in shown.stdout + shown.stderr


def test_warnings_go_to_standard_error_and_are_counted_once(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], "-m", "P@1")
    assert shown.stderr.splitlines() == [
        "warning: a.run: 1 judged query has no results in this run: q3",
        "warning: a.run: 1 query of this run has no judgments, ignored: qx",
        "warning: a.run: unjudged hits, counted as not relevant: 50.0% of the first 1",
    ]


def test_json_follows_its_schema(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", *files, "-m", "RR", "-m", "Judged@1", "--format", "json")
    document = json.loads(shown.stdout)
    assert shown.stderr == ""
    assert document["schema"] == "cranfield.score/1"
    first, second = document["runs"]
    assert first["name"] == "a.run"
    assert first["measures"] == {"RR": pytest.approx(1 / 3), "Judged@1": 0.5}
    assert first["queries"]["q1"] == {"RR": 0.5, "Judged@1": 1.0}
    assert first["queries"]["q3"] == {"RR": 0.0, "Judged@1": None}
    assert second["measures"]["RR"] == 1.0
    assert {warned["code"] for warned in document["warnings"]} == {
        "missing-queries",
        "undefined",
        "unjudged-queries",
        "unjudged-hits",
    }
    [comparison] = document["comparisons"]
    assert (comparison["measure"], comparison["a"], comparison["b"]) == ("RR", "a.run", "b.run")
    assert comparison["difference"] == pytest.approx(2 / 3)
    assert comparison["randomisation"]["method"] == "exact"
    assert comparison["randomisation"]["p_two_sided"] == 2 / 8
    assert comparison["wilcoxon"]["p_two_sided"] is None
    assert comparison["wilcoxon"]["reason"].startswith("too few non-zero pairs: 3")
    assert comparison["effects"]["outcomes"] == {"wins": 3, "ties": 0, "losses": 0}


@pytest.mark.corpus
def test_the_same_inputs_give_the_same_bytes(files: tuple[str, str, str]) -> None:
    once = cranfield("score", *files, "--format", "json")
    again = cranfield("score", *files, "--format", "json")
    assert once.stdout == again.stdout


def test_csv_has_a_row_a_value(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], "-m", "RR", "-f", "csv", "--per-query")
    rows = list(csv.reader(io.StringIO(shown.stdout)))
    assert rows[0] == ["run", "query", "measure", "value"]
    assert ["a.run", "all", "RR", repr(1 / 3)] in rows
    assert ["a.run", "q2", "RR", "0.5"] in rows
    assert len(rows) == 1 + 1 + 3


def test_trec_eval_format_is_trec_evals(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], "-f", "trec_eval", "-q", "-m", "AP", "-m", "P@5")
    assert shown.stdout == (
        "map                   \tq1\t0.5000\nP_5                   \tq1\t0.2000\n"
        "map                   \tq2\t0.5000\nP_5                   \tq2\t0.2000\n"
        "map                   \tq3\t0.0000\nP_5                   \tq3\t0.0000\n"
        "runid                 \tall\ta\nnum_q                 \tall\t3\n"
        "map                   \tall\t0.3333\nP_5                   \tall\t0.1333\n"
    )


def test_trec_eval_format_has_all_99_lines_of_all_trec_and_96_of_a_query(
    files: tuple[str, str, str],
) -> None:
    lines = cranfield("score", files[0], files[1], "-f", "trec_eval", "-q").stdout.splitlines()
    rows = [[part.strip() for part in line.split("\t")] for line in lines]
    summary = [name for name, query, _ in rows if query == "all"]
    assert len(summary) == len(set(summary)) == 99
    assert [summary[place] for place in (0, 6, 40, 51, 98)] == [
        "runid", "gm_map", "gm_bpref", "utility", "unj_20",
    ]  # fmt: skip
    of_query = [name for name, query, _ in rows if query == "q1"]
    assert len(of_query) == 96
    assert set(summary) ^ set(of_query) == {"runid", "num_q", "gm_map", "gm_bpref", "relstring"}
    [(_, _, shown)] = [row for row in rows if row[:2] == ["relstring", "q1"]]
    assert shown == "'01'"


def test_queries_without_results_can_be_left_out(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], "-m", "RR", "--missing", "skip")
    assert "RR       0.5000\n" in shown.stdout
    assert "queries       2\n" in shown.stdout
    assert "1 judged query has no results" in shown.stderr


def test_two_runs_are_compared_on_common_queries(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", *files, "-m", "RR", "--missing", "skip")
    assert "compared with a.run" in shown.stdout
    [row] = [line.split() for line in shown.stdout.splitlines() if line.startswith("b.run")]
    assert row == [
        "b.run",
        "RR",
        "cannot",
        "tell,",
        "10",
        "queries",
        "needed",
        "+0.5000",
        "[-0.8016,",
        "+0.9339]",
        "1.0000",
        "–",
        "2/0/0",
    ]


def test_an_undefined_mean_is_a_dash_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d 6\n")
    (tmp_path / "run").write_text("1 Q0 d 1 1 t\n")
    shown = cranfield("score", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "ERR@5")
    assert "ERR@5      –\n" in shown.stdout
    assert "– ERR@5: grade 6 is above max=4; ask for ERR(max=6)\n" in shown.stdout


def test_tie_bounds_are_shown_on_request(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n")
    shown = cranfield(
        "score", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "RR", "--tie-bounds"
    )
    assert [line.split()[-1] for line in shown.stdout.splitlines()[1:4]] == [
        "0.5000",
        "0.5000",
        "1.0000",
    ]


@pytest.mark.corpus
def test_runs_of_one_file_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    for folder, run in (("old", RUN_A), ("new", RUN_B)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run").write_text(run)
    (tmp_path / "qrels").write_text(QRELS)
    paths = [str(tmp_path / folder / "run") for folder in ("old", "new")]
    shown = cranfield("score", str(tmp_path / "qrels"), *paths, "-m", "RR", "-f", "json")
    assert [run["name"] for run in json.loads(shown.stdout)["runs"]] == paths


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "nowhere", "{a}"], "cranfield: nowhere: cannot be read: No such file"),
        (["score", "{qrels}", "nowhere"], "cranfield: nowhere: cannot be read"),
        (["score", "{qrels}", "{a}", "-m", "ndgc@10"], "unknown measure 'ndgc': did you mean nDCG"),
        (["score", "{qrels}", "{a}", "-m", "P@0"], "P@0: the cutoff must be a whole number"),
        (["score", "{qrels}", "{a}", "--missing", "error"], "no results for 1 judged queries"),
        (["score", "{qrels}", "{a}", "--format", "xml"], "xml"),
        (["score", "{qrels}", "{a}", "{a}", "--margin", "0"], "a margin has to be positive"),
        (["score", "{qrels}", "{a}", "-f", "csv", "--tie-bounds"], "has no place for --tie-bounds"),
        (
            ["score", "{qrels}", "{a}", "--seed", "1967"],
            "--seed is for a comparison; name two runs",
        ),
        (
            ["score", "{qrels}", "{a}", "--margin", "1"],
            "--margin is for a comparison; name two runs",
        ),
        (
            ["score", "{qrels}", "{a}", "{a}", "-f", "csv", "--seed", "3"],
            "--seed is for a comparison",
        ),
        (["score", "{qrels}", "-", "-"], "standard input: can be read only once"),
        (["score", "{qrels}"], "Missing argument 'RUN'"),
        (["scor"], "No such command 'scor'"),
    ],
)
def test_a_mistake_prints_one_message_and_exits_with_2(
    files: tuple[str, str, str], arguments: list[str], message: str
) -> None:
    filled = [each.format(qrels=files[0], a=files[1]) for each in arguments]
    shown = cranfield(*filled)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert shown.stdout == ""
    assert "Traceback" not in shown.stderr


@pytest.mark.corpus
def test_no_value_is_printed_when_the_last_file_is_bad(
    files: tuple[str, str, str], tmp_path: Path
) -> None:
    (tmp_path / "bad.run").write_text("q1 Q0 d1 1 nan t\n")
    shown = cranfield("score", *files, str(tmp_path / "bad.run"))
    assert shown.stdout == ""
    assert "bad.run:1: score 'nan' is not finite" in shown.stderr


@pytest.mark.corpus
def test_queries_left_out_of_a_mean_are_told(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d 2\n2 0 d 1\n")
    (tmp_path / "run").write_text("1 Q0 d 1 1 t\n2 Q0 d 1 1 t\n")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    shown = cranfield("score", *files, "-m", "ERR(max=1)@5")
    assert "ERR(max=1)@5  0.5000" in shown.stdout
    assert shown.stderr == (
        "warning: run: ERR(max=1)@5 leaves out 1 query: "
        "grade 2 is above max=1; ask for ERR(max=2)\n"
    )


def test_bounds_that_are_not_known_say_why(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b -1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n")
    files = [str(tmp_path / name) for name in ("qrels", "run")]
    shown = cranfield("score", *files, "-m", "infAP", "-m", "NumRet", "--tie-bounds")
    assert "– infAP: infAP can rise when a better hit moves down\n" in shown.stdout
    assert [line.split()[-1] for line in shown.stdout.splitlines()[4:7]] == ["2", "2", "2"]


def test_many_runs_become_rows(files: tuple[str, str, str], tmp_path: Path) -> None:
    paths = []
    for number in range(6):
        path = tmp_path / f"a-run-with-quite-a-long-name-{number}.txt"
        path.write_text(RUN_B)
        paths.append(str(path))
    shown = cranfield("score", files[0], *paths, "-m", "RR", "-m", "P@1", "-f", "table")
    assert shown.stdout.splitlines()[0].split() == ["measure", "RR", "P@1", "queries"]


def test_one_file_twice_has_two_names(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], files[1], "-m", "RR", "-f", "json")
    names = [run["name"] for run in json.loads(shown.stdout)["runs"]]
    assert len(set(names)) == 2


def test_one_file_twice_has_no_headline_to_correct_for(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", files[0], files[1], files[1], "-m", "RR").stdout
    assert "p           larger of sign-flip test and interval\n" in shown
    other = cranfield("score", *files, "-m", "RR").stdout
    assert "sign-flip test and interval, Holm-corrected for 1 headline\n" in other


def test_a_full_disk_is_an_error_without_a_traceback(files: tuple[str, str, str]) -> None:
    command = f"{sys.executable} -m cranfield score {files[0]} {files[1]} > /dev/full"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert shown.returncode == 2
    assert shown.stderr.endswith("the output cannot be written: No space left on device\n")


def test_runs_that_no_measure_can_compare_say_why(files: tuple[str, str, str]) -> None:
    shown = cranfield("score", *files, "-m", "GMAP", "-m", "NumRet")
    assert shown.returncode == 0
    assert "not compared: GMAP is computed over all queries at once" in shown.stdout
    assert "not compared: NumRet describes an answer" in shown.stdout
    one = cranfield("score", *files[:2], "-m", "GMAP")
    assert "not compared" not in one.stdout


def test_measures_are_listed_with_their_parameters() -> None:
    shown = cranfield("measures")
    assert shown.returncode == 0
    assert re.search(r"nDCG, nDCG@10 +gain=linear rel=1 +discounted gain", shown.stdout)


def test_versions_are_told() -> None:
    assert cranfield("--version").stdout == f"cranfield {__version__}\n"
    stacks = [sys.executable, "-c", "from stacks.cli.main import main; main()", "--version"]
    told = subprocess.run(stacks, capture_output=True, text=True, check=True)
    assert told.stdout == f"stacks {__version__}\n"


def test_a_reader_that_stops_early_is_no_error(files: tuple[str, str, str]) -> None:
    pipeline = f"{sys.executable} -m cranfield score {files[0]} {files[1]} -q | head -1"
    shown = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipeline], capture_output=True, text=True, check=False
    )
    assert shown.stdout.startswith("measure")
    assert shown.returncode == 0
    assert "Traceback" not in shown.stderr
