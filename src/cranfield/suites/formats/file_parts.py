"""Files of suites: text, and JSON whose parts know their lines, with errors that name them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec

from cranfield.errors import InputError
from cranfield.formats import count_of
from cranfield.model import Query, RegressionRules, Suite
from cranfield.shapes import find_misfits
from cranfield.suites.similar_names import UnknownName
from cranfield.suites.suite_source import Finding, FindingSeverity, SuiteSource
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

__all__ = [
    "INFORMATIVE_KEYS",
    "PERCENTILE",
    "Part",
    "QueriesFile",
    "RegressionsTable",
    "Topic",
    "decode",
    "decode_queries",
    "join_judgments",
    "locate",
    "misfit_findings",
    "read_bytes",
    "read_judgments",
    "starts_with",
    "text_lines",
]

Shape = TypeVar("Shape")

INFORMATIVE_KEYS = frozenset({
    "author", "comment", "comments", "created", "created_at", "description", "difficulty",
    "metadata", "rationale", "reviewed", "reviewed_by", "reviewer", "tags", "theme", "themes",
    "title", "updated", "updated_at", "version",
})  # fmt: skip
"""Keys of other harnesses' files that inform people and decide nothing."""

_MOST_FILE = 1 << 30
"""Bytes of a file that is read whole; corpora in JSON lines are the largest."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BYTE = re.compile(r"\(byte (\d+)\)")


class Part(NamedTuple):
    """A piece of a file, and the line where it starts."""

    content: bytes
    line: int


class DecodedQueries(NamedTuple, Generic[Shape]):
    """The queries of a JSON file, their lines, and findings about unknown keys."""

    queries: list[Shape]
    lines: tuple[int, ...]
    findings: tuple[Finding, ...]


class QueriesFile(NamedTuple):
    """A file of queries: what it should hold, in words, and keys that only inform people."""

    path: Path
    expected: str
    informative: Collection[str] = ()


def read_bytes(path: Path, *, may_be_empty: bool = False) -> bytes:
    """Read a file that must be UTF-8 and, unless `may_be_empty`, not empty."""
    try:
        content = read_limited(path, _MOST_FILE).removeprefix(_BYTE_ORDER_MARK)
        content.decode()
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror or problem}; check the path", file=str(path)
        ) from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"is not UTF-8 (byte 0x{problem.object[problem.start]:02x}); convert it to UTF-8",
            file=str(path),
            line=line,
        ) from None
    if not content.strip() and not may_be_empty:
        raise InputError("is empty; is this the right file?", file=str(path))
    return content


def starts_with(path: Path, *beginnings: bytes) -> bool:
    """Return whether a file starts with one of these, ignoring white space."""
    try:
        with path.open("rb") as stream:
            start = stream.read(256).removeprefix(_BYTE_ORDER_MARK).lstrip()
    except OSError:
        return False
    return start.startswith(beginnings)


def text_lines(content: bytes) -> Iterator[Part]:
    """Yield the lines that are not blank."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield Part(line.strip(b"\r"), number)


def decode(part: Part, shape: type[Shape], path: Path, expected: str) -> Shape:
    """Decode JSON into a type; `expected` describes what should have been there."""
    try:
        return msgspec.json.decode(part.content, type=shape)
    except msgspec.ValidationError as problem:
        message, line = f"{_in_words(str(problem))}; {expected}", part.line
    except msgspec.DecodeError as problem:
        found = _BYTE.search(str(problem))
        place = int(found[1]) if found else len(part.content.rstrip())
        reason = _BYTE.sub("", str(problem)).removeprefix("JSON is malformed: ").strip()
        message = f"is not JSON: {reason[0].lower()}{reason[1:]}; {expected}"
        line = part.line + part.content.count(b"\n", 0, place)
    except RecursionError:
        message, line = f"is nested too deeply to be read; {expected}", part.line
    raise InputError(message, file=str(path), line=line)


def decode_queries(
    parts: Sequence[Part], shape: type[Shape], source: QueriesFile
) -> DecodedQueries[Shape]:
    """Decode JSON objects, a query each.

    Everything that does not fit is reported at once. Keys that only inform people are passed over;
    other keys that the shape does not have are findings, which a project may accept.
    """
    unknown: dict[str, list[tuple[Part, str]]] = {}
    problems: list[InputError] = []
    for part in parts:
        for misfit in find_misfits(decode(part, Any, source.path, source.expected), shape):
            if not misfit.unknown_key:
                message = f"{misfit}; {source.expected}"
                problems.append(InputError(message, file=str(source.path), line=part.line))
            elif misfit.unknown_key not in source.informative:
                unknown.setdefault(misfit.unknown_key, []).append((part, misfit.message))
    findings = tuple(_describe_key(key, found) for key, found in unknown.items())
    if problems:
        problems += [
            InputError(each.message, file=str(source.path), line=each.line, key=key)
            for key, each in zip(unknown, findings, strict=True)
        ]
        raise InputError.join(problems)
    queries = [decode(part, shape, source.path, source.expected) for part in parts]
    return DecodedQueries(queries, tuple(part.line for part in parts), findings)


