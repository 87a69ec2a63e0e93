"""The dependencies of a package, from how its manifest writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stacks.model import Dependency

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["normalise_name", "read_requirements", "read_swift_dependencies"]

_SEPARATORS = re.compile(r"[-_.\s]+")
_REQUIREMENT = re.compile(
    r"\s*([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\[\]]{0,500}\])?\s*(.*)", re.DOTALL
)


def normalise_name(name: str) -> str:
    """Fold a name as Python's index does: `Foo.Bar_baz` is `foo-bar-baz`."""
    return _SEPARATORS.sub("-", name).strip("-").lower()


def read_requirements(written: Iterable[str]) -> Iterator[Dependency]:
    """Read Python requirements: `requests[socks] (>=2.0)`, `tool @ https://…`."""
    for text in written:
        if match := _REQUIREMENT.match(text):
            name, rest = normalise_name(match.group(1)), match.group(2).strip()
            if rest.startswith("@"):
                yield Dependency(name, address=rest.removeprefix("@").strip())
            else:
                yield Dependency(name, rest.removeprefix("(").removesuffix(")").strip())


def read_swift_dependencies(written: Iterable[str]) -> Iterator[Dependency]:
    """Read Swift dependencies: an address, a path or an identity, then the versions."""
    for text in written:
        address, _, requirement = text.strip().partition(" ")
        last = address.rstrip("/").rpartition("/")[2]
        if name := last.removesuffix(".git"):
            is_place = "/" in address
            folded = normalise_name(name) if is_place else name.lower()
            yield Dependency(folded, requirement.strip(), address if is_place else "")
