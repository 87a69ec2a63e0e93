"""How often are the checks of agents' answers wrong?

Three questions, each with known answers:

- the bundled tasks: references must pass, wrong answers must fail what they say, and no more;
- modules of installed packages that can be imported here, and so surely work: whatever is missing
  there is a false alarm;
- the same modules with planted names (misspelt, invented, wrong keyword arguments): are they found?
  Every reference of every module is equally likely to be replaced.

And one of time: `cranfield agent` checks recorded answers to 40 tasks in two modes.

`python benchmarks/answer_checks.py [MODULES] [PLANTS]` takes a smaller sample, and 0 modules answer
only the first question and the last. It exits with 1 if a bar is missed.
"""

from __future__ import annotations

import ast
import importlib.util
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.agents.answer_checks import ReferenceState
from cranfield.agents.answers import AgentAnswer, write_recordings
from cranfield.agents.python.resolver import ResolveRequest, ask_resolver
from cranfield.agents.task_checks import verify_tasks
from cranfield.agents.tasks import load_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cranfield.agents.answer_checks import NameReference, ResolvedAnswer

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "suites" / "agents" / "tasks"
SEED = 20
MODULES, PLANTS = 520, 1000
AT_ONCE = 65
PYTHON = sys.version_info[:2]
MOST_FALSE_ALARMS, LEAST_FOUND, MOST_UNKNOWN, MOST_SECONDS = 0.005, 0.90, 0.20, 60.0
PACKAGES = (
    "anyio", "asyncio", "attr", "click", "collections", "concurrent", "email", "griffe", "h11",
    "http", "httpcore", "httpx", "hypothesis", "importlib", "jinja2", "json", "logging",
    "markdown_it", "multiprocessing", "packaging", "pydantic", "_pytest", "rich", "sqlalchemy",
    "starlette", "tomlkit", "typer", "unittest", "urllib", "uvicorn", "xml", "yaml",
)  # fmt: skip
LEFT_OUT = {"test", "tests", "testing", "__main__", "_vendor", "idle_test"}
IMPORT_EACH = """
import importlib, os, sys, warnings
warnings.simplefilter("ignore")
answer = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
for name in sys.stdin.read().split():
    try:
        importlib.import_module(name)
    except BaseException:
        continue
    print(name, file=answer)
answer.flush()
os._exit(0)
"""
"""A program that prints those of the modules it is given that can be imported."""
WRONG = (ReferenceState.MISSING, ReferenceState.OTHER_VERSION)


class Module(NamedTuple):
    """A module that surely works: its name, and its code with absolute imports."""

    name: str
    code: str


class Plant(NamedTuple):
    """A name that was put in place of a right one."""

    kind: str
    line: int
    name: str


class Place(NamedTuple):
    """A reference of a module, by the number of that, that can be replaced."""

    module: int
    reference: NameReference
    name: str


def working_modules(wanted: int) -> list[Module]:
    """Choose modules of installed packages, the same ones each time."""
    found = [each for package in PACKAGES for each in _modules_of(package)]
    random.Random(SEED).shuffle(found)  # noqa: S311 - a sample that can be repeated
    works = _importable([each.name for each in found])
    return sorted([each for each in found if each.name in works][:wanted])


def _importable(names: Sequence[str]) -> set[str]:
    """Find the modules that can be imported: others need a package or a system that is not here."""
    finished = subprocess.run(
        [sys.executable, "-c", IMPORT_EACH],
        input="\n".join(names), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(finished.stdout.split())


def _modules_of(package: str) -> Iterator[Module]:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return
    folder = Path(spec.submodule_search_locations[0])
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        if LEFT_OUT & set(parts):
            continue
        is_door = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_door else parts)
        yield Module(name, absolute_imports(path.read_text(), name, is_door=is_door))


def absolute_imports(code: str, name: str, *, is_door: bool) -> str:
    """Write relative imports as absolute ones, so the module can stand alone."""
    lines = code.splitlines(keepends=True)
    for each in ast.walk(ast.parse(code)):
        if isinstance(each, ast.ImportFrom) and each.level:
            up = each.level - 1 if is_door else each.level
            parts = name.split(".")
            base = parts[: len(parts) - up] if up else parts
            module = ".".join([*base, *filter(None, [each.module])])
            line = lines[each.lineno - 1]
            lines[each.lineno - 1] = re.sub(r"from\s+\.[\w.]*", f"from {module}", line, count=1)
    return "".join(lines)


