"""A program's own configuration is looked at before the first query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cranfield.errors import SystemUnusableError
from tests.systems.helpers import opened

if TYPE_CHECKING:
    from pathlib import Path


def check(folder: Path, **config: Any) -> None:
    with opened("command", folder, run=["true", "{query}"], config=config) as system:
        system.check()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("app.json", '{"index": {"path": "v2.db", "n": 3}}'),
        ("app.toml", '[index]\npath = "v2.db"\nn = 3'),
        ("app.conf", '{"index": {"path": "v2.db", "n": 3}}'),
    ],
)
def test_the_expected_value_is_found(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    for key, value in {
        "index.path": "v2.db",
        "$.index.n": 3,
        "index": {"path": "v2.db", "n": 3},
    }.items():
        check(tmp_path, file=name, key=key, equals=value)
        with pytest.raises(SystemUnusableError, match="expected 'another'"):
            check(tmp_path, file=name, key=key, equals="another")


@pytest.mark.parametrize(
    ("name", "key", "message"),
    [
        ("app.json", "index", "says index = 'v1', expected 'v2'; it would search something else"),
        ("app.json", "indx", "has no indx, expected 'v2'; fix the file, or the key in config"),
        ("gone.json", "index", "gone.json cannot be read: No such file or directory; fix config"),
        ("notes.json", "index", "notes.json is not JSON: "),
        ("notes.toml", "index", "notes.toml is not TOML: "),
    ],
)
def test_another_value_or_none_is_refused(
    tmp_path: Path, name: str, key: str, message: str
) -> None:
    (tmp_path / "app.json").write_text('{"index": "v1"}')
    for notes in ("notes.json", "notes.toml"):
        (tmp_path / notes).write_bytes(b"index: \xff v2")
    with pytest.raises(SystemUnusableError) as refused:
        check(tmp_path, file=name, key=key, equals="v2")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"file": "a", "key": "x"}, "missing required field `equals`"),
        ({"file": "a", "key": "x y", "equals": 1}, "cannot read the path 'x y'"),
        ({"file": "a", "key": "x", "equals": 1, "no": 1}, "unknown field `no`"),
    ],
)
def test_a_mistake_in_what_is_expected_is_explained(
    tmp_path: Path, config: dict[str, Any], message: str
) -> None:
    with pytest.raises(SystemUnusableError) as refused:
        check(tmp_path, **config)
    assert message in str(refused.value)
