"""Suites of judged queries: topics from one file, judgments from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import count_of
from cranfield.model import Query, Suite
from cranfield.suites.suite_source import SuiteSource
from cranfield.trec_files import read_qrels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Topic", "join_judgments", "read_judgments"]


class Topic(NamedTuple):
    """A query of a collection, and the line where it starts."""

    id: str
    text: str
    line: int


def read_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read judgments as grades by query and document."""
    judged: dict[str, dict[str, int]] = {}
    for query, document, grade in read_qrels(str(path)).judgments():
        judged.setdefault(query, {})[document] = grade
    return judged


def join_judgments(name: str, topics: Sequence[Topic], path: Path, qrels: Path) -> SuiteSource:
    """Make a suite of the judged topics; the description counts what is left out.

    `path` is the file of the topics. Topic numbers may have leading zeros that the judgments lack.
    """
    judged = read_judgments(qrels)
    kept = [(topic, found) for topic in topics if (found := _judged_id(topic.id, judged))]
    if not kept:
        some = ", ".join(sorted(judged)[:3])
        raise InputError(
            f"not one of the {len(judged)} judged queries ({some} …) is in {path.name}; "
            "do the two belong together?",
            file=str(qrels),
        )
    queries = tuple(Query(found, topic.text, {"ids": judged[found]}) for topic, found in kept)
    unjudged, textless = len(topics) - len(kept), judged.keys() - {found for _, found in kept}
    left_out = (
        (unjudged, "query without judgments is left out", "queries without judgments are left out"),
        (len(textless), "judged query has no text", "judged queries have no text"),
    )
    said = [count_of(count, one, many) for count, one, many in left_out if count]
    description = "; ".join([f"judged by {qrels.name}", *said])
    suite = Suite(name, "judged", queries, description)
    return SuiteSource(suite, path, tuple(topic.line for topic, _ in kept))


def _judged_id(name: str, judged: dict[str, dict[str, int]]) -> str:
    return next((each for each in (name, name.lstrip("0")) if each in judged), "")
