"""Each shipped project is green against its own gate, and none of them is green whatever comes."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from tests.shipped.projects import FULL, SUITES, Project, compare_arms, mean, of_project

from cranfield.comparisons import VerdictKind
from cranfield.gates.gate_rules import apply_thresholds
from cranfield.runs.summaries import summarise

if TYPE_CHECKING:
    from collections.abc import Callable

    from cranfield.runs.summaries import Group

pytestmark = [pytest.mark.process, pytest.mark.corpus]


def suites_with_gates() -> list[Any]:
    listed = {
        name: tomllib.loads((SUITES / name / "cranfield.toml").read_text())["suites"]
        for name in FULL
    }
    return [
        of_project(name, file)
        for name, files in listed.items()
        for file in files
        if name != "chunks"  # which has no gate: its selectors are compared with each other
    ]


@pytest.mark.corpus
@pytest.mark.process
@pytest.mark.parametrize(("name", "file"), suites_with_gates())
def test_a_suite_is_green_against_its_own_gate(
    shipped: Callable[[str], Project], name: str, file: str
) -> None:
    project = shipped(name)
    result = apply_thresholds(project.suites[file], summarise(project.ask()[file]))
    assert [each for each in result.thresholds if not each.threshold.diagnostic]
    short = [each for each in result.thresholds if not each.reached]
    assert [each for each in short if not each.threshold.diagnostic] == []
    assert result.passed


@pytest.mark.parametrize("name", [of_project("chunks")])
def test_words_and_meaning_select_better_chunks_than_words(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(mode="fts5"), project.ask())["evals.db"]
    assert str(compared.headline.measure) == "F1"
    # 24 questions are too few for a verdict on a difference of this size.
    assert compared.headline.result is not None
    assert compared.headline.result.difference > 0
    assert compared.verdict.kind is VerdictKind.CANNOT_TELL
    assert mean(project.ask(mode="fts5")["evals.db"], "F1") >= 0.29
    assert mean(project.ask()["evals.db"], "F1") >= 0.32


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "file"),
    [
        *(each for each in suites_with_gates() if each.values[0] in ("apple-docs", "python-docs")),
        of_project("home", "test_corpus.json"),
        of_project("teachings", "golden-set-en.json"),
    ],
)
def test_plain_words_are_significantly_worse(
    shipped: Callable[[str], Project], name: str, file: str
) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(mode="plain"), project.ask())[file]
    # 80 questions in prose are too few for a verdict on a difference of 0.04.
    too_few = (name, file) == ("python-docs", "prose.toml")
    expected = VerdictKind.CANNOT_TELL if too_few else VerdictKind.BETTER
    assert compared.verdict.kind is expected


@pytest.mark.parametrize(
    "name", [of_project(name) for name in ("apple-docs", "python-docs", "home", "teachings")]
)
def test_plain_words_are_below_in_every_class(shipped: Callable[[str], Project], name: str) -> None:
    project = shipped(name)
    compared = compare_arms(project.ask(mode="plain"), project.ask())
    differences = {
        file: each.headline.result.difference
        for file, each in compared.items()
        if each.headline.result
    }
    assert differences.keys() == project.suites.keys()
    # Synonyms gain as much in questions.toml, which was written blind, as they lose in prose.toml.
    if name == "python-docs":
        assert differences.pop("prose.toml") > 0.03
    assert min(differences.values()) > 0.04


@pytest.mark.parametrize(
    ("name", "file", "measure", "least"),
    [
        of_project("python-docs", "canonical.toml", "P@1", 0.95),
        of_project("python-docs", "fragments.toml", "P@5", 0.9),
        of_project("python-docs", "acronyms.toml", "P@1", 0.9),
        of_project("python-docs", "roots.toml", "P@1", 0.95),
    ],
)
def test_the_python_standard_library_is_found(
    shipped: Callable[[str], Project], name: str, file: str, measure: str, least: float
) -> None:
    assert mean(shipped(name).ask()[file], measure) >= least


@pytest.fixture(scope="session")
def home_passes(shipped: Callable[[str], Project]) -> dict[str, dict[str, float]]:
    """How many of its queries each category of the home suite passes, by mode."""
    passes = {}
    for mode in ("fts5", "semantic", "both"):
        groups = summarise(shipped("home").ask(mode=mode)["test_corpus.json"]).categories
        passes[mode] = {name: count_passed(group) for name, group in groups.items()}
    return passes


def count_passed(group: Group) -> float:
    (share,) = (value for measure, value in group.means.items() if str(measure) == "Pass")
    assert isinstance(share, float)
    return round(share * group.count)


@pytest.mark.xdist_group("home-index")
def test_files_that_are_named_are_found_in_every_mode(
    home_passes: dict[str, dict[str, float]],
) -> None:
    assert {mode: counts["exact_filename"] for mode, counts in home_passes.items()} == {
        "fts5": 10,
        "semantic": 10,
        "both": 10,
    }


@pytest.mark.xdist_group("home-index")
def test_words_and_meaning_find_more_files_than_words_and_lose_none(
    home_passes: dict[str, dict[str, float]],
) -> None:
    both, words = home_passes["both"], home_passes["fts5"]
    assert sum(both.values()) >= 44
    assert sum(both.values()) > sum(words.values())
    assert {category for category in words if both[category] < words[category]} == set()
