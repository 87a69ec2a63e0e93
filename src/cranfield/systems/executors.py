"""Where systems are searched: in this process, or by the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError
from cranfield.registry import Registry
from cranfield.systems.system import open_system

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from cranfield.systems.system import System, SystemSpec

    Opener: TypeAlias = Callable[[SystemSpec, Mapping[str, str]], System]

__all__ = ["EXECUTORS", "Executor", "find_opener"]


@dataclass(frozen=True, slots=True)
class Executor:
    """A place to search systems: `open` gets a definition, the environment and an address."""

    name: str
    summary: str
    open: Callable[[SystemSpec, Mapping[str, str], str], System]
    takes_address: bool = False


EXECUTORS: Registry[Executor] = Registry("executor", Executor, group="cranfield.executors")


def find_opener(text: str) -> Opener:
    """Read NAME or NAME=ADDRESS, and return what opens systems there."""
    name, given, address = text.partition("=")
    executor = EXECUTORS.get(name)
    if given and not (address and executor.takes_address):
        why = "an address comes after =" if executor.takes_address else "it takes no address"
        raise CranfieldError(f"--executor {text!r}: {why}")
    return partial(_open, executor, address)


def _open(
    executor: Executor, address: str, spec: SystemSpec, environment: Mapping[str, str]
) -> System:
    return executor.open(spec, environment, address)


def _open_here(spec: SystemSpec, environment: Mapping[str, str], _: str) -> System:
    return open_system(spec, environment)


EXECUTORS.register("local", Executor("local", "threads of this process", _open_here))
EXECUTORS.register_reference("ray", "cranfield.systems.ray_system:RAY")
