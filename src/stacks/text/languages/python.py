"""Python: source, stubs and interactive sessions, and the symbols of their code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from stacks.model import Symbol
from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import (
    Chunking,
    ChunkScope,
    DefinitionNode,
    Language,
    register_language,
)
from stacks.text.languages.syntax import (
    LONGEST_VALUE,
    NodeContent,
    Scope,
    child_types,
    collect,
    find_comments,
    first_child,
    go_inside,
    name_of,
    text_between,
    text_of,
    words,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from stacks.model import Parsed

__all__ = [
    "PYTHON_HANDLERS",
]

_GRAMMAR = Grammar("tree_sitter_python")
_MEMBER = Scope(kind="class")

_PROMPT = re.compile(r"[ \t]*(?:>>>|\.\.\.|In \[\d+\]:|\.{3,}:)(?: |(?=\r?\n|\Z))")
_SESSION = re.compile(r"^[ \t]*(?:>>>|In \[\d+\]:)(?:[ \t]|$)", re.MULTILINE)
# A head of a declaration that ends its line without the colon: how references list them.
_BARE_HEAD = re.compile(
    r"^([ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+\w[^\n#]*[^\s:,(\[{\\])[ \t]*$", re.MULTILINE
)

_KINDS = {"class_definition": "class", "function_definition": "function"}
# Statements without blocks hold lambdas at most, which have no names.
_CLOSED = words(
    "argument_list assert_statement comment decorator delete_statement expression_statement "
    "future_import_statement import_from_statement import_statement parameters raise_statement "
    "return_statement string type type_alias_statement type_parameter"
)


_BASE_NAME = re.compile(r"(?:\w+\.)*(\w+)\s*(?:\[(.*)\])?", re.DOTALL)
_ENUMERATIONS = ("Enum", "Flag")
_GENERIC_BASES = frozenset({"Generic", "Protocol"})
_PROPERTIES = frozenset({"property", "cached_property", "setter", "deleter", "getter"})
_STATIC = frozenset({"staticmethod", "classmethod"})
_NAMES = frozenset({"identifier"})
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"})


def _read(code: str) -> Parsed:
    """Read a module, a snippet, or the input of an interactive session.

    A session does not parse as a module, but a module can have one in a docstring.
    """
    root = _GRAMMAR.parse(code)
    if root.has_error and _SESSION.search(code):
        return _read_session(code)
    return _read_tree(code, root, _BARE_HEAD.sub(r"\1: ...", code), Scope())


def _read_tree(code: str, root: Node, completed: str, scope: Scope) -> Parsed:
    """Read what was parsed, or its completion if that fixes the errors."""
    if root.has_error and completed != code:
        second = _GRAMMAR.parse(completed)
        if not second.has_error:
            code, root = completed, second
    return collect(code, root, PYTHON_HANDLERS, scope)


def _read_session(code: str) -> Parsed:
    """Read the input of a session without its output; positions stay true."""
    lines, widths = [], []
    for line in code.split("\n"):
        prompt = _PROMPT.match(line)
        widths.append(prompt.end() if prompt else 0)
        lines.append(line[prompt.end() :] if prompt else "")
    typed = "\n".join(lines)
    parsed = collect(typed, _GRAMMAR.parse(typed), PYTHON_HANDLERS)
    return replace(
        parsed,
        symbols=tuple(
            replace(symbol, column=symbol.column + widths[symbol.line - 1])
            for symbol in parsed.symbols
        ),
    )


def _read_declaration(declaration: str, *, is_member: bool) -> tuple[Symbol, ...]:
    """Read declarations without bodies, `def f(x) -> int`."""
    completed = f"{declaration.rstrip().removesuffix(':')}: ..."
    root = _GRAMMAR.parse(declaration)
    scope = _MEMBER if is_member else Scope()
    return _read_tree(declaration, root, completed, scope).symbols


def _find_definition(code: str, node: Node, _scope: ChunkScope) -> DefinitionNode | None:
    """Find the function or the class, also below decorators."""
    decorated = node.type == "decorated_definition"
    definition = node.child_by_field_name("definition") if decorated else node
    if definition is None or definition.type not in _KINDS:
        return None
    head = definition.child_by_field_name("name")
    name = name_of(code, head)
    if head is None or not name:
        return None
    return DefinitionNode(
        name=name,
        kind=_KINDS[definition.type],
        outer=node,
        inner=definition,
        head=head,
        body=definition.child_by_field_name("body"),
    )


register_language(
    Language(
        name="python",
        aliases=("py", "python3", "pycon", "pyi"),
        extensions=("py", "pyi", "pyw"),
        parse=_GRAMMAR.parse,
        read=_read,
        read_declaration=_read_declaration,
        chunking=Chunking(
            find_definition=_find_definition,
            closed=_CLOSED,
            functions=words("function_definition"),
            imports=words("future_import_statement import_from_statement import_statement"),
            stub="\n    ...",
            is_documented_inside=True,
        ),
    )
)


def _read_decorated(code: str, node: Node, scope: Scope) -> NodeContent:
    """Pass the decorators on to the definition below them."""
    attributes = tuple(
        text_between(code, child.start_byte, child.end_byte, find_comments(child, child.end_byte))
        for child in node.named_children
        if child.type == "decorator"
    )
    definition = node.child_by_field_name("definition")
    inner = scope._replace(attributes=attributes, outer=node)
    return NodeContent(inside=((definition, inner),) if definition else ())


def _read_class(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a class: a protocol, an enumeration, or just a class."""
    name = node.child_by_field_name("name")
    if name is None:
        return NodeContent()
    bases = _bases(code, node)
    parameters, constraints = _generics(code, node.child_by_field_name("type_parameters"))
    last_names = [_last_name(base) for base in bases]
    kind = "class"
    if "Protocol" in last_names:
        kind = "protocol"
    elif any(base.endswith(_ENUMERATIONS) for base in last_names):
        kind = "enum"
    symbol = replace(
        _symbol(code, node, scope, name, kind),
        conformances=bases,
        generic_parameters=parameters or _subscripts_of(bases),
        generic_constraints=constraints,
    )
    body = node.child_by_field_name("body")
    inner = Scope(kind=kind, offset=node.start_byte)
    return NodeContent(symbols=(symbol,), inside=((body, inner),) if body else ())


