"""The slices: capabilities beside the core, each a folder of this package with a `slice.py`.

The core imports no slice. A slice says in `slice.py` what it offers and where that is, as the
entry points of somebody else's package would: a registry that does not know a name asks here
before it asks the installed packages. Without its folder, a capability is gone, and nothing else
is missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Slice", "find_offers", "load_slices"]


@dataclass(frozen=True, slots=True)
class Slice:
    """What a capability offers, by group of registry: names, and where each thing is.

    A place is `"package.module:attribute"`, of a module of the slice itself. `commands` has the
    help line of each command that it offers, so the first help page loads none of them; `formats`
    has the kinds of report that each format is meant for, so help pages name them without loading.
    """

    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def load_slices() -> Mapping[str, Slice]:
    """Return what every slice offers, by the name of its folder."""
    found = sorted(Path(__file__).parent.glob("*/slice.py"))
    names = [path.parent.name for path in found]
    return {name: import_module(f"cranfield.{name}.slice").SLICE for name in names}


def find_offers(group: str) -> dict[str, str]:
    """Return what all slices offer to one registry: names, and where each thing is."""
    offers: dict[str, str] = {}
    for each in load_slices().values():
        offers.update(each.offers.get(group, {}))
    return offers
