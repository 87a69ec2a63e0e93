"""Packages are found in folders and environments, without importing them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import Files, read_all, read_folder, write

from stacks.errors import SourceError
from stacks.sources.pydoc.pydoc_source import open_pydoc

if TYPE_CHECKING:
    from pathlib import Path


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


def test_one_package_a_module_file_and_a_folder_of_packages_can_be_given(tmp_path: Path) -> None:
    files: Files = {"lib/shop/__init__.py": "def f(): ...\n", "lib/bank.py": "def g(): ...\n"}
    write(tmp_path, files)
    shop = {"pydoc://shop", "pydoc://shop/f"}
    bank = {"pydoc://bank", "pydoc://bank/g"}
    assert set(read_all(open_pydoc(str(tmp_path / "lib")))) == shop | bank
    assert set(read_all(open_pydoc(str(tmp_path / "lib" / "shop")))) == shop
    assert set(read_all(open_pydoc(str(tmp_path / "lib" / "bank.py")))) == bank


def test_only_packages_of_a_site_packages_folder_are_read(tmp_path: Path) -> None:
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


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"shop/__init__.py": "def f(): ...\n"})
    (tmp_path / "shop" / "again").symlink_to(tmp_path / "shop", target_is_directory=True)
    documents = read_all(open_pydoc(str(tmp_path / "shop")))
    assert set(documents) == {"pydoc://shop", "pydoc://shop/f"}
