"""Declarations, families and examples as text."""

from __future__ import annotations

from typing import Any

import pytest

from stacks.cli.lookup_commands import EXAMPLE_FORMATS, FAMILY_FORMATS, SYMBOL_FORMATS, FamilyReport
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


@pytest.mark.parametrize(
    ("signature", "attributes", "shown"),
    [
        ("@classmethod\ndef get(cls)", "@classmethod", "@classmethod def get(cls)"),
        (
            "@classmethod\ndef parse(cls)",
            "@classmethod @lru_cache(maxsize=9)",
            "@classmethod @lru_cache(maxsize=9) def parse(cls)",
        ),
        ("@available(iOS 13, *) func a()", "@available", "@available(iOS 13, *) func a()"),
        ("@main struct A", "@mainActor", "@mainActor @main struct A"),
        ("", "", "name"),
    ],
)
def test_every_attribute_is_shown_once_in_text_and_markdown(
    signature: str, attributes: str, shown: str
) -> None:
    symbol = make(SymbolHit, name="name", signature=signature, attributes=attributes)
    assert SYMBOL_FORMATS["text"]([symbol]).splitlines()[0].strip() == shown
    assert SYMBOL_FORMATS["markdown"]([symbol]).startswith(f"- `{shown}` – ")


def test_a_long_example_is_cut_after_twelve_lines() -> None:
    long = make(Example, title="T", uri="u", code="\n".join(f"line {n}" for n in range(14)))
    shown = EXAMPLE_FORMATS["text"]([long]).splitlines()
    assert shown[0] == "T  u"
    assert shown[-2:] == ["    line 11", "    … 2 more lines"]
    short = make(Example, title="T", uri="u", code="\n".join("x" * 12))
    assert EXAMPLE_FORMATS["text"]([short]).count("x") == 12


def test_a_family_is_indented_by_steps() -> None:
    relatives = [
        make(Relative, direction="up", steps=2, title="Root", uri="r", is_indexed=True),
        make(Relative, direction="up", steps=1, title="Base", uri="b", is_indexed=False),
        make(Relative, direction="down", steps=1, title="Child", uri="c", is_indexed=True),
    ]
    family = make(TypeFamily, title="Type", uri="t", relatives=relatives)
    shown = FAMILY_FORMATS["text"](FamilyReport(family, ""))
    assert shown == "    ↑ Root  r\n  ↑ Base  (not in this index)\nType  t\n  ↓ Child  c"
    nobody = make(TypeFamily, title="Type", uri="t", relatives=[])
    assert FAMILY_FORMATS["text"](FamilyReport(nobody, "has no family")) == "has no family"
