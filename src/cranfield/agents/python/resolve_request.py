"""What the process that resolves names is asked."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ResolveRequest"]


@dataclass(frozen=True, slots=True)
class ResolveRequest:
    """What the resolver is asked: answers, a version of Python, and what it may know.

    - `roots` are the top-level modules of the target's packages; None allows all installed ones.
    - `absent` are packages of the target that are not installed here, each with the reason, and
      `absent_roots` their modules if those are known.
    - `cache` is a folder that keeps what was read of packages.
    """

    answers: tuple[str, ...]
    python: tuple[int, int]
    cache: str
    roots: tuple[str, ...] | None = ()
    absent: tuple[str, ...] = ()
    absent_roots: tuple[str, ...] = ()
