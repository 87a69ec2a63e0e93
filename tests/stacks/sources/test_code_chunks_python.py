"""Python is cut into modules, classes, functions and methods, each line in one of them."""

from __future__ import annotations

from stacks.sources.code_chunks import Chunk, chunk_code

MODULE = '''\
"""Things on things.

The long story.
"""
from __future__ import annotations

import os

LIMIT = 10


@overload
def pop(stack: int) -> int: ...
@overload
def pop(stack: str) -> str: ...
def pop(stack):  # for all
    """Take one."""

    def inner(count):
        class Local(Base):
            def method(self): return 1

        return Local

    return inner


class Stack(Generic[T]):
    """A stack of items."""

    size = 0

    @property
    @cache
    def top(
        self,
        default=None,  # of any kind
    ) -> T:
        """Look at the last."""
        return self.items[-1]

    async def push(self, item):
        self.items.append(item)

    def __init__(self):
        self.items = []

    @staticmethod
    def make(): pass


if LIMIT:
    def clear(): pass
'''


def cut(code: str, file: str = "pkg/stack.py") -> list[Chunk]:
    return list(chunk_code(code, "python", file))


def find(code: str, name: str) -> list[Chunk]:
    return [chunk for chunk in cut(code) if chunk.name == name]


def test_a_module_is_cut_in_the_order_of_its_lines() -> None:
    assert [(c.name, c.kind, c.parents, c.start_line, c.end_line) for c in cut(MODULE)] == [
        ("stack", "module", (), 1, 53),
        ("pop", "function", ("stack",), 12, 13),
        ("pop", "function", ("stack",), 14, 15),
        ("pop", "function", ("stack",), 16, 25),
        ("inner", "function", ("stack", "pop"), 19, 23),
        ("Local", "class", ("stack", "pop", "inner"), 20, 21),
        ("method", "method", ("stack", "pop", "inner", "Local"), 21, 21),
        ("Stack", "class", ("stack",), 28, 49),
        ("top", "property", ("stack", "Stack"), 33, 40),
        ("push", "method", ("stack", "Stack"), 42, 43),
        ("__init__", "initializer", ("stack", "Stack"), 45, 46),
        ("make", "method", ("stack", "Stack"), 48, 49),
        ("clear", "function", ("stack",), 53, 53),
    ]


def test_the_text_of_a_module_keeps_one_line_of_each_chunk_in_it() -> None:
    assert (
        cut(MODULE)[0].text
        == '''\
"""Things on things.

The long story.
"""
from __future__ import annotations

import os

LIMIT = 10


def pop(stack: int) -> int: ...
def pop(stack: str) -> str: ...
def pop(stack):  # for all ...


class Stack(Generic[T]): ...


if LIMIT:
    def clear(): ...'''
    )


def test_a_class_keeps_what_is_its_own_and_the_first_lines_of_its_methods() -> None:
    (chunk,) = find(MODULE, "Stack")
    assert (
        chunk.text
        == '''\
class Stack(Generic[T]):
    """A stack of items."""

    size = 0

    def top( ...

    async def push(self, item): ...

    def __init__(self): ...

    def make(): ...'''
    )


def test_decorators_belong_to_their_function_and_its_text_is_as_written() -> None:
    (chunk,) = find(MODULE, "top")
    assert (
        chunk.text
        == '''\
    @property
    @cache
    def top(
        self,
        default=None,  # of any kind
    ) -> T:
        """Look at the last."""
        return self.items[-1]'''
    )
    assert chunk.signature == "def top(self, default=None) -> T"
    assert chunk.documentation == "Look at the last."
    (symbol,) = chunk.symbols
    assert (symbol.kind, symbol.attributes, symbol.line) == (
        "property",
        ("@property", "@cache"),
        35,
    )


def test_nested_functions_and_classes_are_left_out_of_what_is_around_them() -> None:
    assert (
        find(MODULE, "pop")[2].text
        == '''\
def pop(stack):  # for all
    """Take one."""

    def inner(count): ...

    return inner'''
    )
    assert (
        find(MODULE, "inner")[0].text
        == """\
    def inner(count):
        class Local(Base): ...

        return Local"""
    )
    assert (
        find(MODULE, "Local")[0].text
        == """\
        class Local(Base):
            def method(self): ..."""
    )
    assert find(MODULE, "method")[0].text == "            def method(self): return 1"


def test_asynchronous_functions_say_so() -> None:
    (chunk,) = find(MODULE, "push")
    assert chunk.signature == "async def push(self, item)"
    assert chunk.symbols[0].is_async


