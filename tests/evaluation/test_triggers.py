"""Which changes need a gate: the paths that they touch, and patterns of paths that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.errors import CranfieldError
from cranfield.evaluation.project import open_project
from cranfield.evaluation.triggers import find_skip_reason, find_triggers, read_changed_paths

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("patterns", "paths", "found"),
    [
        (["src/search/**"], ["src/search/a.py", "docs/x.md"], ["src/search/a.py"]),
        (["src/search/"], ["src/search/deep/a.py"], ["src/search/deep/a.py"]),
        (["*.py"], ["a.py", "src/a.py"], ["a.py"]),
        (["src"], ["src/a/b.py", "srcx/a"], ["src/a/b.py"]),
        (["src/süche/**"], ['"src/s\\303\\274che/x.py"'], ["src/süche/x.py"]),
        (["**/*.py"], ["a.py", "src/x/a.py"], ["a.py", "src/x/a.py"]),
        (["/lib/config.ts"], ["./lib/config.ts"], ["lib/config.ts"]),
        (["golden-set-*.json"], ["golden-set-en.json", "golden-set-.txt"], ["golden-set-en.json"]),
        (["a?c"], ["abc", "ac", "a/c"], ["abc"]),
        (["src/**"], ["", "  "], []),
    ],
)
def test_a_change_is_told_by_the_paths_it_touches(
    patterns: list[str], paths: list[str], found: list[str]
) -> None:
    assert find_triggers(patterns, paths) == found


@pytest.mark.parametrize("pattern", ["src/{a,b}/**", "app/[id]/x", "a[b]", "!docs/**", "a}"])
def test_a_pattern_with_signs_that_mean_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(CranfieldError, match="only"):
        find_triggers([pattern], ["src/a/x"])


def test_what_always_matters_is_taken_as_it_is_written() -> None:
    always = ["cranfield.toml", "a[b].toml", "baselines"]
    paths = ["a[b].toml", "ab.toml", "baselines/x.main.json", "docs/cranfield.toml"]
    assert find_triggers(["src/**"], paths, always) == ["a[b].toml", "baselines/x.main.json"]


def test_a_list_of_paths_is_read_with_marks_and_ends_of_any_system() -> None:
    content = '\ufeffsrc/a.py\r\n\n"src/s\\303\\274che\\tx.py"\r\nsrc/b c.py'.encode()
    paths = read_changed_paths(content)
    assert paths == ["src/a.py", '"src/s\\303\\274che\\tx.py"', "src/b c.py"]
    assert read_changed_paths(b"") == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"src/a.py\0src/b.py\0", "NUL"),
        ("src/a.py\n".encode("utf-16"), "NUL"),
        (b"\xff\xfe", "not in UTF-8"),
        (b"src/s\xfcche.py\n", "not in UTF-8"),
        ("src/s\ufffdche.py\n".encode(), "U\\+FFFD"),
        (b"M\tsrc/a.py\n", "has a tab"),
        (b"R100\told.py\tnew.py\n", "has a tab"),
        (b"src\\search\\a.py\n", "has a backslash"),
        (b"ok.py\n/work/src/a.py\n", "not from the root"),
        (b"C:/src/a.py\n", "not from the root"),
    ],
)
def test_a_list_that_may_be_misread_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(CranfieldError, match=reason):
        read_changed_paths(content)


def test_an_empty_list_of_changed_paths_never_skips_the_gate(tmp_path: Path) -> None:
    (tmp_path / "cranfield.toml").write_text('[gate]\npaths = ["src/**"]\n')
    project = open_project(tmp_path)
    assert find_skip_reason(project, b"") == ""
    assert find_skip_reason(project, b"src/a.py\ndocs/b.md\n") == ""
    assert find_skip_reason(project, b"cranfield.toml\n") == ""
    assert find_skip_reason(project, b"docs/b.md\n") == (
        "none of the 1 changed paths matches src/**"
    )


def test_changed_paths_without_patterns_are_refused(tmp_path: Path) -> None:
    (tmp_path / "cranfield.toml").write_text("")
    with pytest.raises(CranfieldError, match="needs patterns to match the paths with"):
        find_skip_reason(open_project(tmp_path), b"docs/b.md\n")
