"""A file of TOML that cannot be used is named with the line of the mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import InputError
from cranfield.shapes import parse_toml_text, read_toml_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = 1\nb == 2\n", "a.toml:2: is not TOML: Invalid value"),
        (b"a = 1\nb = \n\n", "a.toml:2: is not TOML: Invalid value"),
        (b'a = 1\nb = """\n', "a.toml:2: is not TOML: Unterminated string"),
        (b"a = 1\nb = '\xff'", "a.toml:2: is not UTF-8; convert it"),
        (b"x = " + b"[" * 5000, "a.toml: is not TOML: it is nested too deeply"),
    ],
)
def test_a_mistake_has_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        parse_toml_text(read_toml_text(path), path)
    assert message in str(caught.value)


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.toml: cannot be read: No such file or directory$"):
        read_toml_text(tmp_path / "a.toml")
