"""The playground: one query on two systems side by side, and added to a suite if it is good."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cranfield.defaults import HITS
from cranfield.errors import CranfieldError
from cranfield.model import Query, Response, Status
from cranfield.reports.query_rankings import response_ranking
from cranfield.systems import mask_response, open_system, prepare_system
from cranfield.web.live_pages import render_live
from cranfield.web.suite_entries import NewQuery, add_query, list_suite_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.datastructures import FormData

    from cranfield.evaluation.project import Project
    from cranfield.systems import System, SystemSpec
    from cranfield.web.workbench import Workbench

__all__ = [
    "HITS",
    "LONGEST_QUERY",
    "Playground",
    "PlaygroundPages",
    "Side",
]

_NONE = "–"


class PlaygroundPages:
    """Shows the playground of a workbench."""

    def __init__(self, workbench: Workbench, report: Callable[[str], object]) -> None:
        self._workbench = workbench
        self._playground = Playground(workbench.environment, report)
        self._writing = Lock()

    def show(self, proof: str, given: Mapping[str, str]) -> str:
        """Show the form; an address may fill it in, but only sending it asks a system."""
        return self._render(proof, _read(given))

    def search(self, proof: str, form: FormData) -> str:
        """Show what both systems answer."""
        asked = _read(form)
        return self._render(proof, asked, sides=self._search(asked))

    def add(self, proof: str, form: FormData) -> str:
        """Add the query to a suite, and show what was written, or why nothing was."""
        asked = _read(form)
        right = tuple(dict.fromkeys(unquote(str(each)) for each in form.getlist("right")))
        new = NewQuery(asked["query"], right, _text(form, "id"), _text(form, "category"))
        suite = _text(form, "suite")
        try:
            with self._writing:
                written = add_query(self._workbench.project, suite, new)
        except CranfieldError as problem:
            kept = {"right": right, "chosen": suite, "new": new}
            return self._render(
                proof, asked, sides=self._search(asked), problem=str(problem), **kept
            )
        return self._render(proof, {**asked, "query": ""}, written=written, chosen=suite)

    def close(self) -> None:
        """Close the systems."""
        self._playground.close()

    def _search(self, asked: Mapping[str, str]) -> list[Any]:
        names = [asked["a"], *([asked["b"]] if asked["b"] not in ("", _NONE) else [])]
        return self._playground.search(self._workbench.project, asked["query"], names)

    def _render(self, proof: str, asked: Mapping[str, str], **values: Any) -> str:
        project = self._workbench.project
        systems = list(project.systems)
        a = asked["a"] or (systems[0] if systems else "")
        b = asked["b"] or (systems[1] if len(systems) > 1 else _NONE)
        usual: dict[str, Any] = {
            "sides": [], "problem": "", "written": "", "chosen": "", "right": (),
            "new": NewQuery("", ()),
        }  # fmt: skip
        return render_live(
            "playground.html",
            here="Playground",
            proof=proof,
            asked={**asked, "a": a, "b": b},
            systems=systems,
            none=_NONE,
            suites=list(list_suite_files(project)),
            longest=LONGEST_QUERY,
            **{**usual, **values},
        )


def _read(given: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(given.get(name, "")).strip() for name in ("query", "a", "b")}


def _text(form: FormData, name: str) -> str:
    return str(form.get(name, "")).strip()


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
        """Ask each of the named systems, one after the other so neither slows the other."""
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
