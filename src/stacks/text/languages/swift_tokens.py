"""Swift as tokens, from which the heads of declarations are read.

References print heads without bodies, and articles leave bodies out. So a head is read by itself,
whether the code around it is whole or broken.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import Symbol
from stacks.text.languages.syntax import shorten, words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = [
    "OPERATOR",
    "EnclosingType",
    "Generics",
    "Lexed",
    "SwiftHead",
    "Token",
    "find_head",
    "is_word",
    "join",
    "lex",
    "make_symbol",
    "split",
]

# The characters beyond ASCII that can begin an operator, after the grammar in the language's
# reference; every other one is part of an identifier.
_OPERATOR_CHARACTERS = (
    "\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00bb\u00bf\u00d7\u00f7\u2016\u2017"
    "\u2020-\u2027\u2030-\u203e\u2041-\u2053\u2055-\u205e\u2190-\u23ff\u2500-\u2775\u2794-\u2bff"
    "\u2e00-\u2e7f\u3001-\u3003\u3008-\u3020\u3030"
)
OPERATOR = re.compile(rf"[-/=+!*%<>&|^~?.{_OPERATOR_CHARACTERS}]+")
"""A run of characters that is the name of an operator."""

# Quantifiers with a second plus give nothing back, so no text makes the matching slow.
_TOKEN = re.compile(
    r"(?:[^\S\n]++|//[^\n]*+)*+"
    r"(\n|->|==|/\*|\#{0,8}\"\"\"|\#{0,8}\"(?:[^\"\\\n]|\\.)*+\"\#{0,8}|`[^`\n]++`"
    rf"|[^\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f\s{_OPERATOR_CHARACTERS}]++|.)"
)
_LINE_END = re.compile(r"\n")
_COMMENT_EDGE = re.compile(r"/\*|\*/")

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}
_DEEPER = frozenset("([<{")
_HIGHER = frozenset(")]>}")
_TIGHT_AFTER = frozenset("([")
_TIGHT_BEFORE = frozenset(")],")


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


class Token(NamedTuple):
    """A word, a string, a punctuator or the end of a line, with its offsets."""

    text: str
    start: int
    end: int


class Lexed(NamedTuple):
    """Code as tokens; `closers` maps the indexes of opening brackets to those of closing ones."""

    code: str
    tokens: Sequence[Token]
    closers: Mapping[int, int]
    line_ends: Sequence[int]

    def word(self, index: int) -> str:
        """Return the text of a token; empty if there is none."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def skip_arguments(self, index: int) -> int:
        """Return the index behind a parenthesis that touches the token before it, if one does."""
        touches = self.word(index) == "(" and self.tokens[index].start == self.tokens[index - 1].end
        return self.closers[index] + 1 if touches and index in self.closers else index

    def place(self, token: Token) -> tuple[int, int]:
        """Return the line and the column of a token."""
        line = bisect_left(self.line_ends, token.start)
        return line + 1, token.start - (self.line_ends[line - 1] if line else -1)


def lex(code: str) -> Lexed:
    """Split code into tokens; blanks and comments are left out, empty lines count once."""
    tokens = _cut(code)
    line_ends = [match.start() for match in _LINE_END.finditer(code)]
    return Lexed(code, tokens, _close_brackets(tokens), line_ends)


def _cut(code: str) -> list[Token]:
    """Cut code into tokens."""
    tokens: list[Token] = []
    hopeless: set[str] = set()
    position = 0
    while match := _TOKEN.match(code, position):
        text, begin, position = match[1], match.start(1), match.end()
        if text == "/*":
            position = _skip_comment(code, position)
            if position < 0:
                return [*tokens, Token(text, begin, len(code))]
            continue
        if text.endswith('"""'):
            position = _skip_string(code, text, position, hopeless)
            text = code[begin:position]
        if text != "\n" or (tokens and tokens[-1].text != "\n"):
            tokens.append(Token(text, begin, position))
    return tokens


def _skip_comment(code: str, position: int) -> int:
    """Return where a comment ends, or -1; comments nest."""
    depth = 1
    for edge in _COMMENT_EDGE.finditer(code, position):
        depth += 1 if edge.group() == "/*" else -1
        if not depth:
            return edge.end()
    return -1


def _skip_string(code: str, opening: str, position: int, hopeless: set[str]) -> int:
    """Return where a string of several lines ends, or `position` if it never does."""
    closing = '"""' + opening[:-3]
    found = -1 if closing in hopeless else code.find(closing, position)
    if found < 0:
        hopeless.add(closing)
        return position
    return found + len(closing)


def _close_brackets(tokens: Sequence[Token]) -> dict[int, int]:
    """Map the index of each opening bracket to that of its closing one; strays are left out."""
    closed: dict[int, int] = {}
    opened: list[int] = []
    waiting = dict.fromkeys(_PAIRS, 0)
    for index, token in enumerate(tokens):
        if token.text in _PAIRS:
            opened.append(index)
            waiting[token.text] += 1
        elif (opener := _CLOSERS.get(token.text)) and waiting[opener]:
            while (last := opened.pop()) is not None:
                waiting[tokens[last].text] -= 1
                if tokens[last].text == opener:
                    closed[last] = index
                    break
    return closed


def join(tokens: Iterable[Token]) -> str:
    """Write tokens on one line, with one blank for whatever was between them."""
    parts: list[str] = []
    last: Token | None = None
    for token in tokens:
        if token.text == "\n":
            continue
        has_gap = last is not None and token.start > last.end
        if last and has_gap and last.text not in _TIGHT_AFTER and token.text not in _TIGHT_BEFORE:
            parts.append(" ")
        parts.append(token.text)
        last = token
    return "".join(parts)


def split(tokens: Iterable[Token], separators: Collection[str]) -> list[list[Token]]:
    """Split tokens at separators outside brackets; empty parts are left out."""
    pieces: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.text in _DEEPER:
            depth += 1
        elif token.text in _HIGHER:
            depth -= 1
        if depth == 0 and token.text in separators:
            pieces.append([])
        elif token.text != "\n":
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


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