def test_documentation_is_the_docstring_without_its_indentation() -> None:
    assert cut(MODULE)[0].documentation == "Things on things.\n\nThe long story."
    assert find(MODULE, "Stack")[0].documentation == "A stack of items."
    assert find("def f():\n  r'''A\n\n  b\n    c\n  '''\n", "f")[0].documentation == "A\n\nb\n  c"
    assert find("def f():\n    x = 'no docstring'\n", "f")[0].documentation == ""
    assert find("def f():\n    # why\n    'yes'\n", "f")[0].documentation == "yes"


def test_a_function_in_a_function_is_no_method_even_if_it_takes_self() -> None:
    code = "def make():\n    def wrapped(self):\n        return 1\n    return wrapped\n"
    assert find(code, "wrapped")[0].kind == "function"


def test_classes_are_told_apart_by_what_they_inherit() -> None:
    code = "class A(Protocol):\n  x: int\nclass B(enum.Enum):\n  X = 1\nclass C(Exception):\n  pass"
    assert [chunk.kind for chunk in cut(code)] == ["protocol", "enum", "class"]


def test_a_module_without_anything_of_its_own_is_left_out() -> None:
    assert [
        c.name
        for c in cut("# licence\nimport os\nfrom a import (\n    b,\n)\n\ndef f():\n    pass\n")
    ] == ["f"]
    assert cut("import os\n") == []
    assert cut("# only a comment\n") == []


def test_a_module_with_a_docstring_or_a_statement_is_a_chunk() -> None:
    assert [c.text for c in cut('"""Said."""\ndef f(): pass\n')] == [
        '"""Said."""\ndef f(): ...',
        "def f(): pass",
    ]
    assert [c.kind for c in cut("import os; os.x()\n\ndef f(): pass\n")] == ["module", "function"]
    assert [c.kind for c in cut("x = 1\n")] == ["module"]


def test_empty_files_have_no_chunks() -> None:
    assert cut("") == []
    assert cut("\n \n\t\n") == []
    assert cut("\x1f\n") == []


def test_blank_lines_around_a_module_are_not_its_own() -> None:
    (chunk,) = cut("\n\nx = 1\n\ny = 2\n\n\n")
    assert (chunk.text, chunk.start_line, chunk.end_line) == ("x = 1\n\ny = 2", 3, 5)


def test_line_ends_of_other_systems_make_no_difference() -> None:
    assert cut(MODULE.replace("\n", "\r\n")) == cut(MODULE)
    assert cut(MODULE.replace("\n", "\r")) == cut(MODULE)


def test_tabs_stay_tabs() -> None:
    code = "class A:\n\tdef f(self):\n\t\treturn 1\n"
    assert [chunk.text for chunk in cut(code)] == [
        "class A:\n\tdef f(self): ...",
        "\tdef f(self):\n\t\treturn 1",
    ]


def test_identifiers_of_every_script_are_names() -> None:
    code = 'class Größe:\n    def länge(self, 名前="é😀"): return 名前\n    def ok(self): pass\n'
    chunks = cut(code)
    assert [chunk.name for chunk in chunks] == ["Größe", "länge", "ok"]
    assert (
        chunks[0].text
        == 'class Größe:\n    def länge(self, 名前="é😀"): ...\n    def ok(self): ...'
    )
    assert chunks[1].signature == 'def länge(self, 名前="é😀")'
    assert chunks[1].parents == ("stack", "Größe")


def test_two_statements_on_a_line_stay_together() -> None:
    code = "class A: x = 1\nclass B:\n    def f(self): pass; y = 2\n"
    assert [(c.name, c.text) for c in cut(code)] == [
        ("A", "class A: x = 1"),
        ("B", "class B:\n    def f(self): ..."),
        ("f", "    def f(self): pass; y = 2"),
    ]


def test_broken_code_gives_what_can_be_made_out_and_the_module() -> None:
    code = "def good():\n    return 1\n\ndef broken(:\n    a =\n\nclass Fine:\n    x = 2\n"
    chunks = cut(code)
    assert chunks[0].kind == "module"
    assert "def broken(:" in chunks[0].text
    assert "good" in [chunk.name for chunk in chunks]
    assert [c.kind for c in cut("def (((")] == ["module"]
    assert [c.text for c in cut("\x00\x01 }{")] == ["\x00\x01 }{"]


def test_very_deep_nesting_is_cut_to_a_depth_that_people_write() -> None:
    code = (
        "\n".join(f"{' ' * depth}def f{depth}():" for depth in range(300)) + f"\n{' ' * 300}pass\n"
    )
    chunks = cut(code)
    assert [chunk.name for chunk in chunks] == [f"f{depth}" for depth in range(32)]
    assert chunks[30].text.split("\n") == [" " * 30 + "def f30():", " " * 31 + "def f31(): ..."]
    assert chunks[31].text.count("\n") == 300 - 31
    assert chunks[31].parents == ("stack", *(f"f{depth}" for depth in range(31)))
