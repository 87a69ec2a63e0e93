"""What a search is confined to, as conditions on indexed columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stacks.errors import QueryError
from stacks.model import PLATFORMS
from stacks.text import language_names, version_number

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Condition", "Filters", "attribute_condition"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL about `docs_metadata AS m`, and its values."""

    sql: str
    values: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sql)


@dataclass(frozen=True, slots=True)
class Filters:
    """Confine a search to sources, a framework, a language, kinds, versions or an attribute.

    `available` maps a platform (`ios`) to the version one wants to run on: what came later is
    left out, and so is what does not exist there.
    """

    sources: tuple[str, ...] = ()
    framework: str = ""
    language: str = ""
    kinds: tuple[str, ...] = ()
    attribute: str = ""
    available: Mapping[str, str] = field(default_factory=dict)

    def condition(self, framework: str) -> Condition:
        """Write the filters as SQL; `framework` is the slug that the given name stands for."""
        parts: list[str] = []
        values: list[object] = []
        if framework:
            parts.append("m.framework = ?")
            values.append(framework)
        languages = language_names(self.language) if self.language else ()
        kinds = tuple(kind.lower() for kind in self.kinds)
        for column, allowed in (("language", languages), ("kind", kinds)):
            if allowed:
                parts.append(f"m.{column} IN ({', '.join('?' * len(allowed))})")
                values.extend(allowed)
        for platform, version in self.available.items():
            parts.append(f"m.min_{_known(platform)} <= ?")
            values.append(_number(platform, version))
        if self.attribute:
            marked = attribute_condition(self.attribute)
            own = "SELECT 1 FROM symbols AS d WHERE d.doc_id = m.id"
            parts.append(f"EXISTS ({own} AND {marked.sql})")
            values.extend(marked.values)
        return Condition(" AND ".join(parts), tuple(values))


def attribute_condition(attribute: str) -> Condition:
    """Write that `symbols AS d` has an attribute, as SQL.

    The whole name counts, in any case, with or without the @; arguments do not:
    `@available(iOS 17)` is `available`.
    """
    name = attribute.strip().lstrip("@").partition("(")[0].strip().lower()
    if not name:
        raise QueryError(f"{attribute!r} is no attribute; give one such as @MainActor")
    sql = "instr(' ' || replace(lower(d.attributes), '(', ' (') || ' ', ?)"
    return Condition(sql, (f" @{name} ",))


def _known(platform: str) -> str:
    name = platform.lower()
    if name not in PLATFORMS:
        raise QueryError(f"there is no platform {platform!r}; known are {', '.join(PLATFORMS)}")
    return name


def _number(platform: str, version: str) -> int:
    number = version_number(version)
    if number is None:
        raise QueryError(f"{platform} {version!r} is no version; give one such as 17 or 17.4")
    return number
