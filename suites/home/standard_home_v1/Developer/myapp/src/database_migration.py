"""Bring the store of the application up to the newest schema, one numbered step after another."""

import argparse
import sqlite3
from contextlib import closing

STEPS = {
    1: [
        "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT)",
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, user_id INTEGER NOT NULL, expires_at TEXT)",
    ],
    2: [
        "ALTER TABLE users ADD COLUMN created_at TEXT NOT NULL DEFAULT '1970-01-01'",
        "ALTER TABLE users ADD COLUMN locale TEXT NOT NULL DEFAULT 'en'",
    ],
    3: [
        "CREATE INDEX sessions_by_user ON sessions (user_id, expires_at)",
        "CREATE INDEX users_by_creation ON users (created_at)",
    ],
    4: [
        "ALTER TABLE sessions RENAME COLUMN expires_at TO valid_until",
    ],
}


def current_version(connection: sqlite3.Connection) -> int:
    """The number of the last step that ran, 0 for an empty file."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


def migrate_schema(connection: sqlite3.Connection, target: int | None = None) -> list[int]:
    """Run the missing steps up to `target` and return their numbers.

    Each step runs in its own transaction: a failing ALTER TABLE leaves the version before it.
    """
    target = max(STEPS) if target is None else target
    done = []
    for number in range(current_version(connection) + 1, target + 1):
        with connection:
            for statement in STEPS[number]:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        done.append(number)
    return done


def main() -> None:
    """Call migrate_schema() on a file given by the user."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--target", type=int)
    arguments = parser.parse_args()
    with closing(sqlite3.connect(arguments.file)) as connection:
        done = migrate_schema(connection, arguments.target)
    print("nothing to do" if not done else f"ran steps {done[0]} to {done[-1]}")


if __name__ == "__main__":
    main()