def resolve(codes: Sequence[str], cache: str) -> list[ResolvedAnswer]:
    """Resolve the names of modules against everything that is installed."""
    found: list[ResolvedAnswer] = []
    for start in range(0, len(codes), AT_ONCE):
        chunk = tuple(codes[start : start + AT_ONCE])
        found += ask_resolver(ResolveRequest(chunk, PYTHON, cache, roots=None))
        print(f"  {len(found):,} of {len(codes):,} modules", file=sys.stderr)
    return found


def judge_tasks() -> list[str]:
    """Print false alarms and misses on the answers of the bundled tasks; return missed bars."""
    tasks = load_tasks(TASKS)
    answers = len(tasks) + sum(len(each.wrong) for each in tasks)
    problems = verify_tasks(tasks)
    alarms = sum(each.is_false_alarm for each in problems)
    print(f"bundled tasks           {len(tasks):,} with {answers:,} answers")
    print(f"  false alarms          {alarms}")
    print(f"  misses                {len(problems) - alarms}")
    for each in problems:
        print(f"    {each.task.id} {each.place}: {each.message}")
    return ["bundled tasks"] if problems else []


def time_answers() -> list[str]:
    """Check answers to 40 tasks in two modes with the command, from nothing; return missed bars."""
    folder = TASKS / "python"
    tasks = [each for each in load_tasks(folder) if each.wrong][:40]
    answers = [
        AgentAnswer(task.id, arm, f"```python\n{code}\n```")
        for task in tasks
        for arm, code in (("ungrounded", task.wrong[0].answer), ("grounded", task.reference))
    ]
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "answers.jsonl")
        file.write_bytes(write_recordings(answers))
        command = [sys.executable, "-m", "cranfield", "agent", str(folder), "--recorded", str(file)]
        started, busy = time.perf_counter(), _busy()
        shown = subprocess.run(
            [*command, "--show", "overview"], capture_output=True, text=True, check=True
        )
        seconds, busy = time.perf_counter() - started, _busy() - busy
    print(shown.stdout)
    print(f"{len(answers)} answers checked in  {seconds:.1f} s (at most {MOST_SECONDS:.0f} s)")
    print(f"  processor time        {busy:.1f} s")
    return ["time"] if seconds > MOST_SECONDS else []


