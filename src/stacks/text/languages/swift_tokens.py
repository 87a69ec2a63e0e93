"""Swift as tokens, from which the heads of declarations are read."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = ["OPERATOR", "Lexed", "Token", "join", "lex", "split"]

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