def _describe_key(key: str, found: Sequence[tuple[Part, str]]) -> Finding:
    """Report a key once, however many queries have it."""
    unknown = UnknownName("keys", key)
    part, message = found[0]
    count = f" (in {len(found)} places)" if len(found) > 1 else ""
    text = unknown.explain(message.replace(":", f"{count}:", 1))
    return Finding(FindingSeverity.ERROR, text, line=part.line, unknown=unknown)


def misfit_findings(
    value: Any, shape: type[Shape], informative: Collection[str], line: int | None = None
) -> Iterator[Finding]:
    """Find the keys that a single object should not have; a project may accept them."""
    for misfit in find_misfits(value, shape):
        if misfit.unknown_key and misfit.unknown_key not in informative:
            unknown = UnknownName("keys", misfit.unknown_key)
            text = unknown.explain(str(misfit))
            yield Finding(FindingSeverity.ERROR, text, line=line, unknown=unknown)


def locate(items: Sequence[msgspec.Raw], content: bytes) -> list[Part]:
    """Find the line of each item of a JSON array inside the text that it was decoded from."""
    parts, place, line = [], 0, 1
    for item in items:
        found = content.index(bytes(item), place)
        line += content.count(b"\n", place, found)
        parts.append(Part(bytes(item), line))
        line += bytes(item).count(b"\n")
        place = found + len(bytes(item))
    return parts


def _in_words(problem: str) -> str:
    message, _, place = problem.partition(" - at `$")
    where = place.rstrip("`").lstrip(".")
    lower = message[0].lower() + message[1:]
    return f"{where}: {lower}" if where else lower


PERCENTILE = "^p([1-9][0-9]?|100)$"
"""The name of a percentile of the response time."""


class RegressionsTable(msgspec.Struct):
    """`[regressions]` of a suite, or of a project for a suite."""

    at_most: Annotated[int, msgspec.Meta(ge=0)] | None = None
    protected: list[str] = msgspec.field(default_factory=list)
    watched: list[str] = msgspec.field(default_factory=list)
    most_failures: Annotated[int, msgspec.Meta(ge=0)] | None = None
    accept_at: Annotated[int, msgspec.Meta(ge=1)] | None = None
    promote_after: Annotated[int, msgspec.Meta(ge=2)] | None = None
    latency: dict[
        Annotated[str, msgspec.Meta(pattern=PERCENTILE)], Annotated[float, msgspec.Meta(gt=0)]
    ] = msgspec.field(default_factory=dict)

    def rules(self) -> RegressionRules:
        """Return the rules that the table sets."""
        return RegressionRules(
            at_most=self.at_most,
            protected=tuple(self.protected),
            watched=tuple(self.watched),
            most_failures=self.most_failures,
            accept_at=self.accept_at,
            promote_after=self.promote_after,
            latency=self.latency,
        )


class Topic(NamedTuple):
    """A query of a collection, and the line where it starts."""

    id: str
    text: str
    line: int


def read_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Read judgments as grades by query and document."""
    # Only collections need the reader of TREC's files, and every command loads this module.
    from cranfield.trec_files import read_qrels

    judged: dict[str, dict[str, int]] = {}
    for query, document, grade in read_qrels(str(path)).judgments():
        judged.setdefault(query, {})[document] = grade
    return judged


def join_judgments(name: str, topics: Sequence[Topic], path: Path, qrels: Path) -> SuiteSource:
    """Make a suite of the judged topics; the description counts what is left out.

    `path` is the file of the topics. Topic numbers may have leading zeros that the judgments lack.
    """
    judged = read_judgments(qrels)
    kept = [(topic, found) for topic in topics if (found := _judged_id(topic.id, judged))]
    if not kept:
        some = ", ".join(sorted(judged)[:3])
        raise InputError(
            f"not one of the {len(judged)} judged queries ({some} …) is in {path.name}; "
            "do the two belong together?",
            file=str(qrels),
        )
    queries = tuple(Query(found, topic.text, {"ids": judged[found]}) for topic, found in kept)
    unjudged, textless = len(topics) - len(kept), judged.keys() - {found for _, found in kept}
    left_out = (
        (unjudged, "query without judgments is left out", "queries without judgments are left out"),
        (len(textless), "judged query has no text", "judged queries have no text"),
    )
    said = [count_of(count, one, many) for count, one, many in left_out if count]
    description = "; ".join([f"judged by {qrels.name}", *said])
    suite = Suite(name, "judged", queries, description)
    return SuiteSource(suite, path, tuple(topic.line for topic, _ in kept))


def _judged_id(name: str, judged: dict[str, dict[str, int]]) -> str:
    return next((each for each in (name, name.lstrip("0")) if each in judged), "")
