"""Python: modules, classes, sessions, and heads that stand alone."""

from __future__ import annotations

import pytest

from stacks.model import Symbol
from stacks.text import parse_code, parse_declaration

CODE = '''\
"""A module.

>>> fake = 1
"""
from __future__ import annotations
import os.path as path, sys
from . import sibling
from ..above import thing
import sys

LIMIT: int = 3
first, (second, *rest) = 1, 2
first = 4
Alias: TypeAlias = dict[str, int]
type Pair[T: int] = tuple[T, T]

@functools.cache
async def fetch[T: (int, str), *Ts](url: str,  # where from
        *, retries: int = 3) -> T:
    import json
    local = 1

class Color(enum.Enum):
    RED = 1
    GREEN = BLUE = 2
    _hidden = 3
    label: str

class Shape(Base[int], typing.Protocol[T_co], metaclass=Meta):
    __slots__ = ()
    sides: ClassVar[int] = 3
    name = "shape"

    def __init__(self, sides: int) -> None:
        self.area = sides

    @property
    def size(self) -> int: ...
    @size.setter
    def size(self, value: int) -> None: ...
    @staticmethod
    def make() -> "Shape": ...
    @classmethod
    def other(cls): ...
    def _private(self): ...

if sys.platform:
    fast = True
else:
    fast = False
try:
    import simplejson
except ImportError:
    simplejson = None
print(first)
first.attribute = 1
'''


def by_name(code: str = CODE) -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in parse_code(code, "python").symbols}


def test_a_module_gives_its_declarations_in_order_and_no_locals() -> None:
    assert [(s.kind, s.name) for s in parse_code(CODE, "py").symbols] == [
        ("property", "LIMIT"),
        ("property", "first"),
        ("property", "second"),
        ("property", "rest"),
        ("typealias", "Alias"),
        ("typealias", "Pair"),
        ("function", "fetch"),
        ("enum", "Color"),
        ("case", "RED"),
        ("case", "GREEN"),
        ("case", "BLUE"),
        ("property", "_hidden"),
        ("property", "label"),
        ("protocol", "Shape"),
        ("property", "sides"),
        ("property", "name"),
        ("initializer", "__init__"),
        ("property", "size"),
        ("method", "make"),
        ("method", "other"),
        ("method", "_private"),
        ("property", "fast"),
        ("property", "simplejson"),
    ]


def test_imports_are_modules_as_written_each_once() -> None:
    assert parse_code(CODE, "py").imports == (
        "__future__",
        "os.path",
        "sys",
        ".",
        "..above",
        "simplejson",
    )


def test_a_function_carries_all_it_says() -> None:
    assert by_name()["fetch"] == Symbol(
        name="fetch",
        kind="function",
        signature="async def fetch[T: (int, str), *Ts](url: str, *, retries: int = 3) -> T",
        line=17,
        column=1,
        is_async=True,
        is_public=True,
        attributes=("@functools.cache",),
        generic_parameters=("T", "Ts"),
        generic_constraints=("T: (int, str)",),
    )


def test_a_class_carries_its_bases_and_its_type_variables() -> None:
    shape = by_name()["Shape"]

    assert shape.conformances == ("Base[int]", "typing.Protocol[T_co]")
    assert shape.generic_parameters == ("T_co",)
    assert shape.signature == "class Shape(Base[int], typing.Protocol[T_co], metaclass=Meta)"
    assert by_name()["Pair"].generic_constraints == ("T: int",)


def test_static_is_what_needs_no_instance() -> None:
    assert {name for name, s in by_name().items() if s.is_static} == {"sides", "make", "other"}


def test_an_underscore_hides_but_not_in_special_names() -> None:
    assert {name for name, s in by_name().items() if not s.is_public} == {"_hidden", "_private"}


def test_a_long_value_is_left_out_of_the_signature() -> None:
    (symbol,) = parse_code(f"TABLE: list[int] = [{'1, ' * 60}]", "py").symbols

    assert symbol.signature == "TABLE: list[int]"


def test_a_session_gives_what_was_typed_at_its_true_place() -> None:
    session = (
        "Some words.\n"
        ">>> from math import pi\n"
        ">>> def f(x):\n"
        "...     return x\n"
        "...\n"
        ">>> f(3)\n"
        "class Fake:\n"
        "    >>> y = f(2)\n"
        "Traceback (most recent call last):\n"
    )
    parsed = parse_code(session, "pycon")

    assert parsed.imports == ("math",)
    assert [(s.name, s.kind, s.line, s.column) for s in parsed.symbols] == [
        ("f", "function", 3, 5),
        ("y", "property", 8, 9),
    ]


def test_numbered_prompts_are_prompts() -> None:
    parsed = parse_code("In [1]: def f():\n   ...:     pass\nOut[1]: 3\n", "python")

    assert [(s.name, s.column) for s in parsed.symbols] == [("f", 9)]


def test_heads_that_a_reference_lists_without_bodies_are_read() -> None:
    parsed = parse_code("def f(x) -> int\n\nasync def g(y)\nclass A(B)\n", "py")

    assert [(s.kind, s.name) for s in parsed.symbols] == [
        ("function", "f"),
        ("function", "g"),
        ("class", "A"),
    ]


@pytest.mark.parametrize(
    ("declaration", "is_member", "kind", "signature"),
    [
        ("def f(x) -> int", False, "function", "def f(x) -> int"),
        ("def f(x):", False, "function", "def f(x)"),
        ("def f(\n    a,\n    b,\n) -> str", False, "function", "def f(a, b) -> str"),
        ("def f(self)", False, "method", "def f(self)"),
        ("def f()", True, "method", "def f()"),
        ("def __init__(self)", True, "initializer", "def __init__(self)"),
        ("@property\ndef f(self) -> int", True, "property", "def f(self) -> int"),
        ("class A(B, metaclass=M)", False, "class", "class A(B, metaclass=M)"),
        ("f: int = 3", True, "property", "f: int = 3"),
    ],
)
def test_a_declaration_alone_says_what_it_is(
    declaration: str, is_member: bool, kind: str, signature: str
) -> None:
    (symbol,) = parse_declaration(declaration, "python", is_member=is_member)

    assert (symbol.kind, symbol.signature) == (kind, signature)


def test_a_text_that_declares_nothing_gives_nothing() -> None:
    assert parse_declaration("pathlib.Path(*segments)", "python") == ()


def test_errors_in_one_place_leave_the_rest() -> None:
    names = set(by_name("def a(): pass\n\nx = = 3\n\nclass B:\n    def c(self): pass\n"))

    assert names >= {"a", "B"}


def test_names_in_any_script_stand_at_their_true_column() -> None:
    (first, second) = parse_code("größe = '😀'; 名前 = 2", "py").symbols

    assert (first.name, first.column) == ("größe", 1)
    assert (second.name, second.column) == ("名前", 14)
    assert first.signature == "größe = '😀'"
