"""Names of a Swift answer against symbol graphs: types, members, initialisers and their labels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.agents.answer_checks import NameReference, ReferenceState, ResolvedAnswer
from cranfield.agents.swift.swift_expressions import (
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
from cranfield.agents.swift.swift_symbols import judge_availability, read_guards
from cranfield.agents.swift.swift_syntax import (
    child,
    is_deep,
    nodes,
    parse_swift,
    place,
    read_scope,
    text,
    type_name,
)
from cranfield.agents.swift.symbol_graphs import load_symbol_graphs
from cranfield.errors import InputError
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from cranfield.agents.swift.swift_expressions import CallShape
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
    names = _SwiftNames(SwiftAnswer(root, read_scope(root), modules, target))
    return ResolvedAnswer(names.find_references())


class _SwiftNames:
    """The names of one answer: what kind each node of the tree names, and whether that is there.

    Methods that yield are about a node of the tree, and yield nothing for what the answer declares
    itself. Nothing is called missing unless every place that could have it is known in full.
    """

    def __init__(self, answer: SwiftAnswer) -> None:
        self._answer = answer
        self._modules = answer.modules
        self._scope = answer.scope
        self._open_import = self._find_open_import()
        self._finders = {
            "import_declaration": self._of_import,
            "user_type": self._of_type,
            "navigation_expression": self._of_member,
            "call_expression": self._of_call,
            "macro_invocation": self._of_macro,
        }

    def find_references(self) -> tuple[NameReference, ...]:
        """Look every name up; the same name at the same place counts once."""
        found: set[NameReference] = set()
        for node in nodes(self._answer.root):
            finder = self._finders.get(node.type)
            if finder is not None:
                found.update(finder(node))
        return tuple(sorted(found, key=lambda each: (each.line, each.column, each.symbol)))

    # What the nodes of the tree name.

    def _of_import(self, node: Node) -> Iterator[NameReference]:
        """Look up `import Name`."""
        name = text(child(node, "identifier")).partition(".")[0]
        if name in self._modules.names or name == "Swift":
            yield _reference("module", name, node, ReferenceState.FOUND)
        else:
            yield _unknown("module", name, node, "there is no symbol graph of it")

    def _of_type(self, node: Node) -> Iterator[NameReference]:
        """Look up a type where one is written: an annotation, a base, a generic argument."""
        # What an extension extends is looked at with the members that it adds.
        is_extended = node.parent is not None and node.parent.type == "class_declaration"
        name = type_name(node)
        first = name.partition(".")[0]
        if is_extended or not name or first in self._scope.own_types or first in _NO_TYPES:
            return
        yield self._look_up_type(name, node)

    def _of_member(self, node: Node) -> Iterator[NameReference]:
        """Look up `value.name`."""
        base, name = subject_of(node), suffix_name(node)
        is_module = text(base) in self._modules.names and text(base) not in self._modules.types
        if not name or is_module:
            return
        meaning = meaning_of(self._answer, base)
        if meaning is None:
            is_own = base.type == "self_expression" or text(base) in self._scope.own_types
            if not is_own and name != "self":
                yield _unknown("member", f"?.{name}", node, "the type of the value is not known")
        elif meaning.type_name in self._scope.own_bases:
            yield from self._look_up_inherited(meaning.type_name, name, node)
        else:
            yield self._look_up_member(meaning.type_name, name, node)

    def _of_call(self, node: Node) -> Iterator[NameReference]:
        """Look up what a call calls unless it is a member, and the labels of its arguments."""
        callee, shape = subject_of(node), shape_of_call(node)
        meaning = meaning_of(self._answer, callee)
        if meaning is not None and meaning.is_type:
            if meaning.type_name in self._scope.own_bases:
                return
            if callee.type == "simple_identifier":
                yield self._look_up_type(meaning.type_name, callee)
            initialisers = self._modules.find_members(meaning.type_name, "init")
            yield from self._look_up_labels(f"{meaning.type_name}.init", initialisers, shape)
        elif callee.type == "navigation_expression":
            owner, name = meaning_of(self._answer, subject_of(callee)), suffix_name(callee)
            if owner is not None and not self._is_own_member(owner.type_name, name):
                symbols = find_members(self._answer, owner.type_name, name)
                yield from self._look_up_labels(f"{owner.type_name}.{name}", symbols, shape)
        elif callee.type == "simple_identifier":
            yield from self._look_up_function(callee, shape)

    def _of_macro(self, node: Node) -> Iterator[NameReference]:
        """Look up `#name` and the labels of its arguments."""
        word = child(node, "simple_identifier")
        if word is None:
            return
        name = text(word)
        symbols = self._find_macros(name)
        if symbols:
            yield self._judge("macro", f"#{name}", word, symbols)
            yield from self._look_up_labels(f"#{name}", symbols, shape_of_call(node))
        elif self._is_absent(f"#{name}"):
            yield _missing("macro", f"#{name}", word, f"there is no macro #{name}")
        else:
            reason = "it is not a macro of a module with a symbol graph"
            yield _unknown("macro", f"#{name}", word, reason)

    # Whether a name is there.

    def _look_up_type(self, name: str, node: Node) -> NameReference:
        """Look a type up by its name, with or without its module; macros are written like types."""
        modules, inside = self._modules, without_module(self._answer, name)
        known, macros = modules.types.get(inside), self._find_macros(inside)
        if known or macros:
            return self._judge("type", inside, node, [known] if known else macros)
        if self._is_absent(inside) or self._knows_all_modules_of(name):
            hint = _suggest(inside, modules.types)
            return _missing("type", name, node, f"there is no type {name}{hint}")
        reason = "its module has no symbol graph"
        if modules.partial:
            reason = "the facts about the imported modules do not list it"
        return _unknown("type", name, node, reason)

    def _look_up_inherited(self, owner: str, name: str, node: Node) -> Iterator[NameReference]:
        """Look a member up on what an own type inherits; what it declares itself is its own."""
        if self._is_own_member(owner, name):
            return
        for base in self._scope.own_bases[owner]:
            is_known = find_members(self._answer, base, name)
            if is_known or self._modules.is_absent(base, name):
                yield self._look_up_member(base, name, node)
                return

    def _look_up_member(self, owner: str, name: str, node: Node) -> NameReference:
        """Look a member of a known type up."""
        modules, symbol = self._modules, f"{owner}.{name}"
        found = _called_overloads(modules.find_members(owner, name), node)
        if found:
            return self._judge("member", symbol, node, found)
        # Every type has these three, and no symbol graph lists them.
        if name in ("self", "init", "Type") or self._is_own_member(owner, name):
            return _reference("member", symbol, node, ReferenceState.FOUND)
        open_type = "" if modules.is_absent(owner, name) else self._why_open(owner)
        if reason := self._open_import or open_type:
            return _unknown("member", symbol, node, reason)
        hint = _suggest(name, modules.member_names(owner))
        return _missing("member", symbol, node, f"{owner} has no member {name}{hint}")

    def _look_up_function(self, callee: Node, shape: CallShape) -> Iterator[NameReference]:
        """Look up a function that is called by its name alone; a capital letter means a type."""
        name = text(callee)
        if name in self._scope.own_types or name in self._scope.own_names:
            return
        symbols = self._modules.functions.get(name, ())
        if symbols:
            yield self._judge("function", name, callee, symbols)
            yield from self._look_up_labels(name, symbols, shape)
        elif name[:1].isupper():
            yield self._look_up_type(name, callee)
        elif self._is_absent(name):
            yield _missing("function", name, callee, f"there is no function {name}")
        else:
            reason = "it is not a function of a module with a symbol graph"
            yield _unknown("function", name, callee, reason)

    def _look_up_labels(
        self, callee: str, symbols: Sequence[SwiftSymbol], shape: CallShape
    ) -> Iterator[NameReference]:
        """Look the labels of a call up among those of all overloads."""
        if not symbols or all(each.labels is None for each in symbols):
            return
        known = {label for each in symbols for label in each.labels or ()}
        matching = matching_overloads(symbols, shape)
        for label in shape.nodes:
            name = text(label)
            symbol = f"{callee}({name}:)"
            if name in known:
                overloads = [each for each in matching if name in (each.labels or ())]
                yield self._judge("label", symbol, label, overloads)
            elif self._modules.has_all_overloads(symbols) and not self._open_import:
                listed = ", ".join(sorted(known - {"_"})) or "none"
                reason = f"{callee} has no argument label {name}; there is {listed}"
                yield _missing("label", symbol, label, reason)
            else:
                reason = self._open_import or f"the facts list some forms of {callee}"
                yield _unknown("label", symbol, label, reason)

    def _judge(
        self, kind: str, symbol: str, node: Node, symbols: Sequence[SwiftSymbol]
    ) -> NameReference:
        """Make the reference of a symbol that is there: if not in this version, that is said.

        Of several overloads the best counts, and the type around them has to be there too.
        """
        guards, target = read_guards(node), self._answer.target
        owners = (self._modules.types.get(".".join(each.path[:-1])) for each in symbols)
        owner = next((each for each in owners if each is not None), None)
        overloads = [judge_availability(each, target, guards) for each in symbols]
        judged = [min(overloads, key=lambda each: (bool(each.reason), bool(each.deprecated)))]
        if owner is not None:
            judged.append(judge_availability(owner, target, guards))
        for each in judged:
            if each.reason:
                return _reference(kind, symbol, node, ReferenceState.OTHER_VERSION, each.reason)
        deprecated = next((each.deprecated for each in judged if each.deprecated), "")
        return replace(_reference(kind, symbol, node, ReferenceState.FOUND), deprecated=deprecated)

    # What is known of the modules, and what the answer declares itself.

    def _find_macros(self, name: str) -> list[SwiftSymbol]:
        """Find the macros of a name: they are listed with the functions."""
        return [each for each in self._modules.functions.get(name, ()) if each.kind == "macro"]

    def _is_own_member(self, owner: str, name: str) -> bool:
        """Return whether the answer declares a member, on a type of its own or in an extension."""
        scope = self._scope
        return name in scope.own_names and (owner in scope.own_bases or owner in scope.extended)

    def _is_absent(self, name: str) -> bool:
        """Return whether a name is known not to exist, and no unknown module can add it."""
        return name in self._modules.absent and not self._open_import

    def _knows_all_modules_of(self, name: str) -> bool:
        """Return whether every module that may have a name is known in full, Swift included."""
        whole = self._modules.names - self._modules.partial
        if without_module(self._answer, name) != name:
            return name.partition(".")[0] in whole
        return {"Swift", *self._scope.imports} <= whole

    def _find_open_import(self) -> str:
        """Say which import may add members to anything; empty if all imported modules are known."""
        for each in self._scope.imports:
            if each.partition(".")[0] not in self._modules.names:
                return f"{each}, of which nothing is known, may add it"
        return ""

    def _why_open(self, owner: str) -> str:
        """Say why a type may have members that nothing lists; empty if it has none."""
        known = {*self._modules.members, *self._modules.types}
        for each in self._modules.with_bases(owner):
            if each not in known and each not in _PLAIN_PROTOCOLS:
                return f"nothing is known of its base {each}"
            if each in self._modules.open_types:
                return f"the facts about {each} list some of its members"
        return ""


def _called_overloads(symbols: Sequence[SwiftSymbol], node: Node) -> Sequence[SwiftSymbol]:
    """Return the overloads that a call without labels may mean; labels are looked at separately."""
    call = callee_of_call(node)
    shape = shape_of_call(call) if call is not None else None
    return symbols if shape is None or shape.nodes else matching_overloads(symbols, shape)


def _suggest(name: str, known: Iterable[str]) -> str:
    """Return the names that a misspelt one may have meant, as the end of a sentence."""
    near = near_names(name, known)
    return f"; there is {' or '.join(near)}" if near else ""


def _missing(kind: str, symbol: str, node: Node, reason: str) -> NameReference:
    return _reference(kind, symbol, node, ReferenceState.MISSING, reason)


def _unknown(kind: str, symbol: str, node: Node, reason: str) -> NameReference:
    return _reference(kind, symbol, node, ReferenceState.UNKNOWN, reason)


def _reference(
    kind: str, symbol: str, node: Node, state: ReferenceState, reason: str = ""
) -> NameReference:
    """Make a reference at the place of its name: of `value.name`, that is behind the dot."""
    suffix = child(node, "navigation_suffix") if node.type == "navigation_expression" else None
    name = child(suffix, "simple_identifier") if suffix is not None else None
    line, column = place(name or node)
    return NameReference(kind, symbol, line, column, state, reason)
