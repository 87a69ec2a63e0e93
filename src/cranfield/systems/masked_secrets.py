"""Secrets of systems: found in settings, named by variables, and masked in what comes back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from cranfield_shared.secret_kinds import find_secrets, mask_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cranfield.model import Hit, Response

__all__ = [
    "MASKED",
    "PASSWORD_IN_ADDRESS",
    "VARIABLE",
    "find_literal_secrets",
    "is_secret_name",
    "mask_literal_secrets",
    "mask_response",
]

MASKED = "[masked]"
"""What is written in the place of a value under a secret's name."""

VARIABLE = re.compile(r"\$\{(\w+)\}")
_PLACEHOLDERS = re.compile(r"\s*(?:\{[\w.]+\}\s*)+")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATOR = re.compile(r"[-. ]+")
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:token|secret|pass|credentials?|bearer|cookie|authorization|secret_key_base"
    r"|(?:api|access|secret|private|signing|encryption|account|master|subscription|service|session)"
    r"_?key)$"
    r"|_(?:pwd?|auth)$|(?:password|passwd|passphrase|apikey|apitoken|authtoken|accesstoken)$"
)
_SECRET_HEADER = re.compile(r"auth|cookie|token|secret|password|api[-_]?key", re.I)
_HEADERS = "headers"
_URL = "url"
"""Where no user name is taken at all; the message there says how to send one."""
_OPTION = re.compile(r"-{1,2}([A-Za-z][\w.-]*)")
_ASSIGNMENT = re.compile(r"(?:-{1,2})?([A-Za-z_][\w.-]*)=(.+)", re.S)
_HEADER = re.compile(r"(?:-H\s*|-{0,2})([A-Za-z][\w-]*):\s*(.+)", re.S)
_USER_OF_CURL = re.compile(r"[^:]*:(.+)", re.S)
PASSWORD_IN_ADDRESS = re.compile(r"\w://[^/\s?#@:]*:([^/\s?#@]+)@")


def is_secret_name(name: str) -> bool:
    """Return whether a name suggests a secret: `PGPASSWORD`, `apiKey`, `AWS_SECRET_ACCESS_KEY`."""
    words = _SEPARATOR.sub("_", _WORD_START.sub("_", name)).lower()
    return _SECRET_NAME.search(words) is not None


def find_literal_secrets(settings: Mapping[str, Any]) -> list[str]:
    """Describe each secret that is written down in settings; no message repeats one."""
    return [_describe(where, reason) for where, _, reason in _find(settings, "")]


