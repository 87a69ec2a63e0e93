"""A project's file, cranfield.toml: its shape, its modes, and how their reports are named."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from cranfield.errors import CranfieldError, InputError, StoreError, UnknownNameError
from cranfield.formats import find_format
from cranfield.model import JudgingSettings, RegressionRules, Threshold
from cranfield.runs.store_places import read_place
from cranfield.shapes import find_misfits
from cranfield.suites import AcceptedNames, JudgingTable, RegressionsTable
from cranfield_shared.files import file_name
from cranfield_shared.settings_files import parse_toml, read_settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from cranfield.runs.records import RunHeader

__all__ = [
    "REPORT_FIELDS",
    "Mode",
    "ProjectFile",
    "ProjectThreshold",
    "fields_of",
    "find_mistakes",
    "name_report",
    "read_project_file",
]

REPORT_FIELDS = ("suite", "language", "date", "time")
_FIELD = re.compile(r"\{([^{}]*)\}")
_UNFIT = re.compile(r"[^\w.]+")


def fields_of(file: str) -> Iterator[str]:
    """Return the fields in braces that a file's name has."""
    return (found[1] for found in _FIELD.finditer(file))


def name_report(file: str, header: RunHeader) -> str:
    """Fill in the fields of a file's name, for the report of one run.

    `{date}` and `{time}` are those of the run's start. What a suite says (`{suite}`, `{language}`)
    is one part of a path, whatever it says. A run of a part of the suite is written
    beside the whole suite's report, under a name that says which part.
    """
    started = datetime.fromisoformat(header.started).astimezone(UTC)
    languages = dict.fromkeys(query.language for query in header.suite.queries if query.language)
    values = {
        "suite": file_name(header.suite.id),
        "language": file_name("-".join(languages) or "all"),
        "date": f"{started:%Y-%m-%d}",
        "time": f"{started:%Y-%m-%dT%H%M%SZ}",
    }
    named = PurePath(_FIELD.sub(lambda found: values[found[1]], file))
    part = _UNFIT.sub("-", header.selection.replace("--", "")).strip("-")
    return str(named.with_name(f"{named.stem}.{part}{named.suffix}") if part else named)


class Mode(msgspec.Struct, frozen=True):
    """A named way to run a project, such as `--mode both`: what it runs, shows and demands.

    The last of the `systems` is the candidate. With several, it is compared with the one that it
    has to beat, or else with the first, in a `format` for comparisons. `reports` are further files
    by format, about the candidate; `{suite}`, `{language}`, `{date}` and `{time}` in a name stand
    for those of the run. With `gate`, the thresholds of the candidate decide the exit code.
    `beats` names a system whose headline figure the candidate must exceed in every suite;
    `significantly` demands the verdict *better* as well.
    """

    systems: tuple[str, ...]
    format: str = "text"
    reports: dict[str, str] = msgspec.field(default_factory=dict)
    gate: bool = True
    beats: str = ""
    significantly: bool = False

    @property
    def candidate(self) -> str:
        """The system that the mode is about."""
        return self.systems[-1]

    @property
    def reference(self) -> str:
        """The system that the candidate is compared with; itself if there is no other."""
        return self.beats or self.systems[0]


@dataclass(frozen=True, slots=True)
class ProjectThreshold:
    """A threshold that the project sets for a suite, or without a name for all of them.

    It is in force at its milestone only, or always if it has none.
    """

    threshold: Threshold
    suite: str = ""


class AgentGate(msgspec.Struct, frozen=True):
    """Recorded answers of agents that a gate compares; paths are relative to the cranfield.toml.

    `arm` is compared between the recordings. Without `blocks`, a fall is only a warning.
    """

    tasks: str
    baseline: str
    candidate: str
    arm: str = "grounded"
    blocks: bool = True


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """What a cranfield.toml says about suites, modes, thresholds and the gate.

    `measures` and `regressions` are by the id of the suite whose own they replace. `store` is a
    file, a database URL, or ${NAME} for the value of an environment variable.
    """

    suites: tuple[str, ...] = ()
    store: str = ""
    modes: dict[str, Mode] = field(default_factory=dict)
    gate_paths: tuple[str, ...] = ()
    agents: AgentGate | None = None
    thresholds: tuple[ProjectThreshold, ...] = ()
    measures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    regressions: dict[str, RegressionRules] = field(default_factory=dict)
    milestone: str = ""
    accepted: AcceptedNames = field(default_factory=AcceptedNames)
    judging: JudgingSettings = field(default_factory=JudgingSettings)

    @property
    def milestones(self) -> list[str]:
        """The milestones that have thresholds, in the order of the file."""
        named = (each.threshold.milestone for each in self.thresholds)
        return [name for name in dict.fromkeys(named) if name]


class _Threshold(msgspec.Struct):
    measure: str
    at_least: float
    suite: str = ""
    category: str = ""
    diagnostic: bool = False
    milestone: str = ""


class _Gate(msgspec.Struct):
    paths: tuple[str, ...] = ()
    agents: AgentGate | None = None


class _Accept(msgspec.Struct):
    keys: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


