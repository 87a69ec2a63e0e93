"""Every reference of one answer, resolved by the types that mypy inferred."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from mypy.nodes import CallExpr, MemberExpr, MypyFile, NameExpr, Node, RefExpr, TypeInfo

from cranfield.agents.answer_checks import NameReference, ReferenceState
from cranfield.agents.python.type_members import find_keyword, find_member, name_of_type

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from mypy.nodes import Expression
    from mypy.types import Type

    from cranfield.agents.python.target_facts import Fact, TargetFacts

__all__ = [
    "AnswerTypes",
    "defines_names_at_run_time",
    "find_references",
    "guarded_imports",
]

_ERROR = re.compile(r"^[^:]*:(\d+):(\d+): error: (.*)  \[([\w-]+)\]$")
_DEPRECATED = re.compile(
    r"^(?:(?:function|class|overload .* of function) )?(\S*).*? is deprecated: (.*)$"
)
_UNDEFINED = re.compile(r'^Name "(\w+)" is not defined')
_NOT_CODE = {
    "__class__", "__dict__", "imports", "info", "names", "node", "setter", "type",
    "unanalyzed_type",
}  # fmt: skip
"""Attributes of mypy's nodes that lead out of the code of an answer."""


@dataclass(frozen=True, slots=True)
class AnswerTypes:
    """An answer, its module as mypy knows it, the types of its expressions, and mypy's errors."""

    tree: ast.Module
    module: MypyFile
    types: Mapping[Expression, Type]
    errors: Sequence[str]


def find_references(answer: AnswerTypes, facts: TargetFacts) -> tuple[NameReference, ...]:
    """Find and resolve every module, name, attribute and keyword argument of an answer."""
    found = [
        *_imports(answer, facts),
        *_members(answer, facts),
        *_keywords(answer, facts),
        *_annotations(answer, facts),
        *_undefined_names(answer),
    ]
    marked = {(each.line, _last_word(each)) for each in found if each.deprecated}
    marks = (_as_spelled(each, found) for each in _deprecations(answer))
    found += [each for each in marks if (each.line, _last_word(each)) not in marked]
    own = answer.module.fullname + "."
    cleaned = {_without(own, each) for each in found}
    return tuple(sorted(cleaned, key=lambda each: (each.line, each.column, each.symbol, each.kind)))


def _as_spelled(mark: NameReference, found: Sequence[NameReference]) -> NameReference:
    """Return a mark on the call of an object as one on the name by which the answer calls it."""
    if _last_word(mark) != "__call__":
        return mark
    called = [each for each in found if each.line == mark.line and each.column >= mark.column]
    first = min(called, key=lambda each: each.column, default=mark)
    return replace(mark, symbol=first.symbol)


def _last_word(each: NameReference) -> str:
    return each.symbol.rpartition(".")[2]


def _without(own: str, each: NameReference) -> NameReference:
    symbol, reason = each.symbol.removeprefix(own), each.reason.replace(own, "")
    return NameReference(
        each.kind, symbol, each.line, each.column, each.state, reason, each.deprecated
    )


def _reference(kind: str, symbol: str, place: tuple[int, int], fact: Fact) -> NameReference:
    line, column = place
    return NameReference(kind, symbol, line, column + 1, fact.state, fact.reason, fact.deprecated)


def _imports(answer: AnswerTypes, facts: TargetFacts) -> Iterator[NameReference]:
    guarded = guarded_imports(answer.tree, facts.python)
    for each, statement in _all_imports(answer, facts):
        if statement in guarded and each.state is not ReferenceState.FOUND:
            reason = "the import is guarded: whether it is tried, only a run can tell"
            yield replace(each, state=ReferenceState.UNKNOWN, reason=reason)
        else:
            yield each


def _all_imports(
    answer: AnswerTypes, facts: TargetFacts
) -> Iterator[tuple[NameReference, ast.stmt]]:
    for statement in ast.walk(answer.tree):
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                place = alias.lineno, alias.col_offset
                fact = facts.of_module(alias.name)
                yield _reference("module", alias.name, place, fact), statement
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            for each in _imported_names(statement, statement.module, facts):
                yield each, statement


def _imported_names(
    statement: ast.ImportFrom, module: str, facts: TargetFacts
) -> Iterator[NameReference]:
    fact = facts.of_module(module)
    yield _reference("module", module, (statement.lineno, statement.col_offset), fact)
    if fact.state is not ReferenceState.FOUND:
        return  # nothing can be said of names in a module that is not there
    for alias in statement.names:
        if alias.name != "*":
            place = alias.lineno, alias.col_offset
            symbol = f"{module}.{alias.name}"
            yield _reference("name", symbol, place, facts.of_module_name(module, alias.name))


