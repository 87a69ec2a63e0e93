"""Baselines: written to be reviewed, read with suspicion."""

from __future__ import annotations

import json
import os
import resource
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.runs.samples import right_first, right_second, small_suite

from cranfield.errors import CranfieldError, InputError
from cranfield.gates.baseline_files import (
    baseline_path,
    find_baselines,
    read_baseline,
    write_baseline,
)
from cranfield.gates.baselines import Baseline, make_baseline, name_files
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from collections.abc import Callable

ACCEPTED = {"date": "2026-11-16T00:00:00Z", "author": "Ann", "reason": "first", "commit": "abc"}


def make(search: Any = right_first, *, before: Baseline | None = None, **suite: Any) -> Baseline:
    run = run_suite(small_suite(4, **suite), search)
    return make_baseline(run, "main", ACCEPTED, before)


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    baseline = make()
    path = baseline_path(tmp_path, baseline.suite, "main")
    write_baseline(path, baseline)
    assert read_baseline(path) == baseline
    assert path == tmp_path / "baselines" / f"{baseline.suite}.main.json"


def test_its_figures_are_those_that_a_run_reports() -> None:
    suite = replace(small_suite(4), measures=("AP", "GMAP", "NumRet"))
    run = run_suite(suite, lambda text, limit: right_second(text, limit) if text != "word0" else [])
    reported = summarise(run).overall.means
    figures = make_baseline(run, "main", ACCEPTED).accepted.means
    assert figures == {str(each): pytest.approx(mean) for each, mean in reported.items()}
    assert figures["AP"] == pytest.approx(3 * 0.5 / 4)
    assert figures["GMAP"] == pytest.approx((0.5**3 * 0.00001) ** (1 / 4), abs=1e-6)
    assert figures["NumRet"] == 9


def test_a_query_is_one_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, make())
    lines = [line for line in path.read_text().splitlines() if '"hash"' in line]
    assert len(lines) == 4
    assert json.loads(lines[0].rstrip(","))["values"]["P@1"] == 1.0


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    baseline = make()
    for name in ("a", "b"):
        write_baseline(tmp_path / name, baseline)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_baseline_before_goes_into_the_history() -> None:
    first = make(right_second)
    second = make(before=first)
    third = make(before=second)
    assert [each.means["P@1"] for each in (*third.history, third.accepted)] == [0.0, 1.0, 1.0]


