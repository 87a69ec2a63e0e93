"""The command that continues a run that was stopped, as it can be pasted into a shell."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["repeat_command", "run_command", "typed_command"]

_PASSWORD = re.compile(r"(\w://[^/@\s:]*:)[^/@\s]+@")


def repeat_command(_: str) -> str:
    """Return the command that was typed, with `--resume`."""
    typed = sys.argv[1:]
    if "--resume" not in typed and "--retry-failed" not in typed:
        typed.insert(typed.index("run") + 1 if "run" in typed else 0, "--resume")
    return _join([*_program(), *typed])


def typed_command() -> str:
    """Return the command that was typed, for a command that goes on by itself."""
    return _join([*_program(), *sys.argv[1:]])


def run_command(suites: Sequence[str], options: Mapping[str, Any]) -> Callable[[str], str]:
    """Return what makes the `run` that continues a system: of these suites, with these options.

    An option that is None, empty or False is left out; a list repeats it.
    """

    def continue_system(system: str) -> str:
        words = ["run", "--resume", "--system", system]
        for name, value in options.items():
            if value is True:
                words.append(name)
            elif value is not None and value is not False:
                words += [
                    word
                    for each in (value if isinstance(value, list | tuple) else [value])
                    for word in (name, str(each))
                ]
        return _join([*_program(), *words, *suites])

    return continue_system


def _join(words: Sequence[str]) -> str:
    """Write words for a shell; the password of an address is left for its owner to fill in."""
    return shlex.join(_PASSWORD.sub(r"\1***@", word) for word in words)


def _program() -> list[str]:
    """Return how this program was started, by its name alone if the shell would find it."""
    started = sys.argv[0]
    if Path(started).name == "__main__.py":
        return [sys.executable, "-m", "cranfield"]
    found = shutil.which(Path(started).name)
    is_found = found is not None and Path(found).resolve() == Path(started).resolve()
    return [Path(started).name if is_found else started]
