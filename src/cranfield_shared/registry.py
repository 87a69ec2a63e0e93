"""Names that were misspelt, and the ones that were probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from importlib.metadata import EntryPoint

__all__ = [
    "Registry",
    "near_names",
    "unknown_name",
]


def near_names(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names closest to `name`, ignoring case, best first."""
    from difflib import get_close_matches

    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = get_close_matches(name.casefold(), by_folded, n=most, cutoff=0.5)
    return [by_folded[folded] for folded in close]


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for a name that is not known: near ones, or all there are."""
    known = sorted(known, key=str.casefold)
    near = near_names(name, known)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    return f"unknown {kind} {name!r}: {hint}"


Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Names and what they stand for.

    - `kind` is the word for such a thing in messages, `thing_type` its type.
    - `group` is the entry point group of plug-ins.
    - `error` is raised with a message for everything that goes wrong; `unknown`, called with
      kind, name and the known names, makes another exception for an unknown name.
    """

    def __init__(
        self,
        kind: str,
        thing_type: type[Thing],
        *,
        group: str,
        error: type[Exception],
        unknown: Callable[[str, str, Iterable[str]], Exception] | None = None,
    ) -> None:
        self.kind = kind
        self.group = group
        self._type = thing_type
        self._error = error
        self._unknown = unknown or (lambda *names: error(unknown_name(*names)))
        self._things: dict[str, Thing] = {}
        self._references: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._offers_known = False
        self._plugins_loaded = False

    def register(self, name: str, thing: Thing, *, aliases: Iterable[str] = ()) -> None:
        """Add a thing; a name can be taken only once."""
        if self._knows(name) and self._things.get(name) is not thing:
            raise self._error(
                f"{self.kind} {name!r} is already registered; choose another name for yours"
            )
        self._things[name] = thing
        self._aliases.update(dict.fromkeys(aliases, name))

    def register_reference(self, name: str, reference: str) -> None:
        """Add a built-in by where it is, `"package.module:attribute"`; it is imported on use."""
        self._references[name] = reference

    def get(self, name: str) -> Thing:
        """Return what a name or alias stands for; an unknown name suggests near ones."""
        name = self._aliases.get(name, name)
        if self._knows(name):
            return self._resolve(name)
        if name not in self:
            self._load_plugins()
        if not self._knows(name):
            raise self._unknown(self.kind, name, self._built_in())
        return self._resolve(name)

    def names(self) -> list[str]:
        """List every registered name, those of plug-ins included."""
        self._take_offers()
        self._load_plugins()
        return sorted(self._built_in(), key=str.casefold)

    def values(self) -> list[Thing]:
        """List every registered thing by name, those of plug-ins included."""
        return [self._resolve(name) for name in self.names()]

    def __contains__(self, name: str) -> bool:
        """Return whether a name is registered; plug-ins that were not loaded yet are not seen."""
        self._take_offers()
        return self._knows(name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, sorted; plug-ins that were not loaded yet are not seen."""
        self._take_offers()
        return iter(sorted(self._built_in(), key=str.casefold))

    def _knows(self, name: str) -> bool:
        return name in self._things or name in self._references

    def _built_in(self) -> set[str]:
        return self._things.keys() | self._references.keys()

    def _resolve(self, name: str) -> Thing:
        if name not in self._things:
            from importlib import import_module

            module, _, attribute = self._references[name].partition(":")
            self._things[name] = getattr(import_module(module), attribute)
        return self._things[name]

    def _find_offers(self) -> Mapping[str, str]:
        """Return the references that parts of the program offer; none unless a subclass knows."""
        return {}

    def _take_offers(self) -> None:
        if self._offers_known:
            return
        self._offers_known = True
        for name, reference in self._find_offers().items():
            self.register_reference(name, reference)

    def _load_plugins(self) -> None:
        if self._plugins_loaded:
            return
        self._plugins_loaded = True
        from importlib.metadata import entry_points

        for plugin in entry_points(group=self.group):
            self._load(plugin)

    def _load(self, plugin: EntryPoint) -> None:
        owner = plugin.dist.name if plugin.dist else plugin.value
        try:
            thing = plugin.load()
        except Exception as problem:
            raise self._error(
                f"{self.kind} {plugin.name!r} of the package {owner} cannot be loaded "
                f"({problem}); fix or uninstall it"
            ) from problem
        if not isinstance(thing, self._type) or getattr(thing, "name", plugin.name) != plugin.name:
            raise self._error(
                f"the package {owner} registers {plugin.name!r} in {self.group}, which must be a "
                f"{self._type.__name__} of that name, not {thing!r}; fix or uninstall it"
            )
        if self._knows(plugin.name):
            raise self._error(
                f"the package {owner} registers the {self.kind} {plugin.name!r}, which exists; "
                "rename it there or uninstall the package"
            )
        self.register(plugin.name, thing)
