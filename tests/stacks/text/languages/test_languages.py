"""The door: names of languages, limits, and what holds for every language."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from stacks.errors import StacksError
from stacks.model import SYMBOL_KINDS, Parsed
from stacks.text import language_of_file, parse_code, parse_declaration
from stacks.text.languages.grammar import Grammar
from stacks.text.languages.language import LANGUAGES, _parse_short, find_language

if TYPE_CHECKING:
    from pathlib import Path

OWN_NAMES = LANGUAGES.names()
WORDS = re.split(
    " ",
    "func class { } ( ) [ ] < > \" ' def : , . if else return => = == x y 12 @ # \n import enum "
    "struct let const interface async ` /* */ // -> case \\ \t",
)


def some_garbage(seed: int, length: int) -> str:
    chance = random.Random(seed)  # noqa: S311 - test data
    return " ".join(chance.choice(WORDS) for _ in range(length))


@pytest.mark.parametrize("language", ["", "cobol", "Swift", "swift "])
def test_an_unknown_language_gives_nothing(language: str) -> None:
    assert parse_code("func f() {}", language) == Parsed()
    assert parse_declaration("func f()", language) == ()


@pytest.mark.parametrize(
    ("fence", "name"),
    [
        ("swift", "swift"),
        ("py", "python"),
        ("python3", "python"),
        ("pycon", "python"),
        ("ts", "typescript"),
        ("tsx", "tsx"),
        ("js", "javascript"),
        ("jsx", "javascript"),
    ],
)
def test_a_language_goes_by_several_names(fence: str, name: str) -> None:
    language = find_language(fence)

    assert language is not None
    assert language.name == name


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Sources/App/View.swift", "swift"),
        ("a.py", "python"),
        ("a.pyi", "python"),
        ("C:\\code\\index.TS", "typescript"),
        ("App.tsx", "tsx"),
        ("a.mjs", "javascript"),
        ("a.jsx", "javascript"),
        ("Foo.m", "objc"),
        ("foo.h", "c"),
        ("data.json", "json"),
        ("x.yml", "yaml"),
        ("README.md", "markdown"),
        ("Makefile", "make"),
        ("dir.swift/LICENSE", ""),
        ("a.unheardof", ""),
        (".swift", "swift"),
        ("", ""),
    ],
)
def test_the_ending_of_a_file_names_its_language(name: str, language: str) -> None:
    assert language_of_file(name) == language


def test_every_language_that_can_be_read_is_named_by_the_ending_of_its_files() -> None:
    endings = {"swift": "swift", "python": "py", "typescript": "ts", "tsx": "tsx"}
    for name in OWN_NAMES:
        assert language_of_file(f"a.{endings.get(name, 'js')}") == name


def test_a_grammar_that_is_not_installed_is_an_error_that_names_the_remedy() -> None:
    with pytest.raises(StacksError, match=r"tree_sitter_absent.*pip install 'cranfield\[stacks\]'"):
        Grammar("tree_sitter_absent").parse("x")


@pytest.mark.parametrize("language", OWN_NAMES)
@pytest.mark.parametrize("code", ["", " ", "\n", "\r\n\r\n", "\0", "\ufeff", "\ud800", "😀"])
def test_code_that_declares_nothing_gives_nothing(language: str, code: str) -> None:
    assert parse_code(code, language) == Parsed()
    assert parse_declaration(code, language) == ()


@pytest.mark.corpus
@pytest.mark.parametrize("language", OWN_NAMES)
@pytest.mark.parametrize(
    "code",
    [
        "(" * 10_000,
        "(" * 10_000 + ")" * 10_000,
        "{" * 10_000,
        "[" * 10_000 + "]" * 10_000,
        "class A {" * 5_000,
        "class A {\n" * 5_000 + "}\n" * 5_000,
        "a<" * 10_000,
        '"' * 9_999,
        "`" * 9_999,
        "/*" * 10_000,
        '"\\(' * 4_000,
        "a=" * 10_000,
        "@a(\n" * 5_000,
        "#" * 100_000,
        "\0" * 100_000,
        "\n".join(" " * depth + "class A:" for depth in range(500)),
    ],
    ids=lambda code: repr(code[:8]),
)
def test_no_depth_and_no_repetition_is_too_much(language: str, code: str) -> None:
    assert isinstance(parse_code(code, language), Parsed)
    assert isinstance(parse_declaration(code, language), tuple)


@pytest.mark.corpus
@pytest.mark.parametrize("language", OWN_NAMES)
def test_a_megabyte_of_garbage_is_survived(language: str) -> None:
    chance = random.Random(7)  # noqa: S311 - test data
    garbage = "".join(chance.choices("\n abc(){}[]<>:,.=@#\"'`/*\\\0é😀\u2028", k=1_000_000))

    assert isinstance(parse_code(garbage, language), Parsed)


@pytest.mark.parametrize("language", OWN_NAMES)
@pytest.mark.parametrize("seed", range(40))
def test_what_is_found_in_garbage_is_well_formed_and_always_the_same(
    language: str, seed: int
) -> None:
    code = some_garbage(seed, 300)
    first = parse_code(code, language)
    _parse_short.cache_clear()

    assert parse_code(code, language) == first
    lines = code.split("\n")
    for symbol in first.symbols:
        assert symbol.kind in SYMBOL_KINDS
        assert symbol.name
        assert symbol.signature == " ".join(symbol.signature.split())
        assert 1 <= symbol.column <= len(lines[symbol.line - 1])


def test_code_too_long_for_a_person_to_have_written_gives_nothing() -> None:
    assert parse_code("let a = 1\n" * 400_001, "swift") == Parsed()
    assert parse_declaration("func f(" + "a: Int, " * 3_000 + ")", "swift") == ()


def test_the_limit_of_a_signature_keeps_garbage_out_of_an_index() -> None:
    (symbol,) = parse_declaration("func f(" + "a: Int, " * 1_000 + ")", "swift")

    assert symbol.name == "f"
    assert len(symbol.signature) == 2_000


PLUGIN = """
from dataclasses import replace
from stacks.text import LANGUAGES
mojo = replace(LANGUAGES.get("python"), name="mojo", aliases=("fire",), extensions=("mojo",))
"""


@pytest.mark.process
def test_an_installed_package_can_bring_a_language(tmp_path: Path) -> None:
    (tmp_path / "my_package.py").write_text(PLUGIN)
    about = tmp_path / "my_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[stacks.languages]\nmojo = my_package:mojo\n")
    code = (
        "from stacks.text import get_file_type, parse_code, stored_language\n"
        "names = [each.name for each in parse_code('def f(): ...', 'fire').symbols]\n"
        "print(names, get_file_type('a.mojo').language, stored_language('fire'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "['f'] mojo mojo\n", done.stderr
