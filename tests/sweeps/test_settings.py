"""Values of a trial in the settings of any kind of system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cranfield.sweeps.searches import Trial
from cranfield.sweeps.settings import SettingsTemplate
from cranfield.systems import SystemSpec


def applied(kind: str, base: dict[str, Any], settings: dict[str, Any], **values: Any) -> Any:
    spec = SystemSpec("mine", kind, base, Path())
    return SettingsTemplate(settings).apply(spec, Trial(values)).settings


@pytest.mark.parametrize(
    ("kind", "base", "settings", "expected"),
    [
        (
            "command",
            {"run": ["search", "{query}"]},
            {"run": ["search", "--k", "{size}", "{query}", "{k}"], "env": {"SIZE": "{size}"}},
            {"run": ["search", "--k", "5", "{query}", "{k}"], "env": {"SIZE": "5"}},
        ),
        (
            "http",
            {"url": "http://x/?q={query}", "body": {"from": 0, "size": 1}},
            {"url": "http://x/?q={query}&n={size}", "body": {"size": "{size}"}},
            {"url": "http://x/?q={query}&n=5", "body": {"from": 0, "size": 5}},
        ),
        (
            "stacks",
            {"index": "index", "weights": {"a": 1.0}},
            {"rrf_k": "{size}", "weights": {"b": "{size}"}},
            {"index": "index", "rrf_k": 5, "weights": {"a": 1.0, "b": 5}},
        ),
        (
            "python",
            {"call": "s.py:find"},
            {"arguments": {"size": "{size}"}},
            {"call": "s.py:find", "arguments": {"size": 5}},
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_parameter_reaches_every_kind_of_system(
    kind: str, base: dict[str, Any], settings: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert applied(kind, base, settings, size=5) == {**base, **expected}


def test_a_build_is_named_by_the_parameters_that_prepare_has() -> None:
    settings = {
        "index": "builds/{build}",
        "rrf_k": "{k1}",
        "prepare": ["stacks", "save", "--passage-words", "{words}", "--to", "builds/{build}"],
    }
    first = applied("stacks", {"index": "index"}, settings, words=200, k1=40)
    second = applied("stacks", {"index": "index"}, settings, words=200, k1=80)
    assert first["index"] == second["index"] == "builds/words-200"
    assert first["prepare"] == second["prepare"]
    assert first["prepare"][3] == "200"


def test_values_that_are_no_file_names_get_builds_of_their_own() -> None:
    template = SettingsTemplate({"prepare": ["x", "{model}"], "files": ["{build}"]})
    names = {template.fill(Trial({"model": each}), "stacks")["files"][0] for each in ("a/b", "a b")}
    assert len(names) == 2
    assert not any("/" in name or " " in name for name in names)
