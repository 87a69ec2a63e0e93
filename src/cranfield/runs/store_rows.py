"""The rows of a store: written from headers and answers, and read with suspicion.

Whatever is not as it was written raises a ValueError or one of its kind: a store may be damaged.
"""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import msgspec
import numpy as np

from cranfield.model import Response, Status
from cranfield.runs.records import Answer, AskedSuite, Outcomes, RunHeader
from cranfield.systems import mask_literal_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "OutcomeColumns",
    "Row",
    "Shape",
    "answer_row",
    "header_row",
    "read_answer",
    "read_header",
    "read_response",
    "read_suite",
    "suite_row",
]

Row: TypeAlias = dict[str, Any]

_RESPONSE = msgspec.json.Decoder(Response)
_FIGURES = msgspec.json.Decoder(tuple[float | None, ...])
_REASONS = msgspec.json.Decoder(dict[int, str])
_SUITE = msgspec.json.Decoder(AskedSuite)


class Shape(NamedTuple):
    """How many queries, repetitions and measures the answers of a run are of."""

    queries: int
    repeats: int
    measures: int

    @classmethod
    def of(cls, header: RunHeader) -> Shape:
        """Return the shape of a run."""
        return cls(len(header.suite.queries), header.repeats, len(header.measures))

    def check(self, place: object, repeat: object) -> None:
        """Refuse a place that no answer of the run can have."""
        for name, number, count in (
            ("place", place, self.queries),
            ("repetition", repeat, self.repeats),
        ):
            if not isinstance(number, int) or not 0 <= number < count:
                raise ValueError(f"an answer has the {name} {number!r} of {count}")


def suite_row(asked: AskedSuite) -> dict[str, str]:
    """Write a suite; its hash is its key, and shows whether it is read as it was written."""
    content = msgspec.json.encode(asked).decode()
    return {"hash": _hash(content), "content": content}


def read_suite(key: str, content: str) -> AskedSuite:
    """Read a suite."""
    if (found := _hash(content)) != key:
        raise ValueError(f"its hash is {found[:12]} instead of {key[:12]}")
    return _SUITE.decode(content)


