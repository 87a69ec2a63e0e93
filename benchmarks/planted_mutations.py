"""How many small defects, planted in the source one at a time, do the tests notice?

    python benchmarks/planted_mutations.py --count 100 --seed 1967

Works on copies of the repository. It first runs the tests of `make quick` once under coverage, to
know which of them reach which line. Then it plants each defect (a comparison turned around, a
condition dropped, a number changed, …) and runs the tests that reach the line, those of its package
first, and the fastest of them.
A defect that they miss gets all tests of its package: those that start a process or a server, or
index a corpus, too. It prints the defects that none of them noticed. Such a survivor is a place to
look at: some change nothing that anybody could notice.

Code that decides (statistics, comparisons, gates, evaluation, judging) is ten times as likely to
get a defect as the rest: a wrong verdict costs a reader more than a wrong comma. `--decisive`
plants defects there only. A seed draws the same defects again, as far as their code is still there.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = (".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", ".cranfield", "index", "demo")
MOST_TESTS = 60
"""So many tests of `make quick` are run for a defect, if more reach its line."""
QUICK = "not process and not server and not corpus"
MORE_TESTS = 600
"""So many are run of the tests that reach a line of a package without tests of its own."""
LONGEST = 600.0
"""Seconds after which the tests of a defect are taken to hang, which is noticed."""

DECISIVE = ("statistics", "comparisons", "gates", "evaluation", "judging")
"""The packages of `cranfield` that a verdict, a gate or a judgment comes from."""
WEIGHT = 10.0
"""How much more likely a defect in one of these is than one elsewhere."""

COMMANDS = {
    "gates": "gate",
    "evaluation": "gate",
    "comparisons": "compare",
    "statistics": "compare",
    "judging": "judge",
}
"""The command by which people reach a package: its tests are run with those of the package."""

UNPLANTED: dict[str, bool] = {}
"""Whether the tests of a folder pass without a defect, for those that were needed."""

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Defect:
    """A piece of a file, from `start` to `end`, and what replaces it."""

    path: Path
    line: int
    start: int
    end: int
    text: str
    old: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.old} → {self.text}"


def find_defects(path: Path, source: str) -> Iterator[Defect]:
    """Yield every defect that can be planted in a file."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = source.encode()

    def place(node: Any) -> tuple[int, int]:
        return (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )

    for node in _reachable(ast.parse(source)):
        for target, text in _changes(node, source):
            first, last = place(target)
            old = " ".join(data[first:last].decode().split())
            yield Defect(path, target.lineno, first, last, text, old)


