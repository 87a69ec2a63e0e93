"""Names that a project accepts although no format knows them: keys, categories, languages."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NOTHING_ACCEPTED", "AcceptedNames", "UnknownName"]


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that no format knows, and the list in `[accept]` of cranfield.toml that allows it."""

    listed_as: str
    name: str

    def explain(self, message: str) -> str:
        """Add to a message what to write if the name is meant."""
        remedy = f"if it is meant, write [accept] {self.listed_as} = [{self.name!r}]"
        if "threshold" in self.name:
            remedy = "thresholds are set by [[thresholds]]"
        return f"{message}{'' if message.endswith('?') else ';'} {remedy} in cranfield.toml"


@dataclass(frozen=True, slots=True)
class AcceptedNames:
    """The table `[accept]` of a project.

    `keys` of JSON files inform people and are not read; `categories` and `languages` are the
    project's own.
    """

    keys: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    def accepts(self, unknown: UnknownName) -> bool:
        """Return whether the project lists a name."""
        return unknown.name in getattr(self, unknown.listed_as)


NOTHING_ACCEPTED = AcceptedNames()
