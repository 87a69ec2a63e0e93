from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any, Callable, Generic, Sequence, TypeVar

from bramble.errors import Invalid

T = TypeVar("T")
LARGEST = 200


@dataclass(frozen=True)
class Page(Generic[T]):
    """A slice of a long list, with a mark from which the following slice goes on."""

    items: Sequence[T]
    following: str | None = None

    def __len__(self) -> int:
        return len(self.items)

    def to_json(self, render: Callable[[T], Any]) -> dict[str, Any]:
        return {"items": [render(item) for item in self.items], "next": self.following}


def encode_mark(values: Sequence[Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(list(values)).encode()).decode().rstrip("=")


def decode_mark(mark: str) -> list[Any]:
    padded = mark + "=" * (-len(mark) % 4)
    try:
        values = json.loads(base64.urlsafe_b64decode(padded))
    except ValueError:
        raise Invalid("the page mark is damaged; start from the first page") from None
    if not isinstance(values, list):
        raise Invalid("the page mark is damaged; start from the first page")
    return values


def paginate(rows: Sequence[T], size: int, key: Callable[[T], Sequence[Any]]) -> Page[T]:
    """Cut off what was fetched beyond the page; callers ask the database for `size + 1` rows."""
    size = max(1, min(size, LARGEST))
    if len(rows) <= size:
        return Page(rows)
    kept = rows[:size]
    return Page(kept, encode_mark(key(kept[-1])))
