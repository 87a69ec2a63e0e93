"""Names of a Swift answer against symbol graphs: types, members, initialisers and their labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.agents.references import NameReference, ReferenceState, ResolvedAnswer
from cranfield.agents.swift.availability import judge_availability, read_guards
from cranfield.agents.swift.swift_expressions import (
    CallShape,
    SwiftAnswer,
    callee_of_call,
    find_members,
    matching_overloads,
    meaning_of,
    shape_of_call,
    subject_of,
    suffix_name,
    without_module,
)
from cranfield.agents.swift.swift_scopes import read_scope
from cranfield.agents.swift.swift_syntax import (
    child,
    is_deep,
    nodes,
    parse_swift,
    place,
    text,
    type_name,
)
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs
from cranfield.errors import InputError
from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from cranfield.agents.swift.swift_symbols import SwiftSymbol
    from cranfield.agents.tasks import TaskTarget

__all__ = ["resolve_swift"]

_PLAIN_PROTOCOLS = {
    "Actor", "AnyObject", "BitwiseCopyable", "CaseIterable", "Codable", "Comparable", "Copyable",
    "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable",
    "Equatable", "Error", "Escapable", "Hashable", "Identifiable", "LocalizedError",
    "RawRepresentable", "Sendable", "SendableMetatype",
}  # fmt: skip
"""Protocols whose members a symbol graph lists with every type that conforms to them."""

_DEEPEST = 500
_NO_TYPES = {"Self", "async", "throws", "rethrows"}
"""Words that the grammar takes for types: `() async -> Int` inside of brackets."""


def resolve_swift(answer: str, target: TaskTarget) -> ResolvedAnswer:
    """Resolve the names of a Swift answer, as far as the symbol graphs of its target reach."""
    if target.symbols is None:
        return ResolvedAnswer(problem="the target has no symbol graphs (target.symbols)")
    root = parse_swift(answer)
    if root is None:
        problem = "Swift needs tree-sitter-swift: pip install 'cranfield[agents]'"
        return ResolvedAnswer(problem=problem)
    if is_deep(root, _DEEPEST):
        return ResolvedAnswer(problem=f"the code is nested deeper than {_DEEPEST} levels")
    try:
        modules = load_symbol_graphs(target.symbols)
    except InputError as problem:
        return ResolvedAnswer(problem=str(problem))
    scene = SwiftAnswer(root, read_scope(root), modules, target)
    found = {each for node in nodes(root) for each in _references(scene, node)}
    ordered = sorted(found, key=lambda each: (each.line, each.column, each.symbol))
    return ResolvedAnswer(tuple(ordered))


def _references(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    find = _REFERENCES.get(node.type)
    return find(scene, node) if find is not None else iter(())


def _module(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    name = text(child(node, "identifier")).partition(".")[0]
    if name in scene.modules.names or name == "Swift":
        yield _reference("module", name, node, ReferenceState.FOUND)
    else:
        yield _reference(
            "module", name, node, ReferenceState.UNKNOWN, "there is no symbol graph of it"
        )


def _type(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    is_extended = node.parent is not None and node.parent.type == "class_declaration"
    name = type_name(node)
    first = name.partition(".")[0]
    if is_extended or not name or first in scene.scope.own_types or first in _NO_TYPES:
        return
    yield _type_reference(scene, name, node)


def _type_reference(scene: SwiftAnswer, name: str, node: Node) -> NameReference:
    modules = scene.modules
    inside = without_module(scene, name)
    macros = [each for each in modules.functions.get(inside, ()) if each.kind == "macro"]
    if inside in modules.types or macros:
        known = modules.types.get(inside)
        return _found("type", inside, node, scene, [known] if known else macros)
    if _is_absent(scene, inside) or _knows_everything(scene, name):
        near = near_names(inside, modules.types)
        hint = f"; there is {' or '.join(near)}" if near else ""
        return _reference(
            "type", name, node, ReferenceState.MISSING, f"there is no type {name}{hint}"
        )
    reason = "its module has no symbol graph"
    if modules.partial:
        reason = "the facts about the imported modules do not list it"
    return _reference("type", name, node, ReferenceState.UNKNOWN, reason)


def _is_absent(scene: SwiftAnswer, name: str) -> bool:
    return name in scene.modules.absent and not _why_extended(scene)


def _knows_everything(scene: SwiftAnswer, name: str) -> bool:
    """Return whether every module that a name may be of is known in full, Swift itself included."""
    whole = scene.modules.names - scene.modules.partial
    if without_module(scene, name) != name:
        return name.partition(".")[0] in whole
    return {"Swift", *scene.scope.imports} <= whole


def _member(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    base, name = subject_of(node), suffix_name(node)
    if not name or (text(base) in scene.modules.names and text(base) not in scene.modules.types):
        return
    meaning = meaning_of(scene, base)
    if meaning is None:
        if not _is_own(scene, base) and name != "self":
            reason = "the type of the value is not known"
            yield _reference("member", f"?.{name}", node, ReferenceState.UNKNOWN, reason)
    elif meaning.type_name in scene.scope.own_bases:
        yield from _inherited_member(scene, meaning.type_name, name, node)
    else:
        yield _member_reference(scene, meaning.type_name, name, node)


def _is_own(scene: SwiftAnswer, node: Node) -> bool:
    return node.type == "self_expression" or text(node) in scene.scope.own_types


def _is_own_member(scene: SwiftAnswer, owner: str, name: str) -> bool:
    scope = scene.scope
    return name in scope.own_names and (owner in scope.own_bases or owner in scope.extended)


def _inherited_member(
    scene: SwiftAnswer, owner: str, name: str, node: Node
) -> Iterator[NameReference]:
    """Look a member up on what an own type inherits from; what it declares itself is its own."""
    if _is_own_member(scene, owner, name):
        return
    for base in scene.scope.own_bases[owner]:
        if find_members(scene, base, name) or scene.modules.is_absent(base, name):
            yield _member_reference(scene, base, name, node)
            return


def _member_reference(scene: SwiftAnswer, owner: str, name: str, node: Node) -> NameReference:
    modules, symbol = scene.modules, f"{owner}.{name}"
    found = _called_overloads(modules.find_members(owner, name), node)
    if found:
        return _found("member", symbol, node, scene, found)
    if name in ("self", "init", "Type") or _is_own_member(scene, owner, name):
        return _reference("member", symbol, node, ReferenceState.FOUND)
    reason = "" if modules.is_absent(owner, name) else _why_open(scene, owner)
    reason = _why_extended(scene) or reason
    if reason:
        return _reference("member", symbol, node, ReferenceState.UNKNOWN, reason)
    near = near_names(name, modules.member_names(owner))
    hint = f"; there is {' or '.join(near)}" if near else ""
    reason = f"{owner} has no member {name}{hint}"
    return _reference("member", symbol, node, ReferenceState.MISSING, reason)


def _called_overloads(symbols: Sequence[SwiftSymbol], node: Node) -> Sequence[SwiftSymbol]:
    """Return the overloads that a call without labels may mean; labels are looked at apart."""
    call = callee_of_call(node)
    shape = shape_of_call(call) if call is not None else None
    return symbols if shape is None or shape.nodes else matching_overloads(symbols, shape)


def _why_extended(scene: SwiftAnswer) -> str:
    """Say which import may add members to anything; empty if all imported modules are known."""
    unknown = [
        each for each in scene.scope.imports if each.partition(".")[0] not in scene.modules.names
    ]
    return f"{unknown[0]}, of which nothing is known, may add it" if unknown else ""


def _why_open(scene: SwiftAnswer, owner: str) -> str:
    """Say why a type may have members that nothing lists; empty if it has none."""
    modules = scene.modules
    known = {*modules.members, *modules.types}
    for each in modules.with_bases(owner):
        if each not in known and each not in _PLAIN_PROTOCOLS:
            return f"nothing is known of its base {each}"
        if each in modules.open_types:
            return f"the facts about {each} list some of its members"
    return ""


def _call(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    callee = subject_of(node)
    shape = shape_of_call(node)
    meaning = meaning_of(scene, callee)
    if meaning is not None and meaning.is_type:
        if meaning.type_name in scene.scope.own_bases:
            return
        if callee.type == "simple_identifier":
            yield _type_reference(scene, meaning.type_name, callee)
        initialisers = scene.modules.find_members(meaning.type_name, "init")
        yield from _labels(scene, f"{meaning.type_name}.init", initialisers, shape)
    elif callee.type == "navigation_expression":
        owner = meaning_of(scene, subject_of(callee))
        name = suffix_name(callee)
        if owner is not None and not _is_own_member(scene, owner.type_name, name):
            symbols = find_members(scene, owner.type_name, name)
            yield from _labels(scene, f"{owner.type_name}.{name}", symbols, shape)
    elif callee.type == "simple_identifier":
        yield from _function(scene, callee, shape)


def _function(scene: SwiftAnswer, callee: Node, shape: CallShape) -> Iterator[NameReference]:
    name = text(callee)
    symbols = scene.modules.functions.get(name, ())
    if name in scene.scope.own_types or name in scene.scope.own_names:
        return
    if symbols:
        yield _found("function", name, callee, scene, symbols)
        yield from _labels(scene, name, symbols, shape)
    elif name[:1].isupper():
        yield _type_reference(scene, name, callee)
    elif _is_absent(scene, name):
        reason = f"there is no function {name}"
        yield _reference("function", name, callee, ReferenceState.MISSING, reason)
    else:
        reason = "it is no function of a module with a symbol graph"
        yield _reference("function", name, callee, ReferenceState.UNKNOWN, reason)


def _macro(scene: SwiftAnswer, node: Node) -> Iterator[NameReference]:
    word = child(node, "simple_identifier")
    name = text(word)
    if word is None:
        return
    symbols = [each for each in scene.modules.functions.get(name, ()) if each.kind == "macro"]
    if symbols:
        yield _found("macro", f"#{name}", word, scene, symbols)
        yield from _labels(scene, f"#{name}", symbols, shape_of_call(node))
    elif _is_absent(scene, f"#{name}"):
        reason = f"there is no macro #{name}"
        yield _reference("macro", f"#{name}", word, ReferenceState.MISSING, reason)
    else:
        reason = "it is no macro of a module with a symbol graph"
        yield _reference("macro", f"#{name}", word, ReferenceState.UNKNOWN, reason)


def _labels(
    scene: SwiftAnswer, callee: str, symbols: Sequence[SwiftSymbol], shape: CallShape
) -> Iterator[NameReference]:
    known = {label for each in symbols for label in each.labels or ()}
    if not symbols or all(each.labels is None for each in symbols):
        return
    matching = matching_overloads(symbols, shape)
    for label in shape.nodes:
        name = text(label)
        symbol = f"{callee}({name}:)"
        if name in known:
            overloads = [each for each in matching if name in (each.labels or ())]
            yield _found("label", symbol, label, scene, overloads)
        elif scene.modules.has_all_overloads(symbols) and not _why_extended(scene):
            listed = ", ".join(sorted(known - {"_"})) or "none"
            reason = f"{callee} has no argument label {name}; there is {listed}"
            yield _reference("label", symbol, label, ReferenceState.MISSING, reason)
        else:
            reason = _why_extended(scene) or f"the facts list some forms of {callee}"
            yield _reference("label", symbol, label, ReferenceState.UNKNOWN, reason)


def _found(
    kind: str, symbol: str, node: Node, scene: SwiftAnswer, symbols: Sequence[SwiftSymbol]
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
    return replace(_reference(kind, symbol, node, ReferenceState.FOUND), deprecated=deprecated)


def _reference(
    kind: str, symbol: str, node: Node, state: ReferenceState, reason: str = ""
) -> NameReference:
    line, column = place(_name_node(node))
    return NameReference(kind, symbol, line, column, state, reason)


def _name_node(node: Node) -> Node:
    suffix = child(node, "navigation_suffix") if node.type == "navigation_expression" else None
    return (child(suffix, "simple_identifier") or node) if suffix is not None else node


_REFERENCES: dict[str, Callable[[SwiftAnswer, Node], Iterator[NameReference]]] = {
    "import_declaration": _module,
    "user_type": _type,
    "navigation_expression": _member,
    "call_expression": _call,
    "macro_invocation": _macro,
}
