"""Guidelines: read from the suite's folder, with a version that follows the text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.judging.samples import unjudged_suite

from cranfield.errors import InputError
from cranfield.judging.judging_round import read_guidelines
from cranfield.model import JudgingSettings

if TYPE_CHECKING:
    from pathlib import Path


def test_a_suite_without_guidelines_has_the_usual_ones() -> None:
    found = read_guidelines(unjudged_suite(1))
    assert "right answer to the query" in found.text
    assert found.version


def test_the_version_follows_the_words_and_not_the_line_breaks(tmp_path: Path) -> None:
    suite = replace(
        unjudged_suite(1), folder=str(tmp_path), judging=JudgingSettings(guidelines="rules.md")
    )
    versions = []
    for text in ("Judge the\ntext.", "Judge the text.", "Judge the id."):
        (tmp_path / "rules.md").write_text(text)
        versions.append(read_guidelines(suite).version)
    assert versions[0] == versions[1] != versions[2]


def test_guidelines_that_are_not_there_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    suite = replace(
        unjudged_suite(1), folder=str(tmp_path), judging=JudgingSettings(guidelines="gone.md")
    )
    with pytest.raises(InputError, match=r"gone\.md: the guidelines of the suite cannot be read"):
        read_guidelines(suite)
