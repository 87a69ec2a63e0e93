"""Mutations of stored answers, and whether gates notice them; noise, and whether they do not."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from tests.gates.noise import NoiseOptions, simulate_noise
from tests.kept import make_once

from cranfield.gates import gate_run, make_baseline
from cranfield.gates.mutations import (
    MUTATIONS,
    Mutation,
    MutationResult,
    Others,
    Scene,
    check_mutations,
)
from cranfield.model import Hit, Query, RegressionRules, Response, Status, Suite, Threshold
from cranfield.runs import Run, RunOptions, run_suite
from cranfield.suites import load_suite
from cranfield.systems import System
from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HOME = Path(__file__).parents[2] / "suites" / "home"


class Scripted(System):
    """Has the right hit at the rank that a query's text says, among others of its own."""

    def __init__(self, hits: int = 8, hit: Callable[[str, int], Hit] | None = None) -> None:
        self.hits = hits
        self.hit = hit or (lambda name, _: Hit(name))

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        if query.text == "timeout":
            return Response.failed(Status.TIMEOUT, "late")
        ids = [f"{query.id}-{number}" for number in range(1, self.hits + 1)]
        if rank := int(query.text):
            ids[rank - 1] = f"right-{query.id}"
        return Response.of(tuple(self.hit(name, place) for place, name in enumerate(ids, 1)))


def suite_of(
    ranks: dict[str, list[str]], rules: RegressionRules | None = None, *gate: Threshold
) -> Suite:
    """Queries by category, each with the rank of its right hit as its text; 0 is nowhere."""
    queries = tuple(
        Query(f"{category}{number}", rank, {"matches": [f"right-{category}{number}$"]}, category)
        for category, some in ranks.items()
        for number, rank in enumerate(some)
    )
    return Suite("made", "canonical", queries, gate=gate, rules=rules or RegressionRules())


def results(run: Run, *names: str, seed: int = 0) -> dict[str, MutationResult]:
    chosen = [MUTATIONS.get(name) for name in names]
    return {each.name: each for each in check_mutations(run, chosen, seed=seed).results}


def scene(*ids: str, right: str = "", others: Others | None = None) -> Scene:
    response = Response.of(tuple(Hit(name) for name in ids), route="search", flags=("kept",))
    marks = tuple(name == right for name in ids)
    return Scene(Query("q", "text", category="here"), response, marks, others or Others(None, {}))


def changed(name: str, given: Scene) -> list[str] | None:
    response = MUTATIONS.get(name).change(given, Random(1))  # noqa: S311 - seeded
    return None if response is None else [hit.id for hit in response.hits]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("drop-right", ["a", "c", "d", "e"]),
        ("swap-1-4", ["d", "b", "c", "a", "e"]),
        ("empty", []),
        ("fail", []),
        ("reverse", ["e", "d", "c", "b", "a"]),
        ("duplicate", ["a"]),
        ("lose-source", None),
        ("wrong-category", None),
    ],
)
def test_a_mutation_breaks_a_list_in_its_way(name: str, expected: list[str] | None) -> None:
    given = scene("a", "b", "c", "d", "e", right="b")
    before = replace(given)
    assert changed(name, given) == expected
    assert given == before


@pytest.mark.parametrize("name", ["drop-right", "swap-1-4", "empty", "reverse", "duplicate"])
def test_an_answer_without_hits_cannot_lose_any(name: str) -> None:
    assert changed(name, scene()) is None


@pytest.mark.parametrize(("name", "count"), [("swap-1-4", 3), ("reverse", 1), ("duplicate", 1)])
def test_a_list_that_is_too_short_is_left_alone(name: str, count: int) -> None:
    assert changed(name, scene(*"abc"[:count])) is None


def test_a_list_that_lost_all_hits_is_an_empty_answer_with_its_route() -> None:
    response = MUTATIONS.get("drop-right").change(scene("a", right="a"), Random(1))  # noqa: S311
    assert response == Response(Status.EMPTY, route="search", flags=("kept",))


def test_only_hits_of_the_lost_source_go() -> None:
    given = scene("docs://a", "blog://b", "docs://c", "plain", others=Others("docs", {}))
    assert changed("lose-source", given) == ["blog://b", "plain"]
    assert changed("lose-source", scene("blog://b", others=Others("docs", {}))) is None


def test_hits_of_another_category_never_come_from_the_own_one() -> None:
    own, other = (Response.of((Hit(name),)) for name in ("own", "other"))
    others = Others(None, {"here": (own,) * 50, "there": (other,)})
    assert changed("wrong-category", scene("a", others=others)) == ["other"]


