"""A thing is deprecated when its docstring says so of itself, and not of a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stacks.model import Page
from stacks.sources.pydoc.deprecation import says_deprecated
from stacks.sources.pydoc.pydoc_source import open_pydoc

if TYPE_CHECKING:
    from pathlib import Path

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


def test_a_module_that_tells_that_one_of_its_classes_is_deprecated_is_not(tmp_path: Path) -> None:
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


def test_no_server_of_the_library_is_deprecated_for_the_sake_of_another() -> None:
    documents = open_pydoc("http").read(Page("http", b""))
    told = {document.uri for document in documents if document.is_deprecated}
    assert not {uri for uri in told if "cgihttprequesthandler" not in uri}
