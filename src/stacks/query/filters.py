"""What a search is restricted to: columns by SQL conditions, phrases and words by documents.

`Filters` are what a user gives; they become a `Condition`. A `DocumentFilter` is made from the
query itself: its quoted phrases must occur, its words after a minus must not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from cranfield_shared.registry import near_names
from stacks.errors import QueryError
from stacks.model import PLATFORMS
from stacks.query.lexical import Expression
from stacks.query.query_parser import quote
from stacks.text import language_names, version_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query.lexical import LexicalSearch
    from stacks.query.question import Question

__all__ = [
    "FILTER_NAMES",
    "Condition",
    "DocumentFilter",
    "Filters",
    "attribute_condition",
    "find_excluded",
    "find_required",
]

Value = TypeVar("Value")

_MINIMUM = "min_"
_SINGLE = ("framework", "language", "attribute", *(f"{_MINIMUM}{each}" for each in PLATFORMS))
_SWIFT = f"{_MINIMUM}swift"
_STRICT = "strict_availability"
FILTER_NAMES = ("source", "kind", *_SINGLE, _SWIFT, _STRICT)
"""What a search can be restricted to; a source and a kind may be several."""

_NO_PLATFORM = f"coalesce({', '.join(f'm.min_{each}' for each in PLATFORMS)}) IS NULL"
_VERSION = "m.implementation_swift_version"
_PARTS = f"'[' || replace({_VERSION}, '.', ',') || ']'"
_SWIFT_NUMBER = f"""CASE WHEN json_valid({_PARTS}) THEN {
    " + ".join(
        f"coalesce(json_extract({_PARTS}, '$[{place}]'), 0) * {factor}"
        for place, factor in enumerate((10_000, 100, 1))
    )
} END"""
"""The version of Swift that a page is about as `version_number` has it; NULL if it has none."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL about `docs_metadata AS m`, and its values."""

    sql: str
    values: tuple[object, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sql)


@dataclass(frozen=True, slots=True)
class Filters:
    """Restrict a search to sources, a framework, a language, kinds, versions or an attribute.

    `available` maps a platform (`ios`) to the version one wants to run on: what came later, or
    exists elsewhere alone, is left out. `swift` is the version of Swift, likewise. What states no
    platform or no version, as a proposal or a chapter of a book, is kept unless
    `strict_availability` is set.
    """

    sources: tuple[str, ...] = ()
    framework: str = ""
    language: str = ""
    kinds: tuple[str, ...] = ()
    attribute: str = ""
    available: Mapping[str, str] = field(default_factory=dict)
    swift: str = ""
    strict_availability: bool = False

    @classmethod
    def read(cls, given: Mapping[str, object]) -> Filters:
        """Read filters by the names that the command and the servers use (`FILTER_NAMES`)."""
        for name in given:
            if name not in FILTER_NAMES:
                near = near_names(name, FILTER_NAMES)
                hint = f"did you mean {' or '.join(near)}? " if near else ""
                raise QueryError(
                    f"there is no filter {name!r}; {hint}filters are {', '.join(FILTER_NAMES)}"
                )
        strict = given.get(_STRICT, False)
        given = {name: value for name, value in given.items() if name != _STRICT}
        texts = {name: _read_texts(name, value) for name, value in given.items()}
        single = {name: _take_one(name, texts.get(name, ())) for name in (*_SINGLE, _SWIFT)}
        return cls(
            sources=texts.get("source", ()),
            framework=single["framework"],
            language=single["language"],
            kinds=texts.get("kind", ()),
            attribute=single["attribute"],
            available={
                platform: version
                for platform in PLATFORMS
                if (version := single[f"{_MINIMUM}{platform}"])
            },
            swift=single[_SWIFT],
            strict_availability=_read_flag(_STRICT, strict),
        )

    def condition(self, framework: str) -> Condition:
        """Return the filters as SQL; `framework` is the slug of the framework that they name."""
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
        if self.strict_availability and not (self.available or self.swift):
            raise QueryError(
                "--strict-availability has no version to be strict about; give one of "
                f"{', '.join((*(f'{_MINIMUM}{each}' for each in PLATFORMS), _SWIFT))} as well"
            )
        for platform, version in self.available.items():
            parts.append(self._keep_unless_strict(f"m.min_{_known(platform)} <= ?", _NO_PLATFORM))
            values.append(_number(platform, version))
        if self.swift:
            has = self._keep_unless_strict(f"{_SWIFT_NUMBER} <= ?", f"{_VERSION} IS NULL")
            parts.append(has)
            values.append(_number("swift", self.swift))
        if self.attribute:
            marked = attribute_condition(self.attribute)
            own = "SELECT 1 FROM symbols AS d WHERE d.doc_id = m.id"
            parts.append(f"EXISTS ({own} AND {marked.sql})")
            values.extend(marked.values)
        return Condition(" AND ".join(parts), tuple(values))

    def _keep_unless_strict(self, has: str, states_none: str) -> str:
        return has if self.strict_availability else f"({has} OR {states_none})"


def _read_flag(name: str, value: object) -> bool:
    """Read a filter that is on or off."""
    known = {True: True, "true": True, False: False, "false": False, "": False}
    if not isinstance(value, bool | str) or value not in known:
        raise QueryError(f"the filter {name} is true or false; got {value!r}")
    return known[value]


def _read_texts(name: str, value: object) -> tuple[str, ...]:
    """Read a filter's value: a text, a number, or a list of them; nothing if it is empty."""
    listed = value if isinstance(value, list | tuple) else [value]
    for each in listed:
        if isinstance(each, bool) or not isinstance(each, str | int | float):
            raise QueryError(f"the filter {name} is a text, or a list of them; got {value!r}")
    return tuple(str(each) for each in listed if each != "")


def _take_one(name: str, texts: tuple[str, ...]) -> str:
    if len(texts) > 1:
        raise QueryError(f"the filter {name} takes one value; got {', '.join(texts)}")
    return texts[0] if texts else ""


def attribute_condition(attribute: str) -> Condition:
    """Return the condition that `symbols AS d` has an attribute.

    The whole name is compared, in any case, with or without the @ and without arguments:
    `@available(iOS 17)` is `available`.
    """
    name = attribute.strip().lstrip("@").partition("(")[0].strip().lower()
    if not name:
        raise QueryError(f"{attribute!r} is not an attribute; give one such as @MainActor")
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
        raise QueryError(f"{platform} {version!r} is not a version; give one such as 17 or 17.4")
    return number


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """The documents that hits must be among (all if it is None), and those they must not be."""

    allowed: frozenset[int] | None = None
    refused: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return self.allowed is not None or bool(self.refused)

    def keep(self, found: Mapping[int, Value]) -> dict[int, Value]:
        """Keep the documents that pass."""
        if not self:
            return dict(found)
        return {number: value for number, value in found.items() if self.admits(number)}

    def admits(self, number: int) -> bool:
        """Return whether a document passes."""
        return number not in self.refused and (self.allowed is None or number in self.allowed)


def find_required(lexical: LexicalSearch, question: Question) -> frozenset[int] | None:
    """Find the documents that have every quoted phrase; None if nothing is quoted."""
    required = tuple(quote(phrase) for phrase in question.query.phrases)
    return frozenset(lexical.match(Expression((), required))) if required else None


def find_excluded(lexical: LexicalSearch, question: Question) -> frozenset[int]:
    """Find the documents that have a word or a phrase that must not occur."""
    found: set[int] = set()
    for phrase in question.query.excluded:
        found.update(lexical.match(Expression((), (quote(phrase),))))
    return frozenset(found)
