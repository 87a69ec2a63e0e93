"""Fixtures: the folder of files that a test corpus was written for, and whether it is whole."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from unicodedata import normalize

from cranfield.suites.similar_names import KnownIds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["find_fixture", "missing_files"]


def find_fixture(suite: Path, name: str) -> Path | None:
    """Return the folder of a fixture: beside the suite, or in `fixtures` there or one above."""
    folder = suite.resolve().parent
    places = (folder / name, folder / "fixtures" / name, folder.parent / "fixtures" / name)
    return next((place for place in places if name and place.is_dir()), None)


def missing_files(source: SuiteSource, listed: Sequence[Sequence[str]]) -> Iterator[Finding]:
    """Find the files of each query that the fixture lacks: no search could return them."""
    fixture = find_fixture(source.path, source.suite.fixture)
    if fixture is None:
        if source.suite.fixture:
            yield source.note(
                f"the fixture {source.suite.fixture} is not beside the suite, so that its files "
                "are not checked"
            )
        return
    files = [path.relative_to(fixture).as_posix() for path in fixture.rglob("*") if path.is_file()]
    present = {normalize("NFC", file) for file in files}
    known = KnownIds(sorted(present))
    for place, expected in enumerate(listed):
        for file in expected:
            if not _is_present(normalize("NFC", file), present):
                near = known.find_near(file)
                hint = f"; did you mean {near}?" if near else "; restore it"
                query = source.suite.queries[place].id
                yield source.error(
                    f"query {query!r} names {file!r}, which the fixture {fixture.name} does not "
                    f"have{hint}",
                    place,
                )


def _is_present(file: str, present: set[str]) -> bool:
    if "*" not in file:
        return file in present
    return any(fnmatchcase(each, f"*{file}") for each in present)
