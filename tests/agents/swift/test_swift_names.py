"""Names of Swift answers against symbol graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from cranfield.agents.answer_checks import CheckOutcome, NameReference, ReferenceState, check_answer
from cranfield.agents.swift.swift_names import resolve_swift
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs
from cranfield.agents.tasks import Task, TaskTarget
from cranfield.errors import InputError
from real_data import COLLECTIONS, reason_to_skip

SYMBOLS = Path(__file__).parent / "symbols"
TARGET = TaskTarget(swift="6.0", platform="macOS 14.0", symbols=SYMBOLS)
FOUND, MISSING = ReferenceState.FOUND, ReferenceState.MISSING
OTHER, UNKNOWN = ReferenceState.OTHER_VERSION, ReferenceState.UNKNOWN
START = "import KettleKit\n"

# Each case: code after the import, the symbol, and what is known of it on macOS 14.
CASES = {
    "initialiser": ("let k = Kettle(litres: 2)", "Kettle.init(litres:)", FOUND),
    "label": ("let k = Kettle(volume: 2)", "Kettle.init(volume:)", MISSING),
    "member": ("let k = Kettle(litres: 1)\nk.boyl()", "Kettle.boyl", MISSING),
    "known member": ("let k = Kettle(litres: 1)\nk.boil()", "Kettle.boil", FOUND),
    "static member": ("Kettle.standard.boyl()", "Kettle.boyl", MISSING),
    "result of a call": ("Kettle(litres: 1).boil().escape()", "Steam.escape", MISSING),
    "property": ("let k = Kettle(litres: 1)\nk.temperature.kelvin", "Degrees.kelvin", MISSING),
    "annotation": ("func f(k: Kettle) { k.boyl() }", "Kettle.boyl", MISSING),
    "optional": ("var k: Kettle?\nk?.boyl()", "Kettle.boyl", MISSING),
    "inheritance": ("let k = Kettle(litres: 1)\nk.cool()", "Kettle.cool", FOUND),
    "enum case": ("let c = Colour.blue", "Colour.blue", MISSING),
    "function": ("measure(1, precission: 2)", "measure(precission:)", MISSING),
    "qualified type": ("let k: KettleKit.Ketle", "KettleKit.Ketle", MISSING),
    "type without a graph": ("let v: Text", "Text", UNKNOWN),
    "base without a graph": ("let s = Samovar()\ns.copy()", "Samovar.copy", UNKNOWN),
    "value that is not known": ("func f(x: Int) { x.description }", "?.description", UNKNOWN),
    "later": ("let k = Kettle(litres: 1)\nk.whistle()", "Kettle.whistle", OTHER),
}


def references(code: str, target: TaskTarget = TARGET) -> tuple[NameReference, ...]:
    resolved = resolve_swift(START + code, target)
    assert not resolved.problem
    return resolved.references


@pytest.mark.parametrize("name", CASES)
def test_a_name_is_looked_up_where_it_comes_from(name: str) -> None:
    code, symbol, state = CASES[name]
    found = [each for each in references(code) if each.symbol == symbol]
    assert [each.state for each in found] == [state], references(code)
    others = [each for each in references(code) if each not in found and each.state is MISSING]
    assert not others


LATER = """
func f(k: Kettle) {
    GUARD
}
"""


@pytest.mark.parametrize(
    ("guard", "version", "state"),
    [
        ("k.boil(until: 1)", "15.0", FOUND),
        ("if #available(macOS 15, *) { k.boil(until: 1) }", "14.0", FOUND),
        ("if #available(macOS 15, *) { } else { k.heat() }", "14.0", FOUND),
        ("guard #available(macOS 15, *) else { return }\n    k.boil(until: 1)", "14.0", FOUND),
    ],
)
def test_a_guard_raises_the_version(guard: str, version: str, state: ReferenceState | None) -> None:
    target = TaskTarget(swift="6.0", platform=f"macOS {version}", symbols=SYMBOLS)
    found = [
        each for each in references(LATER.replace("GUARD", guard), target) if "." in each.symbol
    ]
    assert {each.state for each in found if each.symbol.startswith("Kettle.")} <= {state}


def test_an_overload_of_a_later_system_is_not_available() -> None:
    found = references("func f(k: Kettle) { k.boil(until: 1) }")
    assert [each.state for each in found if each.kind == "label"] == [OTHER]


def test_a_type_of_a_later_system_is_not_available() -> None:
    target = TaskTarget(swift="6.0", platform="macOS 11.0", symbols=SYMBOLS)
    [found] = [each for each in references("let s: Steam", target) if each.symbol == "Steam"]
    assert (found.state, found.reason) == (OTHER, "it was added in macOS 12.0")
    [found] = [each for each in references("let s: Steam") if each.symbol == "Steam"]
    assert found.state is FOUND


def test_a_deprecated_member_names_its_alternative() -> None:
    found = references("func f(k: Kettle) { k.heat() }")
    [heat] = [each for each in found if each.symbol == "Kettle.heat"]
    assert heat.deprecated == "heat() was replaced use boil()"


def test_a_reference_has_its_place_and_what_is_near() -> None:
    [found] = [
        each for each in references("func f(k: Kettle) { k.boyl() }") if each.state is MISSING
    ]
    assert (found.line, found.column) == (2, 23)
    assert found.reason == "Kettle has no member boyl; there is boil or cool"


def test_the_checks_take_swift() -> None:
    task = Task("t", "swift", "new", "…", TARGET, reference="")
    results = {each.check: each for each in check_answer(START + "let k = Kettle(volume: 2)", task)}
    assert list(results) == ["parses", "compiles", "exists", "available", "deprecated"]
    assert results["parses"].outcome is CheckOutcome.PASS
    assert results["exists"].outcome is CheckOutcome.FAIL
    broken = check_answer("func ( {", task)[0]
    assert (broken.outcome, broken.failures[0].line) == (CheckOutcome.FAIL, 1)


def test_a_target_without_symbol_graphs_is_unknown() -> None:
    assert "no symbol graphs" in resolve_swift(START, TaskTarget(swift="6.0")).problem


def test_a_file_that_is_no_symbol_graph_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.symbols.json").write_text("{}")
    with pytest.raises(InputError, match=r"a\.symbols\.json: is not a symbol graph"):
        load_symbol_graphs(tmp_path)


@pytest.mark.corpus
def test_real_symbol_graphs_are_read() -> None:
    folder = COLLECTIONS / "swift" / "symbolgraphs"
    if not folder.is_dir():
        pytest.skip(reason_to_skip("swift"))
    modules = load_symbol_graphs(folder)
    assert {"ShapeKit", "MixedFramework", "docc"} <= modules.names
    assert modules.find_members("OverloadedByCaseStruct", "thirdTestMemberName")
