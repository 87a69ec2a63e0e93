"""Baselines: a run that others are held to, as a small file that people can review.

A baseline file has one run of one suite: of every query its hash, its status, the rank of its
first right hit and its values, and where these moved when the same was asked again, each value
with how often it was seen; and a history of the baselines before it. It names who accepted it,
when, why and at which commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cranfield.errors import CranfieldError, InputError
from cranfield.gates.latencies import take_percentiles
from cranfield.statistics import TIE_TOLERANCE
from cranfield.suites import can_name_file, hash_suite

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.runs import Outcomes, Run, RunHeader

__all__ = [
    "Accepted",
    "Baseline",
    "BaselineQuery",
    "baseline_path",
    "find_baselines",
    "make_baseline",
    "name_corpus",
    "name_files",
    "read_baseline",
    "write_baseline",
]

FORMAT = "cranfield baseline"
VERSION = 3
_NAME = re.compile(r"\w[\w-]*")
MOST_HISTORY = 200
"""Earlier baselines that a file remembers, the newest."""
_DIGITS = 6
_EQUAL_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Accepted:
    """A baseline as history remembers it: who accepted which run, when and why, and its means.

    `latency` is how long its answers took where it was run, in seconds by percentile.
    """

    run: str
    date: str
    author: str
    reason: str
    commit: str = ""
    means: dict[str, float] = field(default_factory=dict)
    latency: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaselineQuery:
    """One query: `values` by measure, means over the `repeats` that were answered.

    Where a measure did not have the same value in all of them, `seen` has how often each came.
    """

    id: str
    hash: str
    category: str
    status: str
    rank: int | None
    values: dict[str, float]
    repeats: int = 1
    seen: dict[str, dict[str, int]] = field(default_factory=dict)

    def repetitions(self, measure: str) -> tuple[float, ...]:
        """Return the values of a measure, one for each repetition that was answered."""
        if measure not in self.seen:
            return (self.values[measure],) * self.repeats
        counts = self.seen[measure].items()
        return tuple(float(value) for value, count in counts for _ in range(count))


@dataclass(frozen=True, slots=True)
class Baseline:
    """A run that others are held to."""

    suite: str
    suite_hash: str
    query_class: str
    name: str
    system: str
    limit: int
    repeats: int
    measures: tuple[str, ...]
    accepted: Accepted
    queries: tuple[BaselineQuery, ...]
    files: dict[str, str] = field(default_factory=dict)
    corpus: tuple[str, ...] = ()
    """Those of the files that hold what is searched."""
    history: tuple[Accepted, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """What stands in the file around a baseline."""

    format: str
    version: int
    digest: str
    baseline: Baseline


def baseline_path(folder: Path, suite: str, name: str) -> Path:
    """Say where the baseline of a suite is kept, by its name."""
    if not can_name_file(suite):
        raise CranfieldError(
            f"the suite id {suite!r} cannot name a file; use letters, digits, '.', '-' and '_'"
        )
    return folder / "baselines" / f"{suite}{_ending(name)}"


def find_baselines(folder: Path, name: str) -> dict[str, Path]:
    """Find all baselines of a name, by the suite that each is said to be of."""
    ending = _ending(name)
    found = sorted((folder / "baselines").glob(f"*{ending}"))
    return {path.name.removesuffix(ending): path for path in found if path.name[0] != "."}


def _ending(name: str) -> str:
    # A name has no dot, so that a file of one suite is never that of another.
    if not _NAME.fullmatch(name):
        raise CranfieldError(
            f"the name {name!r} of a baseline cannot name a file; use letters, digits, '-' and '_'"
        )
    return f".{name}.json"


def make_baseline(
    run: Run,
    name: str,
    accepted: Mapping[str, str],
    before: Baseline | None = None,
    kept: Collection[str] = (),
) -> Baseline:
    """Make a baseline of a stored run; the one before it goes into its history.

    Queries whose ids are in `kept` stay as they were in the one before.
    """
    header = run.header
    outcomes = run.outcomes()
    history = (*before.history, before.accepted) if before else ()
    means = _means(outcomes, header.measures)
    times = take_percentiles(outcomes).items()
    latency = {name: round(seconds, _DIGITS) for name, seconds in times}
    old = {query.id: query for query in before.queries if query.id in kept} if before else {}
    queries = (_query(outcomes, place, header.measures) for place in _places(outcomes))
    names = name_files(header.files)
    return Baseline(
        suite=header.suite.id,
        suite_hash=hash_suite(header.suite),
        query_class=header.suite.query_class,
        name=name,
        system=header.system,
        limit=header.limit,
        repeats=header.repeats,
        measures=header.measures,
        accepted=Accepted(run=header.id, means=means, latency=latency, **accepted),
        queries=tuple(old.get(query.id, query) for query in queries),
        files={names[each]: found.sha256 for each, found in header.files.items()},
        corpus=name_corpus(header),
        history=history[-MOST_HISTORY:],
    )


def name_files(paths: Iterable[str]) -> dict[str, str]:
    """Name the files of a system as every machine knows them.

    One of the project is named from there. One from elsewhere has its own name, with as many
    folders before it as tell it from the others.
    """
    parts = {path: PurePath(path).parts for path in paths}
    named: dict[str, str] = {}
    for path, own in parts.items():
        if not _is_elsewhere(path):
            named[path] = PurePath(path).as_posix()
            continue
        others = [each for other, each in parts.items() if other != path]
        least = next(
            (size for size in range(1, len(own)) if own[-size:] not in _ends(others, size)),
            len(own),
        )
        named[path] = PurePath(*own[-least:]).as_posix()
    return named


def name_corpus(header: RunHeader) -> tuple[str, ...]:
    """Name those of a system's files that hold what is searched."""
    searched = [PurePath(each).parts for each in header.spec.get("corpus", ())]
    named = name_files(header.files)
    return tuple(
        name
        for path, name in named.items()
        # What is written with the whole path is kept as the project sees it.
        if any(each[-len(PurePath(path).parts) :] == PurePath(path).parts for each in searched)
    )


