"""Settings of the base system with the values of a trial: to run it, or to keep the winner's."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, InputError
from cranfield.systems import SYSTEMS, fill_known, load_systems, placeholder_names, write_value
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.sweeps.searches import ParameterValue, Trial
    from cranfield.sweeps.sweep import Sweep
    from cranfield.sweeps.sweep_plan import SweepBase
    from cranfield.systems import SystemSpec

__all__ = [
    "BUILD",
    "SettingsTemplate",
    "apply_winner",
]

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
        takes_texts = SYSTEMS.get(kind).takes_texts
        filled: dict[str, Any] = fill_known(dict(self.settings), values)
        # A number stays one where a number can stand; an argument of a command is always text.
        return {
            key: _write_texts(each) if takes_texts(key) else each for key, each in filled.items()
        }

    def apply(self, spec: SystemSpec, trial: Trial) -> SystemSpec:
        """Return a system as it is in a trial."""
        return replace(spec, settings=_lay_over(spec.settings, self.fill(trial, spec.kind)))

    def find_default(self, spec: SystemSpec, name: str) -> Any:
        """Return what a system has for a setting that is just this parameter; None if nothing."""
        return _find_value(self.settings, spec.settings, f"{{{name}}}")

    def _name_build(self, trial: Trial) -> str:
        building = sorted(self.building_names() & trial.values.keys())
        name = "-".join(f"{each}-{write_value(trial.values[each])}" for each in building)
        plain = re.sub(r"[^\w.=-]+", "_", name or "default").strip(".")
        if plain == name and len(name) <= _LONGEST_BUILD:
            return plain
        return f"{plain[:_LONGEST_BUILD]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def apply_winner(sweep: Sweep) -> list[Path]:
    """Write the settings of the winner into the table of the base system, in every project."""
    written = []
    for base in sweep.plan.bases:
        file = base.project.file
        if file is None:
            raise CranfieldError("there is no cranfield.toml to write to")
        settings = sweep.plan.template.fill(sweep.tuning.winner, base.spec.kind)
        _write_settings(file, base, settings)
        written.append(file)
    return written


def _lay_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table with another laid over it, table by table."""
    laid = dict(below)
    for key, each in above.items():
        are_tables = isinstance(each, dict) and isinstance(below.get(key), dict)
        laid[key] = _lay_over(below[key], each) if are_tables else each
    return laid


def _find_value(template: Any, written: Any, placeholder: str) -> Any:
    if template == placeholder:
        return written
    if isinstance(template, dict) and isinstance(written, dict):
        found = (_find_value(each, written.get(key), placeholder) for key, each in template.items())
        return next((each for each in found if each is not None), None)
    return None


def _write_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _write_texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_write_texts(each) for each in value]
    return value if isinstance(value, str) else write_value(value)


def _write_settings(file: Path, base: SweepBase, settings: Mapping[str, Any]) -> None:
    try:
        import tomlkit
    except ImportError:
        raise CranfieldError(
            "--apply keeps the comments of cranfield.toml with tomlkit; install it: pip install "
            '"cranfield[sweep]"'
        ) from None
    text = file.read_bytes().decode()
    document = tomlkit.parse(text)
    systems: Any = document["systems"]
    _change_table(systems[base.spec.name], settings)
    changed = tomlkit.dumps(document)
    if text.endswith("\n") and not changed.endswith("\n"):
        changed += "\n"
    wanted = parse_toml(text)
    _change_table(wanted["systems"][base.spec.name], settings)
    if parse_toml(changed) != wanted:
        raise InputError("has a form that cannot be changed; write it by hand", file=str(file))
    replace_file(file, changed)
    load_systems(file)


def _change_table(table: Any, settings: Mapping[str, Any]) -> None:
    """Set what differs, table by table; the table is a copy that nobody else has."""
    for key, value in settings.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _change_table(table[key], value)
        elif table.get(key) != value:
            table[key] = value
