"""Being logged in: a random token, good for some hours."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from bramble.clock import SystemClock


@dataclass(frozen=True)
class Session:
    token: str
    card: str
    role: str
    expires: datetime

    def to_json(self) -> dict[str, str]:
        return {"token": self.token, "role": self.role, "expires": self.expires.isoformat()}


class Sessions:
    def __init__(self, clock: SystemClock, hours: float) -> None:
        self._clock = clock
        self._lifetime = timedelta(hours=hours)
        self._data: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._data)

    def open(self, card: str, role: str) -> Session:
        token = secrets.token_urlsafe(32)
        session = Session(token, card, role, self._clock.now() + self._lifetime)
        self._data[token] = session
        return session

    def resolve(self, token: str) -> Session | None:
        session = self._data.get(token)
        if session and session.expires <= self._clock.now():
            del self._data[token]
            return None
        return session

    def close(self, token: str) -> None:
        self._data.pop(token, None)
