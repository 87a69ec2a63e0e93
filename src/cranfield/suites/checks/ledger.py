"""The ledger beside a suite: every id that was ever used, and the text of its query."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import InputError
from cranfield.formats import count_of
from cranfield.relevance import normalise
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["compare_with_ledger", "ledger_path", "read_ledger", "write_ledger"]

_SAME_QUESTION = 0.6
"""How similar two texts must be, from 0 to 1, for one to be an edit of the other."""

_MOST_LEDGER = 1 << 30
_COMPARED = 400
"""Comparison takes time quadratic in the length; the beginning of a text is enough."""


def ledger_path(suite: Path) -> Path:
    """Return the path of a suite's ledger."""
    return suite.with_name(f"{suite.name}.ledger.json")


def read_ledger(path: Path) -> dict[str, str] | None:
    """Read the texts by id; `None` if there is no ledger yet."""
    try:
        return msgspec.json.decode(read_limited(path, _MOST_LEDGER), type=dict[str, str])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        raise InputError(
            f"is no ledger of ids and texts ({problem}); restore it from version control",
            file=str(path),
        ) from None


def write_ledger(path: Path, source: SuiteSource, ledger: Mapping[str, str]) -> None:
    """Add a suite's queries to a ledger, one id a line in order, so that changes can be reviewed.

    The file is replaced as a whole; one that would not change is left alone.
    """
    entries = {**ledger, **{query.id: query.text for query in source.suite.queries}}
    lines = [f"  {_json(name)}: {_json(entries[name])}" for name in sorted(entries)]
    content = "{\n" + ",\n".join(lines) + "\n}\n"
    try:
        if path.exists() and path.read_text(encoding="utf-8") == content:
            return
        replace_file(path, content)
    except OSError as problem:
        raise InputError(
            f"cannot be written: {problem.strerror or problem}", file=str(path)
        ) from None


def compare_with_ledger(
    source: SuiteSource, ledger: Mapping[str, str], *, accept: bool
) -> Iterator[Finding]:
    """Find ids that disappeared and ids that now stand for another query.

    An edited text is a warning, unless `accept` takes it for the same query. A text that has
    nothing in common with the old one is another query and always an error, as is a missing id:
    results stored under it would lose their meaning.
    """
    for place, query in enumerate(source.suite.queries):
        old = ledger.get(query.id, query.text)
        if old == query.text:
            continue
        if not _is_edit(old, query.text):
            yield source.error(
                f"query {query.id!r} was {_short(old)} and is {_short(query.text)} now; ids are "
                "never reused, give the new question an id of its own and keep the old one with "
                "deprecated = true",
                place,
            )
        elif not accept:
            yield source.warning(
                f"the text of query {query.id!r} was {_short(old)}; results before and after "
                "cannot be compared: deprecate the old query and give the new text an id of its "
                "own, or accept the edit by updating the ledger",
                place,
            )
    present = {query.id for query in source.suite.queries}
    for name in sorted(ledger.keys() - present):
        yield source.error(
            f"query {name!r} ({_short(ledger[name])}) is gone; keep it with deprecated = true, "
            "so that its id is never used again"
        )
    new = len(present - ledger.keys())
    if new and not accept:
        yield source.note(
            f"{count_of(new, 'query is', 'queries are')} not in the ledger yet; update it"
        )


def _is_edit(old: str, new: str) -> bool:
    one, other = normalise(old)[:_COMPARED], normalise(new)[:_COMPARED]
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _SAME_QUESTION


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
