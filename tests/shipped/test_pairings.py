"""An engine that lacks a part is worse in the class that tests this part, and says so surely."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import SUITES, Project, compare_arms, fallen, of_project

from cranfield.comparisons import SuiteComparison, VerdictKind, compare
from cranfield.model import Query, Suite
from stacks.query.question import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.process, pytest.mark.corpus]


@dataclass(frozen=True)
class Pairing:
    """A part of the engine, the suites whose headline shows that it is missing, and others.

    Those of `also` may fall, as the part helps them too; no third may.
    """

    part: str
    tested_by: tuple[str, ...]
    also: tuple[str, ...] = ()


DOCUMENTATION = (
    # Short forms and fragments are looked for in names as well.
    Pairing("names", ("canonical.toml", "roots.toml"), ("acronyms.toml", "fragments.toml")),
    Pairing("components", ("fragments.toml",)),
    Pairing("aliases", ("acronyms.toml",)),
    # Twins of another language take places among the first ten.
    Pairing("age", ("deprecation.toml",), ("fragments.toml", "prose.toml", "agent.toml")),
    Pairing("declarations", ("attributes.toml",)),
)


@pytest.mark.parametrize(
    ("name", "pairing"),
    [of_project("apple-docs", each) for each in DOCUMENTATION],
    ids=[each.part for each in DOCUMENTATION],
)
def test_documentation_is_found_worse_without(
    shipped: Callable[[str], Project], name: str, pairing: Pairing
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(), project.ask(without=pairing.part))
    for file in pairing.tested_by:
        assert compared[file].verdict.kind is VerdictKind.WORSE, file
    assert set(fallen(compared)) <= {*pairing.tested_by, *pairing.also}


@pytest.mark.parametrize("name", [of_project("apple-docs")])
def test_sources_are_chosen_worse_without_authority(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(), project.ask(without="authority"))
    result = compared["cross-source.toml"].headline.result
    # 223 queries, of which few change, are too few for a verdict on a fall of 0.05.
    assert result is not None
    assert result.difference < -0.04
    assert set(fallen(compared)) <= {"cross-source.toml"}


@pytest.mark.parametrize("name", [of_project("teachings")])
def test_queries_are_sent_to_the_wrong_place_without_routing(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(), project.ask(without="routing"))
    # Twenty queries each are too few for Spanish and Hindi: four of them are sent elsewhere.
    assert fallen(compared) == {"golden-set-en.json": ["Route"]}
    assert [routes(each) for each in compared.values()] == [1.0, 1.0, 1.0]
    assert max(routes(each, arm="b") for each in compared.values()) < 0.85


def routes(compared: SuiteComparison, arm: str = "a") -> float:
    [result] = [each.result for each in compared.measures if str(each.measure) == "Route"]
    assert result is not None
    return result.mean_a if arm == "a" else result.mean_b


@pytest.mark.parametrize("name", [of_project("teachings")])
def test_the_long_list_of_routed_queries_falls_without_routing(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    suite = read_routed()
    [full] = project.run([suite])
    [searched] = project.run([suite], without="routing")
    [compared] = compare(full, searched).suites
    assert compared.verdict.kind is VerdictKind.WORSE
    assert routes(compared) > 0.98
    wrong = {each.query.id for each in compared.changes if each.values_b[each.headline] == 0.0}
    routed = {each.id: each.expect["route"] for each in suite.queries}
    # A query about nothing in the books may still find nothing.
    assert {routed[each] for each in wrong} == {"practice_bridge", "no_results"}
    assert [
        each for each in routed if routed[each] == "practice_bridge" and each not in wrong
    ] == []


def read_routed() -> Suite:
    """Queries in three languages with the route that each should take."""
    listed = json.loads((SUITES / "teachings" / "routing-queries.json").read_text())
    queries = (
        Query(f"r{place}", each["query"], {"route": each["route"]}, each["kind"], each["language"])
        for place, each in enumerate(listed)
    )
    return Suite("routing-queries", "routing", tuple(queries))


@pytest.mark.parametrize("name", [of_project("teachings")])
def test_passages_are_found_worse_without_the_vocabulary(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(), project.ask(without="vocabulary"))
    assert compared["golden-set-en.json"].verdict.kind is VerdictKind.WORSE
    lower = fallen(compared)
    assert set(lower) <= {"golden-set-en.json", "golden-set-es.json", "golden-set-hi.json"}
    assert all("Route" not in measures for measures in lower.values())


@pytest.mark.parametrize("name", [of_project("chunks")])
def test_chunks_are_selected_worse_without_meaning(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(), project.ask(without="meaning"))["evals.db"]
    assert str(compared.headline.measure) == "F1"
    # 24 questions are too few for a verdict on a difference of this size.
    assert compared.headline.result is not None
    assert compared.headline.result.difference < -0.02
    assert compared.verdict.kind is VerdictKind.CANNOT_TELL


def test_every_part_that_a_search_can_do_without_is_tested_by_a_class() -> None:
    elsewhere = {"authority", "routing", "vocabulary", "meaning"}
    assert {each.part for each in DOCUMENTATION} | elsewhere == set(PARTS)
