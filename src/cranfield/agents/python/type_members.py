"""Is a member there, by what mypy knows of the type that it is taken from?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mypy import types
from mypy.nodes import ARG_NAMED, ARG_NAMED_OPT, ARG_OPT, ARG_POS, ARG_STAR2, MypyFile, TypeInfo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mypy.nodes import SymbolTableNode

__all__ = ["Lookup", "find_keyword", "find_member", "find_member_of_class", "name_of_type"]

_ATTRIBUTE_HOOKS = ("__getattr__", "__getattribute__")


class Lookup(NamedTuple):
    """What a type says of a member: there, not there, or None if it cannot say, and whose it is."""

    is_there: bool | None
    owner: TypeInfo | MypyFile | None = None
    entry: SymbolTableNode | None = None
    reason: str = ""


def name_of_type(kind: types.Type | None) -> str:
    """Return the full name of a class as far as a type has one."""
    reduced = _reduce(kind)
    match reduced:
        case types.Instance():
            return reduced.type.fullname
        case types.TypeType():
            return name_of_type(reduced.item)
        case types.FunctionLike() if reduced.is_type_obj():
            return reduced.type_object().fullname
        case types.UnionType():
            items = [name_of_type(item) for item in reduced.items if not _is_none(item)]
            return next(filter(None, items), "")
    return ""


def find_member(kind: types.Type | None, name: str) -> Lookup:
    """Look a member up on a value of a type."""
    reduced = _reduce(kind)
    match reduced:
        case types.Instance():
            return _of_instance(reduced, name)
        case types.UnionType():
            return _of_union(reduced, name)
        case types.TypeType():
            return _of_class_type(reduced, name)
        case types.FunctionLike():
            return _of_callable(reduced, name)
    return Lookup(None, reason="the type of the value is not known")


def _reduce(kind: types.Type | None) -> types.ProperType | None:
    """Return the class behind a tuple, a literal, a typed dictionary or a type variable."""
    proper = types.get_proper_type(kind)
    match proper:
        case types.TupleType():
            return proper.partial_fallback
        case types.LiteralType() | types.TypedDictType():
            return proper.fallback
        case types.TypeVarType():
            return types.get_proper_type(proper.upper_bound)
    return proper


def _of_instance(proper: types.Instance, name: str) -> Lookup:
    info = proper.type
    entry = info.get(name)
    if entry is not None:
        return Lookup(True, _owner(info, name), entry)
    if proper.extra_attrs and name in proper.extra_attrs.attrs:
        return Lookup(True, info)
    return _not_found(info, name)


def _not_found(info: TypeInfo, name: str) -> Lookup:
    if info.fallback_to_any:
        return Lookup(None, info, reason=f"a base class of {info.name} is not known")
    hooks = [entry.fullname or "" for hook in _ATTRIBUTE_HOOKS if (entry := info.get(hook))]
    if any(not hook.startswith("builtins.object.") for hook in hooks):
        return Lookup(None, info, reason=f"{info.name} finds its attributes at run time")
    return Lookup(False, info, reason=f"{info.fullname} has no attribute {name!r}")


def _owner(info: TypeInfo, name: str) -> TypeInfo:
    return next((each for each in info.mro if name in each.names), info)


def _of_union(proper: types.UnionType, name: str) -> Lookup:
    """One item that has the member is enough: which item it is, only a run can tell."""
    found = [find_member(item, name) for item in proper.items if not _is_none(item)]
    for wanted in (True, None, False):
        for each in found:
            if each.is_there is wanted:
                return each
    return Lookup(None, reason="the value may only be None")


def _is_none(kind: types.Type) -> bool:
    return isinstance(types.get_proper_type(kind), types.NoneType)


def _of_class_type(proper: types.TypeType, name: str) -> Lookup:
    item = types.get_proper_type(proper.item)
    if isinstance(item, types.Instance):
        return find_member_of_class(item.type, name)
    return Lookup(None, reason="the class is not known")


def _of_callable(proper: types.FunctionLike, name: str) -> Lookup:
    if proper.is_type_obj():
        return find_member_of_class(proper.type_object(), name)
    found = find_member(proper.fallback, name)
    if found.is_there:
        return found
    return Lookup(None, reason="a function can have any attribute")


def find_member_of_class(info: TypeInfo, name: str) -> Lookup:
    """Look a member up on a class itself."""
    entry = info.get(name)
    if entry is not None:
        return Lookup(True, _owner(info, name), entry)
    meta = info.metaclass_type
    if meta is not None:
        found = _of_instance(meta, name)
        if found.is_there is not False:
            return found
    elif name in vars(type) or name in dir(type):
        return Lookup(True, info)
    return _not_found(info, name)


def find_keyword(kind: types.Type | None, name: str) -> Lookup:
    """Look a keyword argument up on what is called."""
    proper = types.get_proper_type(kind)
    match proper:
        case types.Overloaded():
            return _any_of((_of_signature(item, name) for item in proper.items), name)
        case types.CallableType():
            return _of_signature(proper, name)
        case types.UnionType():
            return _any_of((find_keyword(item, name) for item in proper.items), name)
        case types.Instance():
            call = proper.type.get("__call__")
            if call is not None and call.type is not None:
                return find_keyword(call.type, name)
    return Lookup(None, reason="what is called is not known")


def _any_of(found: Iterable[Lookup], name: str) -> Lookup:
    listed = list(found)
    for wanted in (True, None):
        for each in listed:
            if each.is_there is wanted:
                return each
    return Lookup(False, reason=f"there is no keyword argument {name!r}")


def _of_signature(proper: types.CallableType, name: str) -> Lookup:
    if proper.is_type_obj() and proper.type_object().fallback_to_any:
        return Lookup(None, reason="a base class is not known")
    if proper.is_ellipsis_args or proper.from_concatenate or proper.param_spec() is not None:
        return Lookup(None, reason="the arguments are not known")
    by_name = {ARG_POS, ARG_OPT, ARG_NAMED, ARG_NAMED_OPT}
    kinds = zip(proper.arg_names, proper.arg_kinds, strict=True)
    if any(each == name and kind in by_name for each, kind in kinds):
        return Lookup(True)
    if ARG_STAR2 in proper.arg_kinds and not proper.unpack_kwargs:
        return Lookup(None, reason="it takes any keyword argument and passes it on")
    if proper.unpack_kwargs:
        return _of_unpacked(proper, name)
    return Lookup(False, reason=f"there is no keyword argument {name!r}")


def _of_unpacked(proper: types.CallableType, name: str) -> Lookup:
    last = types.get_proper_type(proper.arg_types[-1])
    if isinstance(last, types.TypedDictType):
        is_there = name in last.items
        return Lookup(is_there, reason=f"there is no keyword argument {name!r}")
    return Lookup(None, reason="the arguments are not known")
