"""The winner's values written into cranfield.toml; comments and everything else stay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.errors import CranfieldError, InputError
from cranfield.systems import load_systems
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.sweeps.sweep import Sweep
    from cranfield.sweeps.sweep_plan import SweepBase

__all__ = ["apply_winner"]


def apply_winner(sweep: Sweep) -> list[Path]:
    """Write the settings of the winner into the table of the base system, in every project."""
    written = []
    for base in sweep.plan.bases:
        file = base.project.file
        if file is None:
            raise CranfieldError("there is no cranfield.toml to write to")
        settings = sweep.plan.template.fill(sweep.tuning.winner, base.spec.kind)
        _write(file, base, settings)
        written.append(file)
    return written


def _write(file: Path, base: SweepBase, settings: Mapping[str, Any]) -> None:
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
    _lay_over(systems[base.spec.name], settings)
    changed = tomlkit.dumps(document)
    if text.endswith("\n") and not changed.endswith("\n"):
        changed += "\n"
    wanted = parse_toml(text)
    _lay_over(wanted["systems"][base.spec.name], settings)
    if parse_toml(changed) != wanted:
        raise InputError("has a form that cannot be changed; write it by hand", file=str(file))
    replace_file(file, changed)
    load_systems(file)


def _lay_over(table: Any, settings: Mapping[str, Any]) -> None:
    """Set what differs, table by table; the table is a copy that nobody else has."""
    for key, value in settings.items():
        if isinstance(value, dict) and isinstance(table.get(key), dict):
            _lay_over(table[key], value)
        elif table.get(key) != value:
            table[key] = value
