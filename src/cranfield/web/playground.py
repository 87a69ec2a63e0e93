"""One query on two systems of the project, side by side. Systems stay open between queries."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any

from cranfield.defaults import HITS
from cranfield.errors import CranfieldError
from cranfield.model import Query, Response, Status
from cranfield.reports import response_ranking
from cranfield.systems import mask_response, open_system, prepare_system

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cranfield.evaluation import Project
    from cranfield.systems import System, SystemSpec

__all__ = ["HITS", "LONGEST_QUERY", "Playground", "Side"]

LONGEST_QUERY = 2000
_AT_A_TIME = 4
_WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Side:
    """What one system answered; each hit has its rank on the other side as `other`."""

    system: str
    answer: Mapping[str, Any]
    hits: tuple[Mapping[str, Any], ...]


class Playground:
    """Asks systems of the project; none that it does not have, and few at a time."""

    def __init__(self, environment: Mapping[str, str], report: Callable[[str], object]) -> None:
        self._environment = environment
        self._report = report
        self._opened: dict[str, tuple[SystemSpec, System]] = {}
        self._lock = Lock()
        self._room = BoundedSemaphore(_AT_A_TIME)

    def search(self, project: Project, text: str, names: Sequence[str]) -> list[Side]:
        """Ask each of the named systems, one after the other so that neither slows the other."""
        if not text:
            raise CranfieldError("type a query")
        if len(text) > LONGEST_QUERY:
            raise CranfieldError(
                f"the query has {len(text):,} characters; {LONGEST_QUERY:,} are the most"
            )
        specs = [project.system(name) for name in names]
        if not self._room.acquire(timeout=_WAIT_SECONDS):
            raise CranfieldError(f"{_AT_A_TIME} searches are under way already; try again later")
        try:
            answers = [response_ranking(self._ask(spec, text)) for spec in specs]
        finally:
            self._room.release()
        return [
            Side(spec.name, answer, _with_other_rank(answer, answers[1 - place]))
            if len(specs) == 2
            else Side(spec.name, answer, tuple(answer["hits"]))
            for place, (spec, answer) in enumerate(zip(specs, answers, strict=True))
        ]

    def _ask(self, spec: SystemSpec, text: str) -> Response:
        try:
            system = self._open(spec)
        except CranfieldError as problem:
            return Response.failed(Status.ERROR, str(problem))
        started = time.perf_counter()
        try:
            response = mask_response(system.search(Query("playground", text), HITS))
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - systems may raise anything
            message = system.hide(f"{type(problem).__name__}: {problem}")
            response = Response.failed(Status.ERROR, message)
        seconds = time.perf_counter() - started
        return replace(response, hits=response.hits[:HITS], seconds=seconds)

    def _open(self, spec: SystemSpec) -> System:
        """Open a system, or again if its settings have changed."""
        with self._lock:
            known = self._opened.get(spec.name)
            if known is not None and known[0] == spec:
                return known[1]
            if known is not None:
                del self._opened[spec.name]
                known[1].close()
            prepare_system(spec, self._environment, self._report)
            system = open_system(spec, self._environment)
            try:
                system.check()
            except BaseException:
                system.close()
                raise
            self._opened[spec.name] = (spec, system)
            return system

    def close(self) -> None:
        """Close all systems."""
        with self._lock:
            for _, system in self._opened.values():
                system.close()
            self._opened.clear()


def _with_other_rank(
    answer: Mapping[str, Any], other: Mapping[str, Any]
) -> tuple[Mapping[str, Any], ...]:
    ranks = {hit["id"]: rank for rank, hit in reversed([*enumerate(other["hits"], start=1)])}
    return tuple({**hit, "other": ranks.get(hit["id"])} for hit in answer["hits"])