def _busy() -> float:
    """Return the processor time of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judge_modules(modules: Sequence[Module], resolved: Sequence[ResolvedAnswer]) -> list[str]:
    """Print the false alarms on modules that work; return missed bars."""
    counts: Counter[str] = Counter()
    alarms: list[str] = []
    for module, each in zip(modules, resolved, strict=True):
        counts["unread"] += bool(each.problem)
        for reference in _counted(each):
            counts[reference.state] += 1
            if reference.state in WRONG:
                place = f"{module.name}:{reference.line}"
                alarms.append(f"{place} {reference.symbol}: {reference.reason}")
    total = sum(counts[state] for state in ReferenceState)
    rate = len(alarms) / total
    print(f"modules that work       {len(modules):,} ({counts['unread']} could not be read)")
    print(f"  references            {total:,}")
    print(f"  unknown               {counts[ReferenceState.UNKNOWN] / total:.1%}")
    print(f"  false alarms          {len(alarms)} ({rate:.2%}; at most {MOST_FALSE_ALARMS:.1%})")
    for alarm in alarms:
        print(f"    {alarm}")
    return ["false alarms"] if rate >= MOST_FALSE_ALARMS else []


def _counted(resolved: ResolvedAnswer) -> list[NameReference]:
    return [each for each in resolved.references if each.kind != "mark"]


def plant_names(
    modules: Sequence[Module], resolved: Sequence[ResolvedAnswer], wanted: int
) -> list[tuple[str, list[Plant]]]:
    """Put wrong names in place of right ones, on lines of their own.

    Every reference is equally likely to be chosen, whether it was resolved or not.
    """
    chance = random.Random(SEED)  # noqa: S311 - likewise
    places = [
        place
        for number, (module, each) in enumerate(zip(modules, resolved, strict=True))
        for place in _places(number, module.code, each)
    ]
    chance.shuffle(places)
    by_line = {(each.module, each.reference.line): each for each in reversed(places)}
    chosen = [each for each in places if by_line[each.module, each.reference.line] is each][:wanted]
    return [
        _plant(module.code, [each for each in chosen if each.module == number], chance)
        for number, module in enumerate(modules)
        if any(each.module == number for each in chosen)
    ]


def _places(number: int, code: str, resolved: ResolvedAnswer) -> Iterator[Place]:
    lines = code.splitlines()
    for each in _counted(resolved):
        name = re.findall(r"\w+", each.symbol)[-1]
        start = each.column - 1
        if each.state not in WRONG and lines[each.line - 1][start : start + len(name)] == name:
            yield Place(number, each, name)


def _plant(code: str, places: Sequence[Place], chance: random.Random) -> tuple[str, list[Plant]]:
    lines = code.splitlines(keepends=True)
    plants: list[Plant] = []
    for each in places:
        wrong = misname(each.name, chance)
        number, start = each.reference.line - 1, each.reference.column - 1
        end = start + len(each.name)
        lines[number] = lines[number][:start] + wrong + lines[number][end:]
        plants.append(Plant(each.reference.kind, each.reference.line, wrong))
    return "".join(lines), plants


def misname(name: str, chance: random.Random) -> str:
    """Misspell a name, or invent a likely one."""
    place = chance.randrange(len(name))
    return chance.choice([
        name[:place] + name[place] + name[place:],
        f"{name}s" if not name.endswith("s") else name[:-1] + "z",
        f"get_{name}",
        f"{name}_all",
        f"{name[:place]}q{name[place + 1 :]}",
    ])  # fmt: skip


def judge_plants(
    planted: Sequence[tuple[str, list[Plant]]], resolved: Sequence[ResolvedAnswer]
) -> list[str]:
    """Print how many planted names were found; return missed bars."""
    counts: Counter[tuple[str, str]] = Counter()
    for (_, plants), each in zip(planted, resolved, strict=True):
        for plant in plants:
            counts[plant.kind, _fate(plant, each)] += 1
    print("planted names           found  missed  unknown")
    for kind in [*sorted({kind for kind, _ in counts}), "all"]:
        row = [
            sum(
                count
                for (each, fate), count in counts.items()
                if fate == wanted and kind in (each, "all")
            )
            for wanted in ("found", "missed", "unknown")
        ]
        print(f"  {kind:<20} {row[0]:>6}  {row[1]:>6}  {row[2]:>7}")
    found, missed, unknown = row
    share, blind = found / (found + missed), unknown / sum(row)
    print(f"  found of those known  {share:.1%} (at least {LEAST_FOUND:.0%})")
    print(f"  unknown               {blind:.1%} (at most {MOST_UNKNOWN:.0%})")
    bars = {"planted names": share < LEAST_FOUND, "unknown": blind > MOST_UNKNOWN}
    return [name for name, is_missed in bars.items() if is_missed]


def _fate(plant: Plant, resolved: ResolvedAnswer) -> str:
    if resolved.problem:
        return "unknown"
    there = [
        each.state
        for each in resolved.references
        if each.line == plant.line and re.search(rf"\b{plant.name}\b", each.symbol)
    ]
    if any(state in WRONG for state in there):
        return "found"
    return "missed" if ReferenceState.FOUND in there else "unknown"


def judge_resolver(modules: Sequence[Module], plants: int) -> list[str]:
    """Print what the resolver says of modules, as they are and with planted names."""
    with tempfile.TemporaryDirectory() as cache:
        resolved = resolve([each.code for each in modules], cache)
        planted = plant_names(modules, resolved, plants)
        return [
            *judge_modules(modules, resolved),
            *judge_plants(planted, resolve([code for code, _ in planted], cache)),
        ]


def main() -> None:
    """Print the tables."""
    numbers = [int(each) for each in sys.argv[1:]]
    wanted, plants = (*numbers, *(MODULES, PLANTS)[len(numbers) :])
    missed = [*judge_tasks(), *time_answers()]
    if wanted:
        missed += judge_resolver(working_modules(wanted), plants)
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
