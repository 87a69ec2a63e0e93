"""Modules of the interpreter without source: imported, and their objects inspected.

An object that cannot be inspected is left out; it never hides the others.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import inspect
import sys
import sysconfig
import types
import warnings
from contextlib import suppress
from pathlib import Path

import griffe

from stacks.sources.paths import get_reason
from stacks.sources.pydoc.finders import is_private
from stacks.sources.pydoc.griffe_extensions import RuntimeFacts

__all__ = ["UnreadableError", "import_standard", "inspect_module", "inspect_value"]


class UnreadableError(Exception):
    """A module that cannot be read; the message gives the reason, without its name."""


class _Inspector(griffe.Inspector):
    """Describes an object in full, or else plainly: by its name, its docstring and its members.

    Some objects break griffe: `type.__type_params__` is a descriptor, not a tuple.
    """

    def inspect(self, node: griffe.ObjectNode) -> None:
        """Describe an object as a member of the current one; if that fails, leave it out."""
        place = self.current
        for describe in (super().inspect, self._inspect_plainly):
            try:
                return describe(node)
            except RecursionError:
                # Retried at each level, a cycle would take forever.
                raise
            except Exception:  # noqa: BLE001  # an object of the interpreter may raise anything
                self.current = place
        return None

    def _inspect_plainly(self, node: griffe.ObjectNode) -> None:
        docstring = _read_docstring(node.obj)
        place = self.current
        if inspect.isclass(node.obj):
            bases = [f"{base.__module__}.{base.__qualname__}" for base in node.obj.__bases__]
            known = [base for base in bases if base != "builtins.object"]
            made = griffe.Class(node.name, docstring=docstring, bases=known, analysis="dynamic")
            place.set_member(node.name, made)
            self.current = made
            self.extensions.call("on_class_instance", node=node, cls=made, agent=self)
            self.generic_inspect(node)
            self.current = place
        elif inspect.isroutine(node.obj):
            func = griffe.Function(node.name, docstring=docstring, analysis="dynamic")
            place.set_member(node.name, func)
            self.extensions.call("on_function_instance", node=node, func=func, agent=self)
        else:
            attr = griffe.Attribute(node.name, docstring=docstring, analysis="dynamic")
            place.set_member(node.name, attr)
            self.extensions.call("on_attribute_instance", node=node, attr=attr, agent=self)


def import_standard(name: str) -> types.ModuleType:
    """Import a module of the standard library, or raise `UnreadableError`.

    Another file of the same name that Python would find first is not imported.
    """
    top = name.split(".", 1)[0]
    if not _is_of_interpreter(top):
        raise UnreadableError(f"is hidden by another {top} on the path; it is not imported")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise UnreadableError(f"cannot be imported: {get_reason(error)}") from error


def _is_of_interpreter(top: str) -> bool:
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return False
    if spec is None or top not in sys.stdlib_module_names:
        return False
    if not spec.has_location:
        return True
    place = Path(spec.origin or "")
    is_installed = {"site-packages", "dist-packages"}.isdisjoint(place.parts)
    homes = (sysconfig.get_path("stdlib"), sys.base_prefix, sys.base_exec_prefix)
    return is_installed and any(place.is_relative_to(home) for home in homes)


def inspect_value(module: griffe.Module, name: str, value: object) -> griffe.Object:
    """Describe an object of the interpreter under a name, as a member of a module.

    Raises `UnreadableError` if the object cannot be inspected.
    """
    inspector = _Inspector(module.name, None, griffe.Extensions(RuntimeFacts()))
    place = griffe.Module(module.name, parent=module.parent, analysis="dynamic")
    inspector.current = place
    above = griffe.ObjectNode(types.ModuleType(module.path), module.path)
    try:
        inspector.inspect(griffe.ObjectNode(value, name, parent=above))
    except Exception as error:
        raise UnreadableError(f"{name} cannot be inspected: {get_reason(error)}") from error
    described = place.members.get(name)
    if described is None:
        raise UnreadableError(f"{name} cannot be inspected")
    if isinstance(described, griffe.Alias):
        raise UnreadableError(f"{name} is only a name for {described.target_path}")
    described.parent = module
    return described


def inspect_module(name: str) -> griffe.Module:
    """Describe a module of the interpreter: what it defines, and other names for it.

    A member that cannot be inspected is left out.
    """
    value = import_standard(name)
    module = griffe.Module(name, docstring=_read_docstring(value), analysis="dynamic")
    exported = frozenset(getattr(value, "__all__", ()))
    for key, member in sorted(vars(value).items()):
        is_hidden = (is_private(key) or key.startswith("__")) and key not in exported
        # Even the type of an object may raise.
        with suppress(Exception):
            if is_hidden or inspect.ismodule(member):
                continue
            target = _find_first_name(value, key, member)
            found = griffe.Alias(key, target) if target else inspect_value(module, key, member)
            module.set_member(key, found)
    return module


def _read_docstring(value: object) -> griffe.Docstring | None:
    """Return the docstring of an object; that of a type may be a descriptor."""
    text = getattr(value, "__doc__", None)
    return griffe.Docstring(inspect.cleandoc(text)) if text and isinstance(text, str) else None


def _find_first_name(module: types.ModuleType, name: str, value: object) -> str:
    """Return the original name of an object, if it has one: `IOError` is `OSError`."""
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return ""
    own = str(getattr(value, "__name__", name))
    if module is not builtins and getattr(builtins, own, None) is value:
        return f"builtins.{own}"
    if own != name and vars(module).get(own) is value:
        return f"{module.__name__}.{own}"
    return ""
