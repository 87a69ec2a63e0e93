"""Building a system before its first query, if its index is missing or may be out of date."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.systems.child_process import ChildProcess
from cranfield.systems.fingerprints import CACHE_FOLDER, fingerprint_files
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from cranfield.systems.system import Settings, SystemSpec

__all__ = [
    "Build",
    "find_program",
    "prepare_system",
    "read_builds",
    "read_inputs",
    "search_path",
    "write_builds",
]

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
    """Return whether an input is an argument of the command that is not a file any more."""
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


_VERSION = "the version of the builder"
_WORDS = re.compile(r"[^\s;&|<>()\"'`]+")
_GLOB = re.compile(r"[*?\[]")


def read_inputs(
    spec: SystemSpec, environment: Mapping[str, str], outputs: Collection[Path] = ()
) -> dict[str, str]:
    """Return the digest of everything that the command reads, by name; `outputs` are left out."""
    settings = spec.read_settings()
    inputs = _read_arguments(spec, environment, outputs)
    for name in settings.corpus:
        inputs[name] = _digest([spec.folder / name])
    for name in settings.inputs:
        inputs[name] = _digest(_declared(name, spec, outputs), spec.folder)
    version = settings.builder()
    return {**inputs, _VERSION: version} if version else inputs


def search_path(environment: Mapping[str, str]) -> str:
    """Return the PATH of the command: programs installed beside this Python come first."""
    own = str(Path(sys.executable).parent)
    return os.pathsep.join(filter(None, [own, environment.get("PATH", "")]))


def find_program(name: str, environment: Mapping[str, str]) -> str | None:
    """Find a program on the PATH of the command; None for a path and for an unknown name."""
    return None if "/" in name else shutil.which(name, path=search_path(environment))


def _read_arguments(
    spec: SystemSpec, environment: Mapping[str, str], outputs: Collection[Path]
) -> dict[str, str]:
    command = spec.read_settings().prepare
    program = find_program(command[0], environment)
    found = {command[0]: _digest([Path(program)])} if program else {}
    own = [path for path in spec.paths() if path not in _corpus(spec)]
    for name in _candidates(command):
        path = spec.folder / Path(name).expanduser()
        if path in outputs:
            continue
        if _is_file(path):
            found[name] = _digest([path])
        elif _is_folder_of_inputs(path, spec.folder, own):
            found[name] = _digest(_files_below(path, outputs), path)
    return found


def _candidates(command: Iterable[str]) -> Iterator[str]:
    """Yield what may be a path: arguments, the value of `--option=path`, words of a shell's line.

    After `-m`, also the file or the folder of a Python module.
    """
    previous = ""
    for argument in command:
        yield argument
        for word in _WORDS.findall(argument):
            yield word
            yield word.partition("=")[2] or word
        if previous == "-m":
            top = argument.partition(".")[0]
            yield from (argument.replace(".", "/") + ".py", f"{top}.py", top)
        previous = argument


def _is_folder_of_inputs(path: Path, project: Path, own: Iterable[Path]) -> bool:
    """Return whether a folder lies in the project and holds nothing of the system itself."""
    try:
        place = path.resolve()
        inside = place.is_relative_to(project.resolve()) and place != project.resolve()
        return inside and path.is_dir() and not any(_holds(place, each) for each in own)
    except (OSError, ValueError):
        return False


def _holds(folder: Path, path: Path) -> bool:
    return path.resolve().is_relative_to(folder)


def _declared(name: str, spec: SystemSpec, outputs: Collection[Path]) -> list[Path]:
    """Return the files of a declared input: a file, those below a folder, those of a pattern."""
    path = spec.folder / Path(name).expanduser()
    if path.is_dir():
        return _files_below(path, outputs)
    if path.is_file() or not _GLOB.search(name):
        files = [path]
    else:
        named = glob.glob(str(Path(name).expanduser()), root_dir=spec.folder, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
        files = [spec.folder / each for each in sorted(named)]
    found = [each for each in files if each.is_file() and not _is_left_out(each, outputs)]
    if not found:
        raise SystemUnusableError(
            f"system {spec.name!r}: inputs has {name!r}, and no such file exists in "
            f"{spec.folder.resolve()}; fix inputs"
        )
    return found


def _files_below(folder: Path, outputs: Collection[Path]) -> list[Path]:
    return sorted(
        path for path in folder.rglob("*") if path.is_file() and not _is_left_out(path, outputs)
    )


def _is_left_out(path: Path, outputs: Collection[Path]) -> bool:
    return path in outputs or CACHE_FOLDER in path.parts


def _corpus(spec: SystemSpec) -> set[Path]:
    return {spec.folder / name for name in spec.read_settings().corpus}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # an argument that is too long for a path, or has a zero byte
        return False


def _digest(paths: Iterable[Path], folder: Path | None = None) -> str:
    """Hash the content of files, and their names below a folder."""
    whole = hashlib.sha256()
    for path, found in fingerprint_files(paths).items():
        name = os.path.relpath(path, folder) if folder else ""
        logs = "".join(f" {log} {digest}" for log, digest in found.logs.items())
        whole.update(f"{name}\0{found.sha256}{logs}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


_RECORD = Path(".cranfield") / "prepared.json"


@dataclass(frozen=True, slots=True)
class Build:
    """What a command read, by name with its digest, and the files of the system that it wrote."""

    inputs: dict[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()


def read_builds(folder: Path) -> dict[str, Build]:
    """Read all builds by their commands; if they cannot be read, everything is built again."""
    try:
        return msgspec.json.decode(read_limited(folder / _RECORD), type=dict[str, Build])
    except (OSError, ValueError, RecursionError):
        return {}


def write_builds(folder: Path, builds: Mapping[str, Build]) -> None:
    """Write all builds, whole or not at all."""
    path = folder / _RECORD
    written = msgspec.json.format(msgspec.json.encode(builds).decode(), indent=1)
    try:
        replace_file(path, f"{written}\n")
    except OSError as problem:
        raise SystemUnusableError(f"{path} cannot be written: {problem.strerror}") from None
