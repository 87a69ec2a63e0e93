"""Names are followed to what they refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import get_hash_suffix, read_folder

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.corpus
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
    assert "pydoc://round/a-" + get_hash_suffix("round.a") in documents
    assert documents["pydoc://round/a"].kind == "class"
    assert "pydoc://round/c/shown/in/f" in documents
