"""The WSGI application: from bytes to a handler and back."""

from __future__ import annotations

import logging
import uuid
from http import HTTPStatus
from typing import Any, Callable, Iterable

from bramble.api.handlers import Handlers
from bramble.api.messages import Request, Response
from bramble.api.throttle import Throttle
from bramble.errors import LibraryError, TooMany
from bramble.logs import request_scope
from bramble.members.sessions import Session, Sessions

log = logging.getLogger(__name__)


class Application:
    def __init__(self, handlers: Handlers, sessions: Sessions, throttle: Throttle) -> None:
        self._handlers = handlers
        self._sessions = sessions
        self._throttle = throttle

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        with request_scope(environ.get("HTTP_X_REQUEST_ID") or uuid.uuid4().hex[:12]):
            response = self.answer(Request.from_environ(environ))
        body = response.encode()
        phrase = HTTPStatus(response.status).phrase
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        start(f"{response.status} {phrase}", [*headers, *response.headers])
        return [body]

    def answer(self, request: Request) -> Response:
        """Errors of ours become their own status; anything else is a 500 without details."""
        try:
            self._throttle.check(request.client)
            request.session = self._identify(request)
            handler, values = self._handlers.routes.match(request.method, request.path)
            return handler(request, **values)
        except TooMany as problem:
            after = str(problem.details.get("seconds", 60))
            return Response(problem.to_json(), problem.status, (("Retry-After", after),))
        except LibraryError as problem:
            return Response(problem.to_json(), problem.status)
        except Exception:
            log.exception("unexpected failure at %s", request.path)
            return Response({"error": "internal", "message": "something broke here"}, 500)

    def _identify(self, request: Request) -> Session | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self._sessions.resolve(token) if scheme.lower() == "bearer" else None
