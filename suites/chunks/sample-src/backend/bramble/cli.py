"""The command `bramble`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from wsgiref.simple_server import make_server

from bramble.api.application import Application
from bramble.api.handlers import Handlers
from bramble.api.throttle import Throttle
from bramble.catalogue.search import TitleIndex
from bramble.catalogue.titles import Title, Titles
from bramble.circulation.loans import Desk
from bramble.clock import OpeningCalendar, SystemClock
from bramble.config import Settings, load_settings
from bramble.errors import LibraryError
from bramble.importers import batch, marc, spreadsheet
from bramble.logs import configure_logging
from bramble.members.sessions import Sessions
from bramble.notices.outbox import Outbox
from bramble.notices.postmen import MailPostman
from bramble.notices.reminders import Reminders
from bramble.scheduling.jobs import Timekeeper, house_jobs
from bramble.storage.database import Database
from bramble.storage.migrations import upgrade


def build_index(database: Database) -> TitleIndex:
    index = TitleIndex()
    for row in database.many("SELECT * FROM titles"):
        index.put(Title.from_row(row))
    return index


def serve(settings: Settings, options: argparse.Namespace) -> int:
    database, clock = Database(settings.database), SystemClock()
    desk = Desk(database, clock, OpeningCalendar())
    reminders = Reminders(desk, Titles(database), Outbox(database, clock), clock)
    sessions = Sessions(clock, settings.session_hours)
    handlers = Handlers(database, desk, build_index(database), sessions, reminders)
    application = Application(handlers, sessions, Throttle(settings.requests_per_minute))
    make_server("", options.port, application).serve_forever()
    return 0


def run_jobs(settings: Settings, options: argparse.Namespace) -> int:
    database, clock = Database(settings.database), SystemClock()
    outbox = Outbox(database, clock)
    desk = Desk(database, clock, OpeningCalendar())
    reminders = Reminders(desk, Titles(database), outbox, clock)
    jobs = house_jobs(reminders, outbox, MailPostman(settings))
    print("\n".join(Timekeeper(database, clock, jobs).tick()) or "nothing was due")
    return 0


def import_file(settings: Settings, options: argparse.Namespace) -> int:
    database = Database(settings.database)
    titles, index = Titles(database), TitleIndex()
    if options.file.suffix == ".mrc":
        with options.file.open("rb") as stream:
            report = batch.take_in(marc.read_drafts(stream), titles, index)
    else:
        with options.file.open(encoding="utf-8-sig", newline="") as stream:
            report = batch.take_in(spreadsheet.read_rows(stream), titles, index)
    print(report.summary())
    return 1 if report.skipped else 0


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bramble")
    parser.add_argument("--config", type=Path, default=Path("bramble.toml"))
    commands = parser.add_subparsers(required=True)
    serving = commands.add_parser("serve", help="answer the web application")
    serving.add_argument("--port", type=int, default=8080)
    serving.set_defaults(run=serve)
    commands.add_parser("jobs", help="do what is due").set_defaults(run=run_jobs)
    importing = commands.add_parser("import", help="read titles from MARC or CSV")
    importing.add_argument("file", type=Path)
    importing.set_defaults(run=import_file)
    return parser


def main(arguments: list[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    settings = load_settings(options.config)
    configure_logging(settings.debug)
    try:
        upgrade(Database(settings.database))
        return int(options.run(settings, options))
    except LibraryError as problem:
        print(f"bramble: {problem.message}", file=sys.stderr)
        return 2
