"""Python packages are read from their source: everything public once, at its shortest path."""

from __future__ import annotations

import random
import sys
import textwrap
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from stacks.errors import SourceError
from stacks.model import Document, Page, Snippet
from stacks.sources.pydoc.pydoc_source import PydocSource, open_pydoc
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Files = dict[str, "str | bytes"]


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode()
        path.write_bytes(data)
    return folder


def read_all(source: PydocSource) -> dict[str, Document]:
    pages = [page for page in source.pages() if isinstance(page, Page)]
    documents = [document for page in pages for document in source.read(page)]
    by_uri = {document.uri: document for document in documents}
    assert len(by_uri) == len(documents), "a URI was given twice"
    return by_uri


def read_folder(folder: Path, files: Files) -> dict[str, Document]:
    return read_all(open_pydoc(str(write(folder, files))))


def errors_of(source: PydocSource) -> list[str]:
    return [str(error) for error in source.pages() if isinstance(error, PageError)]


def mark_of(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:4]


# What is public, and where it is shown


def test_a_thing_is_shown_once_at_its_shortest_public_path(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": '__all__ = ["buy"]\nfrom shop.counter import buy\n',
            "shop/counter.py": 'def buy(item):\n    """Buy an item."""\n',
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://shop/counter", "pydoc://shop/buy"}
    buy = documents["pydoc://shop/buy"]
    assert buy.title == "buy"
    assert buy.module == "shop"
    assert buy.names == ("shop.buy", "shop.counter.buy")
    assert "Defined in `shop.counter`." in buy.content


def test_wildcards_chained_through_private_modules_lead_to_the_definition(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "from ._a import *\n",
            "shop/_a.py": "from ._b import *\n",
            "shop/_b.py": "__all__ = ['Till', '_hidden']\nclass Till: ...\ndef _hidden(): ...\n",
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://shop/till"}


def test_what_no_public_module_shows_has_no_page(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "import os\nfrom collections import deque\nLIMIT = 3\n",
            "shop/_stock.py": "class Shelf: ...\n",
            "shop/till.py": "def _count(): ...\nclass _Coin: ...\n",
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://shop/till"}


def test_an_underscore_is_public_where_all_says_so(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"shop.py": "__all__ = ['_exit']\ndef _exit(code): ...\n"})
    assert documents["pydoc://shop/_exit"].title == "_exit"


def test_constants_need_a_docstring_or_a_place_in_all(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop.py": '''
                __all__ = ["RATE"]
                RATE = 0.19
                LIMIT = 10
                """How many items one may buy."""
                OTHER = 1
            '''
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://shop/rate", "pydoc://shop/limit"}
    assert documents["pydoc://shop/rate"].kind == "property"
    assert documents["pydoc://shop/rate"].declaration == "RATE = 0.19"
    assert documents["pydoc://shop/limit"].summary == "How many items one may buy."


@pytest.mark.parametrize(
    "written",
    [
        "__all__ = ['a', 'b']",
        "__all__ = ('a',)\n__all__ += ['b']",
        "__all__ = ['a']\n__all__.append('b')",
        "__all__ = []\n__all__.extend(['a', 'b'])",
        "_more = ['b']\n__all__ = ['a'] + _more",
        "__all__: list[str] = ['a', *['b']]",
        "from ._names import __all__ as names\n__all__ = [*names]",
        "from . import _names\n__all__ = _names.__all__",
    ],
)
def test_every_way_to_write_all_is_understood(tmp_path: Path, written: str) -> None:
    module = f"from ._inner import a, b, c\n{written}\n"
    files: Files = {
        "shop/__init__.py": module,
        "shop/_inner.py": "def a(): ...\ndef b(): ...\ndef c(): ...\n",
        "shop/_names.py": "__all__ = ['a', 'b']\n",
    }
    documents = read_folder(tmp_path, files)
    assert set(documents) == {"pydoc://shop", "pydoc://shop/a", "pydoc://shop/b"}


def test_names_that_all_promises_and_getattr_keeps_are_found_below(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "__all__ = ['Till', 'gone']\ndef __getattr__(name): ...\n",
            "shop/desk.py": "class Till: ...\n",
        },
    )
    assert documents["pydoc://shop/till"].names == ("shop.Till", "shop.desk.Till")
    assert "pydoc://shop/gone" not in documents


def test_a_private_package_is_shown_by_the_public_one_beside_it(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "from _shop.till import Till\n__all__ = ['Till']\n",
            "_shop/__init__.py": "",
            "_shop/till.py": "class Till:\n    def open(self): ...\n",
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://shop/till", "pydoc://shop/till/open"}


def test_a_public_package_beside_it_shows_its_own(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "from bank import Coin\n__all__ = ['Coin']\n",
            "bank.py": "class Coin: ...\n",
        },
    )
    assert set(documents) == {"pydoc://shop", "pydoc://bank", "pydoc://bank/coin"}


def test_another_name_of_a_class_is_a_name_and_not_a_page(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"shop.py": "class Till: ...\nRegister = Till\n"})
    assert set(documents) == {"pydoc://shop", "pydoc://shop/till"}
    assert documents["pydoc://shop/till"].names == ("shop.Till", "shop.Register", "Register")


def test_a_method_of_a_hidden_object_is_a_function_without_self(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "dice.py": '''
                class _Base:
                    def roll(self, sides=6):
                        """Roll once."""
                class Dice(_Base): ...
                _inst = Dice()
                roll = _inst.roll
            '''
        },
    )
    roll = documents["pydoc://dice/roll"]
    assert (roll.kind, roll.declaration, roll.summary) == (
        "function",
        "def roll(sides=6)",
        "Roll once.",
    )
    assert documents["pydoc://dice/dice/roll"].declaration == "def roll(self, sides=6)"


def test_the_source_is_read_although_a_faster_twin_replaces_it(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "heap.py": '''
                def push(heap, item):
                    """Push an item."""
                class Heap:
                    """A heap."""
                try:
                    from _heap import *
                    from _heap import push
                    Heap = _CHeap = _heap.Heap
                except ImportError:
                    pass
            '''
        },
    )
    assert documents["pydoc://heap/push"].summary == "Push an item."
    assert documents["pydoc://heap/heap"].kind == "class"


def test_tests_and_demos_are_left_out_but_helpers_for_testing_are_not(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/__main__.py": "def demo(): ...\n",
            "shop/conftest.py": "def fixture(): ...\n",
            "shop/tests/__init__.py": "def check(): ...\n",
            "shop/test_till.py": "def check(): ...\n",
            "shop/inner/__init__.py": "",
            "shop/inner/test/__init__.py": "",
            "shop/inner/test/test_a.py": "def check(): ...\n",
            "shop/test/__init__.py": "class Client: ...\n",
            "shop/testing.py": "class Client: ...\n",
        },
    )
    assert set(documents) == {
        "pydoc://shop",
        "pydoc://shop/inner",
        "pydoc://shop/test",
        "pydoc://shop/test/client",
        "pydoc://shop/testing",
        "pydoc://shop/testing/client",
    }


# Classes


def test_a_class_has_its_public_members_and_init_on_its_own_page(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop.py": '''
                class Till:
                    """Holds money.

                    And counts it.
                    """
                    currency = "EUR"
                    def __init__(self, amount, *, locked=False):
                        """Open with an amount."""
                    def __add__(self, other):
                        """Add two."""
                    def put(self, coin: int) -> None:
                        """Put a coin in."""
                    @property
                    def total(self) -> int:
                        """All of it."""
                    @staticmethod
                    def count(): ...
                    @classmethod
                    async def make(cls): ...
                    def _secret(self): ...
                    class Drawer:
                        def pull(self): ...
            '''
        },
    )
    assert set(documents) == {
        "pydoc://shop",
        "pydoc://shop/till",
        "pydoc://shop/till/put",
        "pydoc://shop/till/total",
        "pydoc://shop/till/count",
        "pydoc://shop/till/make",
        "pydoc://shop/till/drawer",
        "pydoc://shop/till/drawer/pull",
    }
    till = documents["pydoc://shop/till"]
    assert till.declaration == "class Till"
    assert till.summary == "Holds money."
    assert "Till(amount, *, locked=False)" in till.content
    assert "Open with an amount." in till.content
    assert "- `put()` – Put a coin in." in till.content
    put = documents["pydoc://shop/till/put"]
    assert (put.title, put.kind, put.names) == ("Till.put", "method", ("shop.Till.put", "put"))
    assert put.declaration == "def put(self, coin: int) -> None"
    total = documents["pydoc://shop/till/total"]
    assert (total.kind, total.declaration) == ("property", "@property\ndef total(self) -> int")
    (count,) = documents["pydoc://shop/till/count"].symbols
    (make,) = documents["pydoc://shop/till/make"].symbols
    assert (count.is_static, count.is_async) == (True, False)
    assert (make.is_static, make.is_async, make.is_public) == (True, True, True)
    assert make.signature == "@classmethod\nasync def make(cls)"
    assert documents["pydoc://shop/till/drawer/pull"].title == "Till.Drawer.pull"


def test_members_of_private_bases_belong_to_the_public_class(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "args.py": '''
                class _Deep:
                    def deep(self): ...
                class _Container(_Deep):
                    def add(self): ...
                    def both(self):
                        """Of the base."""
                class Open:
                    def shown(self): ...
                class Parser(_Container, Open):
                    def both(self):
                        """Its own."""
            '''
        },
    )
    members = {uri for uri in documents if uri.startswith("pydoc://args/parser/")}
    assert members == {f"pydoc://args/parser/{name}" for name in ("add", "both", "deep")}
    assert documents["pydoc://args/parser/both"].summary == "Its own."


def test_a_method_without_docstring_has_that_of_the_method_it_overrides(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/base.py": 'class Base:\n    def run(self):\n        """Run it."""\n',
            "shop/more.py": "from .base import Base\nclass More(Base):\n    def run(self): ...\n",
        },
    )
    assert documents["pydoc://shop/more/more/run"].summary == "Run it."


def test_parents_are_found_in_the_package_beside_it_and_in_the_library(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "from ._errors import Failure\n",
            "shop/_errors.py": "class Failure(ValueError): ...\n",
            "shop/more.py": """
                import collections.abc as abc
                from shop import Failure
                from nowhere import Lost
                class Worse(Failure, abc.Mapping, Lost): ...
                class Plain(object): ...
            """,
        },
    )
    assert documents["pydoc://shop/failure"].parents == ("pydoc://builtins/valueerror",)
    worse = documents["pydoc://shop/more/worse"]
    assert worse.parents == ("pydoc://shop/failure", "pydoc://collections/abc/mapping")
    assert worse.conformances == ("Failure", "Mapping", "Lost")
    assert documents["pydoc://shop/more/plain"].parents == ()


def test_protocols_enums_and_made_classes_are_told_apart(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "kinds.py": '''
                import enum
                from collections import namedtuple
                from typing import Generic, Protocol, TypeVar
                import typing_extensions as extensions
                T = TypeVar("T")
                class Sized(Protocol[T]): ...
                class Far(extensions.Protocol): ...
                class Colour(enum.IntFlag):
                    """Colours."""
                    RED = 1
                    _hidden = 2
                class Shade(Colour): ...
                class Box(Generic[T]): ...
                Point = namedtuple("Point", "x y")
            '''
        },
    )
    kinds = {document.title: document.kind for document in documents.values()}
    assert kinds == {
        "kinds": "module",
        "Sized": "protocol",
        "Far": "protocol",
        "Colour": "enum",
        "Shade": "enum",
        "Box": "class",
        "Point": "class",
    }
    assert "- `RED = 1`" in documents["pydoc://kinds/colour"].content
    assert "_hidden" not in documents["pydoc://kinds/colour"].content
    (box,) = documents["pydoc://kinds/box"].symbols
    assert box.generic_parameters == ("T",)


def test_a_dataclass_is_called_with_its_fields(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop.py": """
                from dataclasses import dataclass
                @dataclass(frozen=True)
                class Coin:
                    value: int
                    name: str = "cent"
            """
        },
    )
    coin = documents["pydoc://shop/coin"]
    assert "Coin(value: int, name: str = 'cent')" in coin.content
    assert coin.attributes == ("@dataclass(frozen=True)",)


def test_classes_that_lead_in_circles_end(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "round/__init__.py": "from .a import *\nfrom .b import *\n",
            "round/a.py": "from .b import *\nfrom .c import C\nclass A(B): ...\n",
            "round/b.py": "from .a import *\nclass B(A): ...\nx = y\ny = x\n",
            "round/c.py": """
                from .c import C
                class Z(z): ...
                q = Z()
                z = q.y
                class _Out:
                    def f(self): ...
                    class In(_Out): ...
                class Shown(_Out): ...
            """,
        },
    )
    assert "pydoc://round/a-" + mark_of("round.a") in documents
    assert documents["pydoc://round/a"].kind == "class"
    assert "pydoc://round/c/shown/in/f" in documents


# Declarations


@pytest.mark.parametrize(
    "signature",
    [
        "def f()",
        "def f(a, /, b, *, c=1)",
        "def f(a, b=(1, 2), /)",
        "def f(*args, key: str = 'x', **kwargs: int) -> list[str]",
        "async def f(*, a)",
        "def f(a: 'Till | None' = None, *rest: int)",
        "def f(größe='ß')",
    ],
)
def test_a_declaration_is_the_signature_as_it_is_written(tmp_path: Path, signature: str) -> None:
    documents = read_folder(tmp_path, {"shop.py": f"{signature}: ...\n"})
    assert documents["pydoc://shop/f"].declaration.replace('"', "'") == signature.replace(
        "'Till | None'", "Till | None"
    )


def test_decorators_are_attributes(tmp_path: Path) -> None:
    code = "import functools\n@functools.lru_cache(maxsize=None)\n@other\ndef f(): ...\n"
    documents = read_folder(tmp_path, {"shop.py": code})
    assert documents["pydoc://shop/f"].attributes == (
        "@functools.lru_cache(maxsize=None)",
        "@other",
    )


def test_functions_of_a_stub_that_are_only_overloads_are_kept(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "fast.pyi": """
                from typing import overload
                @overload
                def run(a: int) -> int: ...
                @overload
                def run(a: str) -> str: ...
                class Engine:
                    @overload
                    def go(self, a: int) -> int: ...
                    @overload
                    def go(self, a: str) -> str: ...
            """,
            "fast.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
        },
    )
    assert documents["pydoc://fast/run"].declaration == "def run(a: int) -> int"
    assert documents["pydoc://fast/engine/go"].kind == "method"


# Deprecation


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """Deprecated: use g."""\n',
        'def f():\n    """Do it.\n\n    .. deprecated:: 1.2\n    """\n',
        'def f():\n    """Do it.\n\n    Deprecated since 1.2.\n    """\n',
        'def f():\n    """DEPRECATED."""\n',
        'def f():\n    """f() is deprecated, use g()."""\n',
        'def f():\n    """Do it. This function is deprecated."""\n',
        "import warnings\n@warnings.deprecated('use g')\ndef f(): ...\n",
        "from typing_extensions import deprecated\n@deprecated('use g')\ndef f(): ...\n",
        'import warnings\ndef f():\n    """Do."""\n    warnings.warn("x", DeprecationWarning)\n',
        "def f():\n    import warnings as w\n    w.warn('x', category=PendingDeprecationWarning)\n",
        "import warnings\nwarnings.warn('gone', DeprecationWarning)\ndef f(): ...\n",
        '"""Deprecated module."""\ndef f(): ...\n',
    ],
)
def test_deprecations_are_seen_however_they_are_told(tmp_path: Path, code: str) -> None:
    document = read_folder(tmp_path, {"shop.py": code})["pydoc://shop/f"]
    assert document.is_deprecated
    assert "Deprecated" in document.content


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """Indicate that a class or function is deprecated."""\n',
        'def f(x):\n    """Do it.\n\n    x: the thing; deprecated.\n    """\n',
        'def f(deprecated=None):\n    """Do it."""\n',
        "import warnings\ndef f(x):\n    if x:\n        warnings.warn('x', DeprecationWarning)\n",
        "import warnings\ndef f():\n    warnings.simplefilter('ignore', DeprecationWarning)\n",
        '"""Things.\n\n* Deprecated names of others.\n"""\ndef f(): ...\n',
    ],
)
def test_what_speaks_of_deprecation_is_not_deprecated(tmp_path: Path, code: str) -> None:
    assert not read_folder(tmp_path, {"shop.py": code})["pydoc://shop/f"].is_deprecated


# Docstrings


def test_snippets_are_doctests_literal_blocks_and_fences(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop.py": '''
                def f():
                    """Do it.

                    >>> f()
                    3

                    Or so::

                        f(1)

                        f(2)

                    From a shell::

                        $ shop --run

                    .. code-block:: python

                        g()

                    ```toml
                    a = 1
                    ```
                    The end.
                    """
            '''
        },
    )
    document = documents["pydoc://shop/f"]
    assert document.snippets == (
        Snippet(">>> f()\n3", "pycon"),
        Snippet("f(1)\n\nf(2)", "python"),
        Snippet("$ shop --run", ""),
        Snippet("g()", "python"),
        Snippet("a = 1", "toml"),
    )
    assert "```pycon\n>>> f()\n3\n```" in document.content
    assert document.content.endswith("The end.")


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        ("One.\n\nTwo.", "One."),
        ("One\nline.", "One line."),
        ("f(a) -> int\nf(a, b) -> int\n\nReturn it.", "Return it."),
        ("f(a) --> Yield what is left over.", "Yield what is left over."),
        ("f(a) -> None.  Remove all items.", "Remove all items."),
        ("f(a, ...)", "f(a, ...)"),
        ("", ""),
    ],
)
def test_the_summary_is_the_first_paragraph_in_one_line(
    tmp_path: Path, docstring: str, summary: str
) -> None:
    documents = read_folder(tmp_path, {"shop.py": f"def f():\n    {docstring!r}\n"})
    assert documents["pydoc://shop/f"].summary == summary


def test_a_long_first_paragraph_is_cut_at_a_sentence(tmp_path: Path) -> None:
    sentence = "This is a sentence of the docstring. "
    documents = read_folder(tmp_path, {"shop.py": f"def f():\n    {sentence * 50!r}\n"})
    summary = documents["pydoc://shop/f"].summary
    assert summary.endswith(".")
    assert len(summary) <= 300
    assert summary == sentence.strip() + (" " + sentence.strip()) * (summary.count("This") - 1)


def test_text_that_no_index_can_store_is_replaced(tmp_path: Path) -> None:
    code = "__all__ = ['f', 'X']\nX = '\\ud800'\ndef f():\n    'a\\x00b\\ud800c 🎉'\n"
    documents = read_folder(tmp_path, {"shop.py": code})
    assert documents["pydoc://shop/f"].summary == "a\ufffdb\ufffdc 🎉"
    for document in documents.values():
        document.content.encode("utf-8")
        assert "\0" not in document.content


# URIs


def test_of_names_that_fold_to_one_uri_the_class_keeps_it(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {"shop.py": "def till(): ...\nclass Till: ...\ndef TILL(): ...\ndef a(): 1\ndef A(): 1\n"},
    )
    titles = {uri: document.title for uri, document in documents.items()}
    assert titles == {
        "pydoc://shop": "shop",
        "pydoc://shop/till": "Till",
        f"pydoc://shop/till-{mark_of('shop.till')}": "till",
        f"pydoc://shop/till-{mark_of('shop.TILL')}": "TILL",
        "pydoc://shop/a": "A",
        f"pydoc://shop/a-{mark_of('shop.a')}": "a",
    }


def test_a_function_and_the_module_it_comes_from_have_a_page_each(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "from .buy import buy\n__all__ = ['buy']\n",
            "shop/buy.py": "def buy(): ...\ndef sell(): ...\n",
        },
    )
    kinds = {uri: document.kind for uri, document in documents.items()}
    assert kinds == {
        "pydoc://shop": "module",
        "pydoc://shop/buy": "module",
        f"pydoc://shop/buy-{mark_of('shop.buy')}": "function",
        "pydoc://shop/buy/sell": "function",
    }


def test_packages_that_differ_in_case_have_uris_apart(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"pil.py": "def f(): ...\n", "PIL.py": "def f(): ...\n"})
    marked = f"pydoc://pil-{mark_of('PIL')}"
    assert set(documents) == {"pydoc://pil", "pydoc://pil/f", marked, f"{marked}/f"}
    assert documents[f"{marked}/f"].framework == marked.removeprefix("pydoc://")


# Places


def test_one_package_a_module_file_and_a_folder_of_packages_can_be_given(tmp_path: Path) -> None:
    files: Files = {"lib/shop/__init__.py": "def f(): ...\n", "lib/bank.py": "def g(): ...\n"}
    write(tmp_path, files)
    shop = {"pydoc://shop", "pydoc://shop/f"}
    bank = {"pydoc://bank", "pydoc://bank/g"}
    assert set(read_all(open_pydoc(str(tmp_path / "lib")))) == shop | bank
    assert set(read_all(open_pydoc(str(tmp_path / "lib" / "shop")))) == shop
    assert set(read_all(open_pydoc(str(tmp_path / "lib" / "bank.py")))) == bank


def test_a_folder_of_site_packages_is_told_from_what_lies_beside_it(tmp_path: Path) -> None:
    files: Files = {
        "shop-1.0.dist-info/METADATA": "Name: shop\n",
        "shop/__init__.py": "",
        "shop/data/not_a_module.py": "def f(): ...\n",
        "space/inner/__init__.py": "def g(): ...\n",
        "_private.py": "",
        "with-dash.py": "",
        "bin/readme.txt": "",
        "__pycache__/x.py": "",
    }
    source = open_pydoc(str(write(tmp_path, files)))
    assert source.names == ("shop", "space")
    assert source.count() == 2
    assert set(read_all(source)) == {
        "pydoc://shop",
        "pydoc://space",
        "pydoc://space/inner",
        "pydoc://space/inner/g",
    }


def test_an_installed_package_is_read_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 'raise SystemExit("imported")\ndef f():\n    """Do it."""\n'
    write(tmp_path, {"shop_of_tests/__init__.py": code, "bank_of_tests.py": code})
    monkeypatch.syspath_prepend(str(tmp_path))
    documents = read_all(open_pydoc("shop_of_tests,bank_of_tests"))
    assert documents["pydoc://shop_of_tests/f"].summary == "Do it."
    assert documents["pydoc://bank_of_tests/f"].summary == "Do it."
    assert not {"shop_of_tests", "bank_of_tests"} & set(sys.modules)


@pytest.mark.parametrize("location", ["no_such_package_here", "json,no_such_package_here", ""])
def test_a_package_that_is_not_there_is_an_error_that_says_what_to_do(location: str) -> None:
    with pytest.raises(SourceError, match=r"install it|holds no|separate several"):
        open_pydoc(location)


def test_a_folder_without_python_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no Python package"):
        open_pydoc(str(write(tmp_path, {"a.txt": ""})))
    with pytest.raises(SourceError, match="neither"):
        open_pydoc(str(tmp_path / "gone"))


# What is broken


def test_one_broken_module_never_stops_the_rest(tmp_path: Path) -> None:
    deep = "x = " + "(" * 3000 + ")" * 3000 + "\n"
    files: Files = {
        "shop/__init__.py": "from .good import f\nfrom .bad import g\n",
        "shop/good.py": "def f(): ...\n",
        "shop/bad.py": "def g(:\n",
        "shop/bytes.py": b"x = '\xff\xfe'\n",
        "shop/latin.py": "# -*- coding: latin-1 -*-\ndef umlaut():\n    '''ä'''\n".encode(
            "latin-1"
        ),
        "shop/cookie.py": b"# -*- coding: nonsense -*-\n",
        "shop/nul.py": b"x = 1\0\n",
        "shop/deep.py": deep,
        "broken.py": "class\n",
        "half/__init__.py": "def (\n",
        "half/whole.py": "def f(): ...\n",
    }
    source = open_pydoc(str(write(tmp_path, files)))
    errors = errors_of(source)
    assert {error.split(" ", 1)[0] for error in errors} == {
        "shop.bad",
        "shop.bytes",
        "shop.cookie",
        "shop.nul",
        "shop.deep",
        "broken",
        "half",
    }
    assert all("is not Python" in error for error in errors)
    documents = read_all(source)
    assert set(documents) >= {"pydoc://shop/f", "pydoc://half/whole/f"}
    assert documents["pydoc://shop/latin/umlaut"].summary == "ä"


def test_machine_code_without_a_stub_is_skipped_and_said_so(tmp_path: Path) -> None:
    files: Files = {
        "fast.abi3.so": b"\x7fELF",
        "shop/__init__.py": "from ._core import run\nfrom .speed import go\n",
        "shop/__init__.pyi": 'def run(a: int) -> int:\n    """Run."""\n',
        "shop/_core.cpython-311-x86_64-linux-gnu.so": b"\x7fELF",
        "shop/speed.pyd": b"MZ",
    }
    source = open_pydoc(str(write(tmp_path, files)))
    errors = errors_of(source)
    assert [error.split(" ", 1)[0] for error in errors] == ["fast", "shop.speed"]
    assert all("is compiled and has no .pyi" in error for error in errors)
    documents = read_all(source)
    assert set(documents) == {"pydoc://shop", "pydoc://shop/run"}
    assert documents["pydoc://shop/run"].declaration == "def run(a: int) -> int"


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"shop/__init__.py": "def f(): ...\n"})
    (tmp_path / "shop" / "again").symlink_to(tmp_path / "shop", target_is_directory=True)
    documents = read_all(open_pydoc(str(tmp_path / "shop")))
    assert set(documents) == {"pydoc://shop", "pydoc://shop/f"}


def test_an_empty_module_is_a_page(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"empty.py": ""})
    assert documents["pydoc://empty"].content == "# empty"


def test_a_page_that_has_gone_is_an_error_of_the_page(tmp_path: Path) -> None:
    source = open_pydoc(str(write(tmp_path, {"shop.py": ""})))
    with pytest.raises(PageError, match="nowhere"):
        source.read(Page("vanished", b""))


# Pages


def test_the_data_of_a_page_changes_if_and_only_if_its_sources_do(tmp_path: Path) -> None:
    def pages() -> Mapping[str, bytes]:
        found = open_pydoc(str(tmp_path)).pages()
        return {page.key: page.data for page in found if isinstance(page, Page)}

    write(tmp_path, {"shop/__init__.py": "", "shop/a.py": "x = 1\n", "bank.py": ""})
    before = pages()
    assert pages() == before
    write(tmp_path, {"shop/a.py": "x = 2\n"})
    after = pages()
    assert after["shop"] != before["shop"]
    assert after["bank"] == before["bank"]
    (tmp_path / "shop" / "a.py").rename(tmp_path / "shop" / "b.py")
    assert pages()["shop"] != after["shop"]


def test_the_order_of_pages_changes_nothing(tmp_path: Path) -> None:
    files: Files = {
        "a/__init__.py": "from b import *\nfrom _p import X\n__all__ = ['X', 'B']\nclass A(B): 1\n",
        "b/__init__.py": "from a import *\nfrom .c import B\nclass Q(B): ...\n",
        "b/c.py": "from a import A\nclass B(Exception): ...\n",
        "c.py": "from b.c import B\nclass C(B): ...\n",
        "_p.py": "class X: ...\n",
    }
    write(tmp_path, files)
    pages = [page for page in open_pydoc(str(tmp_path)).pages() if isinstance(page, Page)]
    alone = {page.key: list(open_pydoc(str(tmp_path)).read(page)) for page in pages}
    for seed in range(4):
        shuffled = random.Random(seed).sample(pages, len(pages))  # noqa: S311 - an order
        source = open_pydoc(str(tmp_path))
        assert {page.key: list(source.read(page)) for page in shuffled} == alone


# The standard library


@pytest.fixture(scope="module")
def standard() -> Mapping[str, Document]:
    return read_all(
        open_pydoc(
            "asyncio,builtins,collections,concurrent,functools,itertools,json,math,os,pathlib,"
            "random,re,socket,threading"
        )
    )


@pytest.mark.parametrize(
    ("uri", "kind", "declaration", "summary"),
    [
        ("pathlib", "module", "", ""),
        ("pathlib/path", "class", "class Path(", "PurePath subclass that can make"),
        ("pathlib/path/exists", "method", "def exists(self", "Whether this path exists."),
        ("asyncio/gather", "function", "def gather(*coros_or_futures,", "Return a future"),
        ("asyncio/queue", "class", "class Queue(", "A queue, useful for coordinating"),
        ("asyncio/taskgroup", "class", "class TaskGroup", "Asynchronous context manager"),
        ("asyncio/sleep", "function", "async def sleep(delay, result=None)", "Coroutine that"),
        ("collections/ordereddict", "class", "class OrderedDict(dict)", "Dictionary that remem"),
        ("collections/deque", "class", "class deque", ""),
        ("collections/abc/mapping", "class", "class Mapping(Collection)", "A Mapping is"),
        ("concurrent/futures/threadpoolexecutor", "class", "class ThreadPoolExecutor(", "Init"),
        ("functools/partial", "class", "class partial", "New function with partial"),
        ("itertools/chain", "class", "class chain", "Return a chain object"),
        ("json/jsondecoder", "class", "class JSONDecoder(object)", "Simple JSON"),
        ("json/loads", "function", "def loads(s, *, cls=None,", "Deserialize ``s``"),
        ("math/sqrt", "function", "def sqrt(x, /)", "Return the square root of x."),
        ("math/pi", "property", "pi = 3.14159", ""),
        ("os/path/join", "function", "def join(a, *p)", "Join two or more pathname"),
        ("os/getcwd", "function", "def getcwd()", "Return a unicode string"),
        ("os/environ", "property", "environ = _createenviron()", ""),
        ("random/shuffle", "function", "def shuffle(x)", "Shuffle list x in place"),
        ("re/pattern", "class", "class Pattern", "Compiled regular expression object."),
        ("socket/socket/recv", "method", "", "Receive up to buffersize bytes"),
        ("threading/lock", "class", "class Lock", ""),
        ("builtins/print", "function", "def print(*args, sep=' ',", "Prints the values"),
        ("builtins/dict/get", "method", "def get(self, key, default=None, /)", "Return the value"),
        ("builtins/keyerror", "class", "class KeyError(LookupError)", "Mapping key not found."),
    ],
)
def test_the_standard_library_is_found_where_people_look_for_it(
    standard: Mapping[str, Document], uri: str, kind: str, declaration: str, summary: str
) -> None:
    document = standard[f"pydoc://{uri}"]
    assert document.kind == kind
    assert document.declaration.startswith(declaration)
    assert document.summary.startswith(summary)
    assert document.language == "python"
    assert document.framework == uri.partition("/")[0]


def test_the_implementation_of_a_public_module_has_no_pages(
    standard: Mapping[str, Document],
) -> None:
    assert standard["pydoc://os/path/join"].module == "os.path"
    assert standard["pydoc://os/path"].title == "os.path"
    assert "pydoc://asyncio/tasks/gather" not in standard
    assert not [uri for uri in standard if uri.startswith(("pydoc://posix", "pydoc://_"))]


def test_bases_across_the_library_are_parents(standard: Mapping[str, Document]) -> None:
    assert standard["pydoc://pathlib/path"].parents == ("pydoc://pathlib/purepath",)
    assert standard["pydoc://collections/userdict"].parents == (
        "pydoc://collections/abc/mutablemapping",
    )
    assert standard["pydoc://json/jsondecodeerror"].parents == ("pydoc://builtins/valueerror",)


def test_nothing_of_this_machine_or_this_run_is_written_into_a_page(
    standard: Mapping[str, Document],
) -> None:
    home = str(sys.prefix)
    for document in standard.values():
        assert " at 0x" not in document.declaration
        assert home not in document.declaration


def test_the_whole_library_is_listed_without_its_tests_and_jokes() -> None:
    source = open_pydoc("stdlib")
    names = set(source.names)
    assert {"asyncio", "builtins", "math", "os", "sys", "typing", "__future__"} <= names
    assert not names & {"test", "idlelib", "this", "antigravity", "posixpath", "_thread"}
    assert source.count() == len(names)
    pages = {page.key: page.data for page in source.pages() if isinstance(page, Page)}
    assert set(pages) == names
    version = ".".join(map(str, sys.version_info[:3]))
    assert all(version.encode() in data for data in pages.values())