def _hash(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def header_row(header: RunHeader) -> dict[str, str]:
    """Write a header without its suite."""
    return {
        "id": header.id,
        "label": header.label,
        "suite": header.suite.id,
        "system": header.system,
        "state": str(header.state),
        "started": header.started,
        "finished": header.finished,
        "header": msgspec.json.encode(
            {name: value for name, value in _fields(header) if name != "asked"}
        ).decode(),
    }


def _fields(header: RunHeader) -> Iterator[tuple[str, Any]]:
    return ((each.name, getattr(header, each.name)) for each in fields(header))


def read_header(row: Any, asked: AskedSuite) -> RunHeader:
    """Read a header, with the suite that was run."""
    known = msgspec.json.decode(row.header)
    header = msgspec.convert({**known, "asked": asked}, RunHeader)
    if header.id != row.id:
        raise ValueError(f"it has the id {header.id!r}")
    if header.repeats < 1 or header.limit < 1:
        raise ValueError(f"it has {header.repeats} repetitions and {header.limit} hits")
    for time in filter(None, (header.started, header.finished)):
        datetime.fromisoformat(time)
    # An older version took secrets in a configuration; no report shows them.
    return replace(header, spec=mask_literal_secrets(header.spec))


def answer_row(run: str, answer: Answer) -> Row:
    """Write an answer as a row; raises what the encoder raises for what cannot be written."""
    response = answer.response
    return {
        "run": run,
        "place": answer.place,
        "repeat": answer.repeat,
        "status": str(response.status),
        "seconds": response.seconds,
        "first_rank": answer.first_rank,
        "figures": msgspec.json.encode(answer.values).decode(),
        "reasons": msgspec.json.encode(answer.reasons).decode(),
        "response": msgspec.json.encode(response),
    }


def read_answer(row: Any, shape: Shape) -> Answer:
    """Read an answer."""
    shape.check(row.place, row.repeat)
    return Answer(
        row.place,
        row.repeat,
        read_response(row.response),
        _read_figures(row, shape),
        _REASONS.decode(row.reasons),
        _check_rank(row.first_rank, row.place),
    )


def read_response(content: bytes) -> Response:
    """Read the response of an answer."""
    return _RESPONSE.decode(content)


def _read_figures(row: Any, shape: Shape) -> tuple[float | None, ...]:
    figures = _FIGURES.decode(row.figures)
    if len(figures) != shape.measures:
        _refuse_figures(row.place, figures, shape)
    return figures


def _refuse_figures(place: int, figures: tuple[float | None, ...], shape: Shape) -> NoReturn:
    raise ValueError(f"answer {place + 1} has {len(figures)} of {shape.measures} figures")


def _check_rank(rank: int | None, place: int) -> int | None:
    if rank is not None and not isinstance(rank, int):
        raise ValueError(f"answer {place + 1} has the rank {rank!r}")
    return rank


_STATUSES = {str(status): (status, status.is_failure) for status in Status}


class OutcomeColumns:
    """Columns of outcomes, filled with rows in the order of places and repetitions."""

    def __init__(self, header: RunHeader) -> None:
        self._header = header
        self._shape = Shape.of(header)
        queries, repeats, measures = self._shape
        self._values = np.full((repeats, queries, measures), np.nan)
        self._seconds = np.full((repeats, queries), np.nan)
        self._failed = np.zeros((repeats, queries), dtype=np.bool_)
        self._statuses: list[Status | None] = [None] * queries
        self._ranks: list[int | None] = [None] * queries
        self._reasons: dict[tuple[int, int], str] = {}
        self._answers = 0

    def add(self, rows: Sequence[Any]) -> None:
        """Add the rows of answers: place, repetition, status, seconds, rank, figures, reasons."""
        if not rows:
            return
        failed = [self._note(*row) for row in rows]
        places, repeats, _, seconds, _, figures, _ = zip(*rows, strict=True)
        at = (np.array(repeats), np.array(places))
        decoded = [_FIGURES.decode(each) for each in figures]
        wrong = next((place for place, each in enumerate(decoded) if not self._fits(each)), None)
        if wrong is not None:
            _refuse_figures(places[wrong], decoded[wrong], self._shape)
        # None becomes nan.
        self._values[at] = np.array(decoded, dtype=np.float64).reshape(len(rows), -1)
        self._seconds[at] = np.array(seconds, dtype=np.float64)
        self._failed[at] = failed
        self._answers += len(rows)

    def _fits(self, figures: tuple[float | None, ...]) -> bool:
        return len(figures) == self._shape.measures

    def _note(
        self,
        place: int,
        repeat: int,
        status: str,
        _: float | None,
        rank: int | None,
        _figures: str,
        reasons: str,
    ) -> bool:
        """Keep what is not a number of an answer, and return whether it is a failure."""
        self._shape.check(place, repeat)
        known, is_failure = _STATUSES.get(status) or _refuse_status(status)
        if repeat == 0:
            self._ranks[place] = _check_rank(rank, place)
        if is_failure or self._statuses[place] is None:
            self._statuses[place] = known
        if reasons != "{}":
            for column, reason in _REASONS.decode(reasons).items():
                self._reasons[place, column] = reason
        return is_failure

    def outcomes(self) -> Outcomes:
        """Return what was added."""
        return Outcomes(
            queries=self._header.suite.queries,
            hashes=self._header.asked.hashes,
            values=self._values.mean(axis=0),
            by_repeat=self._values,
            failed=self._failed,
            reasons=self._reasons,
            statuses=tuple(self._statuses),
            first_ranks=tuple(self._ranks),
            seconds=self._seconds[0],
            missing=self._seconds.size - self._answers,
        )


def _refuse_status(status: str) -> NoReturn:
    raise ValueError(f"an answer has the status {status!r}")
