"""Everything public is shown once, at its shortest path, under one URI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.stacks.sources.pydoc.packages import get_hash_suffix, read_folder

if TYPE_CHECKING:
    from pathlib import Path


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


def test_a_thing_is_shown_by_its_own_name_and_not_by_another(tmp_path: Path) -> None:
    start = """
        __all__ = ["open", "load_book", "ref"]
        from shop.counter import load_book as open
        from shop.counter import load_book
        from shop._counter import ReferenceType as ref
    """
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": start,
            "shop/counter.py": 'def load_book(item):\n    """Load a book."""\n',
            "shop/_counter.py": 'class ReferenceType:\n    """Refer to it."""\n',
        },
    )
    book = documents["pydoc://shop/load_book"]
    assert (book.title, book.names) == (
        "load_book",
        ("shop.load_book", "shop.open", "shop.counter.load_book", "open"),
    )
    assert "pydoc://shop/open" not in documents
    assert documents["pydoc://shop/ref"].title == "ref"


def test_what_no_public_module_shows_has_no_page(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {
            "shop/__init__.py": "import os\nfrom collections import deque\nLIMIT = 3\n",
            "shop/_stock.py": "class Finder: ...\n",
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


def test_of_names_that_fold_to_one_uri_the_class_keeps_it(tmp_path: Path) -> None:
    documents = read_folder(
        tmp_path,
        {"shop.py": "def till(): ...\nclass Till: ...\ndef TILL(): ...\ndef a(): 1\ndef A(): 1\n"},
    )
    titles = {uri: document.title for uri, document in documents.items()}
    assert titles == {
        "pydoc://shop": "shop",
        "pydoc://shop/till": "Till",
        f"pydoc://shop/till-{get_hash_suffix('shop.till')}": "till",
        f"pydoc://shop/till-{get_hash_suffix('shop.TILL')}": "TILL",
        "pydoc://shop/a": "A",
        f"pydoc://shop/a-{get_hash_suffix('shop.a')}": "a",
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
        f"pydoc://shop/buy-{get_hash_suffix('shop.buy')}": "function",
        "pydoc://shop/buy/sell": "function",
    }


def test_packages_that_differ_in_case_have_uris_apart(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"pil.py": "def f(): ...\n", "PIL.py": "def f(): ...\n"})
    marked = f"pydoc://pil-{get_hash_suffix('PIL')}"
    assert set(documents) == {"pydoc://pil", "pydoc://pil/f", marked, f"{marked}/f"}
    assert documents[f"{marked}/f"].framework == marked.removeprefix("pydoc://")