def _members(answer: AnswerTypes, facts: TargetFacts) -> Iterator[NameReference]:
    stored = {
        (each.lineno, each.col_offset, each.end_lineno, each.end_col_offset)
        for each in ast.walk(answer.tree)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    }
    for node in _nodes(answer.module):
        if not isinstance(node, MemberExpr) or _span(node) in stored or node.line < 1:
            continue
        resolved = _member(answer, node, facts)
        if resolved is not None:
            symbol, fact = resolved
            yield _reference("attribute", symbol, _name_place(node), fact)


def _member(answer: AnswerTypes, node: MemberExpr, facts: TargetFacts) -> tuple[str, Fact] | None:
    """Resolve `value.name`; None if the value itself is a module that is not there."""
    value = node.expr
    if isinstance(value, RefExpr) and isinstance(value.node, MypyFile):
        module = value.node.fullname
        return f"{module}.{node.name}", facts.of_module_name(module, node.name)
    if isinstance(value, RefExpr) and _is_missing_module(answer, value, facts):
        return None
    kind = answer.types.get(value)
    if kind is None and isinstance(value, RefExpr) and isinstance(value.node, TypeInfo):
        return f"{value.node.fullname}.{node.name}", facts.of_class_member(value.node, node.name)
    found = find_member(kind, node.name)
    owner = name_of_type(kind) or "?"
    return f"{owner}.{node.name}", facts.of_lookup(found, owner, node.name)


def _is_missing_module(answer: AnswerTypes, value: RefExpr, facts: TargetFacts) -> bool:
    dotted = _dotted(value)
    imported = _imported_modules(answer.tree)
    module = imported.get(dotted, "")
    return bool(module) and facts.of_module(module).state is not ReferenceState.FOUND


def _dotted(node: Expression) -> str:
    if isinstance(node, MemberExpr):
        return f"{_dotted(node.expr)}.{node.name}"
    return node.name if isinstance(node, NameExpr) else "?"


def _imported_modules(tree: ast.Module) -> dict[str, str]:
    return {
        alias.asname or alias.name: alias.name
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Import)
        for alias in statement.names
    }


def _keywords(answer: AnswerTypes, facts: TargetFacts) -> Iterator[NameReference]:
    for node in _nodes(answer.module):
        if not isinstance(node, CallExpr):
            continue
        for name, value in zip(node.arg_names, node.args, strict=True):
            if name is None or node.line < 1:
                continue
            callee = _callee_name(answer, node.callee)
            found = find_keyword(answer.types.get(node.callee), name)
            fact = facts.of_keyword(found, callee, name)
            place = value.line, max(value.column - len(name) - 1, 0)
            yield _reference("keyword", f"{callee}({name}=)", place, fact)


def _callee_name(answer: AnswerTypes, callee: Expression) -> str:
    if isinstance(callee, RefExpr) and callee.fullname and "." in callee.fullname:
        return callee.fullname
    if isinstance(callee, MemberExpr):
        owner = name_of_type(answer.types.get(callee.expr))
        return f"{owner or '?'}.{callee.name}"
    return callee.name if isinstance(callee, NameExpr) else "?"


def _annotations(answer: AnswerTypes, facts: TargetFacts) -> Iterator[NameReference]:
    """Resolve `module.Class` in annotations, which mypy reads as types and not as expressions."""
    seen = {_span(each) for each in _nodes(answer.module) if isinstance(each, MemberExpr)}
    imported = _imported_modules(answer.tree)
    for annotation in _all_annotations(answer.tree):
        for each in ast.walk(annotation):
            if not isinstance(each, ast.Attribute):
                continue
            span = each.lineno, each.col_offset, each.end_lineno, each.end_col_offset
            module = imported.get(ast.unparse(each.value), "")
            if span in seen or not module:
                continue
            if facts.of_module(module).state is ReferenceState.FOUND:
                place = each.end_lineno or 0, (each.end_col_offset or 0) - len(each.attr)
                fact = facts.of_module_name(module, each.attr)
                yield _reference("attribute", f"{module}.{each.attr}", place, fact)


def _all_annotations(tree: ast.Module) -> Iterator[ast.expr]:
    for each in ast.walk(tree):
        for place in ("annotation", "returns"):
            if isinstance(found := getattr(each, place, None), ast.expr):
                yield found


def _undefined_names(answer: AnswerTypes) -> Iterator[NameReference]:
    names = {
        (each.lineno, each.col_offset + 1): each.id
        for each in ast.walk(answer.tree)
        if isinstance(each, ast.Name)
    }
    is_dynamic = defines_names_at_run_time(answer.tree)
    for line, column, message, code in _errors(answer):
        found = _UNDEFINED.match(message)
        if code == "name-defined" and found and names.get((line, column)) == found[1]:
            reason = f"{found[1]!r} is neither defined, imported nor built in"
            state = ReferenceState.UNKNOWN if is_dynamic else ReferenceState.MISSING
            yield NameReference("name", found[1], line, column, state, reason)


