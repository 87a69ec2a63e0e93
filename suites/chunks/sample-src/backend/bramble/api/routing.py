from __future__ import annotations

import re
from typing import Any, Callable

from bramble.api.messages import Response
from bramble.errors import NotFound

Handler = Callable[..., Response]
_BLANK = re.compile(r"<(int:)?(\w+)>")


class Routes:
    """Patterns such as `/titles/<int:number>` and what answers them."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, re.Pattern[str], frozenset[str], Handler]] = []

    def add(self, method: str, pattern: str) -> Callable[[Handler], Handler]:
        numbers = frozenset(name for is_number, name in _BLANK.findall(pattern) if is_number)

        def fill(blank: re.Match[str]) -> str:
            return f"(?P<{blank[2]}>{'[0-9]+' if blank[1] else '[^/]+'})"

        compiled = re.compile(f"^{_BLANK.sub(fill, pattern)}$")

        def keep(handler: Handler) -> Handler:
            self._entries.append((method, compiled, numbers, handler))
            return handler

        return keep

    def match(self, method: str, path: str) -> tuple[Handler, dict[str, Any]]:
        for known, pattern, numbers, handler in self._entries:
            found = pattern.match(path) if known == method else None
            if found:
                given = found.groupdict()
                return handler, {k: int(v) if k in numbers else v for k, v in given.items()}
        raise NotFound("there is nothing at this address", path=path)
