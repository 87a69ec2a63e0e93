"""Objects of the interpreter are described as far as they tell of themselves, and no further."""

from __future__ import annotations

import sys
import types

import griffe
import pytest

from stacks.model import Page
from stacks.sources.pydoc.interpreter import UnreadableError, inspect_module, inspect_value
from stacks.sources.pydoc.pydoc_source import open_pydoc


class Generic:
    """Says of its type parameters what the interpreter's own types say: nothing to iterate."""

    __type_params__ = property(lambda _: ())

    def get(self, key: str) -> str:
        """Get an item."""
        return key


class Outer:
    """Has a part that fails, and parts that do not."""

    Inner = Generic

    def run(self) -> None:
        """Run it."""


class Silent(type):
    """Makes classes that answer no question."""

    def __getattribute__(cls, name: str) -> object:
        raise ZeroDivisionError(name)


def describe(name: str, value: object) -> griffe.Object:
    return inspect_value(griffe.Module("shop"), name, value)


def docstring_of(found: griffe.Object | griffe.Alias | None) -> str:
    assert found is not None
    assert found.docstring is not None
    return found.docstring.value


def test_a_class_whose_type_parameters_are_a_descriptor_is_described_in_full() -> None:
    found = describe("Generic", Generic)
    assert isinstance(found, griffe.Class)
    assert found.path == "shop.Generic"
    assert docstring_of(found).startswith("Says of its type parameters")
    assert docstring_of(found.members.get("get")) == "Get an item."
    assert found.bases == []


def test_its_bases_are_told_but_that_it_is_an_object() -> None:
    class Narrow(Generic, int):
        pass

    found = describe("Narrow", Narrow)
    assert isinstance(found, griffe.Class)
    assert [str(base).rpartition(".")[2] for base in found.bases] == ["Generic", "int"]


def test_a_part_that_fails_leaves_the_parts_beside_it() -> None:
    found = describe("Outer", Outer)
    assert docstring_of(found.members.get("run")) == "Run it."


@pytest.mark.parametrize("value", [type, types.FunctionType, list, dict, object])
def test_the_types_of_the_interpreter_are_described(value: type) -> None:
    found = describe(value.__name__, value)
    assert isinstance(found, griffe.Class)
    assert docstring_of(found)


def test_a_member_that_answers_nothing_does_not_hide_its_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = types.ModuleType("shop", "A shop.")
    vars(module).update(bad=Silent("Bad", (), {}), Good=Generic, rate=3)
    monkeypatch.setattr("stacks.sources.pydoc.interpreter.import_standard", lambda _: module)
    tree = inspect_module("shop")
    assert docstring_of(tree) == "A shop."
    assert {"Good", "rate"} <= set(tree.members)


def test_what_cannot_be_described_in_any_way_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(griffe.Inspector, "inspect", fail)
    monkeypatch.setattr("stacks.sources.pydoc.interpreter._Inspector._inspect_plainly", fail)
    with pytest.raises(UnreadableError, match="thing"):
        describe("thing", 3)


def test_a_circle_of_objects_is_unreadable_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(griffe.Inspector, "inspect", fail)
    with pytest.raises(UnreadableError, match="too deep"):
        describe("thing", 3)


def test_the_builtins_have_their_pages_on_every_python() -> None:
    source = open_pydoc("builtins")
    found = {document.uri: document for document in source.read(Page("builtins", b""))}
    assert found["pydoc://builtins/type"].declaration == "class type"
    assert "pydoc://builtins/type/mro" in found
    assert "pydoc://builtins/dict/get" in found
    assert found["pydoc://builtins/int"].kind == "class", sys.version