def _read_function(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a function, a method, an initializer or the function behind a property."""
    name = node.child_by_field_name("name")
    if name is None:
        return NodeContent()
    decorators = {_last_name(attribute.removeprefix("@")) for attribute in scope.attributes}
    is_member = bool(scope.kind) or _takes_self(code, node)
    kind = "method" if is_member else "function"
    if is_member and decorators & _PROPERTIES:
        kind = "property"
    elif is_member and text_of(code, name) == "__init__":
        kind = "initializer"
    parameters, constraints = _generics(code, node.child_by_field_name("type_parameters"))
    symbol = replace(
        _symbol(code, node, scope, name, kind),
        is_async="async" in child_types(node),
        is_static=bool(decorators & _STATIC),
        generic_parameters=parameters,
        generic_constraints=constraints,
    )
    return NodeContent(symbols=(symbol,))


def _read_statement(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read an assignment, however many names it gives; other expressions declare nothing."""
    statement = first_child(node)
    if statement is None or statement.type != "assignment":
        return NodeContent()
    annotation = statement.child_by_field_name("type")
    annotated = _last_name(text_of(code, annotation)) if annotation else ""
    names: list[Node] = []
    side: Node | None = statement
    while side is not None and side.type == "assignment":
        names.extend(_names(side.child_by_field_name("left")))
        side = side.child_by_field_name("right")
    if not names:
        return NodeContent()
    texts = [text_of(code, name) for name in names]
    whole = replace(
        _symbol(code, statement, scope, names[0], "property"),
        kind="typealias" if annotated == "TypeAlias" else "property",
        is_static=annotated == "ClassVar",
    )
    symbols = [replace(whole, name=text, is_public=_is_public(text)) for text in texts]
    if scope.kind == "enum" and not annotation:
        symbols = [replace(s, kind="case") if s.is_public else s for s in symbols]
    # `__slots__` and the like instruct the interpreter; they are not members.
    return NodeContent(tuple(s for s in symbols if not (scope.kind and _is_special(s.name))))


def _read_alias(code: str, node: Node, scope: Scope) -> NodeContent:
    """Read a `type` statement."""
    left = node.child_by_field_name("left")
    inner = first_child(left)
    is_generic = inner is not None and inner.type == "generic_type"
    name = first_child(inner) if is_generic else inner
    if inner is None or name is None:
        return NodeContent()
    parameters, constraints = _generics(code, inner.named_children[-1] if is_generic else None)
    symbol = replace(
        _symbol(code, node, scope, name, "typealias"),
        generic_parameters=parameters,
        generic_constraints=constraints,
    )
    return NodeContent(symbols=(symbol,))


def _read_import(code: str, node: Node, _scope: Scope) -> NodeContent:
    """Read `import a.b as c, d`."""
    names = []
    for child in node.children_by_field_name("name"):
        name = child.child_by_field_name("name") if child.type == "aliased_import" else child
        if name is not None:
            names.append(text_of(code, name))
    return NodeContent(imports=tuple(names))


def _read_import_from(code: str, node: Node, _scope: Scope) -> NodeContent:
    """Read `from a.b import c`: the module is what is named first."""
    module = node.child_by_field_name("module_name")
    return NodeContent(imports=(text_of(code, module),) if module else ("__future__",))


PYTHON_HANDLERS = {
    "class_definition": _read_class,
    "decorated_definition": _read_decorated,
    "expression_statement": _read_statement,
    "function_definition": _read_function,
    "future_import_statement": _read_import_from,
    "import_from_statement": _read_import_from,
    "import_statement": _read_import,
    "type_alias_statement": _read_alias,
} | dict.fromkeys(
    words(
        "ERROR block elif_clause else_clause except_clause finally_clause if_statement module "
        "try_statement with_statement"
    ),
    go_inside,
)


def _symbol(code: str, node: Node, scope: Scope, name: Node, kind: str) -> Symbol:
    """Make a symbol with what every declaration has."""
    text = text_of(code, name)
    begin = scope.outer or node
    return Symbol(
        name=text,
        kind=kind,
        signature=_signature(code, node),
        line=begin.start_point[0] + 1,
        column=begin.start_point[1] + 1,
        is_public=_is_public(text),
        attributes=scope.attributes,
    )


def _is_public(name: str) -> bool:
    """Return whether a name is public by convention: no leading underscore, or a special name."""
    return not name.startswith("_") or _is_special(name)


def _is_special(name: str) -> bool:
    """Return whether a name has a meaning to the interpreter, such as `__slots__`."""
    return name.startswith("__") and name.endswith("__")


def _signature(code: str, node: Node) -> str:
    """Return a declaration without its body and without a long value."""
    body = node.child_by_field_name("body")
    end = body.start_byte if body else node.end_byte
    comments = find_comments(node, end) if "#" in code[node.start_byte : end] else ()
    text = text_between(code, node.start_byte, end, comments)
    value = node.child_by_field_name("right")
    if body is None and value is not None and node.type == "assignment":
        has_room = value.end_byte - value.start_byte <= LONGEST_VALUE
        head = text_between(code, node.start_byte, value.start_byte)
        return text if has_room else head.rstrip("= ")
    return text.rstrip(": ") if body else text


def _bases(code: str, node: Node) -> tuple[str, ...]:
    """Return what a class inherits from, as written; not keywords such as `metaclass`."""
    bases = node.child_by_field_name("superclasses")
    children = bases.named_children if bases else []
    return tuple(
        text_between(code, child.start_byte, child.end_byte)
        for child in children
        if child.type not in {"keyword_argument", "comment", "list_splat", "dictionary_splat"}
    )


def _last_name(expression: str) -> str:
    """Return the last name of a dotted expression: `Protocol` of `typing.Protocol[T]`."""
    match = _BASE_NAME.match(expression)
    return match.group(1) if match else ""


def _subscripts_of(bases: tuple[str, ...]) -> tuple[str, ...]:
    """Return the type variables that `Generic[…]` or `Protocol[…]` among the bases names."""
    for base in bases:
        match = _BASE_NAME.match(base)
        if match and match.group(1) in _GENERIC_BASES and match.group(2):
            return tuple(part.strip().lstrip("*") for part in match.group(2).split(","))
    return ()


def _generics(code: str, node: Node | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of type parameters, and the bounds of those that have one."""
    names, bounds = [], []
    for parameter in node.named_children if node else []:
        text = text_between(code, parameter.start_byte, parameter.end_byte).lstrip("*")
        if parameter.type != "type":
            continue
        name, colon, bound = text.partition(":")
        names.append(name.strip())
        if colon:
            bounds.append(f"{name.strip()}: {bound.strip()}")
    return tuple(names), tuple(bounds)


def _names(pattern: Node | None) -> list[Node]:
    """Return the plain names of an assignment's left side, in order."""
    found = []
    waiting = [pattern] if pattern else []
    while waiting:
        node = waiting.pop()
        if node.type in _NAMES:
            found.append(node)
        elif node.type in _PATTERNS:
            waiting.extend(reversed(node.named_children))
    return found


def _takes_self(code: str, node: Node) -> bool:
    """Return whether a function without a class is a method, by its first parameter's name."""
    first = first_child(node.child_by_field_name("parameters"))
    return first is not None and text_of(code, first) in {"self", "cls"}
