"""Data against its shape: every misfit is found, with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from cranfield.shapes import find_misfits, known_keys


@dataclass(frozen=True)
class Inner:
    name: str
    grade: int = 1


class Outer(msgspec.Struct):
    id: str
    given: str | list[str | Inner] = ""
    table: dict[str, Inner] = msgspec.field(default_factory=dict)
    renamed: bool = msgspec.field(name="is-renamed", default=False)


@dataclass(frozen=True)
class Nested:
    outers: tuple[Outer, ...] = field(default_factory=tuple)


def misfits(value: Any, shape: Any) -> list[str]:
    return [str(each) for each in find_misfits(value, shape)]


def test_what_fits_has_no_misfits() -> None:
    for given in ("a", ["a", {"name": "b", "grade": 2}]):
        assert misfits({"id": "x", "given": given, "table": {"k": {"name": "a"}}}, Outer) == []
    assert known_keys(Outer) == ["id", "given", "table", "is-renamed"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            {"idd": "x"},
            ["unknown key 'idd': did you mean id?", "object missing required field `id`"],
        ),
        ({"id": 3}, ["id: expected `str`, got `int`"]),
        ({"id": "x", "given": [{"nam": "b"}]}, ["given[0]: unknown key 'nam': did you mean name?"]),
        (
            {"id": "x", "table": {"k": {"name": "a", "grade": "b"}}},
            ["table.k.grade: expected `int`"],
        ),
        ({"id": "x", "table": {"k": 3}}, ["table.k: expected `object`, got `int`"]),
        ({"id": "x", "renamed": True}, ["unknown key 'renamed': did you mean is-renamed"]),
        ([], ["expected `object`, got `array`"]),
        (None, ["expected `object`, got `null`"]),
    ],
)
def test_every_misfit_is_found_with_its_place(value: Any, expected: list[str]) -> None:
    found = misfits(value, Outer)
    for each in expected:
        assert any(one.startswith(each) for one in found), found


def test_mistakes_of_all_items_are_found() -> None:
    found = misfits({"outers": [{"id": 1}, {"id": "x"}, {"idd": "x"}]}, Nested)
    assert [each.partition(":")[0] for each in found] == ["outers[0].id", "outers[2]", "outers[2]"]
