"""Declarations as Python source: `async def gather(*coros_or_futures, return_exceptions=False)`."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import griffe

from stacks.sources.pydoc.docstrings import clean_text, find_call_forms
from stacks.sources.pydoc.griffe_extensions import get_decorators, get_signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from stacks.sources.pydoc.public_api import ApiEntry

__all__ = ["get_bases", "get_generic_parameters", "make_construction", "make_declaration"]

_LONGEST_VALUE = 200
_BINDINGS = ("staticmethod", "classmethod")
_MARKS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
_FIRST_PARAMETER = re.compile(r"^\(self(, /)?(, )?")
_BASE_NAME = re.compile(r"^[\w.]+")


def make_declaration(entry: ApiEntry) -> str:
    """Write the declaration of an entry as Python source; a module has none."""
    target = entry.definition.target
    name = entry.path.rpartition(".")[2]
    if isinstance(target, griffe.Class):
        return clean_text(_declare_class(target, name))
    if isinstance(target, griffe.Function):
        return clean_text(_declare_function(target, name, is_bound=entry.definition.is_bound))
    if isinstance(target, griffe.Attribute):
        return clean_text(_declare_attribute(target, name))
    if isinstance(target, griffe.TypeAlias):
        return clean_text(f"type {name}{_write_type_parameters(target)} = {target.value}")
    return ""


def make_construction(entry: ApiEntry) -> str:
    """Write how a class is called: `Fraction(numerator=0, denominator=None)`."""
    target = entry.definition.target
    name = entry.path.rpartition(".")[2]
    if not isinstance(target, griffe.Class):
        return ""
    for method in ("__init__", "__new__"):
        member = target.members.get(method)
        if isinstance(member, griffe.Function) and target.analysis == "static":
            return clean_text(f"{name}({_write_parameters(list(member.parameters)[1:])})")
    if target.has_labels("dataclass"):
        return clean_text(f"{name}({', '.join(_write_fields(target))})")
    signature = get_signature(target)
    if signature is not None:
        return clean_text(f"{name}{signature.split(' -> ')[0]}")
    return "\n".join(_find_written_forms(target, name))


def get_bases(target: griffe.Object) -> tuple[str, ...]:
    """Return the names of the base classes, without their modules and parameters."""
    if not isinstance(target, griffe.Class):
        return ()
    written = (_BASE_NAME.match(str(base)) for base in target.bases)
    return tuple(match[0].rpartition(".")[2] for match in written if match)


def get_generic_parameters(target: griffe.Object) -> tuple[str, ...]:
    """Return the type parameters: of `class Box[T]`, and of `class Box(Generic[T])`."""
    names = [parameter.name for parameter in target.type_parameters]
    for base in target.bases if isinstance(target, griffe.Class) else ():
        if isinstance(base, griffe.ExprSubscript) and str(base.left).endswith(
            ("Generic", "Protocol")
        ):
            names.extend(part.strip() for part in str(base.slice).strip("()").split(","))
    return tuple(dict.fromkeys(name for name in names if name))


def _declare_class(target: griffe.Class, name: str) -> str:
    bases = [str(base) for base in target.bases]
    if target.analysis == "dynamic":
        bases = [base.removeprefix("builtins.") for base in bases]
    keywords = [f"{key}={value}" for key, value in target.keywords.items()]
    arguments = ", ".join((*bases, *keywords))
    parameters = _write_type_parameters(target)
    return f"class {name}{parameters}({arguments})" if arguments else f"class {name}{parameters}"


def _declare_function(target: griffe.Function, name: str, *, is_bound: bool) -> str:
    """Declare a function; a built-in without known parameters is quoted from its docstring."""
    bindings = [f"@{label}" for label in _BINDINGS if target.has_labels(label)]
    start = "async def" if target.has_labels("async") else "def"
    if target.analysis == "dynamic":
        signature = get_signature(target)
        if is_bound and signature is not None:
            signature = _FIRST_PARAMETER.sub("(", signature)
        if signature is None:
            forms = _find_written_forms(target, name)
            return "\n".join((*bindings, *(forms or [f"def {name}(...)"])))
        return "\n".join((*bindings, f"{start} {name}{signature}"))
    parameters = list(target.parameters)[is_bound:]
    arrow = f" -> {target.returns}" if target.returns else ""
    types = _write_type_parameters(target)
    declared = f"{start} {name}{types}({_write_parameters(parameters)}){arrow}"
    return "\n".join((*bindings, declared))


def _find_written_forms(target: griffe.Object, name: str) -> list[str]:
    """Find the calls that a docstring shows; as a `def` if they are valid Python."""
    text = target.docstring.value if target.docstring else ""
    forms = [
        call.rpartition(".")[2] if "(" in call.rpartition(".")[2] else call
        for call, _ in find_call_forms(text, name)[0]
    ]
    if isinstance(target, griffe.Class):
        return forms
    return [f"def {form}" if _is_signature(form) else form for form in forms]


def _is_signature(form: str) -> bool:
    try:
        ast.parse(f"def {form}: ...")
    except (SyntaxError, ValueError):
        return False
    return True


def _declare_attribute(target: griffe.Attribute, name: str) -> str:
    annotation = f": {target.annotation}" if target.annotation else ""
    if target.has_labels("property"):
        decorators = get_decorators(target) or ("property",)
        arrow = f" -> {target.annotation}" if target.annotation else ""
        return "\n".join((*(f"@{each}" for each in decorators), f"def {name}(self){arrow}"))
    value = "" if target.value is None else str(target.value)
    if len(value) > _LONGEST_VALUE:
        value = "..."
    return f"{name}{annotation} = {value}" if value else f"{name}{annotation}"


def _write_fields(target: griffe.Class) -> Iterator[str]:
    """Write the fields of a data class as parameters."""
    for name, member in target.members.items():
        is_field = isinstance(member, griffe.Attribute) and member.annotation is not None
        if is_field and not member.has_labels("property"):
            value = getattr(member, "value", None)
            default = "" if value is None else f" = {value}"
            yield f"{name}: {getattr(member, 'annotation', '')}{default}"


def _write_type_parameters(target: griffe.Object) -> str:
    names = ", ".join(parameter.name for parameter in target.type_parameters)
    return f"[{names}]" if names else ""


def _write_parameters(parameters: Iterable[griffe.Parameter]) -> str:
    """Write parameters with the `/` and `*` between their kinds."""
    written: list[str] = []
    before: griffe.ParameterKind | None = None
    for parameter in parameters:
        kind = parameter.kind
        if before is griffe.ParameterKind.positional_only is not kind:
            written.append("/")
        if kind is griffe.ParameterKind.keyword_only and before not in (
            griffe.ParameterKind.keyword_only,
            griffe.ParameterKind.var_positional,
        ):
            written.append("*")
        written.append(_write_parameter(parameter))
        before = kind
    if before is griffe.ParameterKind.positional_only:
        written.append("/")
    return ", ".join(written)


def _write_parameter(parameter: griffe.Parameter) -> str:
    mark = _MARKS.get(parameter.kind, "") if parameter.kind else ""
    text = f"{mark}{parameter.name}"
    if parameter.annotation is not None:
        text = f"{text}: {parameter.annotation}"
    if parameter.default is None or mark:
        return text
    spaced = " = " if parameter.annotation is not None else "="
    return f"{text}{spaced}{parameter.default}"