def _deprecations(answer: AnswerTypes) -> Iterator[NameReference]:
    for line, column, message, code in _errors(answer):
        if code == "deprecated" and (found := _DEPRECATED.match(message)):
            symbol = found[1].strip('"')
            yield NameReference(
                "mark", symbol, line, column, ReferenceState.FOUND, deprecated=found[2]
            )


def _errors(answer: AnswerTypes) -> Iterator[tuple[int, int, str, str]]:
    for each in answer.errors:
        if found := _ERROR.match(each):
            yield int(found[1]), int(found[2]), found[3], found[4]


def _span(node: Node) -> tuple[int, int, int | None, int | None]:
    return node.line, node.column, node.end_line, node.end_column


def _name_place(node: MemberExpr) -> tuple[int, int]:
    """Return where the name after the dot stands."""
    if node.end_line is None or node.end_column is None:
        return node.line, node.column
    return node.end_line, node.end_column - len(node.name)


def _nodes(module: MypyFile) -> list[Node]:
    """List the nodes of an answer; mypy's own visitors cannot be extended outside of mypy."""
    seen: dict[int, Node] = {}
    waiting: list[Node] = [module]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        for name in _node_fields(cast("Hashable", type(node))):
            waiting.extend(_nodes_in(_read_field(node, name)))
    return list(seen.values())


@lru_cache(maxsize=256)
def _node_fields(kind: Hashable) -> tuple[str, ...]:
    return tuple(
        name
        for each in cast("type", kind).__mro__
        for name, value in vars(each).items()
        if type(value).__name__ == "getset_descriptor" and name not in _NOT_CODE
    )


def _read_field(node: Node, name: str) -> Any:
    """Read an attribute; some of mypy's properties are only defined for some nodes."""
    try:
        return getattr(node, name, None)
    except AssertionError:
        return None


def _nodes_in(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _nodes_in(each)


# Code that is prepared for a name to be missing, or that makes its names at run time.

_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "AttributeError"}
_MAKERS = {"globals", "exec", "vars", "locals"}
_CHECKING = {"TYPE_CHECKING", "typing.TYPE_CHECKING"}
_Order: TypeAlias = Callable[[tuple[int, ...], tuple[int, ...]], bool]
_ORDERS: dict[type[ast.cmpop], _Order] = {
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
}


def guarded_imports(tree: ast.Module, python: tuple[int, int]) -> set[ast.stmt]:
    """Find the imports that may fail, or are tried in some versions and systems only.

    A branch that the version of Python decides is guarded if it is not taken. Imports for type
    checkers are meant to be there: they are not guarded.
    """
    return {
        inner
        for each in ast.walk(tree)
        if (isinstance(each, ast.Try) and _catches(each)) or isinstance(each, ast.If)
        for statement in _guarded_body(each, python)
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }


def defines_names_at_run_time(tree: ast.Module) -> bool:
    """Return whether code may define names that it does not write down."""
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in _MAKERS
        for each in ast.walk(tree)
    )


def _guarded_body(each: ast.Try | ast.If, python: tuple[int, int]) -> list[ast.stmt]:
    if isinstance(each, ast.If):
        decided = _decide(each.test, python)
        return [*([] if decided else each.body), *([] if decided is False else each.orelse)]
    return [*each.body, *(inner for handler in each.handlers for inner in handler.body)]


def _decide(test: ast.expr, python: tuple[int, int]) -> bool | None:
    """Say whether a condition holds in a version of Python; None if that does not decide it."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            decided = _decide(inner, python)
            return None if decided is None else not decided
        case ast.Compare(left=left, ops=[order], comparators=[ast.Tuple(elts=parts)]):
            if ast.unparse(left) == "sys.version_info" and type(order) in _ORDERS:
                return _compare(_ORDERS[type(order)], python, parts)
    return True if ast.unparse(test) in _CHECKING else None


def _compare(order: _Order, python: tuple[int, int], parts: list[ast.expr]) -> bool | None:
    numbers = [
        each.value
        for each in parts
        if isinstance(each, ast.Constant) and isinstance(each.value, int)
    ]
    if len(numbers) != len(parts) or len(parts) > len(python):
        return None
    # At run time there are more numbers, so (3, 12, 1) > (3, 12) and (3, 12, 1) > (3,).
    return order((*python, 0), tuple(numbers))


def _catches(each: ast.Try) -> bool:
    return any(
        handler.type is None or _CAUGHT & set(ast.unparse(handler.type).strip("()").split(", "))
        for handler in each.handlers
    )
