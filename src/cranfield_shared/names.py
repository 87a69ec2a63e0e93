"""Names that were misspelt, and the ones that were probably meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["near_names", "unknown_name"]


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
