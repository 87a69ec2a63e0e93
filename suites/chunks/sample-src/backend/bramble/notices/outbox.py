"""Letters are written into the database first and posted later, so that none is lost."""

from __future__ import annotations

import logging
from datetime import timedelta

from bramble.clock import SystemClock
from bramble.errors import Unavailable
from bramble.notices.postmen import Postman
from bramble.storage.database import Database

log = logging.getLogger(__name__)
MOST_TRIES = 8


class Outbox:
    def __init__(self, database: Database, clock: SystemClock) -> None:
        self._database = database
        self._clock = clock

    def __len__(self) -> int:
        return int(self._database.scalar("SELECT count(*) FROM outbox WHERE state = 'waiting'"))

    def put(self, receiver: str, subject: str, body: str) -> None:
        self._database.connection.execute(
            "INSERT INTO outbox (receiver, subject, body, not_before) VALUES (?, ?, ?, ?)",
            (receiver, subject, body, self._clock.now().isoformat()),
        )

    def flush(self, postman: Postman, most: int = 100) -> int:
        """Post what is due; return how many letters went out."""
        rows = self._database.many(
            "SELECT * FROM outbox WHERE state = 'waiting' AND not_before <= ? ORDER BY id LIMIT ?",
            self._clock.now().isoformat(),
            most,
        )
        sent = 0
        for row in rows:
            try:
                postman.send(row["receiver"], row["subject"], row["body"])
            except Unavailable:
                self._postpone(row["id"], row["tries"] + 1)
            else:
                self._mark(row["id"], "sent")
                sent += 1
        return sent

    def _postpone(self, number: int, tries: int) -> None:
        if tries >= MOST_TRIES:
            log.error("letter %d given up after %d tries", number, tries)
            self._mark(number, "failed")
            return
        later = self._clock.now() + timedelta(minutes=2**tries)
        self._database.connection.execute(
            "UPDATE outbox SET tries = ?, not_before = ? WHERE id = ?",
            (tries, later.isoformat(), number),
        )

    def _mark(self, number: int, state: str) -> None:
        self._database.connection.execute(
            "UPDATE outbox SET state = ? WHERE id = ?", (state, number)
        )