class _File(msgspec.Struct):
    suites: list[str] = msgspec.field(default_factory=list)
    store: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    systems: Any = None
    modes: dict[str, Mode] = msgspec.field(default_factory=dict)
    gate: _Gate = msgspec.field(default_factory=_Gate)
    thresholds: list[_Threshold] = msgspec.field(default_factory=list)
    measures: dict[str, Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]] = msgspec.field(
        default_factory=dict
    )
    regressions: dict[str, RegressionsTable] = msgspec.field(default_factory=dict)
    milestone: str = ""
    accept: _Accept = msgspec.field(default_factory=_Accept)
    judging: JudgingTable = msgspec.field(default_factory=JudgingTable)


_EXAMPLES = {
    "suites": 'suites = ["canonical.toml"]',
    "store": 'store = "runs.db"',
    "gate": '[gate] paths = ["src/search/**"]',
    "thresholds": '[[thresholds]] measure = "Pass", at_least = 0.95',
    "measures": '[measures] golden-set-en = ["nDCG@10", "RR@10"]',
    "regressions": "[regressions.golden-set-en] at_most = 0",
    "judging": '[judging] highest = 3, judged_by = "people", holes = "left out"',
}


def read_project_file(path: Path) -> ProjectFile:
    """Read a cranfield.toml that can be read as TOML; all its mistakes are one error."""
    text = read_settings(path)
    written = parse_toml(text)
    misfits = list(find_misfits(written, _File))
    if misfits:
        raise InputError.join(
            InputError(
                str(each) if each.unknown_key else _with_example(str(each), each.place),
                file=str(path),
                line=_line_of(each.unknown_key, text),
            )
            for each in misfits
        )
    content = msgspec.convert(written, _File)
    return ProjectFile(
        suites=tuple(content.suites),
        store=content.store or "",
        modes=content.modes,
        gate_paths=content.gate.paths,
        agents=content.gate.agents,
        thresholds=tuple(map(_project_threshold, content.thresholds)),
        measures=content.measures,
        regressions={name: each.rules() for name, each in content.regressions.items()},
        milestone=content.milestone,
        accepted=AcceptedNames(
            content.accept.keys, content.accept.categories, content.accept.languages
        ),
        judging=content.judging.settings,
    )


def _with_example(message: str, place: Sequence[str | int]) -> str:
    key = str(next(iter(place), ""))
    return f"{message}; write {_EXAMPLES[key]}" if key in _EXAMPLES else message


def _project_threshold(each: _Threshold) -> ProjectThreshold:
    threshold = Threshold(
        each.measure, each.at_least, each.category, each.diagnostic, each.milestone
    )
    return ProjectThreshold(threshold, each.suite)


def _line_of(key: str, text: str) -> int | None:
    """Return the line of a key that is written once."""
    name = rf"[\"']?{re.escape(key)}[\"']?"
    pattern = rf"^[ \t]*(?:\[+[^\]\n=]*?)?\b{name}[ \t]*(?:=|\]|\.)"
    found = list(re.finditer(pattern, text, re.M)) if key else []
    return text.count("\n", 0, found[0].start()) + 1 if len(found) == 1 else None


def find_mistakes(content: ProjectFile, systems: Collection[str]) -> Iterator[str]:
    """Find a store that is none, modes that name no system, format or report field, and the like.

    They are found when a project is opened, not after an hour of queries.
    """
    yield from (f"store: {problem}" for problem in _mistakes_of_store(content.store))
    for name, mode in content.modes.items():
        for problem in _mistakes_of_mode(mode, systems):
            yield f"[modes.{name}] {problem}"
    if content.milestone and content.milestone not in content.milestones:
        yield str(UnknownNameError("milestone", content.milestone, content.milestones))


def _mistakes_of_store(place: str) -> Iterator[str]:
    if not place or "${" in place:  # it is known when the store is opened
        return
    try:
        has_password = read_place(place).has_password
    except StoreError as problem:
        yield str(problem)
        return
    if has_password:
        yield (
            "the password is written down here, where others can read it; put the URL into an "
            'environment variable and write store = "${SEARCH_STORE}"'
        )


def _mistakes_of_mode(mode: Mode, systems: Collection[str]) -> Iterator[str]:
    if not mode.systems:
        yield "has no systems"
        return
    for system in dict.fromkeys((*mode.systems, *filter(None, [mode.beats]))):
        if system not in systems:
            yield str(UnknownNameError("system", system, systems))
    if mode.beats and mode.beats not in mode.systems[:-1]:
        yield (f"beats {mode.beats!r}: name it in systems, before the candidate {mode.candidate!r}")
    if mode.significantly and not mode.beats:
        yield "significantly goes with beats; name the system that is to be beaten"
    yield from _mistakes_of_reports(mode)


def _mistakes_of_reports(mode: Mode) -> Iterator[str]:
    shown = "comparison" if len(mode.systems) > 1 else "run"
    for name, kind in {mode.format: shown, **dict.fromkeys(mode.reports, "run")}.items():
        try:
            find_format(name, kind)
        except CranfieldError as problem:
            yield str(problem)
    for file in mode.reports.values():
        for part in fields_of(file):
            if part not in REPORT_FIELDS:
                yield str(UnknownNameError(f"field of the report {file}", part, REPORT_FIELDS))
