"""What each kind of Swift declaration says in its head."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from stacks.text.languages.swift_tokens import (
    OPERATOR,
    EnclosingType,
    Lexed,
    SwiftHead,
    Token,
    find_head,
    is_word,
    join,
    make_symbol,
    split,
)
from stacks.text.languages.syntax import LONGEST_VALUE, shorten, words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stacks.model import Symbol

__all__ = ["TYPES", "SwiftDeclaration", "read_declaration"]

TYPES = frozenset({"actor", "class", "enum", "extension", "protocol", "struct"})
"""The words that begin a type, whose body holds declarations."""

_ACCESSORS = words(
    "get set async throws mutating nonmutating _read _modify read modify yielding borrow mutate "
    "{ } ( )"
) | {"\n"}
# What can stand before a type that something conforms to, by its number of tokens.
_BEFORE_TYPES = {"@": 2, "isolated": 1, "nonisolated": 1}
_IMPORT_KINDS = words("actor class enum func let protocol struct typealias var")
_NO_CASES = words("let var is _ default")
_WITHOUT_PARAMETERS = frozenset({"associatedtype", "extension"})
_OPERATOR_PLACES = frozenset({"infix", "postfix", "prefix"})


class SwiftDeclaration(NamedTuple):
    """What a head declares; `next` is the index of the token behind it, `{` before a body."""

    next: int
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[str, ...] = ()


def read_declaration(lexed: Lexed, index: int, around: EnclosingType) -> SwiftDeclaration | None:
    """Read the declaration that begins at a token; None if none does."""
    head = find_head(lexed, index, around)
    reader = _READERS.get(lexed.word(head.keyword)) if head else None
    return reader(head) if head and reader else None


def _read_type(head: SwiftHead) -> SwiftDeclaration | None:
    """Read a type, a protocol, an extension, an associated type or a type alias."""
    index = head.keyword + 1
    name, behind = head.word(index), index + 1
    if not is_word(name):
        return None
    kind = head.lexed.word(head.keyword)
    while kind == "extension" and head.word(behind) == ".":
        name, behind = f"{name}.{head.word(behind + 1)}", behind + 2
    generics = head.generics(behind)
    symbol = replace(
        make_symbol(head, name, kind, head.end),
        conformances=_conformances(head, generics.next) if kind != "typealias" else (),
        generic_parameters=generics.names if kind not in _WITHOUT_PARAMETERS else (),
        generic_constraints=generics.constraints,
    )
    return SwiftDeclaration(head.end, (symbol,))


def _read_function(head: SwiftHead) -> SwiftDeclaration | None:
    """Read a function, a method or an operator."""
    index = head.keyword + 1
    name = head.word(index)
    if is_word(name):
        return _finish(head, name, "method" if head.is_member else "function", index + 1)
    operator, behind = _read_operator(head, index)
    return _finish(head, operator, "operator", behind) if operator else None


def _read_initializer(head: SwiftHead) -> SwiftDeclaration | None:
    """Read an initializer, failable or not."""
    index = head.keyword + 1
    behind = index + 1 if head.word(index) in {"?", "!"} else index
    if head.word(behind) not in {"(", "<"}:
        return None
    return _finish(head, "init", "initializer", behind)


def _read_subscript(head: SwiftHead) -> SwiftDeclaration | None:
    """Read a subscript and its accessors."""
    index = head.keyword + 1
    if head.word(index) not in {"(", "<"}:
        return None
    return _finish(head, "subscript", "subscript", index)


def _read_macro(head: SwiftHead) -> SwiftDeclaration | None:
    """Read a macro; its implementation counts as its body."""
    index = head.keyword + 1
    if not is_word(head.word(index)) or head.word(index + 1) not in {"(", "<"}:
        return None
    end = head.find("=", index)
    declared = _finish(head._replace(end=end), head.word(index), "macro", index + 1)
    return declared._replace(next=head.end)


def _finish(head: SwiftHead, name: str, kind: str, index: int) -> SwiftDeclaration:
    """Read what follows the name of anything that takes parameters."""
    generics = head.generics(index)
    arrow = min(head.find("->", generics.next), head.find("where", generics.next))
    effects = head.effects(generics.next, arrow)
    accessors, behind = _read_accessors(head) if kind == "subscript" else (set(), head.end)
    symbol = replace(
        make_symbol(head, name, kind, behind),
        is_async="async" in effects | accessors,
        is_throws="throws" in effects | accessors,
        generic_parameters=generics.names,
        generic_constraints=generics.constraints,
    )
    return SwiftDeclaration(behind, (symbol,))


def _read_property(head: SwiftHead) -> SwiftDeclaration | None:
    """Read a property or several; the value stays in the signature if it is short."""
    names = _names(head)
    if not names:
        return None
    tokens = head.lexed.tokens
    value = head.find("=", head.keyword + 1)
    accessors, behind = _read_accessors(head) if value == head.end else (set(), head.end)
    is_long = len(join(tokens[value + 1 : head.end])) not in range(1, LONGEST_VALUE + 1)
    whole = replace(
        make_symbol(head, "", "property", value if is_long and value < head.end else behind),
        is_async="async" in accessors,
        is_throws="throws" in accessors,
    )
    symbols = [_name(whole, head, token) for token in names if token.text != "_"]
    symbols[:1] = [replace(first, line=whole.line, column=whole.column) for first in symbols[:1]]
    return SwiftDeclaration(behind, tuple(symbols))


def _name(symbol: Symbol, head: SwiftHead, token: Token) -> Symbol:
    """Give a symbol its name and the position of that name."""
    line, column = head.lexed.place(token)
    return replace(symbol, name=token.text.strip("`"), line=line, column=column)


def _read_cases(head: SwiftHead) -> SwiftDeclaration | None:
    """Read the cases of an enumeration, but not the patterns of a switch."""
    entries = split(head.lexed.tokens[head.keyword + 1 : head.end], {","})
    symbols: list[Symbol] = []
    for entry in entries:
        name = entry[0].text
        behind = entry[1].text if len(entry) > 1 else "("
        if not is_word(name) or name in _NO_CASES or behind not in {"(", "="}:
            return None
        symbol = make_symbol(head, name, "case", head.keyword + 1)
        whole = replace(symbol, signature=shorten(f"{symbol.signature} {join(entry)}"))
        symbols.append(_name(whole, head, entry[0]) if symbols else whole)
    return SwiftDeclaration(head.end, tuple(symbols)) if symbols else None


def _read_operator_declaration(head: SwiftHead) -> SwiftDeclaration | None:
    """Read `infix operator **: MultiplicationPrecedence`."""
    operator, _ = _read_operator(head, head.keyword + 1)
    if not operator or not head.plain & _OPERATOR_PLACES:
        return None
    return SwiftDeclaration(head.end, (make_symbol(head, operator, "operator", head.end),))


def _read_import(head: SwiftHead) -> SwiftDeclaration | None:
    """Read an import: a module, or the module of a single declaration."""
    index = head.keyword + 1
    is_single = head.word(index) in _IMPORT_KINDS
    name = join(head.lexed.tokens[index + is_single : head.end])
    if not is_word(name):
        return None
    return SwiftDeclaration(head.end, imports=(name.split(".")[0] if is_single else name,))


def _skip(head: SwiftHead) -> SwiftDeclaration:
    """Skip a declaration that has no name of its own."""
    return SwiftDeclaration(head.end)


_READERS: dict[str, Callable[[SwiftHead], SwiftDeclaration | None]] = {
    **dict.fromkeys(TYPES, _read_type),
    "associatedtype": _read_type,
    "case": _read_cases,
    "deinit": _skip,
    "func": _read_function,
    "import": _read_import,
    "init": _read_initializer,
    "let": _read_property,
    "macro": _read_macro,
    "operator": _read_operator_declaration,
    "precedencegroup": _skip,
    "subscript": _read_subscript,
    "typealias": _read_type,
    "var": _read_property,
}


def _conformances(head: SwiftHead, index: int) -> tuple[str, ...]:
    """Return the types behind the colon, without their attributes."""
    if head.word(index) != ":":
        return ()
    end = min(head.find("where", index), head.find("=", index))
    pieces = split(head.lexed.tokens[index + 1 : end], {",", "&"})
    return tuple(shorten(join(_without_attributes(piece))) for piece in pieces)


def _without_attributes(piece: Sequence[Token]) -> Sequence[Token]:
    """Leave out what precedes a type: `@unchecked`, `nonisolated`."""
    while len(piece) > 1 and piece[0].text in _BEFORE_TYPES:
        piece = piece[_BEFORE_TYPES[piece[0].text] :]
    return piece


def _read_operator(head: SwiftHead, index: int) -> tuple[str, int]:
    """Read the name of an operator, and return it with the index behind it."""
    if index >= head.end:
        return "", index
    tokens = head.lexed.tokens
    match = OPERATOR.match(head.lexed.code, tokens[index].start)
    if match is None:
        return "", index
    name = match.group()
    # `==<T>(` is the operator == with a type parameter.
    if len(name) > 1 and name.endswith("<") and is_word(head.lexed.code[match.end() :][:1]):
        name = name[:-1]
    stop = match.start() + len(name)
    while index < head.end and tokens[index].start < stop:
        index += 1
    return name, index


def _names(head: SwiftHead) -> list[Token]:
    """Return the tokens that name properties: one, several, or those of a tuple."""
    tokens = head.lexed.tokens[head.keyword + 1 : head.end]
    pieces = split(tokens, {","})
    if tokens and tokens[0].text == "(":
        inner = head.lexed.closers.get(head.keyword + 1, head.keyword + 1)
        pieces = split(head.lexed.tokens[head.keyword + 2 : inner], {",", "(", ")"})
    firsts = [(piece[0], piece[1].text if len(piece) > 1 else ":") for piece in pieces]
    return [token for token, behind in firsts if is_word(token.text) and behind in {":", "="}]


def _read_accessors(head: SwiftHead) -> tuple[set[str], int]:
    """Read `{ get async throws }`; a block with code in it is a body, not part of the head."""
    lexed = head.lexed
    if lexed.word(head.end) != "{":
        return set(), head.end
    index = head.end + 1 + (lexed.word(head.end + 1) == "\n")
    behind = index + 1
    while lexed.word(behind) in {"async", "throws"}:
        behind = lexed.skip_arguments(behind + 1)
    effects = head.effects(index, behind) if lexed.word(index) == "get" else set()
    closer = lexed.closers.get(head.end, -1)
    inner = {token.text for token in lexed.tokens[head.end + 1 : max(closer, 0)]}
    is_plain = "get" in inner and inner <= _ACCESSORS
    return effects, closer + 1 if is_plain else head.end
