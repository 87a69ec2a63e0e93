"""The names that a person may mean by a few words: run together, qualified, or in a statement.

`Task check cancellation` is `Task.checkCancellation`, `import CoreLocation` the page of Core
Location. Nothing here looks at an index: a wording that nothing is called finds nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["find_framed", "join_words", "qualify_words"]

MOST_WORDS = 4
"""More words than this are a sentence."""

_JOINTS = ("", "_")
_FROM = re.compile(r"from ([\w.]+) import ([\w.]+)")
_FRAMES = (
    re.compile(r"(?:import|framework|module|package) (?P<name>.+)"),
    re.compile(r"(?P<name>.+?) (?:framework|module|package|(?:standard )?library)"),
)


def join_words(words: Sequence[str]) -> tuple[str, ...]:
    """Write two to four words as one name, each way that names are written."""
    if not 1 < len(words) <= MOST_WORDS:
        return ()
    return "".join(words), "_".join(words), "-".join(words)


def qualify_words(name: str) -> tuple[str, ...]:
    """Write a folded query as a member with what it is a member of, wherever the dot may be."""
    if imported := _FROM.fullmatch(name):
        return (".".join(imported.groups()),)
    words = name.split(" ")
    if not 1 < len(words) <= MOST_WORDS:
        return ()
    names = {".".join(words): None}
    for place in range(1, len(words)):
        for joint in _JOINTS:
            owners = {between.join(words[:place]) for between in _JOINTS}
            member = joint.join(words[place:])
            names.update({f"{owner}.{member}": None for owner in sorted(owners)})
    return tuple(names)


def find_framed(name: str) -> str:
    """Find what a folded query says is a framework, such as `swiftui` of `swiftui framework`."""
    matches = (frame.fullmatch(name) for frame in _FRAMES)
    return next((match["name"] for match in matches if match), "")
