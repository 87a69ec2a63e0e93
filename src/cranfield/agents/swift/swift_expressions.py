"""What expressions of a Swift answer are: followed through names, members and calls.

There is no type checker: a value's type is followed through annotations, initialisers, properties
and calls whose result is one plain type. Everything else is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.agents.swift.swift_syntax import child, children, nodes, text, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node

    from cranfield.agents.swift.swift_symbols import SwiftModules, SwiftSymbol
    from cranfield.agents.swift.swift_syntax import SwiftScope
    from cranfield.agents.tasks import TaskTarget

__all__ = [
    "CallShape", "Meaning", "SwiftAnswer", "callee_of_call", "find_members", "matching_overloads",
    "meaning_of", "shape_of_call", "subject_of", "suffix_name", "without_module",
]  # fmt: skip

_MOST_STEPS = 120
_LONGEST_NAME = 200
_OPERATIONS = {
    "additive_expression", "comparison_expression", "conjunction_expression",
    "disjunction_expression", "equality_expression", "infix_expression",
    "multiplicative_expression", "nil_coalescing_expression", "range_expression",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SwiftAnswer:
    """An answer as a tree, what it declares, and what it may use."""

    root: Node
    scope: SwiftScope
    modules: SwiftModules
    target: TaskTarget


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an expression is: a value of a type, or the type itself."""

    type_name: str
    is_type: bool = False


@dataclass(frozen=True, slots=True)
class CallShape:
    """How something is called: the nodes of its labels, and how the arguments follow each other.

    `labels` has `_` for arguments without a label, and `?` for a closure after the brackets that
    has none; `closure` is the number of parameters that the first of those declares.
    """

    nodes: tuple[Node, ...]
    labels: tuple[str, ...]
    closure: int | None


def shape_of_call(call: Node) -> CallShape:
    """Read the labels of a call, and of the closures after its brackets."""
    suffixes = [each for each in (child(call, "call_suffix"), _closures_after(call)) if each]
    lists = [found for each in suffixes if (found := child(each, "value_arguments"))]
    arguments = [each for found in lists for each in children(found, "value_argument")]
    labels = [child(each, "value_argument_label") for each in arguments]
    closures = [found for each in suffixes for found in children(each, "lambda_literal")]
    named = [found for each in suffixes for found in children(each, "simple_identifier")]
    written = [text(each) if each is not None else "_" for each in labels]
    written += ["?"] * (len(closures) - len(named)) + [text(each) for each in named]
    return CallShape(
        (*(each for each in labels if each is not None), *named),
        tuple(written),
        _parameters(closures[0]) if closures else None,
    )


def _closures_after(call: Node) -> Node | None:
    """Return the closures of a call if there are several: they stand around it in the tree."""
    around = callee_of_call(call)
    suffix = child(around, "call_suffix") if around is not None else None
    return suffix if suffix is not None and child(suffix, "value_arguments") is None else None


def _parameters(closure: Node) -> int | None:
    """Count the parameters of a closure; None if it does not name them."""
    kind = child(closure, "lambda_function_type")
    listed = child(kind, "lambda_function_type_parameters") if kind is not None else None
    if listed is not None:
        return len(children(listed, "lambda_parameter"))
    own = [each for each in nodes(closure) if each.type == "simple_identifier"]
    return None if any(text(each).startswith("$") for each in own) else 0


def matching_overloads(symbols: Sequence[SwiftSymbol], shape: CallShape) -> tuple[SwiftSymbol, ...]:
    """Return the overloads that a call fits exactly; all of them if it fits none."""
    exact = tuple(each for each in symbols if _fits(each, shape))
    return exact or tuple(symbols)


def _fits(symbol: SwiftSymbol, shape: CallShape) -> bool:
    labels = symbol.labels
    if labels is None or len(labels) != len(shape.labels):
        return False
    if None not in (symbol.closure, shape.closure) and symbol.closure != shape.closure:
        return False
    return all(given in ("?", label) for given, label in zip(shape.labels, labels, strict=True))


def subject_of(node: Node) -> Node:
    """Return what is called, or what a member is taken from.

    The grammar reads `a + b.c()` as a call of `a + b.c`: the last operand is meant.
    """
    subject = node.children[0]
    while subject.type in _OPERATIONS:
        subject = subject.children[-1]
    return subject


def callee_of_call(node: Node) -> Node | None:
    """Return the call of which a node is what is called."""
    call = node.parent
    is_callee = call is not None and call.type == "call_expression" and call.children[0] == node
    return call if is_callee else None


def suffix_name(node: Node) -> str:
    """Return the name after the last dot."""
    suffix = child(node, "navigation_suffix")
    return text(child(suffix, "simple_identifier")) if suffix is not None else ""


def without_module(answer: SwiftAnswer, name: str) -> str:
    """Return a name without the module that it starts with."""
    first, _, rest = name.partition(".")
    modules = answer.modules
    return rest if rest and first in modules.names and first not in modules.types else name


def find_members(answer: SwiftAnswer, owner: str, name: str) -> tuple[SwiftSymbol, ...]:
    """Find members of a type, or of what an own type inherits from."""
    owners = answer.scope.own_bases.get(owner, (owner,))
    found = (answer.modules.find_members(each, name) for each in owners)
    return next(filter(None, found), ())


