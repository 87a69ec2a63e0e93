"""What an executor is; the places to work are registered by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from cranfield.errors import CranfieldError
from cranfield.registry import Registry

__all__ = ["EXECUTORS", "Executor", "StartWorkers", "Workers", "find_workers"]


class Workers(ABC):
    """Processes elsewhere, each with an object of its own that does the work, until it is closed.

    Calls may come from several threads: each that is under way has a worker of its own.
    """

    @property
    @abstractmethod
    def count(self) -> int:
        """How many can work at once."""

    @abstractmethod
    def call(self, name: str, *arguments: Any) -> Any:
        """Call a method of a worker's object; if the worker is lost, of another one's.

        Raises CranfieldError if the method does, and LostWorkersError if no worker survives it.
        """

    @abstractmethod
    def close(self) -> None:
        """Let the workers close their objects and end."""


StartWorkers: TypeAlias = Callable[[Callable[[], Any]], Workers]
"""Starts workers; each opens its object, which has a `close`, with the picklable callable."""


@dataclass(frozen=True, slots=True)
class Executor:
    """A place to work: `start` gets an address and what opens the object of a worker.

    Without `start`, work is done in this process.
    """

    name: str
    summary: str
    start: Callable[[str, Callable[[], Any]], Workers] | None = None
    takes_address: bool = False


EXECUTORS: Registry[Executor] = Registry("executor", Executor, group="cranfield.executors")
EXECUTORS.register("local", Executor("local", "threads of this process"))
EXECUTORS.register_reference("ray", "cranfield.ray_workers:RAY")


def find_workers(text: str) -> StartWorkers | None:
    """Read NAME or NAME=ADDRESS; return what starts workers, or None to work in this process."""
    name, given, address = text.partition("=")
    executor = EXECUTORS.get(name)
    if given and not (address and executor.takes_address):
        why = "an address comes after =" if executor.takes_address else "it takes no address"
        raise CranfieldError(f"--executor {text!r}: {why}")
    return None if executor.start is None else partial(executor.start, address)
