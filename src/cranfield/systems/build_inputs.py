"""What a `prepare` command reads: the program, arguments that are files, and what is declared.

Each input has a name, as it is written in the settings, and a digest of its content. Modules that
a script imports are not found: a user declares them as `inputs`.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import SystemUnusableError
from cranfield.systems.fingerprints import CACHE_FOLDER, fingerprint_files

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from cranfield.systems.system import SystemSpec

__all__ = ["find_program", "read_inputs", "search_path"]

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
