"""The process that resolves names: a request on standard input, what it found on standard output.

mypy is neither safe for threads nor small, and packages are imported for a second opinion: both
stay in here. An answer is parsed and never run.
"""

from __future__ import annotations

import ast
import os
import secrets
import sys
import warnings
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from cranfield.agents.answer_checks import ResolvedAnswer
from cranfield.agents.python.reference_finder import AnswerTypes, find_references
from cranfield.agents.python.resolver import ResolveRequest
from cranfield.agents.python.target_facts import TargetFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mypy.build import BuildResult
    from mypy.options import Options

__all__ = ["main", "resolve_here"]


def main() -> None:
    """Answer one request; whatever packages print while they are imported goes nowhere."""
    answered = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=ResolveRequest)
    with os.fdopen(answered, "wb") as stream:
        stream.write(msgspec.json.encode(resolve_here(request)))
        stream.flush()
        os._exit(0)  # imported packages may have left threads behind


def resolve_here(request: ResolveRequest) -> list[ResolvedAnswer]:
    """Resolve the names of answers in this process."""
    warnings.simplefilter("ignore")
    found: dict[int, ResolvedAnswer] = {}
    trees: dict[int, ast.Module] = {}
    for number, answer in enumerate(request.answers):
        try:
            trees[number] = ast.parse(answer)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            found[number] = ResolvedAnswer(problem="the code does not parse")
    found |= _resolve_together(request, trees)
    return [found[number] for number in range(len(request.answers))]


def _resolve_together(
    request: ResolveRequest, trees: dict[int, ast.Module]
) -> dict[int, ResolvedAnswer]:
    """Resolve all answers at once, but for those that mypy cannot read."""
    from mypy.errors import CompileError

    if not trees:
        return {}
    try:
        built = _build(request, list(trees))
    except CompileError as problem:
        unread = _unread(problem.messages, trees)
        left = {number: tree for number, tree in trees.items() if number not in unread}
        return unread | _resolve_together(request, left)
    return {number: _resolve_one(request, built, number, tree) for number, tree in trees.items()}


def _unread(messages: Sequence[str], trees: Iterable[int]) -> dict[int, ResolvedAnswer]:
    """Find the answers that messages are about; all of them if that cannot be told."""
    reasons = {
        number: message
        for message in messages
        for number in trees
        if f"{_module_name(number)}.py:" in message
    }
    if not reasons:
        reasons = dict.fromkeys(trees, messages[-1] if messages else "mypy cannot read it")
    return {
        number: ResolvedAnswer(problem=reason.partition(": error: ")[2] or reason)
        for number, reason in reasons.items()
    }


def _resolve_one(
    request: ResolveRequest, built: BuildResult, number: int, tree: ast.Module
) -> ResolvedAnswer:
    name = _module_name(number)
    start = f"{name}.py:"
    types = AnswerTypes(
        tree,
        built.files[name],
        built.types,
        [each for each in built.errors if each.startswith(start)],
    )
    facts = TargetFacts(
        python=request.python,
        running=sys.version_info[:2],
        modules=built.files,
        roots=request.roots,
        absent=request.absent,
        absent_roots=request.absent_roots,
        own=name,
    )
    return ResolvedAnswer(find_references(types, facts))


def _build(request: ResolveRequest, numbers: Sequence[int]) -> BuildResult:
    """Build twice, packages first: without the types of their expressions that is twice as fast."""
    from mypy.build import build
    from mypy.modulefinder import BuildSource

    imports = "\n".join(
        sorted({line for each in numbers for line in _imports(request.answers[each])})
    )
    name = f"imports_{_process_name()}"
    build([BuildSource(f"{name}.py", name, imports)], _options(request, ()))
    names = {each: _module_name(each) for each in numbers}
    sources = [
        BuildSource(f"{name}.py", name, request.answers[each]) for each, name in names.items()
    ]
    return build(sources, _options(request, tuple(names.values())))


def _imports(answer: str) -> Iterator[str]:
    """Yield the modules that an answer imports, as statements that cannot fail for their names."""
    for each in ast.walk(ast.parse(answer)):
        if isinstance(each, ast.Import):
            yield from (f"import {alias.name}" for alias in each.names)
        elif isinstance(each, ast.ImportFrom) and each.module and not each.level:
            yield f"import {each.module}"


def _options(request: ResolveRequest, answers: Sequence[str]) -> Options:
    from mypy.errorcodes import DEPRECATED
    from mypy.options import Options

    options = Options()
    options.python_version = request.python
    options.python_executable = sys.executable
    options.cache_dir = request.cache
    options.export_types = bool(answers)
    options.preserve_asts = bool(answers)
    options.follow_untyped_imports = True
    options.local_partial_types = True
    options.show_column_numbers = True
    options.enabled_error_codes = {DEPRECATED}
    whole: dict[str, object] = {"check_untyped_defs": True, "allow_redefinition": True}
    options.per_module_options = dict.fromkeys(answers, whole)
    options.build_per_module_cache()
    return options


def _module_name(number: int) -> str:
    """Name an answer as no process did before: mypy infers no types for what is in its cache."""
    return f"answer_{_process_name()}_{number}"


@cache
def _process_name() -> str:
    return secrets.token_hex(6)


if __name__ == "__main__":
    main()
