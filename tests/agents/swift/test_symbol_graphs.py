"""Facts about Swift modules: what they list is known, what they leave out is not."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest

from cranfield.agents.answer_checks import NameReference, ReferenceState
from cranfield.agents.swift.swift_names import resolve_swift
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs
from cranfield.agents.tasks import TaskTarget
from cranfield.errors import InputError

FOUND, MISSING = ReferenceState.FOUND, ReferenceState.MISSING
OTHER, UNKNOWN = ReferenceState.OTHER_VERSION, ReferenceState.UNKNOWN
FACTS = """
module = "TeaUI"
since = "iOS 13.0"
functions = ["brew(_:minutes:)"]
macros = ["Steeped()", "taste(_:)"]
complete = ["brew"]
absent = ["Coffee", "#sip"]

[[types]]
name = "Drink"
kind = "protocol"
result = "some Drink"
complete = ["stir"]
absent = ["shake"]
members = [
    "sweet()",
    "stir(times:)",
    { name = "pour(_:)", deprecated = "iOS 15.0", use = "pour(_:into:)" },
    { name = "pour(_:into:)", since = "iOS 15.0" },
    { name = "onSip(of:perform:)", deprecated = "iOS 17.0", use = "two parameters", closure = 1 },
    { name = "onSip(of:_:)", since = "iOS 17.0", closure = 2 },
]

[[types]]
name = "Tea"
bases = ["Drink"]
members = ["init(leaves:)"]

[[types]]
name = "Cup"
complete = true
members = ["init()", "volume"]

[[types]]
name = "EnvironmentValues"
members = [{ name = "kettle", deprecated = "iOS 16.0", use = "stove" }, "stove"]

