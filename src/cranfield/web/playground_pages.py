"""The pages of the playground: the form, both answers, and what became of a query to add."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cranfield.errors import CranfieldError
from cranfield.web.live_pages import render_live
from cranfield.web.playground import LONGEST_QUERY, Playground
from cranfield.web.suite_entries import NewQuery, add_query, list_suite_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.datastructures import FormData

    from cranfield.web.workbench import Workbench

__all__ = ["PlaygroundPages"]

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
