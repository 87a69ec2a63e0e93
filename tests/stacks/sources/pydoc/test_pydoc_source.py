"""What is broken stops nothing else, and pages change with their sources only."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import Files, errors_of, read_all, read_folder, write

from stacks.model import Page
from stacks.sources.pydoc.pydoc_source import open_pydoc
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


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


def test_machine_code_without_a_stub_is_skipped_and_reported(tmp_path: Path) -> None:
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


def test_an_empty_module_is_a_page(tmp_path: Path) -> None:
    documents = read_folder(tmp_path, {"empty.py": ""})
    assert documents["pydoc://empty"].content == "# empty"


def test_a_page_that_has_gone_is_an_error_of_the_page(tmp_path: Path) -> None:
    source = open_pydoc(str(write(tmp_path, {"shop.py": ""})))
    with pytest.raises(PageError, match="cannot be found"):
        source.read(Page("vanished", b""))


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


@pytest.mark.corpus
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
