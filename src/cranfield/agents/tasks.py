"""Tasks for coding agents: a prompt, a target, a right answer and wrong ones, read from TOML."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from cranfield.agents.answer_checks import CHECKS
from cranfield.errors import InputError
from cranfield.shapes import find_misfits, parse_toml_text, read_toml_text
from cranfield_shared.registry import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = [
    "TASK_KINDS",
    "Task",
    "TaskTarget",
    "WrongAnswer",
    "load_task",
    "load_tasks",
    "read_tasks",
]

TASK_KINDS = {
    "new": "the right API is newer than most of what models have read",
    "renamed": "an API has a new name",
    "removed": "an API that was common is gone",
    "deprecated": "an API still works and has a current alternative",
    "look-alike": "a similar library or type has a name that this one lacks",
    "version": "the right API depends on the version of the target",
    "keyword": "a keyword argument that seems natural does not exist",
    "concept": "the task needs the right page rather than one name",
}
"""Why models get a task wrong; one kind per task."""

_WRONG_HEADER = re.compile(r"^\s*\[\[\s*wrong\s*\]\]", re.M)
_ID = r"^[a-z0-9][a-z0-9._-]*$"
_VERSION = r"^\d+\.\d+$"
_KNOWN = (
    "a task has id, language, kind, prompt, needs, hints, seconds, turns, tests, reference, "
    "[target] and [[wrong]] tables"
)

_Text = Annotated[str, msgspec.Meta(min_length=1)]


@dataclass(frozen=True, slots=True)
class TaskTarget:
    """What an answer has to run on.

    For Python `python` is the version and `packages` are distributions beside the standard library
    (`httpx`, `numpy>=2`). For Swift `swift` is the version of the language, `platform` the system
    (`macOS 14.0`), and `symbols` the folder with the symbol graphs.
    """

    python: str = ""
    packages: tuple[str, ...] = ()
    swift: str = ""
    platform: str = ""
    symbols: Path | None = None


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An answer that must fail exactly the checks in `fails`, with findings about `names`."""

    answer: str
    fails: tuple[str, ...]
    names: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    `needs` are the symbols whose documentation a right answer rests on, by their full names.
    `tests` is code with `test_*` functions that can `import answer`.
    """

    id: str
    language: str
    kind: str
    prompt: str
    target: TaskTarget
    reference: str
    wrong: tuple[WrongAnswer, ...] = ()
    needs: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    seconds: float = 300.0
    turns: int = 8
    tests: str = ""
    path: str = ""


class _Target(msgspec.Struct):
    python: Annotated[str, msgspec.Meta(pattern=_VERSION)] = ""
    packages: list[str] = msgspec.field(default_factory=list)
    swift: Annotated[str, msgspec.Meta(pattern=_VERSION)] = ""
    platform: str = ""
    symbols: str = ""


class _Wrong(msgspec.Struct):
    answer: _Text
    fails: Annotated[list[str], msgspec.Meta(min_length=1)]
    names: list[str] = msgspec.field(default_factory=list)
    note: str = ""


class _Task(msgspec.Struct):
    id: Annotated[str, msgspec.Meta(pattern=_ID)]
    language: Literal["python", "swift"]
    kind: str
    prompt: _Text
    target: _Target
    reference: _Text
    wrong: list[_Wrong] = msgspec.field(default_factory=list)
    needs: list[str] = msgspec.field(default_factory=list)
    hints: list[str] = msgspec.field(default_factory=list)
    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 300.0
    turns: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    tests: str = ""


def load_tasks(place: Path) -> tuple[Task, ...]:
    """Load one task file, or all `.toml` files in a folder and its folders, ordered by path.

    Raises one InputError with every mistake of every file.
    """
    tasks, problems = read_tasks(place)
    if problems:
        raise InputError.join(problems)
    return tasks


def read_tasks(place: Path) -> tuple[tuple[Task, ...], tuple[InputError, ...]]:
    """Read what `load_tasks` loads: the tasks that can be read, and the mistakes of all others."""
    if not place.exists():
        raise InputError("does not exist; give a task file or a folder of them", file=str(place))
    files = sorted(place.rglob("*.toml")) if place.is_dir() else [place]
    if not files:
        raise InputError("has no .toml file; a task is one .toml file", file=str(place))
    tasks: list[Task] = []
    problems: list[InputError] = []
    for file in files:
        try:
            tasks.append(load_task(file))
        except InputError as problem:
            problems.append(problem)
    return tuple(tasks), (*problems, *_repeated(tasks))


def load_task(path: Path) -> Task:
    """Load one task file; raises one InputError with all its mistakes."""
    text = read_toml_text(path)
    written = parse_toml_text(text, path)
    problems = [*_shape_errors(written, text, path), *_value_errors(written, path)]
    if problems:
        raise InputError.join(problems)
    return _task(msgspec.convert(written, _Task), path)


def _shape_errors(written: dict[str, Any], text: str, path: Path) -> Iterator[InputError]:
    lines = [
        number for number, line in enumerate(text.splitlines(), 1) if _WRONG_HEADER.match(line)
    ]
    for misfit in find_misfits(written, _Task):
        line = None
        match misfit.place:
            case ("wrong", int(place), *_) if place < len(lines):
                line = lines[place]
        message = str(misfit) if misfit.unknown_key else f"{misfit}; {_KNOWN}"
        yield InputError(message, file=str(path), line=line, key=misfit.unknown_key)


def _value_errors(written: dict[str, Any], path: Path) -> Iterator[InputError]:
    """Find what has the right shape and still cannot be meant."""
    for message in (*_kind_errors(written), *_target_errors(written), *_check_errors(written)):
        yield InputError(message, file=str(path))


def _kind_errors(written: dict[str, Any]) -> Iterator[str]:
    kind = written.get("kind")
    if isinstance(kind, str) and kind not in TASK_KINDS:
        yield unknown_name("kind", kind, TASK_KINDS)


def _target_errors(written: dict[str, Any]) -> Iterator[str]:
    target, language = written.get("target"), written.get("language")
    if not isinstance(target, dict):
        return
    own = {"python": ("python", "packages"), "swift": ("swift", "platform", "symbols")}
    if not isinstance(language, str) or language not in own:
        return
    if language not in target:
        yield f'target.{language} is missing: the version, such as {language} = "3.12"'
    for other in own.keys() - {language}:
        for key in own[other]:
            if key in target:
                yield f"target.{key} is for {other}, and the language of this task is {language}"


def _check_errors(written: dict[str, Any]) -> Iterator[str]:
    known = CHECKS.names()
    for number, wrong in enumerate(_tables(written.get("wrong"))):
        for name in _tables(wrong.get("fails") if isinstance(wrong, dict) else None):
            if isinstance(name, str) and name not in known:
                yield f"wrong[{number}].fails: {unknown_name('check', name, known)}"


def _tables(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _repeated(tasks: Iterable[Task]) -> Iterator[InputError]:
    first: dict[str, str] = {}
    for task in tasks:
        if task.id in first:
            message = f"has the id {task.id!r} of {first[task.id]}; every task needs its own"
            yield InputError(message, file=task.path)
        first.setdefault(task.id, task.path)


def _task(written: _Task, path: Path) -> Task:
    target = written.target
    return Task(
        id=written.id,
        language=written.language,
        kind=written.kind,
        prompt=written.prompt,
        target=TaskTarget(
            python=target.python,
            packages=tuple(target.packages),
            swift=target.swift,
            platform=target.platform,
            symbols=path.parent / target.symbols if target.symbols else None,
        ),
        reference=written.reference,
        wrong=tuple(
            WrongAnswer(each.answer, tuple(each.fails), tuple(each.names), each.note)
            for each in written.wrong
        ),
        needs=tuple(written.needs),
        hints=tuple(written.hints),
        seconds=written.seconds,
        turns=written.turns,
        tests=written.tests,
        path=str(path),
    )