def _is_elsewhere(path: str) -> bool:
    pure = PurePath(path)
    return pure.is_absolute() or ".." in pure.parts


def _ends(parts: Iterable[tuple[str, ...]], size: int) -> set[tuple[str, ...]]:
    return {each[-size:] for each in parts}


def _places(outcomes: Outcomes) -> range:
    return range(len(outcomes.queries))


def _means(outcomes: Outcomes, measures: tuple[str, ...]) -> dict[str, float]:
    with np.errstate(all="ignore"):
        columns = [outcomes.values[:, column] for column in range(len(measures))]
    defined = {
        name: column[~np.isnan(column)] for name, column in zip(measures, columns, strict=True)
    }
    return {name: round(float(each.mean()), _DIGITS) for name, each in defined.items() if len(each)}


def _query(outcomes: Outcomes, place: int, measures: tuple[str, ...]) -> BaselineQuery:
    rows = _find_answered(outcomes, place)
    columns = {
        name: rows[:, column][~np.isnan(rows[:, column])] for column, name in enumerate(measures)
    }
    known = {name: column for name, column in columns.items() if len(column)}
    query, status = outcomes.queries[place], outcomes.statuses[place]
    return BaselineQuery(
        id=query.id,
        hash=outcomes.hashes[place],
        category=query.category,
        status=str(status) if status else "",
        rank=outcomes.first_ranks[place],
        values={name: float(column.mean()) for name, column in known.items()},
        repeats=len(rows),
        seen={
            name: _count(column)
            for name, column in known.items()
            if np.ptp(column) > TIE_TOLERANCE or len(column) < len(rows)
        },
    )


def _count(column: NDArray[np.float64]) -> dict[str, int]:
    """Count how often each value came, the highest first."""
    values, counts = np.unique(np.round(column, _EQUAL_DIGITS), return_counts=True)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return {repr(value): count for value, count in reversed(list(pairs))}


def _find_answered(outcomes: Outcomes, place: int) -> NDArray[np.float64]:
    """Return the values of the repetitions that were answered, or of all where none was.

    A repetition that failed says nothing of how values move: its fall would be taken for noise,
    and hide later ones.
    """
    answered = ~outcomes.failed[:, place]
    return outcomes.by_repeat[answered if answered.any() else slice(None), place]


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline, one query a line, so that a change of one is a change of one line."""
    known = msgspec.to_builtins(baseline)
    queries = known.pop("queries")
    head = json.dumps(known, ensure_ascii=False, indent=1)
    lines = ",\n".join(f"  {json.dumps(query, ensure_ascii=False)}" for query in queries)
    text = f'{head.removesuffix("}").rstrip()},\n "queries": [\n{lines}\n ]\n}}'
    digest = _digest(baseline)
    about = f'"format": "{FORMAT}", "version": {VERSION}, "digest": "{digest}"'
    whole = f'{{{about}, "baseline": {text}}}\n'
    flight = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flight.write_text(whole, encoding="utf-8")
        flight.replace(path)
    except OSError as problem:
        raise InputError(f"cannot be written: {problem.strerror}", file=str(path)) from None


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; one that is damaged, of another form or newer is refused with the reason."""
    try:
        content: Any = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise InputError(
            f"is no baseline: {problem}; restore it, or remove it and accept a run anew with "
            "`cranfield baseline accept`",
            file=str(path),
        ) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(
            "is no baseline of cranfield; accept a run with `cranfield baseline accept`",
            file=str(path),
        )
    if content.get("version") != VERSION:
        raise InputError(
            f"has version {content.get('version')!r}, and this cranfield knows {VERSION}; "
            "upgrade cranfield, or remove it and accept a run anew",
            file=str(path),
        )
    try:
        known = msgspec.convert(content, _File)
    except msgspec.ValidationError as problem:
        raise InputError(
            f"was changed by hand or is damaged: {problem}; restore it, or remove it and accept "
            "a run anew",
            file=str(path),
        ) from None
    if _digest(known.baseline) != known.digest:
        raise InputError(
            "was changed by hand: its content is not what was accepted; restore it, or remove it "
            "and accept a run anew",
            file=str(path),
        )
    return known.baseline


def _digest(baseline: Baseline) -> str:
    """Hash a baseline, so that nobody lowers the bar by editing a number."""
    return hashlib.sha256(msgspec.json.encode(baseline, order="sorted")).hexdigest()[:16]
