"""Which column of a log is what: by its usual names, by similar ones, or as the user says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.errors import InputError, UnknownNameError
from cranfield_shared.names import near_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PARTS", "find_columns", "read_column_options"]

PARTS = {
    "query": ("query", "text", "q", "search", "searchterm", "searchquery", "searchtext", "term",
              "keyword", "keywords", "querytext", "querystring", "userquery", "question", "input",
              "phrase", "suchbegriff", "suche", "anfrage"),
    "count": ("count", "times", "searches", "frequency", "freq", "volume", "occurrences", "number",
              "n", "total", "totalsearches", "uniquesearches", "querycount", "searchcount",
              "anzahl"),
    "helpful": ("helpful", "clicked", "clicks", "click", "ctr", "clickthroughrate", "success",
                "successful", "converted", "conversions", "solved", "useful", "klicks"),
    "class": ("class", "category", "group", "kind", "type", "kategorie"),
}  # fmt: skip
"""What is read from a log, and the names of columns that have it; case, spaces and _ are equal."""

_NOT_LETTERS = re.compile(r"[\W_]+")


def read_column_options(written: Sequence[str]) -> dict[str, str]:
    """Read `PART=COLUMN` as typed for `--column`."""
    columns = {}
    for each in written:
        part, sign, column = each.partition("=")
        if not sign or not column.strip():
            raise UnknownNameError("column, written PART=COLUMN with a part", each, PARTS)
        if part.strip() not in PARTS:
            raise UnknownNameError("part of a log", part.strip(), PARTS)
        columns[part.strip()] = column.strip()
    return columns


def find_columns(names: Sequence[str], given: Mapping[str, str], file: str) -> dict[str, str]:
    """Return the column of each part that a log has; there must be one of queries.

    `given` are columns by the user's own choice, and must be there.
    """
    folded = {_NOT_LETTERS.sub("", name.casefold()): name for name in reversed(names)}
    found = dict(given)
    for part, column in given.items():
        if column not in names:
            raise InputError(
                f"{UnknownNameError('column', column, names)} (for --column {part}=…)", file=file
            )
    for part, usual in PARTS.items():
        known = next((folded[name] for name in usual if name in folded), None)
        if part not in found and known is not None:
            found[part] = known
    if "query" not in found:
        columns = ", ".join(names) or "none"
        near = next((name for name in names if near_names(name, PARTS["query"], most=1)), "NAME")
        raise InputError(
            f"is no query log, or its queries have another name; its columns are: {columns}; name "
            f"the one with queries: --column query={near!r}",
            file=file,
            line=1,
        )
    return found
