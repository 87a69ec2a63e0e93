"""Copy changed rows from the production replica into the local database."""

import argparse
import sqlite3
from contextlib import closing

TABLES = ("users", "items", "loans")


def changed_rows(remote, table, since):
    cursor = remote.execute(f"SELECT * FROM {table} WHERE changed_at > ?", (since,))
    names = [column[0] for column in cursor.description]
    return names, cursor.fetchall()


def write_rows(local, table, names, rows):
    holes = ", ".join("?" for _ in names)
    local.executemany(f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({holes})", rows)


def sync(remote, local):
    """Sync every table and return how many rows moved."""
    moved = 0
    for table in TABLES:
        since = local.execute(f"SELECT coalesce(max(changed_at), '') FROM {table}").fetchone()[0]
        names, rows = changed_rows(remote, table, since)
        with local:
            write_rows(local, table, names, rows)
        print(f"{table}: {len(rows)} rows")
        moved += len(rows)
    return moved


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("remote")
    parser.add_argument("local")
    arguments = parser.parse_args()
    with closing(sqlite3.connect(arguments.remote)) as remote:
        with closing(sqlite3.connect(arguments.local)) as local:
            print("synced", sync(remote, local), "rows")
