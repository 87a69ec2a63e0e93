"""What the library owns, regardless of how many copies stand on the shelf."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass
from typing import Any

from bramble.errors import NotFound
from bramble.paging import Page, paginate
from bramble.storage.database import Database
from bramble.validation import clean_isbn


@dataclass(frozen=True)
class Title:
    id: int
    isbn: str | None
    name: str
    author: str
    year: int | None
    subjects: tuple[str, ...] = ()

    @classmethod
    def from_row(cls, row: sqlite3.Row) -> Title:
        subjects = tuple(filter(None, row["subjects"].split("|")))
        return cls(row["id"], row["isbn"], row["name"], row["author"] or "", row["year"], subjects)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"subjects": list(self.subjects)}


class Titles:
    """The table of titles."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __len__(self) -> int:
        return int(self._database.scalar("SELECT count(*) FROM titles"))

    def get(self, number: int) -> Title:
        row = self._database.one("SELECT * FROM titles WHERE id = ?", number)
        if row is None:
            raise NotFound("no such title", id=number)
        return Title.from_row(row)

    def by_isbn(self, isbn: str) -> Title | None:
        row = self._database.one("SELECT * FROM titles WHERE isbn = ?", clean_isbn(isbn))
        return None if row is None else Title.from_row(row)

    def add(self, name: str, author: str = "", isbn: str | None = None, **more: Any) -> Title:
        """Enter a title, or complete the one that has this ISBN already."""
        known = self.by_isbn(isbn) if isbn else None
        subjects = "|".join(more.get("subjects", ()))
        with self._database.transaction() as connection:
            if known:
                connection.execute(
                    "UPDATE titles SET name = ?, author = ?, year = coalesce(?, year) WHERE id = ?",
                    (name, author or known.author, more.get("year"), known.id),
                )
                number = known.id
            else:
                cursor = connection.execute(
                    "INSERT INTO titles (isbn, name, author, year, subjects) VALUES (?, ?, ?, ?, ?)",
                    (clean_isbn(isbn) if isbn else None, name, author, more.get("year"), subjects),
                )
                number = int(cursor.lastrowid or 0)
        return self.get(number)

    def listed(self, size: int, after: list[Any] | None = None) -> Page[Title]:
        name, number = after or ["", 0]
        rows = self._database.many(
            "SELECT * FROM titles WHERE (name, id) > (?, ?) ORDER BY name, id LIMIT ?",
            name,
            number,
            size + 1,
        )
        return paginate([Title.from_row(row) for row in rows], size, lambda t: (t.name, t.id))
