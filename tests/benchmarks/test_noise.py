"""Noise alone must not turn a gate red; planted falls must."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from tests.benchmarks.noise import NoiseOptions, simulate_noise
from tests.benchmarks.scripted import Scripted, suite_of

from cranfield.model import Hit, Query, RegressionRules, Response
from cranfield.runs.runner import Run, run_suite
from cranfield.suites import load_suite
from cranfield.systems import System
from gate_sensitivity import check_mutations
from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOME = Path(__file__).parents[2] / "suites" / "home"


def tied(name: str, place: int) -> Hit:
    """Ranks 1 to 3 have scores of their own; 4 and 5, 6 and 7 are ties."""
    return Hit(name, {1: 9.0, 2: 8.0, 3: 7.0, 4: 6.0, 5: 6.0, 6: 5.0, 7: 5.0}.get(place, 1.0))


def test_without_noise_the_gate_is_never_red() -> None:
    run = run_suite(suite_of({"a": ["1", "2", "4", "5"]}), Scripted())
    report = simulate_noise(run, 20, options=NoiseOptions(chance=0.0))
    assert (report.red, report.moved, report.rate) == (0, 0, 0.0)


def test_ties_move_within_themselves_only() -> None:
    suite = suite_of({"a": ["1", "2", "4", "8"]}, RegressionRules(at_most=0))
    run = run_suite(suite, Scripted(hit=tied))
    report = simulate_noise(run, 50, options=NoiseOptions(chance=1.0, below=0))
    # Only the third query is in a tie: a right hit at 4 is at 5 in half of the draws, and the
    # baseline has it at 4 in the other half.
    assert report.moved == 1
    assert 0 < report.red < 25
    assert report.by == {"at_most": report.red}


def synthetic(at_most: int) -> Run:
    """Fifty queries, ten of which have their right hit in a tie."""
    ranks = {"a": ["1"] * 20 + ["4"] * 5, "b": ["2"] * 20 + ["5"] * 5}
    return run_suite(suite_of(ranks, RegressionRules(at_most)), Scripted(hit=tied))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("at_most", "repeats"),
    [
        (0, (12, 1)),
        pytest.param(2, (5, 1), marks=pytest.mark.thorough),
        pytest.param(2, (5, 3), marks=pytest.mark.thorough),
    ],
)
def test_noise_that_the_baseline_measured_turns_the_gate_red_in_fewer_than_2_percent(
    at_most: int, repeats: tuple[int, int], draws: Callable[[int], int]
) -> None:
    """Ten ties are coins: twelve draws miss one of them in 1 of 4096, five in 1 of 32.

    With none to fall, that is 10 / 8192; with two, three of ten have to be missed at once.
    """
    before, after = repeats
    options = NoiseOptions(baseline_repeats=before, gate_repeats=after)
    report = simulate_noise(synthetic(at_most), draws(200), options=options)
    assert report.moved == 10
    assert report.rate < 0.02


@pytest.mark.corpus
def test_noise_that_was_not_measured_turns_a_strict_gate_red_often() -> None:
    assert simulate_noise(synthetic(0), 20).rate > 0.5


@pytest.mark.corpus
@pytest.mark.parametrize(
    "repeats",
    [(1, 1), *(pytest.param(each, marks=pytest.mark.thorough) for each in ((5, 3), (12, 1)))],
)
def test_a_planted_fall_of_three_queries_turns_the_gate_red_every_time(
    repeats: tuple[int, int], draws: Callable[[int], int]
) -> None:
    before, after = repeats
    options = NoiseOptions(baseline_repeats=before, gate_repeats=after, fallen=3)
    assert simulate_noise(synthetic(2), draws(200), options=options).rate == 1.0


def test_noise_is_the_same_for_a_seed() -> None:
    run = synthetic(0)
    assert simulate_noise(run, 10, seed=3) == simulate_noise(run, 10, seed=3)


class HomeSearch(System):
    """The index of the home folder, which names files as the suite does and gives scores."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def search(self, query: Query, limit: int) -> Response:
        found = self.index.search(query.text, limit=limit, mode="both")
        hits = (
            Hit(unquote(hit.uri).removeprefix("files://standard_home_v1/"), hit.score)
            for hit in found
        )
        return Response.of(tuple(hits))


@pytest.fixture(scope="session")
def home_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The shipped suite of files, asked of the engine that comes along."""
    folder = tmp_path_factory.mktemp("home-mutations")
    save([Request.parse(f"files={HOME / 'standard_home_v1'}")], folder)
    with open_index(folder) as index:
        yield run_suite(load_suite(HOME / "test_corpus.json"), HomeSearch(index))


@pytest.mark.thorough
@pytest.mark.corpus
@pytest.mark.process
@pytest.mark.xdist_group("home-index")
def test_the_gate_of_the_home_suite_catches_all_that_happens_to_every_query(home_run: Run) -> None:
    report = check_mutations(home_run)
    assert report.before == ()
    assert report.blind == ()
    assert {each.name for each in report.missed} <= {"empty", "fail"}
    found = {each.name: each for each in report.results}
    assert dict(found["drop-right"].per_category) == {
        "exact_filename": 1,
        "partial_filename": 3,
        "content_search": 3,
        "semantic": 3,
        "edge_case": 3,
    }


@pytest.mark.thorough
@pytest.mark.corpus
@pytest.mark.process
@pytest.mark.xdist_group("home-index")
@pytest.mark.parametrize(
    "options", [NoiseOptions(), NoiseOptions(below=0)], ids=["low ranks", "all ranks"]
)
def test_noise_turns_the_gate_of_the_home_suite_red_in_fewer_than_2_percent(
    home_run: Run, options: NoiseOptions, draws: Callable[[int], int]
) -> None:
    assert simulate_noise(home_run, draws(200), options=options).rate < 0.02


@pytest.mark.thorough
@pytest.mark.corpus
@pytest.mark.process
@pytest.mark.xdist_group("home-index")
def test_three_fallen_queries_turn_the_gate_of_the_home_suite_red_every_time(
    home_run: Run, draws: Callable[[int], int]
) -> None:
    assert simulate_noise(home_run, draws(200), options=NoiseOptions(fallen=3)).rate == 1.0
