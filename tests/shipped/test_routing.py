"""The rules of the teachings send every query where it belongs."""

from __future__ import annotations

import json

import pytest
from tests.shipped.projects import SUITES

from stacks.guidance import Routing, read_routing

pytestmark = [pytest.mark.process, pytest.mark.corpus]


@pytest.fixture(scope="session")
def routing() -> Routing:
    folder = SUITES / "teachings"
    return Routing.parse(read_routing([folder / "routing.toml", folder / "safety.toml"]))


def read_routed() -> list[dict[str, str]]:
    routed: list[dict[str, str]] = json.loads(
        (SUITES / "teachings" / "routing-queries.json").read_text()
    )
    return routed


def test_the_routing_list_has_three_languages_and_as_many_near_misses() -> None:
    routed = read_routed()
    techniques = [each for each in routed if each["route"] == "practice_bridge"]
    near = [each for each in routed if each["kind"] == "technique_near_miss"]
    assert len(techniques) >= 60
    assert len(near) >= len(techniques)
    assert {each["language"] for each in techniques} == {"en", "es", "hi"}


def test_every_query_for_a_technique_is_routed_and_no_other(routing: Routing) -> None:
    wrong = [
        each["query"]
        for each in read_routed()
        if (each["route"] == "practice_bridge")
        != (routing.decide(each["query"]).route == "practice_bridge")
    ]
    assert wrong == []


def test_no_ordinary_query_is_sent_away_and_every_cry_for_help_is_flagged(
    routing: Routing,
) -> None:
    searched = [each for each in read_routed() if each["route"] == "search"]
    decided = {each["query"]: routing.decide(each["query"]) for each in searched}
    assert [query for query, decision in decided.items() if decision.route != "search"] == []
    flagged = {query for query, decision in decided.items() if "safety" in decision.flags}
    assert flagged == {each["query"] for each in searched if each["flag"]}
