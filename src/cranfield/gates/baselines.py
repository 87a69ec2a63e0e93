"""Baselines: a run that others are held to, as a small file that people can review.

A baseline file has one run of one suite: of every query its hash, its status, the rank of its
first right hit and its values, with how far they moved when the same was asked again; and a
history of the baselines before it. It names who accepted it, when, why and at which commit.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass, field
from math import isnan
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cranfield.errors import CranfieldError, InputError
from cranfield.suites import hash_suite

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.runs import Outcomes, Run

__all__ = [
    "Accepted",
    "Baseline",
    "BaselineQuery",
    "baseline_path",
    "make_baseline",
    "name_file",
    "read_baseline",
    "write_baseline",
]

FORMAT = "cranfield baseline"
VERSION = 1
_NAME = re.compile(r"[\w*][\w.*-]*")
MOST_HISTORY = 200
"""Earlier baselines that a file remembers, the newest."""
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Accepted:
    """A baseline as history remembers it: who accepted which run, when and why, and its means."""

    run: str
    date: str
    author: str
    reason: str
    commit: str = ""
    means: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BaselineQuery:
    """One query: `values` by measure, and in `noise` how far each moved between repetitions."""

    id: str
    hash: str
    category: str
    status: str
    rank: int | None
    values: dict[str, float]
    noise: dict[str, float] = field(default_factory=dict)


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
    history: tuple[Accepted, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """What stands in the file around a baseline."""

    format: str
    version: int
    digest: str
    baseline: Baseline


def baseline_path(folder: Path, suite: str, name: str) -> Path:
    """Say where the baseline of a suite is kept, by its name."""
    for what, given in (("suite id", suite), ("name", name)):
        if not _NAME.fullmatch(given):
            raise CranfieldError(f"the {what} {given!r} cannot name a file; use letters and digits")
    return folder / "baselines" / f"{suite}.{name}.json"


def make_baseline(
    run: Run, name: str, accepted: Mapping[str, str], before: Baseline | None = None
) -> Baseline:
    """Make a baseline of a stored run; the one before it goes into its history."""
    header = run.header
    outcomes = run.outcomes()
    history = (*before.history, before.accepted) if before else ()
    means = _means(outcomes, header.measures)
    return Baseline(
        suite=header.suite.id,
        suite_hash=hash_suite(header.suite),
        query_class=header.suite.query_class,
        name=name,
        system=header.system,
        limit=header.limit,
        repeats=header.repeats,
        measures=header.measures,
        accepted=Accepted(run=header.id, means=means, **accepted),
        queries=tuple(_query(outcomes, place, header.measures) for place in _places(outcomes)),
        files={name_file(each): found.sha256 for each, found in header.files.items()},
        history=history[-MOST_HISTORY:],
    )


def name_file(path: str) -> str:
    """Name a file of the system as every machine knows it: from the project, or by itself."""
    pure = PurePath(path)
    return pure.name if pure.is_absolute() or ".." in pure.parts else pure.as_posix()


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
    values = dict(zip(measures, rows.mean(axis=0).tolist(), strict=True))
    spread = np.ptp(rows, axis=0).tolist()
    moved = {name: far for name, far in zip(measures, spread, strict=True) if far > 0}
    query, status = outcomes.queries[place], outcomes.statuses[place]
    return BaselineQuery(
        id=query.id,
        hash=outcomes.hashes[place],
        category=query.category,
        status=str(status) if status else "",
        rank=outcomes.first_ranks[place],
        values={name: value for name, value in values.items() if not isnan(value)},
        noise=moved,
    )


def _find_answered(outcomes: Outcomes, place: int) -> NDArray[np.float64]:
    """Return the values of the repetitions that were answered, or of all where none was.

    A repetition that failed says nothing of how far ranks move: its fall would be taken for noise,
    and hide every later one.
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
            "upgrade cranfield, or accept a run anew",
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
