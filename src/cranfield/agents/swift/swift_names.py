"""Names of a Swift answer against symbol graphs: types, members, initialisers and their labels.

There is no type checker: a value's type is followed through annotations, initialisers, properties
and calls whose result is one plain type. Everything else is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.agents.references import NameReference, ReferenceState, ResolvedAnswer
from cranfield.agents.swift.availability import judge_availability, read_guards
from cranfield.agents.swift.swift_scopes import read_scope
from cranfield.agents.swift.swift_syntax import (
    child,
    children,
    nodes,
    parse_swift,
    place,
    text,
    type_name,
)
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs
from cranfield.errors import InputError
from cranfield_shared import near_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from cranfield.agents.swift.swift_scopes import SwiftScope
    from cranfield.agents.swift.symbol_graphs import SwiftModules, SwiftSymbol
    from cranfield.agents.tasks import TaskTarget

__all__ = ["resolve_swift"]

_MOST_STEPS = 40
_PLAIN_PROTOCOLS = {
    "Actor", "AnyObject", "BitwiseCopyable", "CaseIterable", "Codable", "Comparable", "Copyable",
    "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable",
    "Equatable", "Error", "Escapable", "Hashable", "Identifiable", "LocalizedError",
    "RawRepresentable", "Sendable", "SendableMetatype",
}  # fmt: skip
"""Protocols whose members a symbol graph lists with every type that conforms to them."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What an expression is: a value of a type, or the type itself."""

    type_name: str
    is_type: bool = False


@dataclass(frozen=True, slots=True)
class _Answer:
    root: Node
    scope: SwiftScope
    modules: SwiftModules
    target: TaskTarget


def resolve_swift(answer: str, target: TaskTarget) -> ResolvedAnswer:
    """Resolve the names of a Swift answer, as far as the symbol graphs of its target reach."""
    if target.symbols is None:
        return ResolvedAnswer(problem="the target has no symbol graphs (target.symbols)")
    root = parse_swift(answer)
    if root is None:
        problem = "Swift needs tree-sitter-swift: pip install 'cranfield[agents]'"
        return ResolvedAnswer(problem=problem)
    try:
        modules = load_symbol_graphs(target.symbols)
    except InputError as problem:
        return ResolvedAnswer(problem=str(problem))
    scene = _Answer(root, read_scope(root), modules, target)
    found = {each for node in nodes(root) for each in _references(scene, node)}
    ordered = sorted(found, key=lambda each: (each.line, each.column, each.symbol))
    return ResolvedAnswer(tuple(ordered))


def _references(scene: _Answer, node: Node) -> Iterator[NameReference]:
    if node.type == "import_declaration":
        yield from _module(scene, node)
    elif node.type == "user_type" and not _is_extension_name(node):
        yield from _type(scene, node)
    elif node.type == "navigation_expression":
        yield from _member(scene, node)
    elif node.type == "call_expression":
        yield from _call(scene, node)


