"""The four to eight digits that open a reader's account."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections import defaultdict

from bramble.clock import SystemClock
from bramble.errors import Invalid, TooMany

ROUNDS = 310_000


def seal_pin(pin: str, rounds: int = ROUNDS) -> str:
    """Turn digits into something that can be stored: rounds, salt and digest."""
    if not (pin.isdigit() and 4 <= len(pin) <= 8):
        raise Invalid("a PIN has four to eight digits")
    salt = os.urandom(16)
    digest = hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, rounds)
    return f"{rounds}${salt.hex()}${digest.hex()}"


def matches(pin: str, sealed: str) -> bool:
    rounds, salt, digest = sealed.split("$")
    tried = hashlib.pbkdf2_hmac("sha256", pin.encode(), bytes.fromhex(salt), int(rounds))
    return hmac.compare_digest(tried.hex(), digest)


class AttemptGuard:
    """Five wrong tries close the door for a quarter of an hour."""

    def __init__(self, clock: SystemClock, tries: int = 5, minutes: int = 15) -> None:
        self._clock = clock
        self._tries = tries
        self._minutes = minutes
        self._wrong: dict[str, list[float]] = defaultdict(list)

    def check(self, card: str) -> None:
        since = self._clock.now().timestamp() - 60 * self._minutes
        self._wrong[card] = [moment for moment in self._wrong[card] if moment > since]
        if len(self._wrong[card]) >= self._tries:
            raise TooMany("too many wrong PINs; try again later", minutes=self._minutes)

    def note_failure(self, card: str) -> None:
        self._wrong[card].append(self._clock.now().timestamp())
