"""Hits from what a system printed or sent: JSON by paths, text by a pattern."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield.errors import SystemUnusableError
from cranfield.model import Hit, Response, Status
from cranfield.systems.json_paths import JsonPath
from cranfield.systems.system import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import regex

__all__ = [
    "FLAG_KEYS",
    "ROUTE_KEYS",
    "Extraction",
    "ReadingSettings",
    "cut",
    "describe_missing_hits",
    "describe_missing_id",
    "describe_unusable_id",
    "keep_first",
    "keep_raw",
    "name_flags",
    "name_route",
]

_MOST_RAW = 4000
_CUT_WORD = re.compile(r"(?<!\S)\S{1,1000}\Z|[\w+/=.-]{1,256}\Z")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PATTERN_SECONDS = 2
_HIT_LISTS = ("hits", "results", "items", "documents", "data", "result")
_ID_KEYS = ("id", "uri", "url", "path", "_id", "document_id", "docid", "file", "hash")
_SCORE_KEYS = ("score", "_score", "relevance")
_TEXT_KEYS = ("text", "content", "snippet", "body", "passage")
_TEXT_NAMES = frozenset(_TEXT_KEYS)
_PATHS = ("hits", "id", "score", "text", "fields", "route", "flags")


class ReadingSettings(Settings, kw_only=True):
    """How hits are read from an answer.

    With `pattern`, ids are its matches in the text, in order, each id once; a group named id is
    the id, or else the whole match. Otherwise the answer is JSON: `hits` is the path to the list,
    `id`, `score`, `text` and `fields` are paths inside one hit, `route` and `flags` inside the
    whole. What is left out is looked up under its usual names. A route or a flag may also be a
    field that is true: `practice_bridge: true` is the route practice_bridge.
    """

    pattern: str = ""
    hits: str = ""
    id: str = ""
    score: str = ""
    text: str = ""
    fields: str = ""
    route: str = ""
    flags: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        Extraction(self)

    def paths(self) -> dict[str, JsonPath]:
        """Return the given paths, by the name of the setting."""
        return {name: JsonPath(text) for name in _PATHS if (text := getattr(self, name))}


class Extraction:
    """Reads responses as the settings say."""

    def __init__(self, settings: ReadingSettings) -> None:
        self._pattern = _compile(settings.pattern) if settings.pattern else None
        self._paths = settings.paths()
        self._inner_paths = self._paths.keys() & {"id", "score", "text", "fields"}
        if self._pattern is not None and self._paths:
            raise SystemUnusableError(
                f"pattern reads ids from text and {next(iter(self._paths))} is a path into JSON; "
                "give one of the two"
            )

    @property
    def reads_text(self) -> bool:
        """Whether ids are matched in text and nothing is read as JSON."""
        return self._pattern is not None

    def from_bytes(self, output: bytes, limit: int) -> Response:
        """Read what was printed or sent."""
        if self._pattern is not None:
            return self._from_text(self._pattern, output.decode(errors="replace"), limit)
        try:
            document = msgspec.json.decode(output.removeprefix(_BYTE_ORDER_MARK))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            raw = keep_raw(output)
            return Response.failed(Status.UNPARSEABLE, f"this is not JSON: {problem}", raw=raw)
        return self.from_document(document, limit)

    def from_document(self, document: Any, limit: int) -> Response:
        """Read JSON that is decoded already; a query that was sent elsewhere needs no hits."""
        route = self._route(document)
        if route is None:
            where = self._paths["route"].text
            return _unparseable(
                f"the path {where} leads to no route; name a text, or a field that is true and "
                "gives the route its name",
                document,
            )
        listed = self._list(document)
        if isinstance(listed, str) and route not in ("", "search"):
            listed = []
        if isinstance(listed, str):
            return _unparseable(listed, document)
        response = self.from_hits(listed, limit)
        if response.status.is_failure:
            return _unparseable(response.message, document)
        return replace(response, route=route, flags=self._flags(document))

    def from_hits(self, listed: Iterable[Any], limit: int) -> Response:
        """Read hits one by one, at most `limit`; the first of each id is kept."""
        try:
            return keep_first(map(self._hit, listed, count(1)), limit)
        except _NoIdError as problem:
            return Response.failed(Status.UNPARSEABLE, str(problem))

    def _from_text(self, pattern: regex.Pattern[str], text: str, limit: int) -> Response:
        group = "id" if "id" in pattern.groupindex else 0
        found = pattern.finditer(text, timeout=_PATTERN_SECONDS)
        try:
            return keep_first((Hit(match[group]) for match in found if match[group]), limit)
        except TimeoutError:
            message = f"the pattern took more than {_PATTERN_SECONDS} s on the output"
            return Response.failed(Status.UNPARSEABLE, message, raw=cut(text, _MOST_RAW))

    def _list(self, document: Any) -> Sequence[Any] | str:
        """Return the hits, or a message that says why there is no list of them."""
        path = self._paths.get("hits")
        if path is None:
            if isinstance(document, list):
                return document
            places = (document.get(key) for key in _HIT_LISTS) if isinstance(document, dict) else ()
            listed = next((place for place in places if isinstance(place, list)), None)
            return (
                f"the JSON has no list of hits: {describe_missing_hits(document)}"
                if listed is None
                else listed
            )
        found = path.all(document)
        if found == [None]:  # what some languages write for an empty list
            return []
        if not path.reaches_a_list(document):
            where = "to no list" if found else "nowhere"
            return f"the path {path.text} leads {where}"
        if path.has_every and not all(isinstance(each, list) for each in found):
            return found
        return [hit for each in found for hit in each]

    def _hit(self, given: Any, rank: int) -> Hit:
        if isinstance(given, dict) and not self._inner_paths:
            return _usual_hit(given, rank)
        if isinstance(given, Hit):
            return given
        if _is_id(given):
            return Hit(str(given))
        name = self._found("id", given, _ID_KEYS).value
        if not _is_id(name):
            path = self._paths["id"].text if "id" in self._paths else ""
            raise _NoIdError(rank, given, path, name)
        inside = self._paths["fields"].first(given) if "fields" in self._paths else given
        text = self._found("text", given, _TEXT_KEYS)
        if text.key is None:
            text = self._found("text", inside, _TEXT_KEYS)
        return Hit(
            id=str(name),
            score=_number(self._found("score", given, _SCORE_KEYS).value),
            text=_text(text.value),
            fields=_fields(inside, text),
        )

    def _route(self, document: Any) -> str | None:
        """Return the route, empty if there is none; None if the path leads to something else."""
        if "route" in self._paths:
            key, value = self._found("route", document, ())
            return name_route(key or "", value)
        keys = document if isinstance(document, dict) else {}
        return next(filter(None, (name_route(key, keys.get(key)) for key in ROUTE_KEYS)), "")

    def _flags(self, document: Any) -> tuple[str, ...]:
        if "flags" in self._paths:
            key, value = self._found("flags", document, ())
            return name_flags(key or "", value)
        keys = document if isinstance(document, dict) else {}
        raised = (name_flags(key, keys.get(key)) for key in FLAG_KEYS)
        return tuple(dict.fromkeys(flag for some in raised for flag in some))

    def _found(self, name: str, document: Any, usual: Sequence[str]) -> _Found:
        if name in self._paths:
            path = self._paths[name]
            return _Found(path.last_key or "", path.first(document))
        return _first_found(document, usual) if isinstance(document, dict) else _NOT_FOUND


class _Found(NamedTuple):
    """A value and the key it was found under; no key if nothing was found."""

    key: str | None
    value: Any


_NOT_FOUND = _Found(None, None)


class _NoIdError(Exception):
    """A hit without an id; the message names what it has, and what to set."""

    def __init__(self, rank: int, given: Any, path: str = "", found: Any = None) -> None:
        keys = [key for key in _ID_KEYS if isinstance(given, dict) and key in given]
        if path and found is None:
            why = f" at {path}: {describe_missing_id(given)}"
        elif path or keys:
            why = f": {describe_unusable_id(path or keys[0], found)}"
        else:
            why = f": {describe_missing_id(given)}"
        super().__init__(f"hit {rank} has no id{why}")


def keep_first(hits: Iterable[Hit], limit: int) -> Response:
    """Keep the first hit of each id, count the others, and stop at the limit."""
    first: dict[str, Hit] = {}
    repeated = 0
    for hit in hits:
        if len(first) >= limit:
            break
        repeated += hit.id in first
        first.setdefault(hit.id, hit)
    return replace(Response.of(tuple(first.values())), repeated=repeated)


def keep_raw(*outputs: bytes) -> str:
    """Keep the beginning of each output, within a limit for all of them together."""
    most = _MOST_RAW // max(len([each for each in outputs if each]), 1)
    return "\n".join(_keep_beginning(each, most) for each in outputs if each)


def _keep_beginning(output: bytes, most: int) -> str:
    text = output[:most].decode(errors="backslashreplace")
    return text if len(output) <= most else _CUT_WORD.sub("", text)


def cut(text: str, most: int) -> str:
    """Keep the beginning of a text, without a word that is cut: half a token looks like none."""
    return text if len(text) <= most else _CUT_WORD.sub("", text[:most])


def _is_id(value: Any) -> bool:
    if type(value) is str:
        return value != ""
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def _number(value: Any) -> float | None:
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _text(value: Any) -> str:
    parts = value if isinstance(value, list) else [value]
    return "\n".join(part for part in parts if isinstance(part, str))


def _usual_hit(given: dict[str, Any], rank: int) -> Hit:
    """Read a hit whose parts all have their usual names: the same result as by paths, faster."""
    name = _first(given, _ID_KEYS)
    if not _is_id(name):
        raise _NoIdError(rank, given, found=name)
    score = _number(_first(given, _SCORE_KEYS))
    if _TEXT_NAMES.isdisjoint(given):
        return Hit(str(name), score, "", given)
    text = _first_found(given, _TEXT_KEYS)
    return Hit(str(name), score, _text(text.value), _fields(given, text))


def _first(document: dict[str, Any], usual: Sequence[str]) -> Any:
    """Return the first value under its usual names, or None."""
    for key in usual:
        if key in document and (value := document[key]) is not None:
            return value
    return None


def _first_found(document: dict[str, Any], usual: Sequence[str]) -> _Found:
    for key in usual:
        if key in document and (value := document[key]) is not None:
            return _Found(key, value)
    return _NOT_FOUND


def _fields(inside: Any, text: _Found) -> dict[str, Any]:
    """Return the fields of a hit without its text, which may be long."""
    if not isinstance(inside, dict):
        return {}
    return {
        key: value for key, value in inside.items() if key != text.key or value is not text.value
    }


def _unparseable(message: str, document: Any) -> Response:
    try:
        raw = keep_raw(msgspec.json.encode(document))
    except (TypeError, ValueError, RecursionError):
        raw = cut(repr(document), _MOST_RAW)
    return Response.failed(Status.UNPARSEABLE, message, raw=raw)


def _compile(pattern: str) -> regex.Pattern[str]:
    import regex

    try:
        return regex.compile(pattern)
    except regex.error as problem:
        raise SystemUnusableError(
            f"pattern = {pattern!r} is not a regular expression: {problem}"
        ) from None


_MOST_NAMED = 12
_ID_SUFFIXES = ("id", "uri", "url", "path", "key", "slug", "hash", "name", "title")
_DEEPEST = 3


def describe_missing_id(hit: Any) -> str:
    """Name the fields of a hit without an id, and the setting that would find one."""
    if isinstance(hit, list):
        return 'it is a list; if its first element is the id, set id = "[0]"'
    if not isinstance(hit, dict):
        return f"it is {_name_kind(hit)}, not a dict with fields"
    fields = _name_fields(hit, lambda value: type(value) in (str, int) and value != "")
    usable = [name for name, is_usable in fields.items() if is_usable]
    likely = min(usable, key=_unlikeliness, default="")
    remedy = f'set id to the path of the id, such as id = "{likely}"' if likely else "none is an id"
    return f"it has {_list(list(fields))}; {remedy}"


def describe_unusable_id(name: str, value: Any) -> str:
    """Say what is under the name of an id, if it is none."""
    kinds = {type(None): "null", bool: str(value).lower(), float: f"{value!r}, a float"}
    kinds |= {dict: "an object", list: "a list", str: "empty"}
    shown = kinds.get(type(value), _name_kind(value))
    return f"{name} is {shown}; an id is a text or a whole number"


def describe_missing_hits(document: Any) -> str:
    """Name the fields of an answer without hits, and the setting that would find them."""
    if not isinstance(document, dict):
        return f"it is {_name_kind(document)}"
    fields = _name_fields(document, lambda value: isinstance(value, list))
    lists = [name for name, is_list in fields.items() if is_list]
    found = f'if its hits are there, set hits = "{lists[0]}"' if lists else "none is a list"
    return f"it has {_list(list(fields))}; {found}"


def _name_fields(
    given: dict[str, Any], is_usable: Callable[[Any], bool], depth: int = 1
) -> dict[str, bool]:
    """Return the paths to all fields, also of tables inside, and whether each may be meant."""
    fields: dict[str, bool] = {}
    for key, value in given.items():
        if isinstance(value, dict) and value and depth < _DEEPEST:
            inside = _name_fields(value, is_usable, depth + 1)
            fields |= {f"{key}.{name}": is_meant for name, is_meant in inside.items()}
        else:
            fields[str(key)] = is_usable(value)
    return fields


def _unlikeliness(path: str) -> tuple[int, int]:
    last = path.rpartition(".")[2].casefold()
    ranks = [place for place, suffix in enumerate(_ID_SUFFIXES) if last.endswith(suffix)]
    return (min(ranks, default=len(_ID_SUFFIXES)), path.count("."))


def _list(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    shown = ", ".join(names[:_MOST_NAMED]) or "no fields"
    return f"{shown} and {more} more" if more > 0 else shown


def _name_kind(value: Any) -> str:
    if value is None:
        return "null"
    kinds = {bool: "true or false", str: "a text", int: "a number", float: "a number"}
    name = type(value).__name__
    return kinds.get(type(value), f"{'an' if name[0] in 'aeiou' else 'a'} {name}")


ROUTE_KEYS = ("route", "routing", "practice_bridge")
FLAG_KEYS = ("flags", "retrieval_intent")
"""The usual names; all of them are read."""


def name_route(key: str, value: Any) -> str | None:
    """Return the route that a field names; None if it holds neither a text nor true or false.

    A field that is true names the route itself: `{"practice_bridge": true}` is the route
    practice_bridge. One that is false or null names none.
    """
    if isinstance(value, bool):
        return key if value else ""
    if isinstance(value, str | int | None):
        return str(value or "")
    return None


def name_flags(key: str, value: Any) -> tuple[str, ...]:
    """Return the flags that a field raises: a list, a text, the keys that are true, or its own."""
    if isinstance(value, dict):
        return tuple(name for name, raised in value.items() if raised is True)
    if isinstance(value, list):
        return tuple(str(each) for each in value)
    if value is True:
        return (key,)
    return (str(value),) if value else ()
