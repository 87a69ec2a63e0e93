"""Declarations are written as the source declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import read_folder

if TYPE_CHECKING:
    from pathlib import Path


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