def mask_literal_secrets(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of an older store without the secrets written down in them."""
    literals = {value for _, value, _ in _find(settings, "")}
    masked = _replace(dict(settings), literals) if literals else dict(settings)
    return dict(masked)


def _replace(value: Any, literals: set[str]) -> Any:
    if isinstance(value, dict):
        return {name: _replace(each, literals) for name, each in value.items()}
    if isinstance(value, list):
        return [_replace(each, literals) for each in value]
    if str(value) in literals and not isinstance(value, bool):
        return MASKED
    for literal in literals if isinstance(value, str) else ():
        value = value.replace(literal, MASKED)
    return value


def _describe(where: str, reason: str) -> str:
    if where.partition(".")[0] in ("run", "prepare"):
        return (
            f"{where} {reason}, where others can read it; let the program read it from the "
            f'environment, for instance env.NAME = "${{NAME}}"'
        )
    return (
        f"{where} {reason} here, where others can read it; put it into an environment variable and "
        f'write {where} = "${{NAME}}"'
    )


def _find(value: Any, where: str) -> Iterator[tuple[str, str, str]]:
    """Yield each secret: where it is, itself, and what it is recognised by."""
    if isinstance(value, dict):
        is_header = where == _HEADERS
        for name, each in value.items():
            place = f"{where}.{name}" if where else str(name)
            suggests = bool(_SECRET_HEADER.search(name)) if is_header else is_secret_name(str(name))
            if suggests and _is_literal(each):
                yield place, str(each), "is written down"
            else:
                yield from _find(each, place)
    elif isinstance(value, list):
        yield from _find_in_list(value, where)
    elif isinstance(value, str):
        yield from _find_in_text(value, where)


def _find_in_list(values: Sequence[Any], where: str) -> Iterator[tuple[str, str, str]]:
    """Find the values of options and headers in a command.

    `--token VALUE`, `--token=VALUE`, `NAME=VALUE`, `Authorization: VALUE`, and `-u NAME:PASSWORD`
    of curl.
    """
    is_curl = bool(values) and str(values[0]).rpartition("/")[2] == "curl"
    before = None
    for value in values:
        yield from _find(value, where)
        if not isinstance(value, str):
            continue
        for assigned in (_ASSIGNMENT.fullmatch(value), _HEADER.fullmatch(value)):
            if assigned and is_secret_name(assigned[1]) and _is_literal(assigned[2]):
                yield where, assigned[2], f"has the value of {assigned[1]}"
        option = _OPTION.fullmatch(before) if before else None
        is_value = not value.startswith("-") and _is_literal(value)
        if option and is_value and is_secret_name(option[1]):
            yield where, value, f"has the value of {before}"
        if is_curl and (value.startswith(("-u", "--user=")) or before in ("-u", "--user")):
            yield from _find_password(value, where)
        before = value


def _find_password(user: str, where: str) -> Iterator[tuple[str, str, str]]:
    """Find the password in an option of curl: `NAME:PASSWORD`."""
    found = _USER_OF_CURL.fullmatch(user)
    if found and _is_literal(found[1]):
        yield where, found[1], "has the value of --user"


def _find_in_text(text: str, where: str) -> Iterator[tuple[str, str, str]]:
    for secret in find_secrets(text):
        yield where, secret.value, f"holds what looks like a {secret.kind}"
    address = None if where == _URL else PASSWORD_IN_ADDRESS.search(text)
    if address and _is_literal(address[1]):
        yield where, address[1], "holds a password"
    if "://" in text:
        for name, value in _list_parameters(text):
            if is_secret_name(name) and _is_literal(value):
                yield f"{where}.{name}", value, "is written down"


def _list_parameters(address: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(address).query)
    except ValueError:
        return []


def _is_literal(value: Any) -> bool:
    """Return whether a value is given as it is: no variable, no placeholder, not empty."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    text = str(value)
    return bool(text) and not VARIABLE.search(text) and not _PLACEHOLDERS.fullmatch(text)


def mask_response(
    response: Response,
    mask: Callable[[str], str] = mask_secrets,
    mask_id: Callable[[str], str] | None = None,
) -> Response:
    """Mask each text of a response; one without secrets is returned itself.

    `mask_id` masks the ids of hits, if these are masked in another way than the rest.
    """
    whole = "\n".join(_list_texts(response))
    if mask(whole) == whole:
        return response
    mask_id = mask_id or mask
    return replace(
        response,
        hits=tuple(_mask_hit(hit, mask, mask_id) for hit in response.hits),
        route=mask(response.route),
        flags=tuple(map(mask, response.flags)),
        message=mask(response.message),
        raw=mask(response.raw),
    )


def _mask_hit(hit: Hit, mask: Callable[[str], str], mask_id: Callable[[str], str]) -> Hit:
    fields = {
        # The id is often among the fields too, and rules look there.
        _mask_value(name, mask): _mask_value(value, mask_id if value == hit.id else mask)
        for name, value in hit.fields.items()
    }
    text = _mask_value(hit.text, mask)
    return replace(hit, id=_mask_value(hit.id, mask_id), text=text, fields=fields)


def _mask_value(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {
            mask(name) if isinstance(name, str) else name: _mask_value(each, mask)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mask_value(each, mask) for each in value]
    return value


def _list_texts(response: Response) -> Iterator[str]:
    yield from (response.message, response.raw, response.route, *response.flags)
    for hit in response.hits:
        yield from _list_values([hit.id, hit.text, hit.fields])


def _list_values(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield str(name)
            yield from _list_values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _list_values(each)
