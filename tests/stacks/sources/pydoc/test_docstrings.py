"""Docstrings give summaries and snippets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.stacks.sources.pydoc.packages import read_folder

from stacks.model import Snippet
from stacks.sources.pydoc.docstrings import DocstringBlock, split_blocks

if TYPE_CHECKING:
    from pathlib import Path


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


@pytest.mark.parametrize("code", [">>> f()", ">>> f()\n3", ">>> f()\n3\n>>> g()"])
def test_a_doctest_ends_at_the_first_blank_line_or_the_last_one(code: str) -> None:
    assert split_blocks(f"Before.\n\n{code}\n\nAfter.") == [
        DocstringBlock("Before."),
        DocstringBlock(code, True, "pycon"),
        DocstringBlock("After."),
    ]
    assert split_blocks(code) == [DocstringBlock(code, True, "pycon")]