def meaning_of(answer: SwiftAnswer, node: Node, steps: int = 0) -> Meaning | None:
    """Say what an expression is; None if that is not known."""
    find = _MEANINGS.get(node.type)
    return find(answer, node, steps) if find is not None and steps <= _MOST_STEPS else None


def _meaning_of_inner(answer: SwiftAnswer, node: Node, steps: int) -> Meaning | None:
    inner = [each for each in node.named_children if each.type != "try_operator"]
    return meaning_of(answer, inner[0], steps + 1) if len(inner) == 1 else None


def _meaning_of_name(answer: SwiftAnswer, node: Node, steps: int) -> Meaning | None:
    name, scope = text(node), answer.scope
    if name in scope.annotated:
        kind = without_module(answer, scope.annotated[name])
        return Meaning(kind) if kind in answer.modules.types or kind in scope.own_bases else None
    if name in scope.assigned:
        return meaning_of(answer, scope.assigned[name], steps + 1)
    if name in scope.own_bases:
        return Meaning(name, is_type=True)
    is_own = name in scope.own_types or name in scope.own_names
    if name in answer.modules.types and not is_own:
        return Meaning(name, is_type=True)
    return None


def _meaning_of_self(answer: SwiftAnswer, node: Node, _: int) -> Meaning | None:
    """Return the type around a `self`, or the one that an extension around it extends."""
    around = node.parent
    while around is not None and around.type != "class_declaration":
        around = around.parent
    name = type_name(child(around, "user_type", "type_identifier")) if around is not None else ""
    is_known = name in answer.modules.types or name in answer.scope.own_bases
    return Meaning(name) if is_known else None


def _meaning_of_key_path(answer: SwiftAnswer, node: Node, _: int) -> Meaning | None:
    """Say what the key path of `@Environment` starts at."""
    attribute = node.parent.parent if node.parent is not None else None
    if attribute is None or attribute.type != "attribute":
        return None
    is_environment = text(child(attribute, "user_type")) == "Environment"
    is_known = is_environment and "EnvironmentValues" in answer.modules.types
    return Meaning("EnvironmentValues") if is_known else None


def _meaning_of_member(answer: SwiftAnswer, node: Node, steps: int) -> Meaning | None:
    named = _named_type(answer, node)
    owner = None if named else meaning_of(answer, subject_of(node), steps + 1)
    if named or owner is None:
        return named
    name = suffix_name(node)
    if f"{owner.type_name}.{name}" in answer.modules.types:
        return Meaning(f"{owner.type_name}.{name}", is_type=True)
    symbols = find_members(answer, owner.type_name, name)
    if symbols and all(each.kind == "enum.case" for each in symbols):
        return owner
    return _result_of(answer, [each for each in symbols if each.labels is None], owner.type_name)


def _meaning_of_call(answer: SwiftAnswer, node: Node, steps: int) -> Meaning | None:
    callee = subject_of(node)
    if callee.type == "navigation_expression":
        return _meaning_of_method(answer, node, callee, steps)
    meaning = meaning_of(answer, callee, steps + 1)
    if callee.type == "call_expression":  # closures after the brackets, the second with a label
        return meaning
    if meaning is not None and meaning.is_type:
        return Meaning(meaning.type_name)
    if callee.type == "simple_identifier":
        return _result_of(answer, answer.modules.functions.get(text(callee), ()), "")
    return None


def _meaning_of_method(answer: SwiftAnswer, node: Node, callee: Node, steps: int) -> Meaning | None:
    """Say what `value.name(…)` is; the value is looked at once, or chains would take for ever."""
    if named := _named_type(answer, callee):
        return Meaning(named.type_name)
    owner = meaning_of(answer, subject_of(callee), steps + 1)
    if owner is None:
        return None
    name = suffix_name(callee)
    if f"{owner.type_name}.{name}" in answer.modules.types:
        return Meaning(f"{owner.type_name}.{name}")
    symbols = find_members(answer, owner.type_name, name)
    return _result_of(answer, matching_overloads(symbols, shape_of_call(node)), owner.type_name)


def _named_type(answer: SwiftAnswer, node: Node) -> Meaning | None:
    """Return the type that a dotted name is (`Notification.Name`)."""
    if node.end_byte - node.start_byte > _LONGEST_NAME:
        return None
    qualified = without_module(answer, text(node))
    return Meaning(qualified, is_type=True) if qualified in answer.modules.types else None


def _result_of(answer: SwiftAnswer, symbols: Sequence[SwiftSymbol], owner: str) -> Meaning | None:
    """Return the one type that all overloads have; None if they differ or it is not known."""
    results = {owner if each.result == "Self" else each.result for each in symbols}
    if len(results) != 1:
        return None
    [result] = results
    return Meaning(result) if result in answer.modules.types else None


_MEANINGS: dict[str, Callable[[SwiftAnswer, Node, int], Meaning | None]] = {
    "simple_identifier": _meaning_of_name,
    "navigation_expression": _meaning_of_member,
    "call_expression": _meaning_of_call,
    "self_expression": _meaning_of_self,
    "key_path_expression": _meaning_of_key_path,
    "try_expression": _meaning_of_inner,
    "await_expression": _meaning_of_inner,
    "parenthesized_expression": _meaning_of_inner,
}
