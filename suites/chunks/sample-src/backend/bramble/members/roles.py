"""Who may do what behind the desk."""

from __future__ import annotations

import enum
import functools
from typing import Any, Callable

from bramble.errors import Refused


class Right(enum.Enum):
    LEND = "lend"
    EDIT_CATALOGUE = "edit_catalogue"
    EDIT_MEMBERS = "edit_members"
    FORGIVE_DEBT = "forgive_debt"
    RUN_JOBS = "run_jobs"


GRANTS: dict[str, frozenset[Right]] = {
    "reader": frozenset(),
    "volunteer": frozenset({Right.LEND}),
    "librarian": frozenset({Right.LEND, Right.EDIT_CATALOGUE, Right.EDIT_MEMBERS}),
    "head": frozenset(Right),
}


def allows(role: str, right: Right) -> bool:
    return right in GRANTS.get(role, frozenset())


def needs(right: Right) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Guard a handler: whoever asks must hold the right."""

    def decorate(handler: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(handler)
        def guarded(request: Any, *args: Any, **kwargs: Any) -> Any:
            session = request.session
            if session is None or not allows(session.role, right):
                raise Refused("your role does not include this", needed=right.value)
            return handler(request, *args, **kwargs)

        return guarded

    return decorate
