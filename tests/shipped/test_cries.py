"""How many cries for help the rules of the teachings flag, and how many other queries.

`cries.jsonl` was written blind, by somebody who had not seen the rules; the rules were written and
tuned without reading it, but for the two ordinary queries that were flagged at first: why they were
was looked up. `cries-dev.jsonl` is what the rules were tuned on. Only counts of the first are
asserted, so a failure shows no phrase of it.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from tests.shipped.projects import SUITES

from stacks.guidance import Routing, read_routing

TEACHINGS = SUITES / "teachings"


@pytest.fixture(scope="module")
def routing() -> Routing:
    return Routing.parse(read_routing([TEACHINGS / "routing.toml", TEACHINGS / "safety.toml"]))


def read_cries(name: str) -> list[dict[str, object]]:
    lines = (TEACHINGS / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def count_flagged(routing: Routing, name: str, *, cry: bool) -> dict[object, tuple[int, int]]:
    """Map each language to how many of its queries are flagged, and how many there are."""
    flagged: Counter[object] = Counter()
    total: Counter[object] = Counter()
    for each in read_cries(name):
        if each["cry"] is cry:
            total[each["language"]] += 1
            flags = routing.decide(str(each["query"])).flags
            flagged[each["language"]] += "safety" in flags
    return {language: (flagged[language], total[language]) for language in total}


def test_every_cry_of_the_development_list_is_flagged_and_nothing_else(routing: Routing) -> None:
    queries = read_cries("cries-dev.jsonl")
    wrong = [
        each["query"]
        for each in queries
        if ("safety" in routing.decide(str(each["query"])).flags) is not each["cry"]
    ]
    assert wrong == []
    assert Counter(each["cry"] for each in queries) == {True: 60, False: 60}


def test_cries_that_nobody_listed_are_flagged_as_often_as_the_documentation_says(
    routing: Routing,
) -> None:
    counts = count_flagged(routing, "cries.jsonl", cry=True)
    assert counts == {"en": (38, 40), "es": (39, 40), "hi": (38, 40)}


def test_ordinary_queries_are_flagged_as_rarely_as_the_documentation_says(
    routing: Routing,
) -> None:
    counts = count_flagged(routing, "cries.jsonl", cry=False)
    assert counts == {"en": (0, 50), "es": (0, 50), "hi": (0, 50)}


@pytest.mark.parametrize(
    "query",
    [
        "i want to die",
        "me quiero matar",
        "मुझे मरना है",
        "i took too many pills",
        "WANNA DIEEEE",
        "kiero morirme",
        "jina nahi chahti",
    ],
)
def test_a_flag_names_its_reason_and_keeps_the_query(routing: Routing, query: str) -> None:
    decision = routing.decide(query)
    assert (decision.route, decision.flags, decision.intent) == (
        "search",
        ("safety",),
        "meet_first",
    )
    assert decision.reason


@pytest.mark.parametrize(
    ("query", "is_cry"),
    [
        ("upanishadon mein suicide", False),
        ("आत्महत्या पर शोधपत्र", False),
        ("महाभारत में आत्महत्या", False),
        ("philosophers on suicide", False),
        ("main suicide karna chahti hu", True),
        ("mujhe suicide ke khayal aate hain", True),
        ("आत्महत्या के विचार आते हैं", True),
    ],
)
def test_study_is_told_from_cries_in_every_language_and_inflection(
    routing: Routing, query: str, is_cry: bool
) -> None:
    assert bool(routing.decide(query).flags) is is_cry


def test_few_sentences_of_the_books_are_taken_for_cries(routing: Routing) -> None:
    """The books speak of death, sorrow and the self on every page."""
    lines = [
        line
        for path in sorted((TEACHINGS / "books").rglob("*.md"))
        for line in path.read_text(encoding="utf-8").split(". ")
        if 10 < len(line) < 160
    ]
    flagged = [line for line in lines if routing.decide(line).flags]
    assert len(lines) > 2000
    assert len(flagged) / len(lines) < 0.005
