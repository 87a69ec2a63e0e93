"""What a name refers to: followed through imports, wildcards and plain assignments.

`asyncio.gather` leads through two wildcard imports to a function in `asyncio.tasks`;
`random.shuffle` is a method of an object; `threading.Lock` is a function of the interpreter.
"""

from __future__ import annotations

import builtins
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

import griffe

from stacks.sources.pydoc.interpreter import UnreadableError, import_standard, inspect_value
from stacks.sources.pydoc.modules import DEFINED, Link, Namespaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stacks.sources.pydoc.modules import Library, LoadedModule

__all__ = ["Definition", "NameResolver"]

_FACTORIES = {"_thread.allocate_lock": "_thread.LockType"}
"""Functions documented as the type that they return: nobody looks for the function."""
_LONGEST_CHAIN = 40
"""The most imports between a name and its definition; more are a cycle."""


@dataclass(frozen=True, slots=True)
class Definition:
    """An object and the dotted path that it is defined at.

    `is_bound` says that it is a method bound to an object: `random.shuffle`.
    """

    path: str
    target: griffe.Object
    is_bound: bool = False

    @property
    def package(self) -> str:
        """The top-level name of the path."""
        return self.path.split(".", 1)[0]


class NameResolver:
    """Resolves the names of every module of a library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.namespaces = Namespaces(library)
        # By identity; the class is kept too, so its id is not used again.
        self._bases: dict[int, tuple[griffe.Class, tuple[Definition, ...]]] = {}

    def resolve(self, path: str, depth: int = 0) -> Definition | None:
        """Find what a dotted path refers to, or None; a module is a definition too."""
        path = _FACTORIES.get(path, path)
        if depth > _LONGEST_CHAIN:
            return None
        module, rest = self._split(path)
        if module is None:
            return None
        if not rest:
            return Definition(module.name, module.tree)
        found = self.resolve_member(module, rest[0], depth)
        for name in rest[1:]:
            found = self._descend(found, name, depth) if found else None
        return found

    def resolve_member(self, module: LoadedModule, name: str, depth: int = 0) -> Definition | None:
        """Find what a name of a module refers to."""
        found = self.namespaces.get(module).get(name)
        path = f"{module.name}.{name}"
        if isinstance(found, DEFINED):
            return Definition(path, found)
        if isinstance(found, Link):
            definition = self.resolve(found.target, depth + 1)
        else:
            definition = self._follow_value(path, found, depth) if found else None
        if definition is None and name in self.namespaces.get_exports(module).names:
            definition = self._find_unwritten(module, name, depth)
        if definition is None and isinstance(found, griffe.Object):
            return Definition(path, found)
        return definition or self._find_in_stub(module, name)

    def resolve_expression(
        self, expression: str | griffe.Expr, scope: griffe.Object, depth: int = 0
    ) -> Definition | None:
        """Find what `a.b` refers to in its scope; what is in brackets is ignored."""
        text = _get_path(expression)
        first, *rest = text.split(".")
        if not first.isidentifier():
            return None
        if isinstance(expression, str):
            # Inspected objects have whole paths.
            return self.resolve(text, depth + 1)
        return self._resolve_in(scope, first, rest, depth + 1)

    def _resolve_in(
        self, scope: griffe.Object, first: str, rest: list[str], depth: int
    ) -> Definition | None:
        place: griffe.Object | None = scope
        while place is not None and not isinstance(place, griffe.Module):
            if first in place.members and isinstance(place, griffe.Class):
                return self.resolve(".".join((place.path, first, *rest)), depth)
            place = place.parent
        module = self.library.get_module(place.path) if place is not None else None
        if module is not None and first in self.namespaces.get(module):
            return self.resolve(".".join((module.name, first, *rest)), depth)
        if hasattr(builtins, first):
            return self.resolve(".".join(("builtins", first, *rest)), depth)
        return None

    def _split(self, path: str) -> tuple[LoadedModule | None, list[str]]:
        """Split a path into its longest module and the rest."""
        parts = path.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            if self.library.has_module(name) and not self._is_shadowed(parts[:end], parts[end:]):
                return self.library.get_module(name), parts[end:]
        return None, parts

    def _is_shadowed(self, parts: list[str], rest: list[str]) -> bool:
        """Return whether a function hides the module of the same name that it comes from."""
        if len(parts) < 2 or rest:
            return False
        above = self.library.get_module(".".join(parts[:-1]))
        found = self.namespaces.get(above).get(parts[-1]) if above else None
        if isinstance(found, Link):
            return found.target.startswith(".".join((*parts, "")))
        return isinstance(found, DEFINED)

    def _descend(self, found: Definition, name: str, depth: int) -> Definition | None:
        """Find a member of a class or a module."""
        if isinstance(found.target, griffe.Module):
            return self.resolve(f"{found.path}.{name}", depth + 1)
        member = found.target.members.get(name)
        if isinstance(member, griffe.Alias):
            return self.resolve(member.target_path, depth + 1)
        return Definition(f"{found.path}.{name}", member) if member is not None else None

    def _follow_value(self, path: str, found: griffe.Object, depth: int) -> Definition | None:
        """Follow `shuffle = _inst.shuffle`; None if the value is not another name."""
        value = getattr(found, "value", None)
        scope = found.parent
        if scope is None or not isinstance(value, (griffe.ExprName, griffe.ExprAttribute)):
            return None
        text = _get_path(value)
        if text == path.rpartition(".")[2]:
            return None
        target = self.resolve_expression(value, scope, depth)
        if target is None:
            return self._find_bound(path, text, scope, depth)
        return target if isinstance(target.target, DEFINED) else None

    def _find_bound(
        self, path: str, text: str, scope: griffe.Object, depth: int
    ) -> Definition | None:
        """Find the method behind `_inst.shuffle`, given `_inst = Random()` in the same scope."""
        owner, _, method = text.rpartition(".")
        made = scope.members.get(owner)
        call = getattr(made, "value", None) if isinstance(made, griffe.Attribute) else None
        if not isinstance(call, griffe.ExprCall):
            return None
        found = self.resolve_expression(call.function, scope, depth)
        if found is None or not isinstance(found.target, griffe.Class):
            return None
        for each in (found, *self.resolve_ancestors(found.target)):
            member = each.target.members.get(method)
            if isinstance(member, griffe.Function):
                return Definition(path, member, is_bound=True)
        return None

    def resolve_bases(self, target: griffe.Class) -> tuple[Definition, ...]:
        """Find the base classes of a class, as far as they can be resolved."""
        if id(target) not in self._bases:
            # A class that is its own base has none while that is resolved.
            self._bases[id(target)] = (target, ())
            scope = target.parent or target
            found = [self.resolve_expression(base, scope) for base in target.bases]
            classes = [each for each in found if each and isinstance(each.target, griffe.Class)]
            self._bases[id(target)] = (target, tuple(classes))
        return self._bases[id(target)][1]

    def resolve_ancestors(self, target: griffe.Class) -> Iterator[Definition]:
        """Find all base classes of a class, nearest first and each once."""
        waiting = list(self.resolve_bases(target))
        seen: set[str] = set()
        while waiting:
            base = waiting.pop(0)
            if base.path not in seen and isinstance(base.target, griffe.Class):
                seen.add(base.path)
                yield base
                waiting.extend(self.resolve_bases(base.target))

    def _find_in_stub(self, module: LoadedModule, name: str) -> Definition | None:
        """Find what machine code defines, in the stub of the module that exports it."""
        stub = self.library.get_stub(module)
        found = stub.members.get(name) if stub else None
        if not isinstance(found, griffe.Object):
            return None
        return Definition(f"{module.name}.{name}", found)

    def _find_unwritten(self, module: LoadedModule, name: str, depth: int) -> Definition | None:
        """Find what `__all__` lists and only running code defines."""
        found = None
        if module.is_standard:
            is_written = name in module.tree.members
            found = self._ask_interpreter(module, name, depth, is_written=is_written)
        return found or self._find_lazy(module, name)

    def _ask_interpreter(
        self, module: LoadedModule, name: str, depth: int, *, is_written: bool
    ) -> Definition | None:
        """Find what a name is when the library runs; of a plain value, its source is better."""
        path = f"{module.name}.{name}"
        try:
            value = getattr(import_standard(module.name), name)
            if not (inspect.isclass(value) or inspect.isroutine(value)):
                if is_written or inspect.ismodule(value):
                    return None
                return Definition(path, inspect_value(module.tree, name, value))
            home = f"{value.__module__}.{value.__qualname__}"
            found = self.resolve(home, depth + 1) if home != path else None
            if found is None or not isinstance(found.target, DEFINED):
                return Definition(path, inspect_value(module.tree, name, value))
            is_bound = inspect.ismethod(value)
            return Definition(path, found.target, is_bound=True) if is_bound else found
        except (AttributeError, UnreadableError):
            return None

    def _find_lazy(self, module: LoadedModule, name: str) -> Definition | None:
        """Find a name that `__all__` lists and `__getattr__` loads from a submodule."""
        is_module = self.library.has_module(f"{module.name}.{name}")
        if is_module or not module.file.is_package:
            return None
        package = self.library.find_package(module.name.split(".", 1)[0])
        every = package.modules if package else ()
        below = (inner for inner in every if inner.rpartition(".")[0] == module.name)
        for inner in sorted(below):
            loaded = self.library.get_module(inner)
            found = loaded.tree.members.get(name) if loaded else None
            if isinstance(found, DEFINED):
                return Definition(f"{inner}.{name}", found)
        return None


def _get_path(expression: str | griffe.Expr) -> str:
    """Write an expression as a dotted path: `Generic[T]` is `Generic`."""
    while isinstance(expression, griffe.ExprSubscript):
        expression = expression.left
    return str(expression)
