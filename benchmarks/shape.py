"""The shape of the source: files, lines, doors, layers, names used twice, the way of six commands.

`python benchmarks/shape.py` measures this repository. Given other checkouts, it measures them
too, one column each, so a change of shape can be seen: `shape.py ../before`. `tests/cpu_time.py`
has the other figure of a house, what it costs to test it: the last line of `make test`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SMALL = 40
"""A file with fewer lines of code is small."""

TRACER = """
import json, runpy, sys
seen = {{}}
def enter(frame, event, argument):
    if event != "call" or not frame.f_code.co_flags & 1:  # the body of a module or class
        return
    name = frame.f_globals.get("__name__", "")
    if name.split(".")[0] not in ("cranfield", "cranfield_shared", "stacks") or name in seen:
        return
    above = frame.f_back
    while above is not None:  # what is called by an import is not on the way of the data
        if above.f_code.co_name == "<module>" and above.f_globals["__name__"] != "__main__":
            return
        above = above.f_back
    seen[name] = None
import threading
threading.setprofile(enter)
sys.setprofile(enter)
sys.argv = {argv!r}
try:
    runpy.run_module({module!r}, run_name="__main__", alter_sys=False)
except SystemExit as stop:
    code = stop.code or 0
else:
    code = 0
sys.setprofile(None)
own = ("cranfield", "cranfield_shared", "stacks")
ours = [name for name in sys.modules if name.split(".")[0] in own]
json.dump([code, list(seen), ours], open({out!r}, "w"))
"""


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the source, parsed."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def functions(self) -> list[int]:
        """The lengths of all functions, in lines."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return [
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in ast.walk(self.tree)
            if isinstance(node, kinds)
        ]

    @property
    def code(self) -> int:
        """Lines of code: without blank lines, comments, docstrings, imports and `__all__`."""
        lines = {
            number
            for number, line in enumerate(self.text.splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        }
        for first, last in self._preamble():
            lines -= set(range(first, last + 1))
        return len(lines)

    @property
    def comments(self) -> int:
        """Lines that are comments, or end in one; what only speaks to tools is none."""
        with self.path.open("rb") as file:
            tokens = list(tokenize.tokenize(file.readline))
        told = re.compile(r"#\s*(noqa|type:|fmt:|pragma)")
        return sum(each.type == tokenize.COMMENT and not told.match(each.string) for each in tokens)

    @property
    def deferred_imports(self) -> int:
        """Imports inside functions."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        functions = [node for node in ast.walk(self.tree) if isinstance(node, kinds)]
        found = {
            (node.lineno, node.col_offset)
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        return len(found)

    @property
    def door(self) -> int:
        """The names that a package offers to others; 0 if it has no door."""
        if self.path.name != "__init__.py":
            return 0
        lists = [node for node in self.tree.body if _assigns(node, "__all__")]
        return len(ast.literal_eval(lists[0].value)) if lists else 0  # type: ignore[attr-defined]

    def _preamble(self) -> Iterator[tuple[int, int]]:
        for node in ast.walk(self.tree):
            is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            is_import = isinstance(node, ast.Import | ast.ImportFrom)
            if is_text or is_import or _assigns(node, "__all__") or _is_for_types(node):
                place: Any = node
                yield place.lineno, place.end_lineno


def _assigns(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in node.targets
    )


def _is_for_types(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def read_modules(root: Path) -> list[Module]:
    """Parse all of the source below a checkout."""
    paths = sorted((root / "src").rglob("*.py"))
    return [Module(path, text := path.read_text(), ast.parse(text)) for path in paths]


def top_level(module: Module) -> Iterator[tuple[str, str]]:
    """Yield the public classes and constants of a module, each with its kind."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield "class", node.name
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and re.fullmatch("[A-Z][A-Z0-9_]+", target.id):
                yield "constant", target.id


def measure(root: Path) -> dict[str, str]:
    """Measure the files of a checkout."""
    modules = read_modules(root)
    code = [module.code for module in modules]
    functions = np.array([length for module in modules for length in module.functions])
    p50, p90, p99 = np.percentile(functions, [50, 90, 99])
    names = Counter(module.path.stem for module in modules if not module.path.stem.startswith("__"))
    public = Counter(each for module in modules for each in top_level(module))
    twice = Counter(kind for (kind, _), count in public.items() if count > 1)
    doors = [module.door for module in modules if module.door]
    comments = sum(module.comments for module in modules)
    of_commands = [each for each in modules if {"cli", "command.py"} & {*each.path.parts}]
    return {
        "files": str(len(modules)),
        f"  with under {SMALL} lines of code": str(sum(each < SMALL for each in code)),
        "  longest, in lines": str(max(len(each.text.splitlines()) for each in modules)),
        "lines": str(sum(len(module.text.splitlines()) for module in modules)),
        "  of code": str(sum(code)),
        "  comments in 100 lines of code": f"{100 * comments / sum(code):.1f}",
        "package doors / names at them": f"{len(doors)} / {sum(doors)}",
        "import layers of cranfield": str(_count_layers(root)),
        "imports inside functions": str(sum(each.deferred_imports for each in modules)),
        "  of command lines": str(sum(each.deferred_imports for each in of_commands)),
        "functions": str(len(functions)),
        "  lines p50 / p90 / p99 / max": f"{p50:.0f} / {p90:.0f} / {p99:.0f} / {functions.max()}",
        "file names used more than once": str(sum(count > 1 for count in names.values())),
        "class names used more than once": str(twice["class"]),
        "constants' names used more than once": str(twice["constant"]),
        "public constants": str(sum(n for (kind, _), n in public.items() if kind == "constant")),
        "modules named by gerunds": str(sum(name.endswith("ing") for name in names)),
    }


def _count_layers(root: Path) -> int:
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = [each["layers"] for each in contracts if each.get("containers") == ["cranfield"]]
    return max(map(len, layers))


def commands(root: Path, work: Path) -> dict[str, tuple[str, ...]]:
    """Return the six commands whose way is followed, each as module and arguments."""
    example = root / "examples" / "stdlib"
    store = ("--store", str(work / "runs.db"), "--config", str(example / "cranfield.toml"))
    index = str(work / "index")
    pages = work / "pages"
    pages.mkdir()
    (pages / "guide.md").write_text("# Guide\n\nA hash table.\n\n```swift\nstruct A {}\n```\n")
    runs = [str(example / name) for name in ("plain.run", "weighted.run")]
    return {
        "score": ("cranfield", "score", str(example / "qrels.txt"), *runs),
        "compare": ("cranfield", "compare", "plain", "weighted", *store),
        "gate": ("cranfield", "gate", "--system", "weighted", *store),
        "runs list": ("cranfield", "runs", "list", *store),
        "save": ("stacks", "save", "--from", f"markdown={pages}", "--to", index),
        "search": ("stacks", "search", "hash table", "--db", index),
    }


def follow(root: Path) -> dict[str, str]:
    """Count the modules that each command loads, and those whose functions it enters."""
    entered = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (module, *arguments) in commands(root, Path(folder)).items():
            out = Path(folder) / f"{name}.json"
            script = TRACER.format(argv=[module, *arguments], module=module, out=str(out))
            done = subprocess.run(
                [sys.executable, "-c", script],
                env={"PYTHONPATH": str(root / "src"), "PATH": "/usr/bin:/bin", "HOME": folder},
                capture_output=True,
                text=True,
                check=False,
            )
            code, modules, loaded = json.loads(out.read_text()) if out.exists() else (2, [], [])
            if code not in (0, 1) or not modules:
                sys.exit(f"{module} {' '.join(arguments)} failed in {root}:\n{done.stderr}")
            entered[f"modules loaded (entered) by {name}"] = f"{len(loaded)} ({len(modules)})"
    return entered


def main() -> None:
    """Print one column for this repository, and one for each checkout that was named."""
    roots = [*map(Path, sys.argv[1:]), ROOT]
    columns = [{**measure(root), **follow(root)} for root in roots]
    width = max(map(len, columns[0]))
    print(" " * width, *(f"{root.resolve().name:>18}" for root in roots))
    for name in columns[0]:
        print(f"{name:<{width}}", *(f"{column[name]:>18}" for column in columns))


if __name__ == "__main__":
    main()