def test_values_that_move_are_kept_from_repeated_runs() -> None:
    turns = iter(range(1000))

    def unsure(text: str, limit: int) -> list[str]:
        return (right_first if next(turns) % 2 else right_second)(text, limit)

    run = run_suite(small_suite(3), unsure, RunOptions(repeats=2))
    baseline = make_baseline(run, "main", ACCEPTED)
    assert all(query.seen["P@1"] == {"1.0": 1, "0.0": 1} for query in baseline.queries)
    assert all(query.seen["RR@10"] == {"1.0": 1, "0.5": 1} for query in baseline.queries)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(version=1), "has version 1, and this cranfield knows 3"),
        (lambda c: c.update(format="other"), "is not a baseline of cranfield"),
        (lambda c: c["baseline"].pop("queries"), "missing required field"),
        (lambda c: c["baseline"].update(limit="ten"), "changed by hand or is damaged"),
        (lambda c: c.pop("digest"), "changed by hand or is damaged"),
        (lambda c: c["baseline"].update(limt=5), "unknown key 'limt': did you mean limit"),
        (lambda c: c["baseline"]["queries"][0].update(ranc=1), "unknown key 'ranc': did you mean"),
        (lambda c: c["baseline"]["queries"][0]["values"].update({"P@1": 0.0}), "changed by hand"),
        (lambda c: c["baseline"]["queries"].pop(), "changed by hand"),
        (lambda c: c["baseline"]["queries"][0]["seen"].update({"P@1": {"0.0": 9}}), "by hand"),
        (lambda c: c["baseline"]["queries"][0].update(seen={"P@1": {"0.0": -1}}), "by hand"),
        (lambda c: c["baseline"]["queries"][0].update(rank=99), "changed by hand"),
        (lambda c: c["baseline"]["accepted"].update(author="Bob"), "changed by hand"),
    ],
)
def test_a_baseline_that_somebody_changed_is_refused(
    tmp_path: Path, change: Callable[[Any], None], message: str
) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, make())
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        read_baseline(path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": 1}'])
def test_garbage_is_no_baseline(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is not a baseline"):
        read_baseline(path)


def test_a_truncated_file_is_no_baseline(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, make())
    whole = path.read_bytes()
    for length in range(0, len(whole) - 3, 97):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="is not a baseline"):
            read_baseline(path)


@pytest.mark.parametrize("name", ["../evil", "a/b", "", "..", "*", "ma*n", "a.main", "-x", "a\n"])
def test_a_name_is_no_path_and_no_pattern(tmp_path: Path, name: str) -> None:
    with pytest.raises(CranfieldError, match="cannot name a file"):
        baseline_path(tmp_path, "small", name)
    with pytest.raises(CranfieldError, match="cannot name a file"):
        find_baselines(tmp_path, name)


@pytest.mark.parametrize("suite", ["", "*", "../a", "a b", ".hidden"])
def test_the_id_of_a_suite_that_is_no_file_name_is_refused(tmp_path: Path, suite: str) -> None:
    with pytest.raises(CranfieldError, match="cannot name a file"):
        baseline_path(tmp_path, suite, "main")


def test_suites_and_names_never_share_a_file(tmp_path: Path) -> None:
    for suite in ("docs", "docs.main", "a.main"):
        write_baseline(baseline_path(tmp_path, suite, "main"), make())
    assert set(find_baselines(tmp_path, "main")) == {"docs", "docs.main", "a.main"}
    assert find_baselines(tmp_path, "json") == {}


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    paths = ["index.db", "/old/index.db", "/new/index.db", "../other/pages", "./src/a.py"]
    assert list(name_files(paths).values()) == [
        "index.db",
        "old/index.db",
        "new/index.db",
        "pages",
        "src/a.py",
    ]


def test_queries_that_are_kept_stay_as_they_were() -> None:
    first = make(right_second)
    run = run_suite(small_suite(4), right_first)
    second = make_baseline(run, "main", ACCEPTED, first, kept=("q0", "q1"))
    assert second.queries[:2] == first.queries[:2]
    assert [query.rank for query in second.queries] == [2, 2, 1, 1]


def test_a_folder_that_cannot_be_written_is_no_failed_gate(tmp_path: Path) -> None:
    (tmp_path / "baselines").write_text("a file")
    with pytest.raises(InputError, match="cannot be written"):
        write_baseline(baseline_path(tmp_path, "small", "main"), make())


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_baseline(tmp_path / "none.json")


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.process
def test_an_acceptance_that_is_killed_leaves_the_old_baseline_and_the_next_one_no_litter(
    tmp_path: Path,
) -> None:
    path = baseline_path(tmp_path, "small", "main")
    write_baseline(path, make(right_second))
    before = path.read_bytes()
    child = os.fork()
    if child == 0:
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign,assignment]
        write_baseline(path, make())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert path.read_bytes() == before
    assert list(find_baselines(tmp_path, "main")) == ["small"]
    write_baseline(path, make())
    assert names_in(path.parent) == ["small.main.json"]


@pytest.mark.process
def test_an_acceptance_on_a_full_disk_leaves_the_old_baseline_and_no_litter(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk."""
    path = baseline_path(tmp_path, "small", "main")
    write_baseline(path, make(right_second))
    before = path.read_bytes()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        try:
            write_baseline(path, make())
        except InputError as problem:
            os._exit(7 if "File too large" in str(problem) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert path.read_bytes() == before
    assert names_in(path.parent) == ["small.main.json"]
