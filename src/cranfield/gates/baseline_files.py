"""Baselines as files that people review: `baselines/SUITE.NAME.json` in the project's folder.

One line for each query, so a diff shows what changed, and a digest, so nobody lowers the
bar by editing a number.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import CranfieldError, InputError
from cranfield.gates.baselines import Baseline  # noqa: TC001 - msgspec reads annotations
from cranfield.shapes import find_misfits
from cranfield.suites import can_name_file, hash_query
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from cranfield.model import Suite

__all__ = [
    "DEFAULT_BASELINE",
    "baseline_path",
    "baseline_runs",
    "find_baseline",
    "find_baselines",
    "read_baseline",
    "read_baselines",
    "write_baseline",
]

DEFAULT_BASELINE = "main"
"""The name of the baseline that is used if none is given."""
_FORMAT = "cranfield baseline"
_VERSION = 3
_NAME = re.compile(r"\w[\w-]*")
_MOST_NAMED = 5
_AGAIN = "restore it, or remove it and accept a new run"


_MOST_FILE = 1 << 30


class _File(msgspec.Struct):
    """The content of a file: a baseline, and what guards it."""

    format: str
    version: int
    digest: str
    baseline: Baseline


def baseline_path(folder: Path, suite: str, name: str) -> Path:
    """Return where the baseline of a suite is kept."""
    if not can_name_file(suite):
        raise CranfieldError(
            f"the suite id {suite!r} cannot name a file; use letters, digits, '.', '-' and '_'"
        )
    return folder / "baselines" / f"{suite}{_suffix(name)}"


def find_baselines(folder: Path, name: str) -> dict[str, Path]:
    """Find all baselines of a name, by the id of the suite in their file names."""
    suffix = _suffix(name)
    found = sorted((folder / "baselines").glob(f"*{suffix}"))
    return {path.name.removesuffix(suffix): path for path in found if path.name[0] != "."}


def _suffix(name: str) -> str:
    # A name has no dot, so a file of one suite is never that of another.
    if not _NAME.fullmatch(name):
        raise CranfieldError(
            f"the name {name!r} of a baseline cannot name a file; use letters, digits, '-' and '_'"
        )
    return f".{name}.json"


def write_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline, one query a line, whole or not at all."""
    content = _content(baseline)
    queries = content.pop("queries")
    head = json.dumps(content, ensure_ascii=False, indent=1)
    lines = ",\n".join(f"  {json.dumps(query, ensure_ascii=False)}" for query in queries)
    text = f'{head.removesuffix("}").rstrip()},\n "queries": [\n{lines}\n ]\n}}'
    digest = _digest(baseline)
    about = f'"format": "{_FORMAT}", "version": {_VERSION}, "digest": "{digest}"'
    whole = f'{{{about}, "baseline": {text}}}\n'
    try:
        replace_file(path, whole)
    except OSError as problem:
        raise InputError(f"cannot be written: {problem.strerror}", file=str(path)) from None


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; refuse one that is damaged, edited or of another version."""
    content = _read_json(path)
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise InputError(
            "is not a baseline of cranfield; accept a run with `cranfield baseline accept`",
            file=str(path),
        )
    if content.get("version") != _VERSION:
        raise InputError(
            f"has version {content.get('version')!r}, and this cranfield knows {_VERSION}; "
            "upgrade cranfield, or remove it and accept a new run",
            file=str(path),
        )
    if misfits := [str(each) for each in find_misfits(content, _File)]:
        raise InputError(
            f"was changed by hand or is damaged: {'; '.join(misfits[:_MOST_NAMED])}; {_AGAIN}",
            file=str(path),
        )
    known = msgspec.convert(content, _File)
    if _digest(known.baseline) != known.digest:
        raise InputError(
            f"was changed by hand: its content is not what was accepted; {_AGAIN}", file=str(path)
        )
    return known.baseline


def _read_json(path: Path) -> Any:
    try:
        return msgspec.json.decode(read_limited(path, _MOST_FILE))
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise InputError(
            f"is not a baseline: {problem}; {_AGAIN} with `cranfield baseline accept`",
            file=str(path),
        ) from None


def _digest(baseline: Baseline) -> str:
    encoded = msgspec.json.encode(_content(baseline), order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:16]


def _content(baseline: Baseline) -> dict[str, Any]:
    """Return a baseline as JSON has it; a query that no database was asked for has no truth."""
    content: dict[str, Any] = msgspec.to_builtins(baseline)
    for query in content["queries"]:
        if not query["truth"]:
            del query["truth"]
    return content


def read_baselines(folder: Path, name: str, suite: str | None = None) -> dict[Path, Baseline]:
    """Read the baselines of a name, of all suites or of one, by their files; there must be one."""
    found = find_baselines(folder, name)
    paths = [path for of, path in found.items() if suite in (None, of)]
    if not paths:
        file = baseline_path(folder, suite, name).name if suite else f"*.{name}.json"
        raise InputError(
            "there is no such baseline; accept a run with `cranfield baseline accept RUN`",
            file=str(folder / "baselines" / file),
        )
    return {path: read_baseline(path) for path in paths}


def baseline_runs(folder: Path) -> dict[str, str]:
    """Name the baseline that each accepted run is, by the run's id."""
    files = sorted((folder / "baselines").glob("*.*.json"))
    found = [read_baseline(path) for path in files if path.name[0] != "."]
    return {each.accepted.run: f"the baseline {each.name} of {each.suite}" for each in found}


def find_baseline(
    folder: Path, suite: Suite, name: str | None, known: Collection[str]
) -> Baseline | None:
    """Read the baseline of a suite by its name; without a name `main`, None if there is none.

    `known` are the ids of all suites that still exist: a suite that was renamed is refused, as its
    baseline would be ignored.
    """
    path = baseline_path(folder, suite.id, name or DEFAULT_BASELINE)
    if not path.exists():
        _refuse_renamed(folder, suite, name or DEFAULT_BASELINE, known)
        if name is None:
            return None
        raise InputError(
            "does not exist; accept a run with `cranfield baseline accept RUN "
            f"--name {name} --reason …`",
            file=str(path),
        )
    baseline = read_baseline(path)
    if baseline.suite != suite.id:
        raise InputError(
            f"is a baseline of the suite {baseline.suite!r}, not of {suite.id!r}; "
            "restore it, or accept a new run",
            file=str(path),
        )
    return baseline


def _refuse_renamed(folder: Path, suite: Suite, name: str, known: Collection[str]) -> None:
    """Refuse a suite whose queries have a baseline under an id that no suite has any more."""
    hashes = {hash_query(query) for query in suite.asked}
    for other in find_baselines(folder, name).values():
        baseline = read_baseline(other)
        shared = sum(query.hash in hashes for query in baseline.queries)
        if shared and baseline.suite not in known:
            raise InputError(
                f"has {shared} queries of the suite {suite.id!r} under its old id "
                f"{baseline.suite!r}; accept a new run and remove it, or give the suite its old "
                "id back",
                file=str(other),
            )
