"""File types: one table, one name for a language, and plug-ins that bring their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from stacks.sources.code import CodeSource
from stacks.sources.code_chunks import chunk_code
from stacks.sources.samples import SamplesSource
from stacks.text import (
    file_types,
    get_file_type,
    language_names,
    language_of_file,
    parse_code,
    resolve_language,
    source_extensions,
    stored_language,
)
from stacks.text.languages import language
from stacks.text.languages.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CACHES = (
    language._by_name,
    file_types._parsed,
    file_types._by_extension,
    file_types.source_extensions,
)


@pytest.fixture
def mojo() -> Iterator[None]:
    """A language that one call registers; nothing else in the engine knows its name."""
    added = replace(LANGUAGES.get("python"), name="mojo", aliases=("🔥",), extensions=("mojo",))
    for cached in CACHES:
        cached.cache_clear()
    LANGUAGES.register("mojo", added)
    yield
    del LANGUAGES._things["mojo"]
    for cached in CACHES:
        cached.cache_clear()


@pytest.mark.usefixtures("mojo")
def test_a_language_that_is_registered_is_known_everywhere(tmp_path: Path) -> None:
    code = 'def f():\n    """Answers."""\n    return 42\n'
    (tmp_path / "a.mojo").write_text(code)

    assert [symbol.name for symbol in parse_code(code, "🔥").symbols] == ["f"]
    assert [chunk.name for chunk in chunk_code(code, "mojo", "a.mojo")] == ["f"]
    assert (get_file_type("a.mojo").type, get_file_type("a.mojo").language) == ("code", "mojo")
    for source in (CodeSource(str(tmp_path)), SamplesSource(str(tmp_path))):
        documents = [each for page in source.pages() for each in source.read(page)]  # type: ignore[arg-type]
        assert documents[-1].language == "mojo"


@pytest.mark.parametrize("extension", ["sh", "bash", "zsh", "fish"])
def test_a_shell_script_is_of_one_language_in_every_index(extension: str) -> None:
    assert get_file_type(f"a.{extension}").language == "shell"
    assert stored_language(language_of_file(f"a.{extension}")) == "shell"


@pytest.mark.parametrize(
    ("name", "resolved", "stored"),
    [
        ("Bash", "shell", "shell"),
        ("py", "python", "python"),
        ("C++", "cpp", "cpp"),
        ("jsx", "javascript", "javascript"),
        ("tsx", "tsx", "typescript"),
        ("makefile", "make", "make"),
        ("cobol", "cobol", "cobol"),
        ("", "", ""),
    ],
)
def test_a_language_has_one_name_and_documents_are_stored_under_one(
    name: str, resolved: str, stored: str
) -> None:
    assert (resolve_language(name), stored_language(name)) == (resolved, stored)


def test_the_names_of_a_language_are_the_current_the_former_and_the_given_one() -> None:
    assert language_names("sh") == ("shell", "bash", "sh")
    assert language_names("bash") == ("shell", "bash")
    assert language_names("Swift") == ("swift",)


def test_every_source_file_has_a_language_that_documents_are_stored_under() -> None:
    for extension in source_extensions():
        kind = get_file_type(f"a{extension}")
        assert kind.type == "code"
        assert kind.language == stored_language(language_of_file(f"a{extension}")) != ""