def test_any_answer_of_any_other_category_may_be_the_wrong_one() -> None:
    by_category = {
        name: tuple(Response.of((Hit(f"{name}{number}"),)) for number in range(count))
        for name, count in {"before": 2, "here": 3, "later": 1}.items()
    }
    given = scene("a", others=Others(None, by_category))
    change = MUTATIONS.get("wrong-category").change
    drawn = [change(given, Random(seed)) for seed in range(50)]  # noqa: S311 - seeded
    ids = {hit.id for response in drawn if response for hit in response.hits}
    assert ids == {"before0", "before1", "later0"}


def test_by_default_more_lost_queries_than_noise_explains_turn_the_gate_red() -> None:
    run = run_suite(suite_of({"a": ["1", "2"], "b": ["1", "0"]}), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert (found.applied, found.changed, found.caught) == (3, 3, True)
    assert (found.smallest, found.typical, found.by) == (2, 2, ("lost",))
    assert dict(found.per_category) == {"a": 2, "b": None}


def test_if_none_may_fall_one_lost_query_turns_the_gate_red() -> None:
    ranks = {"a": ["1", "2"], "b": ["1", "0"]}
    run = run_suite(suite_of(ranks, RegressionRules(at_most=0)), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert (found.smallest, found.typical, found.by) == (1, 1, ("at_most",))
    assert dict(found.per_category) == {"a": 1, "b": 1}


def test_a_protected_category_needs_one_query_and_the_others_one_more_than_may_fall() -> None:
    rules = RegressionRules(at_most=2, protected=("names",))
    ranks = {"names": ["1"] * 2, "words": ["1"] * 30, "few": ["1"] * 2}
    found = results(run_suite(suite_of(ranks, rules), Scripted()), "drop-right")["drop-right"]
    assert dict(found.per_category) == {"names": 1, "words": 3, "few": None}
    assert (found.smallest, found.typical) == (1, 3)
    assert found.by == ("at_most", "protected")


def test_a_threshold_turns_red_when_the_mean_falls_below_it_and_not_before() -> None:
    rules = RegressionRules(at_most=1000)
    gate = Threshold("RR@10", 0.75)
    run = run_suite(suite_of({"": ["1"] * 20}, rules, gate), Scripted())
    found = results(run, "drop-right", "swap-1-4")
    # 20 ones: five lost leave 15/20, which is enough. At rank 4 each costs three quarters: six
    # leave 15.5/20, seven 14.75/20.
    assert (found["drop-right"].smallest, found["swap-1-4"].smallest) == (6, 7)
    assert found["drop-right"].by == ("RR@10 ≥ 0.75",)
    assert dict(found["drop-right"].per_category) == {}


def test_a_threshold_of_a_category_is_named_with_it_and_others_cannot_break_it() -> None:
    rules = RegressionRules(at_most=1000)
    gate = Threshold("P@1", 0.5, "a"), Threshold("P@1", 1.0, diagnostic=True)
    run = run_suite(suite_of({"a": ["1"] * 4, "b": ["1"] * 4}, rules, *gate), Scripted())
    found = results(run, "drop-right")["drop-right"]
    assert dict(found.per_category) == {"a": 3, "b": None}
    assert found.by == ("P@1 ≥ 0.5 in a",)


def test_what_rises_does_not_hide_what_falls() -> None:
    """Swapping helps the nine at rank 4 and hurts the one at rank 1."""
    suite = suite_of({"": ["4"] * 9 + ["1"]}, RegressionRules(at_most=0))
    swap = results(run_suite(suite, Scripted()), "swap-1-4")["swap-1-4"]
    assert (swap.changed, swap.caught, swap.smallest) == (10, True, 1)


@pytest.mark.parametrize(("at_least", "smallest"), [(0.3, 1), (0.2, None)])
def test_a_mean_that_falls_with_one_and_rises_with_all_is_found_where_it_falls(
    at_least: float, smallest: int | None
) -> None:
    """The mean is 0.325; it is 0.25 when only the one at rank 1 is swapped, 0.925 with all."""
    rules = RegressionRules(at_most=1)
    suite = suite_of({"": ["4"] * 9 + ["1"]}, rules, Threshold("RR@10", at_least))
    report = check_mutations(run_suite(suite, Scripted()), [MUTATIONS.get("swap-1-4")])
    [swap] = report.results
    assert (swap.caught, swap.smallest) == (False, smallest)
    assert report.blind == (() if smallest else (swap,))


class Broken(System):
    """Gives stored answers, some of them without their right hits."""

    def __init__(self, run: Run, lost: set[str]) -> None:
        queries = run.header.suite.queries
        self.known = {queries[each.place].id: each for each in run.store.answers(run.header.id)}
        self.lost = lost

    def search(self, query: Query, limit: int) -> Response:  # noqa: ARG002
        response = self.known[query.id].response
        kept = [hit for hit in response.hits if not hit.id.startswith("right-")]
        return replace(response, hits=tuple(kept)) if query.id in self.lost else response


@pytest.mark.corpus
def test_the_numbers_found_are_those_of_real_runs_with_broken_answers() -> None:
    """Every choice of queries, run anew: no fewer turn the gate red than `smallest` says."""
    rules = RegressionRules(at_most=3)
    gate = Threshold("RR@10", 0.45), Threshold("P@1", 0.5, "b")
    suite = suite_of({"a": ["1", "2", "4", "0"], "b": ["1", "1", "5"]}, rules, *gate)
    run = run_suite(suite, Scripted())
    baseline = make_baseline(run, "main", {"date": "", "author": "", "reason": ""})
    ids = [query.id for query in suite.queries]
    red = {
        lost
        for count in range(len(ids) + 1)
        for lost in combinations(ids, count)
        if not gate_run(run_suite(suite, Broken(run, set(lost))), baseline).passed
    }
    found = results(run, "drop-right")["drop-right"]
    assert found.smallest == min(map(len, red))
    for category, smallest in found.per_category.items():
        within = [len(lost) for lost in red if all(each.startswith(category) for each in lost)]
        assert smallest == min(within, default=None)


def test_values_that_fall_and_rise_at_once_are_broken_one_by_one() -> None:
    """Right at 1, 5, 6 and 7 of 8; reversed at 2, 3, 4 and 8: P@1 falls to 0 and P@5 rises."""
    query = Query("q", "1", {"matches": ["right-q$", "q-5$", "q-6$", "q-7$"]})
    suite = Suite("made", "canonical", (query,), gate=(Threshold("P@1", 1.0),))
    suite = replace(suite, rules=RegressionRules(at_most=5))
    found = results(run_suite(suite, Scripted()), "reverse")["reverse"]
    assert (found.caught, found.smallest, found.by) == (True, 1, ("P@1 ≥ 1",))


def test_a_gate_without_teeth_is_named_for_every_mutation_it_lets_through() -> None:
    suite = suite_of({"a": ["1"] * 6, "b": ["2"] * 6}, RegressionRules(at_most=1000))
    report = check_mutations(run_suite(suite, Scripted()))
    # Whatever a gate asks, a system that answers nothing at all does not pass.
    applied = [each.name for each in report.results if each.applied and each.name != "fail"]
    assert [each.name for each in report.blind if each.name != "fail"] == applied
    others = [each for each in report.results if each.name != "fail"]
    assert all(each.smallest is None and each.by == () for each in others)


def test_a_mutation_that_no_answer_can_have_says_so() -> None:
    run = run_suite(suite_of({"only": ["1", "2"]}), Scripted(hits=3))
    found = results(run, "swap-1-4", "lose-source", "wrong-category")
    assert {name: each.reason for name, each in found.items()} == {
        "swap-1-4": "no query has four hits",
        "lose-source": "no query has hits of one source among several",
        "wrong-category": "no query has another category to take hits from",
    }
    assert not any(each.caught or each.applied for each in found.values())


def test_a_run_of_failures_has_nothing_to_break() -> None:
    report = check_mutations(run_suite(suite_of({"a": ["timeout"] * 3}), Scripted()))
    assert {each.applied for each in report.results} == {0}
    assert report.missed == ()


def test_a_mutation_that_no_measure_shows_changes_nothing() -> None:
    run = run_suite(suite_of({"a": ["2"] * 5, "b": ["3"] * 5}), Scripted())
    found = results(run, "swap-1-4")["swap-1-4"]
    assert (found.applied, found.changed, found.caught, found.smallest) == (10, 0, False, None)


def test_the_most_frequent_source_is_lost_by_field_before_scheme() -> None:
    """Hits 1 to 5 are of the guide and the rest of the blog, whatever their ids say."""

    def hit(name: str, place: int) -> Hit:
        return Hit(f"docs://{name}", fields={"source": "guide" if place <= 5 else "blog"})

    suite = suite_of({"a": ["1", "8", "5"]}, RegressionRules(at_most=0))
    run = run_suite(suite, Scripted(hit=hit))
    found = results(run, "lose-source")["lose-source"]
    # The one at rank 8 comes to rank 3; the other two are lost.
    assert (found.applied, found.changed, found.smallest) == (3, 3, 1)


def test_queries_that_are_not_answered_count_where_no_value_shows_it() -> None:
    rules = RegressionRules(at_most=1000, most_failures=3)
    run = run_suite(suite_of({"a": ["0"] * 40}, rules), Scripted())
    found = results(run, "fail", "empty")
    # 5 % of 40 are two, which may fail; it takes four.
    assert (found["fail"].changed, found["fail"].smallest, found["fail"].caught) == (40, 4, False)
    assert found["fail"].draws == 5
    assert (found["empty"].changed, found["empty"].smallest) == (0, None)


def test_a_share_of_the_queries_is_rounded_up() -> None:
    run = run_suite(suite_of({"a": ["1"] * 21}, RegressionRules(at_most=1)), Scripted())
    found = results(run, "empty")["empty"]
    assert (found.red, found.draws, found.caught, found.smallest) == (5, 5, True, 2)


def test_a_rule_that_the_run_fails_unbroken_catches_nothing() -> None:
    suite = suite_of({"a": ["2"] * 4}, RegressionRules(at_most=9), Threshold("P@1", 0.9))
    report = check_mutations(run_suite(suite, Scripted()), [MUTATIONS.get("drop-right")])
    assert report.before == ("P@1 ≥ 0.9",)
    assert [each.name for each in report.blind] == ["drop-right"]


def test_the_same_seed_gives_the_same_report_and_the_order_of_queries_is_free() -> None:
    suite = suite_of({"a": ["1", "2", "4"] * 5, "b": ["1", "5", "0"] * 5}, RegressionRules(2))
    run = run_suite(suite, Scripted())
    assert check_mutations(run, seed=7) == check_mutations(run, seed=7)
    turned = run_suite(replace(suite, queries=suite.queries[::-1]), Scripted())
    there, back = results(run, "drop-right", seed=7), results(turned, "drop-right", seed=7)
    assert there["drop-right"].smallest == back["drop-right"].smallest == 3


def test_repeated_answers_are_all_broken() -> None:
    suite = suite_of({"a": ["1"] * 4}, RegressionRules(at_most=0))
    run = run_suite(suite, Scripted(), RunOptions(repeats=3))
    found = results(run, "drop-right")["drop-right"]
    assert (found.applied, found.smallest) == (4, 1)


def test_a_mutation_of_ones_own_is_tried_like_the_others() -> None:
    loud = Mutation("loud", "all ids in capitals", "hits", lambda given, _: Response.of(
        tuple(Hit(hit.id.upper()) for hit in given.response.hits)))  # fmt: skip
    run = run_suite(suite_of({"ä ☃": ["1"] * 3}, RegressionRules(at_most=0)), Scripted())
    [found] = check_mutations(run, [loud]).results
    assert (found.name, found.caught, dict(found.per_category)) == ("loud", True, {"ä ☃": 1})


def test_broken_runs_are_held_to_the_baseline_that_is_given() -> None:
    """Against itself a run loses all four; a baseline that had two of them sees only these."""
    suite = suite_of({"a": ["1"] * 4}, RegressionRules(at_most=2))
    run = run_suite(suite, Scripted())
    chosen = [MUTATIONS.get("drop-right")]
    [alone] = check_mutations(run, chosen).results
    accepted = {"date": "", "author": "", "reason": ""}
    known = make_baseline(run_suite(suite, Broken(run, {"a0", "a1"})), "main", accepted)
    [held] = check_mutations(run, chosen, baseline=known).results
    assert (alone.caught, alone.smallest) == (True, 3)
    assert (held.caught, held.smallest) == (False, None)


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
@pytest.mark.parametrize(("at_most", "repeats"), [(0, (12, 1)), (2, (5, 1)), (2, (5, 3))])
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
def test_noise_that_nobody_measured_turns_a_strict_gate_red_often() -> None:
    assert simulate_noise(synthetic(0), 50).rate > 0.5


@pytest.mark.corpus
@pytest.mark.parametrize("repeats", [(1, 1), (5, 3), (12, 1)])
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
def home_run() -> Iterator[Run]:
    """The shipped suite of files, asked of the engine that comes along."""
    home = HOME / "standard_home_v1"
    requests = [Request.parse(f"files={home}")]
    folder = make_once("home-files", [home], lambda place: save(requests, place))
    with open_index(folder) as index:
        yield run_suite(load_suite(HOME / "test_corpus.json"), HomeSearch(index))


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


@pytest.mark.corpus
@pytest.mark.xdist_group("home-index")
@pytest.mark.parametrize(
    "options", [NoiseOptions(), NoiseOptions(below=0)], ids=["low ranks", "all ranks"]
)
def test_noise_turns_the_gate_of_the_home_suite_red_in_fewer_than_2_percent(
    home_run: Run, options: NoiseOptions, draws: Callable[[int], int]
) -> None:
    assert simulate_noise(home_run, draws(200), options=options).rate < 0.02


@pytest.mark.corpus
@pytest.mark.xdist_group("home-index")
def test_three_fallen_queries_turn_the_gate_of_the_home_suite_red_every_time(
    home_run: Run, draws: Callable[[int], int]
) -> None:
    assert simulate_noise(home_run, draws(200), options=NoiseOptions(fallen=3)).rate == 1.0
