"""`__all__` and `sys.modules` are read as far as the source states them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import Files, read_folder

from stacks.model import Page
from stacks.sources.pydoc.griffe_extensions import find_stand_ins, parse_stand_ins
from stacks.sources.pydoc.pydoc_source import open_pydoc

if TYPE_CHECKING:
    from pathlib import Path


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


HIDDEN = '''
    __all__ = ["Till"]
    class Till:
        """Holds money."""
        def count(self): ...
    class Other: ...
'''
PAGES = {"pydoc://shop", "pydoc://shop/desk", "pydoc://shop/desk/till"}


@pytest.mark.parametrize(
    "package",
    [
        "import _shop_desk\nimport sys\nsys.modules['shop.desk'] = _shop_desk\n",
        "import _shop_desk\nimport sys as _sys\n_sys.modules[__name__ + '.desk'] = _shop_desk\n",
        "import _shop_desk, sys\ndesk = sys.modules[f'{__name__}.desk'] = _shop_desk\n",
        "import _shop_desk as hidden, sys\nif 1:\n    sys.modules['shop.desk'] = hidden\n",
    ],
)
def test_a_module_without_a_file_has_the_pages_of_what_is_set_there(
    tmp_path: Path, package: str
) -> None:
    documents = read_folder(tmp_path, {"shop/__init__.py": package, "_shop_desk.py": HIDDEN})
    assert set(documents) == {*PAGES, "pydoc://shop/desk/till/count"}
    till = documents["pydoc://shop/desk/till"]
    assert (till.module, till.title, till.summary) == ("shop.desk", "Till", "Holds money.")
    assert "Defined in `_shop_desk`." in till.content


def test_a_module_that_sets_another_in_its_own_place_has_its_pages(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/desk.py": "import _shop_desk\nimport sys\nsys.modules[__name__] = _shop_desk\n",
        "_shop_desk.py": HIDDEN,
        "user.py": "from shop.desk import Till\nclass Mine(Till): ...\n",
    }
    documents = read_folder(tmp_path, files)
    assert set(documents) >= PAGES
    assert documents["pydoc://user/mine"].conformances == ("Till",)


def test_a_private_module_of_the_same_package_may_stand_in(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "import sys\nfrom . import _desk\nsys.modules['shop.desk'] = _desk\n",
        "shop/_desk.py": HIDDEN,
    }
    assert set(read_folder(tmp_path, files)) >= PAGES


def test_a_module_keeps_its_own_definitions_beside_those_of_a_faster_twin(tmp_path: Path) -> None:
    own = '''
        import sys
        class Till:
            """Written here."""
        try:
            import _fast
        except ImportError:
            pass
        else:
            sys.modules[__name__] = _fast
    '''
    documents = read_folder(tmp_path, {"shop.py": own, "_fast.py": HIDDEN})
    assert documents["pydoc://shop/till"].summary == "Written here."


@pytest.mark.parametrize(
    "package",
    [
        "import sys, nowhere\nsys.modules['shop.desk'] = nowhere\n",
        "import sys\nsys.modules['shop.desk'] = None\n",
        "import sys\nclass M: ...\nsys.modules['shop.desk'] = M()\n",
        "import sys\nthing = 3\nsys.modules['other.desk'] = thing\n",
        "import sys, shop\nsys.modules['shop.desk'] = shop.desk\n",
        "import sys\nname = 'desk'\nsys.modules[name] = sys\n",
        "import sys, shop\nsys.modules[__name__] = shop\n",
    ],
)
def test_what_is_no_other_module_stands_in_for_nothing(tmp_path: Path, package: str) -> None:
    documents = read_folder(tmp_path, {"shop/__init__.py": package})
    assert not [uri for uri in documents if uri.startswith("pydoc://shop/desk/")]
    assert "pydoc://shop" in documents


def test_two_modules_that_stand_in_for_each_other_end(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/a.py": "import sys, shop.b as b\nsys.modules[__name__] = b\nclass A: ...\n",
        "shop/b.py": "import sys, shop.a as a\nsys.modules[__name__] = a\nclass B: ...\n",
    }
    assert {"pydoc://shop/a/a", "pydoc://shop/b/b"} <= set(read_folder(tmp_path, files))


def test_only_what_a_module_runs_at_its_top_is_read() -> None:
    tree = ast.parse("import sys\ndef f():\n    sys.modules['shop.desk'] = sys\n")
    assert find_stand_ins(tree, "shop") == {}


@pytest.mark.parametrize("data", [b"", b"sys.modules[", b"\xff sys.modules[0] = x", b"\0"])
def test_garbage_has_no_stand_ins(data: bytes) -> None:
    assert parse_stand_ins(data, "shop") == {}


def test_the_abstract_collections_have_their_pages_on_every_python() -> None:
    source = open_pydoc("collections")
    documents = {each.uri: each for each in source.read(Page("collections", b""))}
    for name in ("mapping", "iterator", "callable", "mutablesequence", "mapping/get"):
        assert f"pydoc://collections/abc/{name}" in documents
    mapping = documents["pydoc://collections/abc/mutablemapping"]
    assert mapping.parents == ("pydoc://collections/abc/mapping",)
