"""The head of a Swift declaration: everything before its body.

References print heads without bodies, and articles leave bodies out. So a head is read by itself,
whether the code around it is whole or broken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Symbol
from stacks.text.languages.swift_tokens import OPERATOR, Lexed, Token, join, split
from stacks.text.languages.syntax import shorten, words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["EnclosingType", "Generics", "SwiftHead", "find_head", "is_word", "make_symbol"]

_MODIFIERS = words(
    "public open internal private fileprivate package static final lazy weak unowned override "
    "required convenience dynamic optional mutating nonmutating prefix postfix infix indirect "
    "nonisolated isolated distributed consuming borrowing sending async"
)
_BEHIND_CLASS = words("func var let subscript override final")
_MEMBERS_ONLY = words("static class override required convenience mutating nonmutating optional")
_ACCESS = words("public open internal private fileprivate package")
_EFFECTS = {"async": "async", "reasync": "async", "throws": "throws", "rethrows": "throws"}

# A head continues on the next line behind one of the first, or before one of the second.
_OPEN_ENDS = words(", : -> = where & == < each repeat some any")
_CONTINUATIONS = words(", : -> = where & == > { . async throws rethrows")
_STOPS = words("{ } ; ) ]")

# More than any head has: garbage must not be read to its end from each of its lines.
_MOST_MODIFIERS = 32
_MOST_TOKENS = 1_000


class EnclosingType(NamedTuple):
    """The type around a declaration; its kind is empty at the top of a file."""

    kind: str = ""
    is_public: bool = False


class Generics(NamedTuple):
    """Type parameters, the constraints on them, and the index behind them."""

    names: tuple[str, ...]
    constraints: tuple[str, ...]
    next: int


class SwiftHead(NamedTuple):
    """The head of a declaration, found but not yet understood.

    It begins at token `start`; the word that says what is declared stands at `keyword`; what
    follows at `end` is the body, or no part of it. `plain` are the modifiers without
    arguments, `modifiers` the tokens of all.
    """

    lexed: Lexed
    around: EnclosingType
    start: int
    keyword: int
    end: int
    attributes: tuple[str, ...]
    modifiers: tuple[Token, ...]
    plain: frozenset[str]

    @property
    def is_member(self) -> bool:
        """Whether it is a member, by the type around it or by a modifier that only members have."""
        return bool(self.around.kind or self.plain & _MEMBERS_ONLY)

    def word(self, index: int) -> str:
        """Return the text of a token, or nothing behind the end of the head."""
        return self.lexed.tokens[index].text if index < self.end else ""

    def find(self, word: str, start: int) -> int:
        """Return the index of the first such token in no bracket, or the end."""
        index = start
        while index < self.end and self.lexed.tokens[index].text != word:
            index = self.lexed.closers.get(index, index) + 1
        return min(index, self.end)

    def generics(self, index: int) -> Generics:
        """Read type parameters in angle brackets, if any stand there, and the where clause."""
        tokens = self.lexed.tokens
        names, constraints, behind = [], [], index
        if self.word(index) == "<":
            behind = _close_angle(tokens, index, self.end)
            for piece in split(tokens[index + 1 : behind - 1], {","}):
                named = [t for t in piece if t.text not in {"each", "let"}] or piece
                names.append(named[0].text.strip("`"))
                if len(named) > 2 and named[1].text == ":":
                    constraints.append(_constraint(named))
        where = self.find("where", behind)
        clauses = split(tokens[where + 1 : self.end], {","})
        constraints += [_constraint(clause) for clause in clauses]
        return Generics(tuple(names), tuple(constraints), behind)

    def effects(self, start: int, end: int) -> set[str]:
        """Return which of async and throws stand between two tokens, in no bracket."""
        found = set()
        index = start
        while index < end:
            found.add(_EFFECTS.get(self.lexed.tokens[index].text, ""))
            index = self.lexed.closers.get(index, index) + 1
        return found


def find_head(lexed: Lexed, index: int, around: EnclosingType) -> SwiftHead | None:
    """Find the head that begins at a token: its attributes, modifiers, keyword and end."""
    attributes: list[str] = []
    modifiers: list[Token] = []
    plain: set[str] = set()
    start = index
    while (text := lexed.word(index)) and len(attributes) + len(modifiers) < _MOST_MODIFIERS:
        begin = index
        if text == "@":
            index = _skip_attribute(lexed, index)
            attributes.append(shorten(join(lexed.tokens[begin:index])))
        elif text in _MODIFIERS or (text == "class" and lexed.word(index + 1) in _BEHIND_CLASS):
            index = lexed.skip_arguments(index + 1)
            modifiers.extend(lexed.tokens[begin:index])
            plain.update([text] if index == begin + 1 else [])
        elif text == "\n" and index > start:
            index += 1
        else:
            break
    if not is_word(lexed.word(index)):
        return None
    end = _find_end(lexed, index + 1)
    facts = tuple(attributes), tuple(modifiers), frozenset(plain)
    return SwiftHead(lexed, around, start, index, end, *facts)


def _skip_attribute(lexed: Lexed, index: int) -> int:
    """Return the index behind an attribute, its dotted name and its arguments."""
    index += 2
    while lexed.word(index) == ".":
        index += 2
    if lexed.word(index) == "<":
        index = _close_angle(lexed.tokens, index, min(index + _MOST_MODIFIERS, len(lexed.tokens)))
    return min(lexed.skip_arguments(index), len(lexed.tokens))


def _find_end(lexed: Lexed, index: int) -> int:
    """Return the index behind a head: its body, or the end of its last line."""
    for _ in range(_MOST_TOKENS):
        text = lexed.word(index)
        if not text or text in _STOPS or (text == "\n" and not _continues(lexed, index)):
            break
        index = lexed.closers.get(index, index) + 1
    return index


def _continues(lexed: Lexed, index: int) -> bool:
    """Return whether a head continues; `...` is code left out, and `async let` a statement."""
    if lexed.word(index - 1) in _OPEN_ENDS:
        return True
    following = lexed.word(index + 1), lexed.word(index + 2)
    return following[0] in _CONTINUATIONS and following not in {(".", "."), ("async", "let")}


def _close_angle(tokens: Sequence[Token], index: int, end: int) -> int:
    """Return the index behind angle brackets; behind the first if they never close."""
    depth = 0
    for position in range(index, end):
        depth += {"<": 1, ">": -1}.get(tokens[position].text, 0)
        if not depth:
            return position + 1
    return index + 1


def _constraint(tokens: Sequence[Token]) -> str:
    """Write a constraint as people do: `T: View`, `Element == Int`."""
    return shorten(join(tokens)).replace(" : ", ": ")


def is_word(text: str) -> bool:
    """Return whether a token is an identifier: not a punctuator, a number or a string."""
    first = text[:1]
    return first.isalpha() or first in {"_", "`"} or (first > "\x7f" and not OPERATOR.match(first))


def make_symbol(head: SwiftHead, name: str, kind: str, end: int) -> Symbol:
    """Make a symbol with what every declaration has; its signature ends before token `end`."""
    line, column = head.lexed.place(head.lexed.tokens[head.start])
    inherits = kind == "case" or head.around.kind in {"extension", "protocol"}
    is_inherited = inherits and head.around.is_public and not head.plain & _ACCESS
    return Symbol(
        name=name.strip("`"),
        kind=kind,
        signature=shorten(join((*head.modifiers, *head.lexed.tokens[head.keyword : end]))),
        line=line,
        column=column,
        is_public=is_inherited or bool(head.plain & {"public", "open"}),
        is_static=bool(head.plain & {"static", "class"}),
        attributes=head.attributes,
    )
