"""One way to find things by name, ours and a user's alike.

Built-ins call `register` when their package is imported. A user's package does the same from
an entry point in the registry's group, which is looked at only when a name is not found: the
command line starts without scanning installed packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from cranfield.errors import CranfieldError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Registry"]

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Names and what they stand for; `kind` is the word used in messages."""

    def __init__(self, kind: str, thing_type: type[Thing], *, group: str) -> None:
        self.kind = kind
        self.group = group
        self._type = thing_type
        self._things: dict[str, Thing] = {}
        self._aliases: dict[str, str] = {}
        self._plugins_loaded = False

    def register(self, name: str, thing: Thing, *, aliases: tuple[str, ...] = ()) -> None:
        """Add a thing; a name is taken once and for all."""
        if self._things.get(name, thing) is not thing:
            raise CranfieldError(
                f"{self.kind} {name!r} is already registered; choose another name for yours"
            )
        self._things[name] = thing
        self._aliases.update(dict.fromkeys(aliases, name))

    def get(self, name: str) -> Thing:
        """Return what a name or alias stands for; an unknown name suggests near ones."""
        found = self._things.get(name)
        if found is not None:
            return found
        name = self._aliases.get(name, name)
        if name not in self._things:
            self._load_plugins()
        if name not in self._things:
            raise UnknownNameError(self.kind, name, self._things)
        return self._things[name]

    def names(self) -> list[str]:
        """List every registered name, plug-ins included."""
        self._load_plugins()
        return sorted(self._things, key=str.casefold)

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
            raise CranfieldError(
                f"{self.kind} {plugin.name!r} of the package {owner} cannot be loaded "
                f"({problem}); mend or uninstall it"
            ) from problem
        if not isinstance(thing, self._type) or getattr(thing, "name", plugin.name) != plugin.name:
            raise CranfieldError(
                f"the package {owner} registers {plugin.name!r} in {self.group}, which must be a "
                f"{self._type.__name__} of that name, not {thing!r}; mend or uninstall it"
            )
        if plugin.name in self._things:
            raise CranfieldError(
                f"the package {owner} registers the {self.kind} {plugin.name!r}, which exists; "
                "rename it there or uninstall the package"
            )
        self.register(plugin.name, thing)
