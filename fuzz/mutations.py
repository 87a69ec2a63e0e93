"""Ways to spoil input: bytes, lines, nesting, and nodes of JSON in another shape."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

__all__ = ["mutate_json", "mutate_text", "spoil"]

_WORDS = (
    *("---", "|-|", "```", "```swift", "```python", "~~~", "{%", "%}", "<!--", "-->", "<a", "</a>"),
    *("{", "}", "[", "]", "(", ")", '"', "'", '"""', "`", "\\", "#", "/*", "*/", "//", "@", "="),
    *("\0", "\r", "\u2028", "\ufeff", "\u202e", "²", "é", "😀", "\ufffd", "\x1b[31m", "%s", "${X}"),
    *("-1", "0", "1e999", "nan", "9" * 40, "null", "true", "../..", "https://x/", "func f("),
    *("class A:", "=1+1", ":", ": ", "\t"),
)
_SHAPES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 2**70, "", "x", "²", "\0", "a/b", "../x", [], {}, [[]], [None]),
    *(["x"], [7], {"x": 7}, {"": None}, [{}], {"type": "aside"}, "9" * 400, "x" * 5000),
)
_DEEPEST = 1200
_MOST_LINES = 6000


def spoil(random: Random, data: bytes) -> bytes:
    """Spoil a file in one to four ways; half of the time as JSON, if it is that."""
    try:
        value = json.loads(data) if random.random() < 0.6 else None
    except ValueError:
        value = None
    if value is not None:
        for _ in range(random.randint(1, 4)):
            value = mutate_json(random, value)
        data = json.dumps(value).encode("utf-8", "replace")
        if random.random() < 0.8:
            return data
    for _ in range(random.randint(1, 4)):
        data = random.choice(_BYTE_MUTATIONS)(random, data)
    return data


def mutate_text(random: Random, text: str) -> str:
    """Spoil a text, as `spoil` does its bytes."""
    return spoil(random, text.encode()).decode("utf-8", "replace")


def mutate_json(random: Random, value: Any) -> Any:
    """Return the value with one node of another shape, missing, repeated or nested deeply."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        return _replace(random, value)
    if isinstance(value, dict):
        key = random.choice(list(value))
        if random.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: mutate_json(random, value[key])}
    place = random.randrange(len(value))
    if random.random() < 0.1:
        return value[:place] + value[place:] * random.randint(0, 3)
    return [*value[:place], mutate_json(random, value[place]), *value[place + 1 :]]


def _replace(random: Random, value: Any) -> Any:
    if random.random() < 0.85:
        return random.choice(_SHAPES)
    for _ in range(random.choice((10, 100, 450, _DEEPEST))):
        # Encoding is recursive as well: what it cannot write is cut by the caller's depth.
        value = random.choice(({"type": "aside", "content": [value]}, {"inlineContent": [value]}))
    return value if _is_writable(value) else "deep"


def _is_writable(value: Any) -> bool:
    try:
        json.dumps(value)
    except RecursionError:
        return False
    return True


def _place(random: Random, data: bytes) -> int:
    return random.randint(0, len(data))


def _flip(random: Random, data: bytes) -> bytes:
    spoilt = bytearray(data)
    for _ in range(random.randint(1, 8)):
        if spoilt:
            spoilt[random.randrange(len(spoilt))] = random.randrange(256)
    return bytes(spoilt)


def _cut(random: Random, data: bytes) -> bytes:
    first, second = sorted((_place(random, data), _place(random, data)))
    return data[:first] + data[second:]


def _truncate(random: Random, data: bytes) -> bytes:
    return data[: _place(random, data)]


def _insert(random: Random, data: bytes) -> bytes:
    place = _place(random, data)
    word = random.choice(_WORDS).encode() * random.choice((1, 1, 2, 3, 50))
    return data[:place] + word + data[place:]


def _repeat(random: Random, data: bytes) -> bytes:
    first, second = sorted((_place(random, data), _place(random, data)))
    times = random.choice((2, 5, 50))
    return data[:second] + data[first:second][:2000] * times + data[second:]


def _repeat_line(random: Random, data: bytes) -> bytes:
    """Insert thousands of equal lines at the end of a line."""
    ends = [place for place, each in enumerate(data) if each == 10] or [len(data)]
    place = random.choice(ends) + 1
    words = "".join(random.choice(_WORDS) for _ in range(random.randint(1, 3)))
    lines = f"{words}\n".encode() * random.randint(1, _MOST_LINES)
    return data[:place] + lines + data[place:]


def _nest(random: Random, data: bytes) -> bytes:
    opening, closing = random.choice((("[", "]"), ("{", "}"), ("(", ")"), ("> ", ""), ("- ", "")))
    place, depth = _place(random, data), random.choice((10, 200, 2000, 20_000))
    return data[:place] + opening.encode() * depth + closing.encode() * depth + data[place:]


def _recode(random: Random, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(random.choice(("utf-16", "utf-32", "utf-8-sig")))


_BYTE_MUTATIONS: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(_flip, _cut, _truncate, _insert, _insert, _repeat, _repeat_line, _nest, _recode),
)
