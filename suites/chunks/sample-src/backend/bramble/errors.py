"""Everything that can go wrong on purpose."""

from __future__ import annotations


class LibraryError(Exception):
    """Base of all errors that a person at the desk should be able to read."""

    status = 500
    code = "internal"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def to_json(self) -> dict[str, object]:
        return {"error": self.code, "message": self.message, "details": self.details}


class NotFound(LibraryError):
    status = 404
    code = "not_found"


class NotLoggedIn(LibraryError):
    status = 401
    code = "login"


class Refused(LibraryError):
    """The request is understood, and the house rules say no."""

    status = 403
    code = "refused"


class Invalid(LibraryError):
    status = 422
    code = "invalid"


class Conflict(LibraryError):
    """Somebody else was faster."""

    status = 409
    code = "conflict"


class TooMany(LibraryError):
    status = 429
    code = "slow_down"


class Unavailable(LibraryError):
    """Something we depend on does not answer; trying later may help."""

    status = 503
    code = "unavailable"
