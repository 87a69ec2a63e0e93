"""The pages by their addresses, what is answered if something is wrong, and the server of it."""

from __future__ import annotations

import socket
import traceback
from contextlib import asynccontextmanager, suppress
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cranfield.errors import CranfieldError, StoreAwayError, StoreError, UnknownNameError
from cranfield.reports.additions import PAGE_SETS, NextPage, PageRequest, ShownReport
from cranfield.web.guard import ASSETS, SIGN_IN, Guard
from cranfield.web.live_pages import LivePages, render_live, render_live_report
from cranfield.web.playground import PlaygroundPages
from cranfield_shared.signals import Stopped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from importlib.resources.abc import Traversable

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from cranfield.reports.additions import Page
    from cranfield.web.guard import Access, Refusal
    from cranfield.web.workbench import CachedPage, Workbench

__all__ = [
    "listen",
    "make_application",
    "make_server",
    "serve_forever",
]

_MOST_REQUESTS = 100
_IDLE_SECONDS = 10
_END_SECONDS = 5
_ASSET_KINDS = {".css": "text/css", ".js": "text/javascript"}


class _Views:
    """What each address shows."""

    def __init__(self, workbench: Workbench, report: Callable[[str], object]) -> None:
        self._workbench = workbench
        self._report = report
        self._pages = LivePages(workbench)
        self._playground = PlaygroundPages(workbench, report)

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
            *_route_page_sets(workbench),
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


def _route_page_sets(workbench: Workbench) -> Iterator[Route]:
    """Yield the routes of the pages that slices and plug-ins add."""
    for pages in PAGE_SETS.values():
        for page in pages.open(workbench):
            yield Route(page.address, _answer_with(page, pages.title), methods=[page.method])


def _answer_with(page: Page, here: str) -> Callable[[Request], Response]:
    """Make the view of a page, which belongs to the place `here`."""

    def view(request: Request) -> Response:
        sent = request.state.form if page.method == "POST" else request.query_params
        fields = {name: [str(each) for each in sent.getlist(name)] for name in sent}
        answer = page.answer(PageRequest(fields, request.state.proof))
        if isinstance(answer, NextPage):
            return RedirectResponse(answer.address, HTTPStatus.SEE_OTHER)
        if isinstance(answer, ShownReport):
            return HTMLResponse(render_live_report(answer.report, here))
        values = {"proof": request.state.proof, **answer.values}
        return HTMLResponse(render_live(answer.template, here=here, **values))

    return view


def _cached(request: Request, page: CachedPage) -> Response:
    headers = {"etag": page.mark, "cache-control": "private, no-cache"}
    if request.headers.get("if-none-match") == page.mark:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return HTMLResponse(page.content, headers=headers)


def _show_asset(request: Request) -> Response:
    name = request.path_params["name"]
    if (asset := _find_assets().get(name)) is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    kind = _ASSET_KINDS[Path(name).suffix]
    content = asset.read_text(encoding="utf-8")
    return Response(content, media_type=kind, headers={"cache-control": "no-cache"})


@cache
def _find_assets() -> dict[str, Traversable]:
    """Return the style sheets and scripts of all pages by name; no other file is ever sent."""
    found: dict[str, Traversable] = {}
    for package in ("cranfield.web", *(each.package for each in PAGE_SETS.values())):
        folder = files(package) / "assets"
        each_file = folder.iterdir() if folder.is_dir() else ()
        found |= {each.name: each for each in each_file if Path(each.name).suffix in _ASSET_KINDS}
    return found


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


def listen(host: str, port: int) -> tuple[socket.socket, int]:
    """Listen on an address, and return the port, which is a free one if 0 was asked for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.create_server(found[4][:2], family=found[0])
    except (OSError, OverflowError, UnicodeError) as problem:
        raise CranfieldError(
            f"cannot listen on {host} port {port} ({problem}); choose another with --port (0 takes "
            "a free one) or --host"
        ) from problem
    return opened, opened.getsockname()[1]


def make_server(application: ASGIApp) -> uvicorn.Server:
    """Make a server that says nothing and trusts no header about who asks."""
    settings = uvicorn.Config(
        application,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_REQUESTS,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_END_SECONDS,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve_forever(application: ASGIApp, opened: socket.socket) -> None:
    """Answer until the process is told to end."""
    with suppress(KeyboardInterrupt, Stopped):
        make_server(application).run(sockets=[opened])
