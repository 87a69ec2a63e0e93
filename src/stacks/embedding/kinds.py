"""The lists of models by kind, each open to kinds that installed packages bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Generic, TypeVar

from stacks.embedding.specs import ModelSpec
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["ModelKind", "ModelKinds"]

Model = TypeVar("Model")


@dataclass(frozen=True)  # a frozen generic with slots cannot be made under its parametrised name
class ModelKind(Generic[Model]):
    """A kind of model: how it is opened, and what can be said of it in a spec.

    - `open(location, options)` takes what stands behind `=` in `kind=location`, and the options.
    - `options` are the names that `open` knows, each with what it means.
    """

    name: str
    description: str
    example: str
    open: Callable[[str, Mapping[str, str]], Model]
    options: Mapping[str, str] = field(default_factory=dict)


class ModelKinds(Mapping[str, ModelKind[Model]]):
    """Kinds of model by name; `group` is where packages offer theirs as entry points."""

    def __init__(self, noun: str, group: str) -> None:
        self.noun = noun
        self.group = group
        self._kinds: dict[str, ModelKind[Model]] = {}

    def register(self, kind: ModelKind[Model]) -> None:
        """Add a kind; a name is taken once and for all."""
        if self._kinds.setdefault(kind.name, kind) is not kind:
            raise EmbeddingError(
                f"{self.noun} {kind.name!r} is already registered; choose another name"
            )

    def load_plugins(self) -> None:
        """Register the kinds that installed packages bring."""
        for plugin in entry_points(group=self.group):
            if plugin.name not in self._kinds:
                self.register(plugin.load())

    def find(self, name: str) -> ModelKind[Model]:
        """Return the kind of that name; an unknown name suggests near ones."""
        if name not in self._kinds:
            self.load_plugins()
        if name not in self._kinds:
            raise EmbeddingError(f"there is no {self.noun} {name!r}; {_hint(name, self._kinds)}")
        return self._kinds[name]

    def open(self, text: str) -> Model:
        """Open the model that a spec names."""
        spec = ModelSpec.parse(text)
        kind = self.find(spec.kind)
        for name in spec.options:
            if name not in kind.options:
                hint = _hint(name, kind.options) if kind.options else "it has none"
                raise EmbeddingError(f"{self.noun} {kind.name} has no option {name!r}; {hint}")
        return kind.open(spec.location, spec.options)

    def __getitem__(self, name: str) -> ModelKind[Model]:
        return self._kinds[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def _hint(name: str, known: Iterable[str]) -> str:
    """Say what may have been meant by a name, or what there is."""
    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(known))}"
