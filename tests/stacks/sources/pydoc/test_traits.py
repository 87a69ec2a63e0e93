"""Classes have members, kinds and docstrings; what is deprecated says so of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import read_folder

from stacks.model import Page
from stacks.sources.pydoc.pydoc_source import open_pydoc
from stacks.sources.pydoc.traits import says_deprecated

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.corpus
def test_protocols_enums_and_made_classes_have_kinds_of_their_own(tmp_path: Path) -> None:
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
def test_deprecations_are_seen_however_they_are_stated(tmp_path: Path, code: str) -> None:
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


SERVER = '''"""Servers.

Use Server, and (deprecated) Old for old ones.

Notes on Old
------------

This class is deprecated. Deprecated since 2.0.

.. deprecated:: 2.0
"""
class Server:
    """Serves."""
    def run(self): ...
class Old:
    """Serves as before."""
    def __init__(self, port):
        import warnings
        warnings.warn("use Server", DeprecationWarning)
    def run(self): ...
'''


def test_a_module_that_says_that_one_of_its_classes_is_deprecated_is_not(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(SERVER, encoding="utf-8")
    documents = open_pydoc(str(tmp_path)).read(Page("shop", b""))
    assert {document.uri: document.is_deprecated for document in documents} == {
        "pydoc://shop": False,
        "pydoc://shop/server": False,
        "pydoc://shop/server/run": False,
        "pydoc://shop/old": True,
        "pydoc://shop/old/run": True,
    }


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("module", "Old things.\n\nThis module is deprecated."),
        ("module", "Old things.\n\nThis package has been deprecated."),
        ("module", "The shop module is deprecated, use store."),
        ("module", "Things.\n\nThe ``old.shop`` package is now deprecated."),
        ("module", "shop is deprecated."),
        ("module", "Shop\n====\n\n.. deprecated:: 3.1"),
        ("module", "Shop\n====\n\nDeprecated: use store."),
        ("module", "Old things (deprecated)."),
        ("class", "Sells.\n\nThis class is deprecated."),
        ("class", "Sells.\n\nNotes\n-----\n.. deprecated:: 3.1"),
        ("class", "Raised.\n\nThis\nexception is deprecated."),
        ("function", "Sell.\n\nThis deprecated method wraps another."),
        ("function", "Sell (master, slave).\nDeprecated, use buy() instead."),
        ("function", "shop() has been deprecated."),
        ("function", "It is deprecated."),
        ("attribute", "login name; deprecated"),
        ("attribute", "The rate.\n\nThis property is deprecated."),
        ("type alias", "This alias is deprecated."),
    ],
)
def test_a_thing_says_that_it_is_deprecated(kind: str, text: str) -> None:
    assert says_deprecated(text, "shop", kind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("module", ""),
        ("module", "Shops.\n\nThis class is deprecated."),
        ("module", "Shops.\n\nThis function is deprecated, so is this argument."),
        ("module", "Till is deprecated."),
        ("module", "Shops.\n\nThe Till class is deprecated."),
        ("module", "Shops.\n\nDeprecated names\nare listed below."),
        ("module", "Shops.\n\nTill\n~~~~\n\nDeprecated."),
        ("class", "Sells.\n\nThis method is deprecated."),
        ("class", "Sells.\n\nThe sell() method is deprecated."),
        ("class", "A class.\n\n- exc_type (deprecated) The class of it."),
        ("function", "Sell.\n\nThis argument is deprecated."),
        ("function", "Sell.\n\nonerror is deprecated and only remains."),
        ("function", "Sell.\n\nDeprecated arguments are ignored."),
        ("function", "Sell, in this class.\n\nThis module is deprecated."),
        ("function", "Sell.\n\nNote that the space has been deprecated by RFC 3879."),
        ("function", "Tell.\n\n(Incorrectly marked as deprecated since 3.1.)"),
        ("attribute", "The rate.\n\nThis class is deprecated."),
    ],
)
def test_a_thing_speaks_of_others_that_are_deprecated(kind: str, text: str) -> None:
    assert not says_deprecated(text, "shop", kind)


def test_a_long_docstring_is_read_to_its_end() -> None:
    text = "Sell.\n\n" + "word " * 50_000
    assert not says_deprecated(f"{text}deprecated", "shop", "function")
    assert says_deprecated(f"{text}\n\nDeprecated.", "shop", "function")


@pytest.mark.corpus
def test_no_server_of_the_library_is_deprecated_for_the_sake_of_another() -> None:
    documents = open_pydoc("http").read(Page("http", b""))
    told = {document.uri for document in documents if document.is_deprecated}
    assert not {uri for uri in told if "cgihttprequesthandler" not in uri}