def _is_extension_name(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "class_declaration"


def _module(scene: _Answer, node: Node) -> Iterator[NameReference]:
    name = text(child(node, "identifier")).partition(".")[0]
    if name in scene.modules.names or name == "Swift":
        yield _reference("module", name, node, ReferenceState.FOUND)
    else:
        yield _reference(
            "module", name, node, ReferenceState.UNKNOWN, "there is no symbol graph of it"
        )


def _type(scene: _Answer, node: Node) -> Iterator[NameReference]:
    name = type_name(node).partition("<")[0]
    first = name.partition(".")[0]
    if not name or first in scene.scope.own_types or first == "Self":
        return
    yield _type_reference(scene, name, node)


def _type_reference(scene: _Answer, name: str, node: Node) -> NameReference:
    inside = _without_module(scene, name)
    symbol = scene.modules.types.get(inside)
    if symbol is not None:
        return _found("type", inside, node, scene, [symbol])
    if inside != name or _knows_everything(scene):
        near = near_names(inside, scene.modules.types)
        hint = f"; there is {' or '.join(near)}" if near else ""
        return _reference(
            "type", name, node, ReferenceState.MISSING, f"there is no type {name}{hint}"
        )
    return _reference("type", name, node, ReferenceState.UNKNOWN, "its module has no symbol graph")


def _knows_everything(scene: _Answer) -> bool:
    """Return whether every module that the answer sees has a symbol graph, Swift's own included."""
    return {"Swift", *scene.scope.imports} <= scene.modules.names


def _without_module(scene: _Answer, name: str) -> str:
    first, _, rest = name.partition(".")
    return (
        rest if rest and first in scene.modules.names and first not in scene.modules.types else name
    )


def _member(scene: _Answer, node: Node) -> Iterator[NameReference]:
    base, name = node.children[0], _suffix(node)
    if not name or (text(base) in scene.modules.names and text(base) not in scene.modules.types):
        return
    meaning = _meaning(scene, base, 0)
    if meaning is None:
        if not _is_own(scene, base):
            reason = "the type of the value is not known"
            yield _reference("member", f"?.{name}", node, ReferenceState.UNKNOWN, reason)
        return
    yield _member_reference(scene, meaning.type_name, name, node)


def _member_reference(scene: _Answer, owner: str, name: str, node: Node) -> NameReference:
    symbols = scene.modules.find_members(owner, name)
    if symbols:
        return _found("member", f"{owner}.{name}", node, scene, symbols)
    if name in ("self", "init", "Type") or owner in scene.scope.extended:
        return _reference("member", f"{owner}.{name}", node, ReferenceState.FOUND)
    known = {*scene.modules.members, *scene.modules.types}
    open_bases = [
        each
        for each in scene.modules.with_bases(owner)
        if each not in known and each not in _PLAIN_PROTOCOLS
    ]
    if open_bases:
        reason = f"nothing is known of its base {open_bases[0]}"
        return _reference("member", f"{owner}.{name}", node, ReferenceState.UNKNOWN, reason)
    near = near_names(name, scene.modules.member_names(owner))
    hint = f"; there is {' or '.join(near)}" if near else ""
    reason = f"{owner} has no member {name}{hint}"
    return _reference("member", f"{owner}.{name}", node, ReferenceState.MISSING, reason)


def _call(scene: _Answer, node: Node) -> Iterator[NameReference]:
    callee = node.children[0]
    labels = _labels(node)
    meaning = _meaning(scene, callee, 0)
    if meaning is not None and meaning.is_type:
        if callee.type == "simple_identifier":
            yield _type_reference(scene, meaning.type_name, callee)
        initialisers = scene.modules.find_members(meaning.type_name, "init")
        yield from _label_references(scene, f"{meaning.type_name}.init", initialisers, labels)
    elif callee.type == "navigation_expression":
        owner = _meaning(scene, callee.children[0], 0)
        if owner is not None:
            name = _suffix(callee)
            symbols = scene.modules.find_members(owner.type_name, name)
            yield from _label_references(scene, f"{owner.type_name}.{name}", symbols, labels)
    elif callee.type == "simple_identifier":
        yield from _function(scene, callee, labels)


def _function(scene: _Answer, callee: Node, labels: Sequence[Node]) -> Iterator[NameReference]:
    name = text(callee)
    symbols = scene.modules.functions.get(name, ())
    if symbols:
        yield _found("function", name, callee, scene, symbols)
        yield from _label_references(scene, name, symbols, labels)
    elif name in scene.scope.own_types or name in scene.scope.own_names:
        return
    elif name[:1].isupper():
        yield _type_reference(scene, name, callee)
    else:
        reason = "it is no function of a module with a symbol graph"
        yield _reference("function", name, callee, ReferenceState.UNKNOWN, reason)


def _label_references(
    scene: _Answer, callee: str, symbols: Sequence[SwiftSymbol], labels: Sequence[Node]
) -> Iterator[NameReference]:
    known = {label for each in symbols for label in each.labels or ()}
    if not symbols or all(each.labels is None for each in symbols):
        return
    for label in labels:
        name = text(label)
        symbol = f"{callee}({name}:)"
        if name in known:
            overloads = [each for each in symbols if name in (each.labels or ())]
            yield _found("label", symbol, label, scene, overloads)
        else:
            listed = ", ".join(sorted(known - {"_"})) or "none"
            reason = f"{callee} has no argument label {name}; there is {listed}"
            yield _reference("label", symbol, label, ReferenceState.MISSING, reason)


def _labels(node: Node) -> list[Node]:
    suffix = child(node, "call_suffix")
    arguments = child(suffix, "value_arguments") if suffix is not None else None
    if arguments is None:
        return []
    return [
        label
        for each in children(arguments, "value_argument")
        if (label := child(each, "value_argument_label")) is not None
    ]


def _meaning(scene: _Answer, node: Node, steps: int) -> _Meaning | None:
    """Say what an expression is; None if that is not known."""
    if steps > _MOST_STEPS:
        return None
    if node.type == "simple_identifier":
        return _meaning_of_name(scene, text(node), steps)
    if node.type == "navigation_expression":
        return _meaning_of_member(scene, node, steps)
    if node.type == "call_expression":
        return _meaning_of_call(scene, node, steps)
    if node.type in ("try_expression", "await_expression", "parenthesized_expression"):
        inner = [each for each in node.named_children if each.type != "try_operator"]
        return _meaning(scene, inner[0], steps + 1) if len(inner) == 1 else None
    return None


def _meaning_of_name(scene: _Answer, name: str, steps: int) -> _Meaning | None:
    if name in scene.scope.annotated:
        kind = _without_module(scene, scene.scope.annotated[name])
        return _Meaning(kind) if kind in scene.modules.types else None
    if name in scene.scope.assigned:
        return _meaning(scene, scene.scope.assigned[name], steps + 1)
    is_own = name in scene.scope.own_types or name in scene.scope.own_names
    if name in scene.modules.types and not is_own:
        return _Meaning(name, is_type=True)
    return None


def _meaning_of_member(scene: _Answer, node: Node, steps: int) -> _Meaning | None:
    name = _suffix(node)
    qualified = _without_module(scene, text(node))
    if qualified in scene.modules.types:
        return _Meaning(qualified, is_type=True)
    owner = _meaning(scene, node.children[0], steps + 1)
    if owner is None:
        return None
    if f"{owner.type_name}.{name}" in scene.modules.types:
        return _Meaning(f"{owner.type_name}.{name}", is_type=True)
    symbols = scene.modules.find_members(owner.type_name, name)
    if symbols and all(each.kind == "enum.case" for each in symbols):
        return owner
    return _result_of(scene, [each for each in symbols if each.labels is None], owner.type_name)


def _meaning_of_call(scene: _Answer, node: Node, steps: int) -> _Meaning | None:
    callee = node.children[0]
    meaning = _meaning(scene, callee, steps + 1)
    if meaning is not None and meaning.is_type:
        return _Meaning(meaning.type_name)
    if callee.type == "navigation_expression":
        owner = _meaning(scene, callee.children[0], steps + 1)
        if owner is None:
            return None
        symbols = scene.modules.find_members(owner.type_name, _suffix(callee))
        return _result_of(scene, symbols, owner.type_name)
    if callee.type == "simple_identifier":
        return _result_of(scene, scene.modules.functions.get(text(callee), ()), "")
    return None


def _result_of(scene: _Answer, symbols: Sequence[SwiftSymbol], owner: str) -> _Meaning | None:
    """Return the one type that all overloads have; None if they differ or it is not known."""
    results = {owner if each.result == "Self" else each.result for each in symbols}
    if len(results) != 1:
        return None
    [result] = results
    return _Meaning(result) if result in scene.modules.types else None


def _is_own(scene: _Answer, node: Node) -> bool:
    return node.type == "self_expression" or text(node) in scene.scope.own_types


def _suffix(node: Node) -> str:
    suffix = child(node, "navigation_suffix")
    return text(child(suffix, "simple_identifier")) if suffix is not None else ""


def _found(
    kind: str, symbol: str, node: Node, scene: _Answer, symbols: Sequence[SwiftSymbol]
) -> NameReference:
    """Make the reference of a symbol that is there: if not in this version, that is said."""
    guards = read_guards(node)
    parents = [
        parent
        for each in symbols
        if (parent := scene.modules.types.get(".".join(each.path[:-1]))) is not None
    ]
    judged = [judge_availability(each, scene.target, guards) for each in symbols]
    inherited = [judge_availability(each, scene.target, guards) for each in parents[:1]]
    best = min(judged, key=lambda each: (bool(each.reason), bool(each.deprecated)))
    for each in (best, *inherited):
        if each.reason:
            return _reference(kind, symbol, node, ReferenceState.OTHER_VERSION, each.reason)
    deprecated = next((each.deprecated for each in (best, *inherited) if each.deprecated), "")
    line, column = place(_name_node(node))
    return NameReference(kind, symbol, line, column, ReferenceState.FOUND, deprecated=deprecated)


def _reference(
    kind: str, symbol: str, node: Node, state: ReferenceState, reason: str = ""
) -> NameReference:
    line, column = place(_name_node(node))
    return NameReference(kind, symbol, line, column, state, reason)


def _name_node(node: Node) -> Node:
    suffix = child(node, "navigation_suffix") if node.type == "navigation_expression" else None
    return (child(suffix, "simple_identifier") or node) if suffix is not None else node
