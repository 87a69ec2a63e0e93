"""Taking many titles in at once, without stopping at the first bad one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterable

from bramble.catalogue.search import TitleIndex
from bramble.catalogue.titles import Titles
from bramble.errors import Invalid, LibraryError


class RecordError(LibraryError):
    status = 422
    code = "bad_record"


@dataclass(frozen=True)
class Draft:
    """A title as somebody else describes it."""

    name: str
    author: str = ""
    isbn: str | None = None
    year: int | None = None
    subjects: tuple[str, ...] = ()


@dataclass
class ImportReport:
    added: int = 0
    skipped: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return self.added + len(self.skipped)

    def summary(self) -> str:
        lines = [f"{self.added} of {len(self)} taken in"]
        return "\n".join(lines + [f"  left out: {reason}" for reason in self.skipped[:20]])


def take_in(
    drafts: Iterable[Draft | RecordError], titles: Titles, index: TitleIndex
) -> ImportReport:
    report = ImportReport()
    for draft in drafts:
        if isinstance(draft, RecordError):
            report.skipped.append(draft.message)
            continue
        try:
            title = titles.add(
                draft.name, draft.author, draft.isbn, year=draft.year, subjects=draft.subjects
            )
        except Invalid as problem:
            report.skipped.append(f"{draft.name}: {problem.message}")
            continue
        index.put(title)
        report.added += 1
    return report
