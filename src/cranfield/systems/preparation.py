"""Building a system before its first query, if its index is missing or of another corpus."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import SystemUnusableError
from cranfield.systems.fingerprints import fingerprint_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cranfield.systems.system import Settings, SystemSpec

__all__ = ["prepare_system"]

_WIDTH = 90
_RECORD = Path(".cranfield") / "prepared.json"
"""Which corpus each command was last run on, and with which versions; beside cranfield.toml."""


def prepare_system(
    spec: SystemSpec, environment: Mapping[str, str], report: Callable[[str], object]
) -> None:
    """Run the `prepare` command of a system if a file is missing or its corpus has changed.

    The command runs in the project's folder; programs installed beside this Python are found.
    """
    settings = spec.read_settings()
    if not settings.prepare:
        return
    command = shlex.join(settings.prepare)
    corpus = _fingerprint(settings, spec.folder)
    known = _read_record(spec.folder)
    reason = _find_reason(spec, settings, is_known=known.get(command) == corpus)
    if not reason:
        return
    shown = command if len(command) <= _WIDTH else f"{command[:_WIDTH]}…"
    report(f"preparing {spec.name}, {reason}: {shown}")
    _run(settings.prepare, spec, environment)
    _write_record(spec.folder, {**known, command: corpus})


def _find_reason(spec: SystemSpec, settings: Settings, *, is_known: bool) -> str:
    """Return why a system has to be built; empty if it is up to date."""
    corpus = {spec.folder / name for name in settings.corpus}
    files = [path for path in spec.paths() if path not in corpus]
    if not files or not all(path.exists() for path in files):
        return "because it is not built yet"
    return "" if is_known else "because what it is built from may have changed"


def _fingerprint(settings: Settings, folder: Path) -> str:
    prints = fingerprint_files(folder / name for name in settings.corpus)
    return " ".join([*(each.sha256 for each in prints.values()), settings.builder()])


_STDERR = 2
"""The process's own standard error: `sys.stderr` of a notebook is not a file."""


def _run(command: list[str], spec: SystemSpec, environment: Mapping[str, str]) -> None:
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join(filter(None, [own, environment.get("PATH", "")]))
    program = {**environment, "PATH": path}
    name = command[0]
    beside = Path(own) / name
    command = [str(beside), *command[1:]] if beside.exists() else command
    try:
        # What it prints is for the person who waits; standard output belongs to the report.
        done = subprocess.run(command, cwd=spec.folder, env=program, stdout=_STDERR, check=False)  # noqa: S603 - the project's own
    except OSError as problem:
        raise SystemUnusableError(
            f"system {spec.name!r}: prepare cannot be run: {name}: {problem.strerror}"
        ) from None
    if done.returncode:
        raise SystemUnusableError(
            f"system {spec.name!r}: prepare ended with {done.returncode}: {shlex.join(command)}"
        )


def _read_record(folder: Path) -> dict[str, str]:
    """Read what was built; if the record cannot be read, everything is built again."""
    try:
        known = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write_record(folder: Path, known: Mapping[str, str]) -> None:
    path = folder / _RECORD
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as problem:
        raise SystemUnusableError(f"{path} cannot be written: {problem.strerror}") from None