[[types]]
name = "Environment"
"""

# Each case: code after the import, the symbol, and what is known of it on iOS 16.
CASES = {
    "listed type": ("let t: Tea", "Tea", FOUND),
    "type that is not listed": ("let t: Teapot", "Teapot", UNKNOWN),
    "absent type": ("let c: Coffee", "Coffee", MISSING),
    "listed member": ("Tea(leaves: 1).sweet()", "Tea.sweet", FOUND),
    "member that is not listed": ("Tea(leaves: 1).cool()", "Tea.cool", UNKNOWN),
    "absent member of a base": ("Tea(leaves: 1).shake()", "Tea.shake", MISSING),
    "after a call that returns some type": (
        "Tea(leaves: 1).sweet().shake()",
        "Drink.shake",
        MISSING,
    ),
    "label that is not listed": ("Tea(bags: 1)", "Tea.init(bags:)", UNKNOWN),
    "label of a name with all its forms": ("Tea(leaves: 1).stir(by: 1)", "Tea.stir(by:)", MISSING),
    "member of a complete type": ("Cup().size", "Cup.size", MISSING),
    "label of a complete type": ("Cup(size: 1)", "Cup.init(size:)", MISSING),
    "function": ("brew(1, minutes: 2)", "brew(minutes:)", FOUND),
    "label of a function": ("brew(1, seconds: 2)", "brew(seconds:)", MISSING),
    "attached macro": ("@Steeped class A {}", "Steeped", FOUND),
    "macro": ("#taste(1)", "#taste", FOUND),
    "absent macro": ("#sip(1)", "#sip", MISSING),
    "macro that is not listed": ("#smell(1)", "#smell", UNKNOWN),
    "own type": ("struct Mine: Drink {}\nMine().shake()", "Drink.shake", MISSING),
    "self in an extension": (
        "extension Drink { func a() -> some Drink { self.shake() } }",
        "Drink.shake",
        MISSING,
    ),
    "form of a later system": (
        "Tea(leaves: 1).onSip(of: 1) { a, b in }",
        "Tea.onSip(of:)",
        OTHER,
    ),
    "annotated parameter of a closure": ("f { (c: Cup) in c.size }", "Cup.size", MISSING),
    "several closures": ("Tea(leaves: 1) { 1 } sugar: { 2 }", "Tea.init(sugar:)", UNKNOWN),
    "a module that is not known": ("import Honey\nTea(leaves: 1).shake()", "Tea.shake", UNKNOWN),
}


@pytest.fixture
def symbols(tmp_path: Path) -> Path:
    (tmp_path / "TeaUI.facts.toml").write_text(FACTS)
    return tmp_path


def references(code: str, symbols: Path, platform: str = "iOS 16.0") -> tuple[NameReference, ...]:
    target = TaskTarget(swift="6.0", platform=platform, symbols=symbols)
    resolved = resolve_swift(f"import TeaUI\n{code}", target)
    assert not resolved.problem
    return resolved.references


@pytest.mark.parametrize("name", CASES)
def test_what_facts_list_is_known_and_nothing_else(name: str, symbols: Path) -> None:
    code, symbol, state = CASES[name]
    found = references(code, symbols)
    assert [each.state for each in found if each.symbol == symbol] == [state], found
    others = [each for each in found if each.symbol != symbol and each.state is MISSING]
    assert not others


@pytest.mark.parametrize(
    ("code", "marked"),
    [
        ("Tea(leaves: 1).pour(2)", ["Tea.pour"]),
        ("Tea(leaves: 1).pour(2, into: cup)", []),
        ("Tea(leaves: 1).onSip(of: 1) { new in }", ["Tea.onSip(of:)"]),
        ("Tea(leaves: 1).onSip(of: 1) { old, new in }", []),
        ("struct A { @Environment(\\.kettle) var kettle }", ["EnvironmentValues.kettle"]),
        ("struct A { @Environment(\\.stove) var stove }", []),
    ],
)
def test_the_form_that_is_called_decides_what_is_deprecated(
    code: str, marked: list[str], symbols: Path
) -> None:
    found = references(code, symbols, "iOS 17.0")
    assert [each.symbol for each in found if each.deprecated] == marked


def test_a_mark_counts_from_its_version_and_names_the_alternative(symbols: Path) -> None:
    code = "Tea(leaves: 1).pour(2)"
    assert not [each for each in references(code, symbols, "iOS 14.0") if each.deprecated]
    [found] = [each for each in references(code, symbols, "iOS 15.0") if each.deprecated]
    assert found.deprecated == "use pour(_:into:)"


def test_facts_stand_above_the_symbol_graph_of_the_same_module(tmp_path: Path) -> None:
    copy(Path(__file__).parent / "symbols" / "KettleKit.symbols.json", tmp_path)
    facts = (
        'module = "KettleKit"\n[[types]]\nname = "Kettle"\n'
        'members = [{ name = "boil()", deprecated = "iOS 13.0", use = "heat()" }]\n'
    )
    (tmp_path / "KettleKit.facts.toml").write_text(facts)
    modules = load_symbol_graphs(tmp_path)
    [boil] = [each for each in modules.find_members("Kettle", "boil") if each.labels == ()]
    assert boil.availability[0].message == "use heat()"
    assert "KettleKit" not in modules.partial
    target = TaskTarget(swift="6.0", platform="iOS 17.0", symbols=tmp_path)
    found = resolve_swift("import KettleKit\nlet k = Kettle(litres: 1)\nk.boyl()", target)
    assert [each.symbol for each in found.references if each.state is MISSING] == ["Kettle.boyl"]


def test_every_mistake_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "A.facts.toml").write_text(
        'module = "A"\nsinze = "iOS 1.0"\n[[types]]\nname = "B"\nsince = "soon"\n'
    )
    with pytest.raises(InputError) as caught:
        load_symbol_graphs(tmp_path)
    assert "did you mean since" in str(caught.value)
    assert "types[0].since" in str(caught.value)


def test_a_folder_without_graphs_and_facts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither \*\.symbols\.json nor \*\.facts\.toml"):
        load_symbol_graphs(tmp_path)


def test_a_long_chain_is_followed(symbols: Path) -> None:
    found = references(f"Tea(leaves: 1){'.sweet()' * 50}.shake()", symbols)
    assert [each.symbol for each in found if each.state is MISSING] == ["Drink.shake"]


def test_a_chain_of_thousands_is_not_followed(symbols: Path) -> None:
    target = TaskTarget(swift="6.0", platform="iOS 16.0", symbols=symbols)
    found = resolve_swift(f"import TeaUI\nTea(leaves: 1){'.sweet()' * 3_000}", target)
    assert found.problem == "the code is nested deeper than 500 levels"
