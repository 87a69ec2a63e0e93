"""The registry alone; tests/shared/test_plugins.py has it with packages that bring plug-ins."""

from __future__ import annotations

import sys

import pytest

from cranfield_shared.registry import Registry, near_names, unknown_name


class ShelfError(Exception):
    pass


@pytest.fixture
def numbers() -> Registry[int]:
    registry = Registry("number", int, group="nobody.offers.these", error=ShelfError)
    registry.register("one", 1, aliases=("uno", "eins"))
    registry.register("two", 2)
    return registry


def test_a_thing_is_found_by_its_name_and_its_aliases(numbers: Registry[int]) -> None:
    assert [numbers.get(name) for name in ("one", "uno", "eins", "two")] == [1, 1, 1, 2]


def test_names_are_sorted_and_values_are_in_the_same_order(numbers: Registry[int]) -> None:
    numbers.register("Four", 4)
    assert numbers.names() == ["Four", "one", "two"]
    assert numbers.values() == [4, 1, 2]


def test_iterating_loads_no_plug_ins(
    numbers: Registry[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Registry, "_load_plugins", lambda _: pytest.fail("loaded"))
    assert list(numbers) == ["one", "two"]


def test_a_name_can_be_taken_only_once(numbers: Registry[int]) -> None:
    with pytest.raises(ShelfError, match="number 'one' is already registered"):
        numbers.register("one", 11)
    numbers.register("one", 1)
    assert numbers.get("one") == 1


def test_a_name_that_refers_to_a_module_is_taken_too(numbers: Registry[int]) -> None:
    numbers.register_reference("three", "nobody.wrote.this:THREE")
    with pytest.raises(ShelfError, match="number 'three' is already registered"):
        numbers.register("three", 3)


def test_an_unknown_name_suggests_near_ones(numbers: Registry[int]) -> None:
    with pytest.raises(ShelfError, match=r"^unknown number 'onne': did you mean one\?$"):
        numbers.get("onne")


def test_an_unknown_name_can_be_an_exception_of_its_own() -> None:
    registry = Registry("number", int, group="x", error=ShelfError, unknown=_missing)
    with pytest.raises(KeyError, match="number nine"):
        registry.get("nine")


def _missing(kind: str, name: str, known: object) -> Exception:
    return KeyError(f"{kind} {name}")


def test_a_reference_is_imported_when_it_is_first_asked_for(numbers: Registry[int]) -> None:
    numbers.register_reference("width", "sys:maxsize")
    numbers.register_reference("never", "a_module_that_is_not_there:value")
    assert numbers.names() == ["never", "one", "two", "width"]
    assert "width" in numbers
    assert numbers.get("width") == sys.maxsize


def test_near_names_ignore_case_and_come_best_first() -> None:
    assert near_names("OrderdDict", ["dict", "OrderedDict", "ordereddict_keys"])[0] == "OrderedDict"
    assert near_names("zzz", ["dict"]) == []


def test_a_name_near_nothing_lists_what_there_is() -> None:
    assert unknown_name("class", "zzz", ["b", "A"]) == "unknown class 'zzz': known: A, b"
