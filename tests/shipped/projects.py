"""The projects below `suites`, each with an index of its own for the tests."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.kept import make_once

from cranfield.comparisons import SuiteComparison, VerdictKind, compare
from cranfield.relevance import open_read_only
from cranfield.runs.runner import Run, RunOptions, run_suite
from cranfield.runs.summaries import summarise
from cranfield.suites import load_suite
from cranfield.systems import SystemSpec, load_systems, open_system

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from cranfield.model import Suite

__all__ = [
    "FULL",
    "SUITES",
    "Project",
    "compare_arms",
    "fallen",
    "kept_index",
    "load_script",
    "mean",
    "of_project",
]

SUITES = Path(__file__).parents[2] / "suites"
FULL = {
    "apple-docs": "stacks",
    "python-docs": "stacks",
    "home": "both",
    "teachings": "both",
    "chunks": "fused",
}
"""The system of each project that has all parts of the engine."""
_LIMITS = {"chunks": 8}
"""How many hits are asked for, where that is not ten."""


def of_project(name: str, *values: object) -> Any:
    """Values of a test that asks a project: one worker should run all of them, and ask once."""
    return pytest.param(name, *values, marks=pytest.mark.xdist_group(f"{name}-index"))


def read_spec(name: str) -> SystemSpec:
    return load_systems(SUITES / name / "cranfield.toml")[FULL[name]]


def kept_index(name: str) -> Path:
    """The index of a project, as an earlier run or another worker made it, or a new one."""
    folder = SUITES / name
    made_of = [path for path in sorted(folder.iterdir()) if path.name not in _LEFT]
    return make_once(name, made_of, lambda index: build_index(name, index))


_LEFT = ("index", "builds", "models", "results", "results.csv", ".cranfield")
"""What people and runs leave in the folder of a project."""


def build_index(name: str, index: Path) -> None:
    """Run what the project has as `prepare`, but for another place."""
    spec = read_spec(name)
    program, *told = spec.settings["prepare"]
    place = told.index("--to") + 1
    assert (program, told[place]) == ("stacks", spec.settings["index"])
    told[place] = str(index)
    subprocess.run(
        [sys.executable, "-m", program, *told],
        cwd=spec.folder,
        check=True,
        capture_output=True,
        timeout=600,
    )


class Project:
    """A shipped project. What an arm answered is kept, so each is asked once a session."""

    def __init__(self, name: str, index: Path) -> None:
        self.name = name
        self.folder = SUITES / name
        self.index = index
        listed = tomllib.loads((self.folder / "cranfield.toml").read_text())["suites"]
        self.suites: dict[str, Suite] = {file: load_suite(self.folder / file) for file in listed}
        self._arms: dict[tuple[str, str], dict[str, Run]] = {}

    @property
    def database(self) -> Path:
        [path] = self.index.glob("*.db")
        return path

    def read_uris(self) -> list[str]:
        with closing(open_read_only(self.database)) as opened:
            return [uri for (uri,) in opened.execute("SELECT uri FROM docs_metadata")]

    def ask(self, *, mode: str = "", without: str = "") -> dict[str, Run]:
        """Run every suite, by file, on the full system or on one that differs in this."""
        if (mode, without) not in self._arms:
            suites = self.suites
            runs = self.run(list(suites.values()), mode=mode, without=without)
            self._arms[mode, without] = dict(zip(suites, runs, strict=True))
        return self._arms[mode, without]

    def run(self, suites: Sequence[Suite], *, mode: str = "", without: str = "") -> list[Run]:
        spec = self._spec(mode, without)
        options = RunOptions(limit=_LIMITS.get(self.name, 10))
        with closing(open_system(spec, dict(os.environ))) as system:
            runs = [run_suite(suite, system, options, spec=spec) for suite in suites]
        for run in runs:
            statuses = run.outcomes().statuses
            assert not [each for each in statuses if each is None or each.is_failure], run.header
        return runs

    def _spec(self, mode: str, without: str) -> SystemSpec:
        """The full system over the index of the tests; its corpus was made into that already."""
        spec = read_spec(self.name)
        told = {key: spec.settings[key] for key in spec.settings if key not in _MADE}
        changes: dict[str, Any] = {"mode": mode} if mode else {}
        changes |= {"without": [without]} if without else {}
        return replace(
            spec,
            name=f"{self.name} {mode or without or 'full'}",
            settings={**told, "index": str(self.index), **changes},
        )


_MADE = ("prepare", "corpus")


def mean(run: Run, measure: str) -> float:
    means = {str(each): value for each, value in summarise(run).overall.means.items()}
    value = means[measure]
    assert isinstance(value, float)
    return value


def compare_arms(a: dict[str, Run], b: dict[str, Run]) -> dict[str, SuiteComparison]:
    """Compare arm B with arm A over all suites at once, as p is corrected over all of them."""
    compared = compare(list(a.values()), list(b.values())).suites
    return dict(zip(a, compared, strict=True))


def fallen(compared: dict[str, SuiteComparison]) -> dict[str, list[str]]:
    """The measures that are significantly lower in arm B, by suite."""
    worse = {
        file: [
            str(each.measure) for each in suite.measures if each.verdict.kind is VerdictKind.WORSE
        ]
        for file, suite in compared.items()
    }
    return {file: measures for file, measures in worse.items() if measures}


def load_script(path: Path) -> ModuleType:
    """Load a builder that stands beside what it builds, and in no package."""
    name = f"shipped_{path.stem}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up while it is loaded
        spec.loader.exec_module(module)
    return sys.modules[name]
