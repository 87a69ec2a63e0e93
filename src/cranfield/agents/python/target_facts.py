"""What is true of a name in a target: the one place that decides found, missing or unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from mypy.nodes import Decorator, FuncDef, MypyFile, OverloadedFuncDef, TypeInfo

from cranfield.agents.answer_checks import ReferenceState
from cranfield.agents.python.name_sources import (
    NEWEST,
    VersionRange,
    accepts_keyword,
    describe_ranges,
    find_mark,
    has_module,
    has_name_at_run_time,
    is_of_standard_library,
    keyword_ranges,
    module_range,
    name_ranges,
)
from cranfield.agents.python.type_members import Lookup, find_member_of_class
from cranfield_shared.registry import near_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mypy.nodes import SymbolTableNode

__all__ = ["Fact", "TargetFacts"]


class Fact(NamedTuple):
    """What is known of one name."""

    state: ReferenceState
    reason: str = ""
    deprecated: str = ""


_INTERFACES = ("typing", "collections.abc", "_typeshed")
_FOUND = Fact(ReferenceState.FOUND)


@dataclass(frozen=True, slots=True)
class TargetFacts:
    """A target: a version of Python, the modules that may be used, and all that mypy has read.

    `roots`, `absent` and `absent_roots` are those of the request; `own` is the answer's module.
    """

    python: tuple[int, int]
    running: tuple[int, int]
    modules: Mapping[str, MypyFile]
    roots: Sequence[str] | None
    absent: Sequence[str]
    absent_roots: Sequence[str]
    own: str

    def of_module(self, name: str) -> Fact:
        """Say what is known of a module."""
        root = name.partition(".")[0]
        if root in ("__future__", self.own):
            return _FOUND
        versions = module_range(name)
        if versions is not None:
            return self._of_listed_module(versions)
        if is_of_standard_library(root) or module_range(root):
            return self._of_unlisted_module(name)
        return self._of_package_module(name, root)

    def of_module_name(self, module: str, name: str) -> Fact:
        """Say what is known of a name in a module that is there."""
        if self._is_unusable(module):
            return self._unusable()
        known = self.modules.get(module)
        entry = known.names.get(name) if known else None
        if entry is not None and not entry.module_hidden:
            if marked := _stub_mark(entry):
                return Fact(ReferenceState.FOUND, "", marked)
            return self._current(module, name, _defined_at(entry.fullname, module, name))
        if f"{module}.{name}" in self.modules:
            return self.of_module(f"{module}.{name}")
        if known is not None and "__getattr__" in known.names:
            return self._of_run_time_name(module, name)
        return self._second_opinion(module, name, name, known)

    def _of_run_time_name(self, module: str, name: str) -> Fact:
        """Ask a module that finds its names at run time; only the module itself can say."""
        there = has_name_at_run_time(module, name) if self._can_ask(module) else None
        if there is None:
            return Fact(ReferenceState.UNKNOWN, f"{module} finds its names at run time")
        return _FOUND if there else Fact(ReferenceState.MISSING, f"{module} has no name {name!r}")

    def of_class_member(self, info: TypeInfo, name: str) -> Fact:
        """Say what is known of an attribute of a class."""
        return self.of_lookup(find_member_of_class(info, name), info.fullname, name)

    def of_lookup(self, found: Lookup, owner: str, name: str) -> Fact:
        """Say what is known of an attribute of a value, after its type was looked at."""
        if found.is_there is None or owner == "?":
            return Fact(ReferenceState.UNKNOWN, found.reason or "the type is not known")
        info = found.owner
        if not isinstance(info, TypeInfo):
            return _FOUND
        if self._is_unusable(info.module_name):
            return self._unusable()
        if found.is_there:
            if marked := _stub_mark(found.entry):
                return Fact(ReferenceState.FOUND, "", marked)
            inside = info.fullname.removeprefix(info.module_name + ".")
            return self._marked(info.module_name, f"{inside}.{name}")
        return self._missing_member(info, name)

    def of_keyword(self, found: Lookup, callee: str, name: str) -> Fact:
        """Say what is known of a keyword argument, after the signature was looked at."""
        if found.is_there is None:
            return Fact(ReferenceState.UNKNOWN, found.reason)
        if found.is_there:
            return _FOUND
        return self._missing_keyword(callee, name)

    def _missing_keyword(self, callee: str, name: str) -> Fact:
        module, inside = self._split(callee)
        if module and self._is_unusable(module):
            return self._unusable()
        is_package = bool(module) and module != self.own
        can_ask = is_package and self._can_ask(module)
        if can_ask and accepts_keyword(module, inside, name):
            return _FOUND
        ranges = keyword_ranges(module, inside, name) if is_package else ()
        if ranges:
            return self._elsewhere(ranges)
        return Fact(ReferenceState.MISSING, f"{callee} has no keyword argument {name!r}")

    def _of_listed_module(self, versions: VersionRange) -> Fact:
        if self.python not in versions:
            return Fact(ReferenceState.OTHER_VERSION, describe_ranges([versions], self.python))
        if versions.last < NEWEST:
            gone = f"{versions.last[0]}.{versions.last[1] + 1}"
            return Fact(ReferenceState.FOUND, "", f"the module is removed in Python {gone}")
        return _FOUND

    def _of_unlisted_module(self, name: str) -> Fact:
        if has_module(name):
            return _FOUND
        if self.python != self.running and name.rpartition(".")[2].startswith("_"):
            return Fact(ReferenceState.UNKNOWN, "stubs leave out private modules")
        return Fact(ReferenceState.MISSING, f"the standard library has no module {name!r}")

    def _of_package_module(self, name: str, root: str) -> Fact:
        if root in self.absent_roots:
            return self._unusable()
        if self.roots is None or root in self.roots:
            if name in self.modules or has_module(name):
                return _FOUND
            return Fact(ReferenceState.MISSING, f"the package has no module {name!r}")
        if self.absent:
            return self._unusable()
        return Fact(
            ReferenceState.MISSING,
            f"{root!r} is neither in the standard library nor in a package of the target",
        )

    def _elsewhere(self, ranges: Sequence[VersionRange]) -> Fact:
        """Say of a name that stubs have, though not for this target, where it is."""
        if any(self.python in each for each in ranges):
            return Fact(ReferenceState.UNKNOWN, "it is there on another platform")
        return Fact(ReferenceState.OTHER_VERSION, describe_ranges(ranges, self.python))

    def _is_unusable(self, module: str) -> bool:
        return module.partition(".")[0] in self.absent_roots

    def _unusable(self) -> Fact:
        return Fact(ReferenceState.UNKNOWN, "; ".join(self.absent))

    def _can_ask(self, module: str) -> bool:
        """Return whether what is installed here speaks for the target."""
        return not is_of_standard_library(module) or self.python == self.running

    def _current(self, module: str, name: str, defined: tuple[str, str]) -> Fact:
        """Say of a name that is there whether it is deprecated."""
        ranges = name_ranges(module, name)
        if ranges and not name.startswith("_") and max(each.last for each in ranges) < NEWEST:
            last = max(each.last for each in ranges)
            return Fact(
                ReferenceState.FOUND, "", f"it is removed in Python {last[0]}.{last[1] + 1}"
            )
        return self._marked(*defined)

    def _marked(self, module: str, dotted: str) -> Fact:
        if module == self.own or not self._can_ask(module):
            return _FOUND
        return Fact(ReferenceState.FOUND, "", find_mark(module, dotted))

    def _missing_member(self, info: TypeInfo, name: str) -> Fact:
        dotted = [
            (each.module_name, f"{each.fullname.removeprefix(each.module_name + '.')}.{name}")
            for each in info.mro
        ]
        ranges = [each for module, inside in dotted for each in name_ranges(module, inside)]
        if ranges:
            return self._elsewhere(ranges)
        if info.is_abstract and info.module_name in _INTERFACES:
            return Fact(ReferenceState.UNKNOWN, f"what is behind {info.name} may have more")
        outside = [each for each in dotted if each[0] not in (self.own, "builtins")]
        for module, inside in outside[:1] if info.module_name != self.own else outside:
            if not self._can_ask(module):
                if name.startswith("_"):
                    return Fact(ReferenceState.UNKNOWN, "stubs leave out private names")
            elif has_name_at_run_time(module, inside):
                return _FOUND
        near = _near(name, (each for base in info.mro for each in base.names))
        return Fact(ReferenceState.MISSING, f"{info.fullname} has no attribute {name!r}{near}")

    def _second_opinion(self, module: str, dotted: str, name: str, known: MypyFile | None) -> Fact:
        ranges = name_ranges(module, dotted)
        if ranges and not (known and name in known.names):
            return self._elsewhere(ranges)
        versions = module_range(f"{module}.{name}")
        if versions is not None:
            return self._of_listed_module(versions)
        if self._can_ask(module):
            there = has_name_at_run_time(module, dotted)
            if there or has_module(f"{module}.{name}"):
                return _FOUND
            if there is None and known is None:
                return Fact(ReferenceState.UNKNOWN, f"{module} cannot be read")
        elif known is None or name.startswith("_"):
            return Fact(ReferenceState.UNKNOWN, "stubs leave out private names")
        near = _near(name, known.names if known else ())
        return Fact(ReferenceState.MISSING, f"{module} has no name {name!r}{near}")

    def _split(self, dotted: str) -> tuple[str, str]:
        """Split a full name into its module and what is inside; both are empty if none is known."""
        parts = dotted.split(".")
        for length in range(len(parts) - 1, 0, -1):
            module = ".".join(parts[:length])
            if module in self.modules:
                return module, ".".join(parts[length:])
        return "", ""


def _stub_mark(entry: SymbolTableNode | None) -> str:
    """Return the message of `warnings.deprecated` on what an entry stands for; empty if none."""
    node = entry.node if entry is not None else None
    if isinstance(node, Decorator):
        node = node.func
    if not isinstance(node, FuncDef | OverloadedFuncDef | TypeInfo):
        return ""
    return (node.deprecated or "").partition(" is deprecated: ")[2]


def _defined_at(fullname: str | None, module: str, name: str) -> tuple[str, str]:
    """Return module and name of where a name that was imported is defined."""
    if not fullname or "." not in fullname:
        return module, name
    place, _, last = fullname.rpartition(".")
    return place, last


def _near(name: str, known: Iterable[str]) -> str:
    found = near_names(name, sorted({each for each in known if not each.startswith("_")}))
    return f"; there is {' or '.join(found)}" if found else ""
