"""Which Python runs the tests of a target, and which of its folders does it need?"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.python import find_packages

if TYPE_CHECKING:
    from cranfield.agents.tasks import TaskTarget

__all__ = ["Interpreter", "find_interpreter"]

_QUESTION = (
    "import json, sys; "
    "print(json.dumps([sys.executable, sys.base_prefix, list(sys.version_info[:2])]))"
)


class Interpreter(NamedTuple):
    """A Python: its program, the folders that it reads, and the packages that it may import.

    `roots` are the top-level modules of those packages, beside the standard library.
    """

    executable: str
    folders: tuple[str, ...]
    roots: tuple[str, ...] = ()


def find_interpreter(target: TaskTarget) -> Interpreter | str:
    """Find a Python of a target's version; a text says why there is none.

    Packages are those of the Python that runs here: a target with packages needs its version.
    """
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if target.python == running:
        return _running(target.packages)
    if target.packages:
        return f"the target is Python {target.python} with packages, and {running} runs here"
    return _other(target.python) or f"Python {target.python} is not installed here"


def _running(packages: tuple[str, ...]) -> Interpreter:
    folders = {sys.base_prefix, sys.prefix, str(Path(sys.executable).resolve().parents[1])}
    roots = find_packages(packages).roots
    return Interpreter(sys.executable, _outermost(folders), roots)


@lru_cache(maxsize=16)
def _other(version: str) -> Interpreter | None:
    program = shutil.which(f"python{version}")
    if program is None:
        return None
    try:
        finished = subprocess.run(  # noqa: S603 - a Python found on the path
            [program, "-I", "-c", _QUESTION], capture_output=True, timeout=20, check=True
        )
        executable, prefix, found = json.loads(finished.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if ".".join(map(str, found)) != version:
        return None
    folders = {prefix, str(Path(executable).resolve().parents[1])}
    return Interpreter(executable, _outermost(folders))


def _outermost(folders: set[str]) -> tuple[str, ...]:
    """Leave out what the system's folders or another folder shows already, and the root itself."""
    kept = sorted(each for each in folders if each not in ("/", "/usr"))
    return tuple(
        each for each in kept if not any(Path(each).is_relative_to(o) for o in kept if o != each)
    )
