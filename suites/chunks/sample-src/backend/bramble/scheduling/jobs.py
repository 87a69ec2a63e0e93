"""What runs by itself, and when."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Callable

from bramble.catalogue.copies import CopyState
from bramble.clock import SystemClock
from bramble.notices.outbox import Outbox
from bramble.notices.postmen import Postman
from bramble.notices.reminders import Reminders
from bramble.scheduling.cron import TimeTable
from bramble.storage.database import Database

log = logging.getLogger(__name__)
KEEP_YEARS = 3


@dataclass(frozen=True)
class Job:
    name: str
    when: TimeTable
    work: Callable[[], object]


class Timekeeper:
    """Remembers in the database when each job ran, so that a restart neither skips nor repeats."""

    def __init__(self, database: Database, clock: SystemClock, jobs: tuple[Job, ...]) -> None:
        self._database = database
        self._clock = clock
        self.jobs = jobs

    def last_run(self, job: Job) -> datetime | None:
        text = self._database.scalar("SELECT last_run FROM job_runs WHERE job = ?", job.name)
        return datetime.fromisoformat(text) if text else None

    def due(self) -> list[Job]:
        now = self._clock.now()
        yesterday = now - timedelta(days=1)
        return [
            job for job in self.jobs if job.when.next_after(self.last_run(job) or yesterday) <= now
        ]

    def tick(self) -> list[str]:
        """Run everything that is due; one that fails does not hold up the others."""
        done = []
        for job in self.due():
            try:
                job.work()
                outcome = "ok"
            except Exception as problem:
                log.exception("job %s failed", job.name)
                outcome = f"failed: {problem}"
            self._note(job, outcome)
            done.append(f"{job.name}: {outcome}")
        return done

    def _note(self, job: Job, outcome: str) -> None:
        self._database.connection.execute(
            "INSERT OR REPLACE INTO job_runs (job, last_run, outcome) VALUES (?, ?, ?)",
            (job.name, self._clock.now().isoformat(), outcome),
        )


def house_jobs(reminders: Reminders, outbox: Outbox, postman: Postman) -> tuple[Job, ...]:
    """The time table of the house."""
    desk = reminders._desk
    cutoff = timedelta(days=365 * KEEP_YEARS)

    def release_holds() -> None:
        for barcode, title in desk.waiting.lapse():
            if desk.waiting.assign(title, barcode) is None:
                desk.copies.move(barcode, CopyState.HELD, CopyState.SHELF)

    def forget_leavers() -> None:
        for member in desk.members.inactive_since(desk._clock.today() - cutoff):
            desk.members.erase(member.card)

    return (
        Job("post letters", TimeTable.parse("*/5 * * * *"), lambda: outbox.flush(postman)),
        Job("due soon", TimeTable.parse("0 7 * * *"), reminders.write_due_soon),
        Job("late", TimeTable.parse("15 7 * * *"), reminders.write_late),
        Job("release holds", TimeTable.parse("30 6 * * *"), release_holds),
        Job("forget leavers", TimeTable.parse("0 3 1 * *"), forget_leavers),
    )
