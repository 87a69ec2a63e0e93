"""A search that stands in for yours: `boost` helps the odd words, `noise` only shuffles luck."""

from __future__ import annotations

from hashlib import sha256


def search(text: str, limit: int, boost: float = 0.0, noise: int = 0) -> list[str]:
    """Put the right document first for a part of the words, and last for the others."""
    number = int(text.removeprefix("word"))
    right, wrong = f"doc-{number}", ["doc-x", "doc-y", "doc-z"]
    luck = sha256(f"{text} {noise}".encode()).digest()[0] / 256
    is_first = luck < 0.4 + 0.6 * boost * (number % 2)
    return [right, *wrong][:limit] if is_first else [*wrong, right][:limit]
