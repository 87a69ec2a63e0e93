"""What a suite may say about a model; nothing is ignored, and no key is written down."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.judging.models.helpers import make_suite

from cranfield.errors import CranfieldError, InputError, UnknownNameError
from cranfield.judging.models.model_judge import MODEL_JUDGES
from cranfield.judging.models.model_settings import read_model_settings
from cranfield.judging.models.prompts import read_prompt
from cranfield.model import JudgingSettings

if TYPE_CHECKING:
    from pathlib import Path


def test_without_settings_no_model_judges(tmp_path: Path) -> None:
    suite = replace(make_suite(tmp_path, ""), judging=JudgingSettings())
    with pytest.raises(CranfieldError, match=r"to opt in, write \[judging.model\]"):
        read_model_settings(suite)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"key": "sk-12345"}, "never the key"),
        ({"key": "${A}x"}, "never the key"),
        ({"colour": "red"}, "colour"),
        ({"budget": 5.0}, "needs price_in and price_out"),
        ({"grades": {"YES": 1}}, "at least two words"),
        ({"grades": {"YES": 0, "NO": 0}}, "one above 0"),
        ({"grades": {" YES": 1, "NO": 0}}, "spaces around it"),
        ({"run": ["judge"]}, "run is the command"),
        ({"kind": "command"}, "run is the command"),
        ({"endpoint": "http://example.org/v1"}, "would show the key"),
        ({"always": ["a"], "never": ["a"]}, "the same category"),
        ({"jobs": 0}, "jobs"),
        ({"model": " "}, "model is empty"),
    ],
)
def test_mistakes_are_named(settings: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(CranfieldError, match=said):
        read_model_settings(make_suite(tmp_path, **{"endpoint": "", **settings}))


def test_an_unknown_kind_suggests_the_near_one() -> None:
    with pytest.raises(UnknownNameError, match="openai"):
        MODEL_JUDGES.get("openia")


def test_a_prompt_starts_with_its_version(tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("version: 2.1\nIs it relevant?\n")
    prompt = read_prompt(str(tmp_path), "prompt.txt")
    assert (prompt.version, prompt.text) == ("2.1", "Is it relevant?\n")
    path.write_text("version: 2.1\nIs  it\nrelevant?")
    assert read_prompt(str(tmp_path), "prompt.txt").digest == prompt.digest
    path.write_text("Is it relevant?\n")
    with pytest.raises(InputError, match="starts with its version"):
        read_prompt(str(tmp_path), "prompt.txt")
    with pytest.raises(InputError, match="cannot be read"):
        read_prompt(str(tmp_path), "none.txt")
