"""Building a system before its first query, if its index is missing or may be out of date."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, TypeAlias

from cranfield.errors import SystemUnusableError
from cranfield.systems.build_inputs import find_program, read_inputs, search_path
from cranfield.systems.build_record import Build, read_builds, write_builds
from cranfield.systems.process import ChildProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cranfield.systems.system import Settings, SystemSpec

__all__ = ["prepare_system"]

_WIDTH = 90
_MOST_NAMED = 3
_STOP_SECONDS = 5.0
"""How long a command that is stopped may clean up: a build has files in progress."""
_STDERR = 2
"""The process's own standard error: `sys.stderr` of a notebook is not a file."""

Stamps: TypeAlias = dict[str, tuple[tuple[str, int, int], ...]]
"""Names, sizes and times of change of each path of a system."""


def prepare_system(
    spec: SystemSpec, environment: Mapping[str, str], report: Callable[[str], object]
) -> None:
    """Run the `prepare` command of a system if a file is missing or anything it reads has changed.

    The command runs in the project's folder; programs installed beside this Python are found.
    """
    settings = spec.read_settings()
    if not settings.prepare:
        return
    command = shlex.join(settings.prepare)
    builds = read_builds(spec.folder)
    known = builds.pop(command, None)
    outputs = {spec.folder / name for name in known.outputs} if known else set()
    inputs = read_inputs(spec, environment, outputs)
    reason = _find_reason(spec, settings, known, inputs)
    if not reason:
        return
    shown = command if len(command) <= _WIDTH else f"{command[:_WIDTH]}…"
    report(f"preparing {spec.name}, because {reason}: {shown}")
    # A build that fails half-way leaves files that belong to no record.
    if known:
        write_builds(spec.folder, builds)
    before = _stamp(spec)
    _run(settings.prepare, spec, environment)
    build = _record(spec, known, inputs, before, environment)
    others = {name: each for name, each in builds.items() if _is_apart(each, build)}
    write_builds(spec.folder, {**others, command: build})


def _find_reason(
    spec: SystemSpec, settings: Settings, known: Build | None, inputs: Mapping[str, str]
) -> str:
    """Return why a system has to be built; empty if it is up to date."""
    corpus = {spec.folder / name for name in settings.corpus}
    files = [path for path in spec.paths() if path not in corpus]
    if not files or not all(path.exists() for path in files):
        return "it is not built yet"
    if known is None:
        return "what it is built from may have changed"
    changed = [name for name, digest in inputs.items() if known.inputs.get(name) != digest]
    changed += [name for name in known.inputs if name not in inputs and _is_gone(name, spec)]
    return f"{_list(changed)} changed" if changed else ""


def _is_gone(name: str, spec: SystemSpec) -> bool:
    """Return whether an input is an argument of the command that is no file any more."""
    is_argument = any(name in argument for argument in spec.read_settings().prepare)
    return is_argument and not (spec.folder / name).exists()


def _list(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def _record(
    spec: SystemSpec,
    known: Build | None,
    inputs: Mapping[str, str],
    before: Stamps,
    environment: Mapping[str, str],
) -> Build:
    """Tell what the command read from what it wrote.

    Files of the system that it changed are outputs, and so are arguments that became files. A file
    that was an input before stays one: somebody changed it during the build.
    """
    settings = spec.read_settings()
    declared = {*settings.corpus, *settings.inputs, *(known.inputs if known else ())}
    after = _stamp(spec)
    changed = {name for name, stamp in after.items() if before.get(name) != stamp}
    changed |= read_inputs(spec, environment).keys() - inputs.keys()
    outputs = {*(known.outputs if known else ()), *changed} - declared
    kept = {name: digest for name, digest in inputs.items() if name not in outputs}
    return Build(kept, tuple(sorted(outputs)))


def _is_apart(other: Build, build: Build) -> bool:
    """Return whether another build is still there: none of its files was written by this one."""
    return set(other.outputs).isdisjoint(build.outputs)


def _stamp(spec: SystemSpec) -> Stamps:
    return {
        os.path.relpath(path, spec.folder): tuple(_stamps_below(path))
        for path in spec.paths()
        if path.exists()
    }


def _stamps_below(path: Path) -> Iterator[tuple[str, int, int]]:
    for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
        about = each.stat()
        yield str(each), about.st_size, about.st_mtime_ns


def _run(command: list[str], spec: SystemSpec, environment: Mapping[str, str]) -> None:
    program = {**environment, "PATH": search_path(environment)}
    name = command[0]
    command = [find_program(name, environment) or name, *command[1:]]
    try:
        # What it prints is for the person who waits; standard output belongs to the report.
        child = ChildProcess(
            command, folder=spec.folder, environment=program, output=_STDERR, errors=None
        )
    except OSError as problem:
        raise SystemUnusableError(
            f"system {spec.name!r}: prepare cannot be run: {name}: {problem.strerror}"
        ) from None
    try:
        code = child.wait()
    except BaseException:
        child.stop(_STOP_SECONDS)
        raise
    finally:
        child.end()
    if code:
        raise SystemUnusableError(
            f"system {spec.name!r}: prepare ended with {code}: {shlex.join(command)}"
        )
