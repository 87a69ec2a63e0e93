"""The settings of a base system with the values of a trial in them."""

from __future__ import annotations

import hashlib
import re
import types
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from cranfield.systems import SYSTEMS, fill_known, placeholder_names, write_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.sweeps.parameters import ParameterValue, Trial
    from cranfield.systems import SystemSpec

__all__ = ["BUILD", "SettingsTemplate"]

BUILD = "build"
"""The placeholder that names a build by the values of the parameters that `prepare` has."""
_LONGEST_BUILD = 60


@dataclass(frozen=True, slots=True)
class SettingsTemplate:
    """Settings that replace those of a system, with placeholders such as {rrf_k}.

    A table in them replaces only what it names. Trials with the same values of the parameters in
    `prepare` share a build; `{build}` gives each build a place of its own.
    """

    settings: Mapping[str, Any]

    def names(self) -> set[str]:
        """Return the names of all placeholders."""
        return set(placeholder_names(self.settings))

    def building_names(self) -> set[str]:
        """Return the parameters that decide what is built."""
        return set(placeholder_names(self.settings.get("prepare", []))) - {BUILD}

    def fill(self, trial: Trial, kind: str) -> dict[str, Any]:
        """Return the settings of a trial; placeholders of queries stay as they are."""
        values: dict[str, ParameterValue] = {**trial.values, BUILD: self._name_build(trial)}
        shapes = get_type_hints(SYSTEMS.get(kind).settings)
        filled = {key: fill_known(each, values) for key, each in self.settings.items()}
        return {
            key: _write_texts(each) if _is_text(shapes.get(key)) else each
            for key, each in filled.items()
        }

    def apply(self, spec: SystemSpec, trial: Trial) -> SystemSpec:
        """Return a system as it is in a trial."""
        return replace(spec, settings=_lay_over(spec.settings, self.fill(trial, spec.kind)))

    def find_default(self, spec: SystemSpec, name: str) -> Any:
        """Return what a system has for a setting that is just this parameter; None if nothing."""
        return _find(self.settings, spec.settings, f"{{{name}}}")

    def _name_build(self, trial: Trial) -> str:
        building = sorted(self.building_names() & trial.values.keys())
        name = "-".join(f"{each}-{write_value(trial.values[each])}" for each in building)
        plain = re.sub(r"[^\w.=-]+", "_", name or "default").strip(".")
        if plain == name and len(name) <= _LONGEST_BUILD:
            return plain
        return f"{plain[:_LONGEST_BUILD]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _lay_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with another laid over it, table by table."""
    return {
        **below,
        **{
            key: _lay_over(below[key], each)
            if isinstance(each, dict) and isinstance(below.get(key), dict)
            else each
            for key, each in above.items()
        },
    }


def _find(template: Any, written: Any, placeholder: str) -> Any:
    if template == placeholder:
        return written
    if isinstance(template, dict) and isinstance(written, dict):
        found = (_find(each, written.get(key), placeholder) for key, each in template.items())
        return next((each for each in found if each is not None), None)
    return None


def _is_text(shape: Any) -> bool:
    """Return whether a setting holds texts alone, such as the arguments of a command."""
    if get_origin(shape) is dict:
        return _is_text(get_args(shape)[1])
    if get_origin(shape) in (list, tuple, Union, types.UnionType):
        return all(map(_is_text, get_args(shape)))
    return shape is str


def _write_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _write_texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_write_texts(each) for each in value]
    return value if isinstance(value, str) else write_value(value)
