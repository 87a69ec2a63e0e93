"""The pages by their addresses, and what is answered if something is wrong."""

from __future__ import annotations

import traceback
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cranfield.errors import CranfieldError, StoreAwayError, StoreError, UnknownNameError
from cranfield.pages.html_format import read_asset
from cranfield.web.guard import ASSETS, SIGN_IN, Guard
from cranfield.web.judging_pages import CHOICE, PREFERENCES, QUEUE, JudgingPages
from cranfield.web.live_pages import LivePages, render_live
from cranfield.web.playground_pages import PlaygroundPages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from cranfield.web.access import Access
    from cranfield.web.guard import Refusal
    from cranfield.web.page_cache import CachedPage
    from cranfield.web.workbench import Workbench

__all__ = ["make_application"]

_ASSETS = {"report.css": "text/css", "report.js": "text/javascript"}
_OWN_ASSETS = {
    "live.css": "text/css",
    "live.js": "text/javascript",
    "judge.css": "text/css",
    "judge.js": "text/javascript",
}


class _Views:
    """What each address shows."""

    def __init__(self, workbench: Workbench, report: Callable[[str], object]) -> None:
        self._workbench = workbench
        self._report = report
        self._pages = LivePages(workbench)
        self._playground = PlaygroundPages(workbench, report)
        self._judging = JudgingPages(workbench)

    def home(self, request: Request) -> Response:
        return _cached(request, self._pages.home())

    def run(self, request: Request) -> Response:
        return _cached(request, self._pages.run(_asked(request, "name")))

    def suite(self, request: Request) -> Response:
        return _cached(request, self._pages.suite(_asked(request, "name")))

    def comparison(self, request: Request) -> Response:
        return _cached(request, self._pages.comparison(_asked(request, "a"), _asked(request, "b")))

    def gate(self, request: Request) -> Response:
        return _cached(request, self._pages.gate(_asked(request, "name")))

    def answers(self, request: Request) -> Response:
        arms = request.query_params.getlist("arm")
        if len(arms) not in (1, 2):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "the address takes arm=… once or twice")
        found = self._pages.answers(arms, _asked(request, "suite"), _asked(request, "query"))
        return JSONResponse(found, headers={"cache-control": "private, no-store"})

    def progress(self, _: Request) -> Response:
        return JSONResponse([each._asdict() for each in self._workbench.progress()])

    def playground(self, request: Request) -> Response:
        return HTMLResponse(self._playground.show(request.state.proof, request.query_params))

    def search(self, request: Request) -> Response:
        return HTMLResponse(self._playground.search(request.state.proof, request.state.form))

    def add(self, request: Request) -> Response:
        return HTMLResponse(self._playground.add(request.state.proof, request.state.form))

    def choose_judging(self, _: Request) -> Response:
        return HTMLResponse(self._judging.choose())

    def judging(self, request: Request) -> Response:
        return HTMLResponse(self._judging.queue(request.state.proof, request.query_params))

    def judge(self, request: Request) -> Response:
        return _go_on(self._judging.judge(request.state.form))

    def judging_progress(self, request: Request) -> Response:
        return HTMLResponse(self._judging.progress(request.query_params))

    def preferences(self, request: Request) -> Response:
        return HTMLResponse(self._judging.preferences(request.state.proof, request.query_params))

    def prefer(self, request: Request) -> Response:
        return _go_on(self._judging.prefer(request.state.form))

    def fail(self, _: Request, problem: Exception) -> Response:
        self._report("".join(traceback.format_exception(problem)))
        return _message(HTTPStatus.INTERNAL_SERVER_ERROR, "a defect of cranfield; see the terminal")

    @asynccontextmanager
    async def closing(self, _: Starlette) -> AsyncIterator[None]:
        yield
        self._playground.close()
        self._workbench.close()


def make_application(
    workbench: Workbench, access: Access, report: Callable[[str], object], cookie: str = "cranfield"
) -> ASGIApp:
    """Make the server's application. `report` receives what went wrong in it.

    `cookie` names the cookie of sessions: servers on one machine share what a browser keeps.
    """
    views = _Views(workbench, report)
    made = Starlette(
        routes=[
            Route("/", views.home),
            Route("/run", views.run),
            Route("/suite", views.suite),
            Route("/compare", views.comparison),
            Route("/gate", views.gate),
            Route("/answers", views.answers),
            Route("/progress", views.progress),
            Route("/playground", views.playground),
            Route("/playground", views.search, methods=["POST"]),
            Route("/playground/add", views.add, methods=["POST"]),
            Route(CHOICE, views.choose_judging),
            Route(QUEUE, views.judging),
            Route(QUEUE, views.judge, methods=["POST"]),
            Route("/judge/progress", views.judging_progress),
            Route(PREFERENCES, views.preferences),
            Route(PREFERENCES, views.prefer, methods=["POST"]),
            Route(f"{ASSETS}{{name}}", _show_asset),
        ],
        exception_handlers={
            CranfieldError: _explain,
            HTTPException: _explain_http,
            Exception: views.fail,
        },
        lifespan=views.closing,
    )
    return Guard(made, access, cookie, _refuse)


def _asked(request: Request, name: str) -> str:
    if value := request.query_params.get(name, ""):
        return value
    raise HTTPException(HTTPStatus.BAD_REQUEST, f"the address lacks {name}=…")


def _go_on(address: str) -> Response:
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


def _cached(request: Request, page: CachedPage) -> Response:
    headers = {"etag": page.mark, "cache-control": "private, no-cache"}
    if request.headers.get("if-none-match") == page.mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return HTMLResponse(page.content, headers=headers)


def _show_asset(request: Request) -> Response:
    name = request.path_params["name"]
    if name in _ASSETS:
        content, kind = read_asset(name), _ASSETS[name]
    elif name in _OWN_ASSETS:
        content = (files("cranfield.web") / "assets" / name).read_text(encoding="utf-8")
        kind = _OWN_ASSETS[name]
    else:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


def _message(status: HTTPStatus, text: str, *, asks_token: bool = False) -> Response:
    page = render_live(
        "message.html", title=status.phrase, text=text, asks_token=asks_token, sign_in=SIGN_IN
    )
    return HTMLResponse(page, status)


def _refuse(refusal: Refusal) -> Response:
    return _message(refusal.status, refusal.message, asks_token=refusal.asks_token)


def _explain(_: Request, problem: Exception) -> Response:
    if isinstance(problem, StoreAwayError):
        return _message(HTTPStatus.SERVICE_UNAVAILABLE, str(problem))
    is_unknown = isinstance(problem, StoreError | UnknownNameError)
    return _message(HTTPStatus.NOT_FOUND if is_unknown else HTTPStatus.BAD_REQUEST, str(problem))


def _explain_http(_: Request, problem: Exception) -> Response:
    if not isinstance(problem, HTTPException):
        raise TypeError("not an HTTP exception") from problem
    status = HTTPStatus(problem.status_code)
    there_is_none = "there is no such page; the links above lead to all there are"
    text = there_is_none if status is HTTPStatus.NOT_FOUND else problem.detail
    return _message(status, text)
