"""Declarations, families and examples as text."""

from __future__ import annotations

from typing import Any

from stacks.cli.lookup_formats import EXAMPLE_FORMATS, FAMILY_FORMATS, SYMBOL_FORMATS, FamilyReport
from stacks.query import Example, Relative, SymbolHit, TypeFamily


def make(made: Any, /, **fields: Any) -> Any:
    """Make a value of which a test names the fields that matter."""
    names = made.__dataclass_fields__
    return made(**{name: fields.get(name, "") for name in names})


def test_attributes_that_the_signature_has_are_not_repeated() -> None:
    plain = make(SymbolHit, kind="method", signature="func a()", attributes="@MainActor", uri="u")
    marked = make(
        SymbolHit, kind="method", signature="@MainActor func a()", attributes="@MainActor", uri="u"
    )
    shown = SYMBOL_FORMATS["text"]([plain, marked]).splitlines()
    assert shown[0] == shown[2] == "method         @MainActor func a()"


def test_a_long_example_is_cut_after_twelve_lines() -> None:
    long = make(Example, title="T", uri="u", code="\n".join(f"line {n}" for n in range(14)))
    shown = EXAMPLE_FORMATS["text"]([long]).splitlines()
    assert shown[0] == "T  u"
    assert shown[-2:] == ["    line 11", "    … 2 more lines"]
    short = make(Example, title="T", uri="u", code="\n".join("x" * 12))
    assert EXAMPLE_FORMATS["text"]([short]).count("x") == 12


def test_a_family_is_indented_by_steps() -> None:
    relatives = [
        make(Relative, direction="up", steps=2, title="Root", uri="r"),
        make(Relative, direction="down", steps=1, title="Child", uri="c"),
    ]
    family = make(TypeFamily, title="Type", uri="t", relatives=relatives)
    shown = FAMILY_FORMATS["text"](FamilyReport(family, ""))
    assert shown == "    ↑ Root  r\nType  t\n  ↓ Child  c"
    nobody = make(TypeFamily, title="Type", uri="t", relatives=[])
    assert FAMILY_FORMATS["text"](FamilyReport(nobody, "has no family")) == "has no family"
