"""Faults: each breaks an answer in its way, or says that it cannot."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cranfield.model import Hit, Query, Response, Status
from gate_faults import MUTATIONS, Others, Scene


def scene(*ids: str, right: str = "", others: Others | None = None) -> Scene:
    response = Response.of(tuple(Hit(name) for name in ids), route="search", flags=("kept",))
    marks = tuple(name == right for name in ids)
    return Scene(Query("q", "text", category="here"), response, marks, others or Others(None, {}))


def changed(name: str, given: Scene) -> list[str] | None:
    response = MUTATIONS[name].change(given, Random(1))  # noqa: S311 - seeded
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
    response = MUTATIONS["drop-right"].change(scene("a", right="a"), Random(1))  # noqa: S311
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
    change = MUTATIONS["wrong-category"].change
    drawn = [change(given, Random(seed)) for seed in range(50)]  # noqa: S311 - seeded
    ids = {hit.id for response in drawn if response for hit in response.hits}
    assert ids == {"before0", "before1", "later0"}