def _reachable(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk the code inside functions, without annotations and what is raised or asserted."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                yield from _walk(statement)
        elif isinstance(node, ast.ClassDef):
            yield from _reachable(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _changes(node: ast.AST, source: str) -> Iterator[tuple[Any, str]]:
    def text(part: ast.AST) -> str:
        return ast.get_source_segment(source, part) or ""

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        turned = COMPARISONS[type(node.ops[0])]
        yield node, f"({text(node.left)} {turned} {text(node.comparators[0])})"
    elif isinstance(node, ast.BoolOp):
        other = " or " if isinstance(node.op, ast.And) else " and "
        yield node, "(" + other.join(f"({text(value)})" for value in node.values) + ")"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({text(node.operand)})"
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield node, f"({text(node.left)} {OPERATORS[type(node.op)]} {text(node.right)})"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield node, _change_number(node.value)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield node.test, "False"
    elif isinstance(node, ast.comprehension):
        yield from ((condition, "True") for condition in node.ifs)


def _change_number(value: Any) -> str:
    return repr(value + 1 if isinstance(value, int) else value * 2 + 0.1)


def copy_repository(folder: Path) -> None:
    """Copy the repository, without what was built or cached in it."""
    built = shutil.ignore_patterns(*SKIPPED)

    def skip(where: str, names: list[str]) -> set[str]:
        is_source = Path(where).is_relative_to(ROOT / "src") or Path(where).is_relative_to(
            ROOT / "tests"
        )
        return {name for name in built(where, names) if not (is_source and name == "index")}

    shutil.copytree(ROOT, folder, ignore=skip, dirs_exist_ok=True)


def run_python(folder: Path, *arguments: str, timeout: float | None = None) -> int | None:
    """Run Python on the copy; the exit code, or None if it took too long."""
    environment = {"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


TEST_PLUGIN = """
import coverage, pytest
times = open("times.txt", "w")
@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    running = coverage.Coverage.current()
    if running is not None:
        running.switch_context(item.nodeid)
    return (yield)
def pytest_runtest_logreport(report):
    if report.when == "call":
        times.write(f"{report.duration:.3f}\\t{report.outcome}\\t{report.nodeid}\\n")
        times.flush()
"""


def map_tests(folder: Path) -> dict[tuple[str, int], list[str]]:
    """Run the tests once and return, for each line of the source, those that reach it."""
    (folder / "map_plugin.py").write_text(TEST_PLUGIN)
    (folder / ".coveragerc").write_text("[run]\nsource = src\ndata_file = coverage.db\n")
    arguments = ["-m", "coverage", "run", "-m", "pytest", "-p", "map_plugin", "-q"]
    code = run_python(folder, *arguments, "-m", QUICK)
    if code not in (0, 1):
        sys.exit(f"the tests of the copy could not be run (exit code {code})")
    passed: dict[str, float] = {}
    for line in (folder / "times.txt").read_text().splitlines():
        seconds, outcome, test = line.split("\t")
        if outcome == "passed":
            passed[test] = float(seconds)
    from coverage.numbits import numbits_to_nums

    reached: dict[tuple[str, int], list[str]] = defaultdict(list)
    with sqlite3.connect(folder / "coverage.db") as database:
        rows = database.execute(
            "SELECT file.path, context.context, line_bits.numbits FROM line_bits "
            "JOIN file ON file.id = line_bits.file_id "
            "JOIN context ON context.id = line_bits.context_id"
        )
        for path, test, bits in rows:
            if test in passed:
                for number in numbits_to_nums(bits):
                    reached[str(Path(path).relative_to(folder)), number].append(test)
    database.close()
    return {place: sorted(tests, key=passed.__getitem__) for place, tests in reached.items()}


def find_package_tests(folder: Path, path: Path) -> list[str]:
    """Return the tests of the innermost package of a file that has any, and of its command."""
    tests = Path("tests", *path.parts[1:2] if path.parts[1] == "stacks" else ())
    packages = path.parent.parts[2:]
    places = (tests.joinpath(*packages[:depth]) for depth in range(len(packages), 0, -1))
    near = next(([str(place)] for place in places if (folder / place).is_dir()), [])
    command = COMMANDS.get(path.parts[2]) if path.parts[1] == "cranfield" else None
    if command is None:
        return near
    found = sorted((folder / "tests" / "cli").glob(f"test_{command}*.py"))
    return [*near, *(str(file.relative_to(folder)) for file in found)]


def is_noticed(folder: Path, tests: list[str]) -> bool:
    """Run tests until one fails."""
    if not tests:
        return False
    # Some names are longer than a command may be.
    (folder / "chosen.txt").write_text("\n".join(tests))
    run = ("-m", "pytest", "-x", "-q", "-p", "no:randomly", "-p", "no:cacheprovider")
    return run_python(folder, *run, "@chosen.txt", timeout=LONGEST) != 0


def find_notice(folder: Path, defect: Defect, tests: list[str]) -> str:
    """Plant a defect, and return the command that notices it; empty if none does."""
    file = folder / defect.path
    source = file.read_bytes()
    file.write_bytes(source[: defect.start] + defect.text.encode() + source[defect.end :])
    near = find_package_tests(folder, defect.path)
    tests = sorted(tests, key=lambda test: not test.startswith(tuple(near)))
    try:
        if is_noticed(folder, tests[:MOST_TESTS]):
            return "make quick"
        return "make test" if is_noticed(folder, near or tests[MOST_TESTS:MORE_TESTS]) else ""
    finally:
        file.write_bytes(source)


def is_decisive(path: Path) -> bool:
    """Whether a file of the source belongs to what decides."""
    return path.parts[1] == "cranfield" and path.parts[2] in DECISIVE


def draw_lot(defect: Defect, name: str) -> float:
    """Draw a number for a defect, always the same; the smallest numbers are planted.

    It is exponentially distributed, so one of weight 10 is drawn ten times as often.
    """
    drawn = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
    weight = WEIGHT if is_decisive(defect.path) else 1.0
    return -math.log((drawn + 1) / 2**64) / weight


def choose(folder: Path, options: argparse.Namespace) -> list[Defect]:
    """Draw defects from all that can be planted below a folder."""
    paths = [
        path
        for path in sorted((folder / options.under).rglob("*.py"))
        if "cli" not in path.parts and path.name != "__init__.py"
    ]
    if options.decisive:
        paths = [path for path in paths if is_decisive(path.relative_to(folder))]
    found = []
    for path in paths:
        alike: Counter[str] = Counter()
        for defect in find_defects(path.relative_to(folder), path.read_text()):
            name = f"{options.seed} {defect.path} {defect.old} {defect.text}"
            alike[name] += 1
            found.append((draw_lot(defect, f"{name} {alike[name]}"), defect))
    return [defect for _, defect in sorted(found, key=lambda pair: pair[0])[: options.count]]


def passes_unplanted(folder: Path, path: Path) -> bool:
    """Whether the tests of a file's package pass without a defect: else they notice nothing."""
    near = find_package_tests(folder, path)
    for name in near:
        if name not in UNPLANTED:
            UNPLANTED[name] = not is_noticed(folder, [name])
            if not UNPLANTED[name]:
                print(f"{name} fails without a defect; it is not counted", flush=True)
    return all(UNPLANTED[name] for name in near)


def plant(
    folders: SimpleQueue[Path], defect: Defect, reached: dict[tuple[str, int], list[str]]
) -> str:
    """Plant a defect in a copy that is free, and print it if no test notices it."""
    tests = reached.get((str(defect.path), defect.line), [])
    folder = folders.get()
    try:
        notice = find_notice(folder, defect, tests)
        if notice == "make test" and not passes_unplanted(folder, defect.path):
            notice = ""
    finally:
        folders.put(folder)
    if not notice:
        print(f"not noticed (reached by {len(tests)} quick tests): {defect}", flush=True)
    return notice


def main() -> int:
    """Plant, and print what was not noticed and how many were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1967)
    parser.add_argument("--under", default="src", help="plant only below this folder")
    parser.add_argument("--decisive", action="store_true", help="plant only in code that decides")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies to work on")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            folder = Path(place, str(number))
            copy_repository(folder)
            folders.put(folder)
        print("running the tests once, to see which reach which line", flush=True)
        reached = map_tests(folder)
        defects = choose(folder, options)
        with ThreadPoolExecutor(options.jobs) as pool:
            notices = list(pool.map(lambda each: plant(folders, each, reached), defects))
    show_counts("planted defects", notices)
    decisive = [
        notice for defect, notice in zip(defects, notices, strict=True) if is_decisive(defect.path)
    ]
    show_counts("defects in code that decides", decisive)
    return 0


def show_counts(what: str, notices: list[str]) -> None:
    """Print how many defects were noticed, and by which command."""
    quick, both = notices.count("make quick"), sum(map(bool, notices))
    print(f"of {len(notices)} {what} {quick} were noticed by make quick, {both} by make test")


if __name__ == "__main__":
    sys.exit(main())
