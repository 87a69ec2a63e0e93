"""TREC collections: a folder with a file of topics and a file of judgments."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import InputError
from cranfield.suites.formats.file_parts import (
    QueriesFile,
    Topic,
    decode_queries,
    join_judgments,
    read_bytes,
    text_lines,
)
from cranfield.suites.formats.suite_formats import SuiteFormat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["TREC_TOPICS_FORMAT"]

_JSON_EXPECTED = 'each line is an object such as {"id": "301", "text": "a query"}'
_INFORMATIVE = frozenset({"desc", "description", "metadata", "narr", "narrative"})
_TOP = re.compile(r"<top>(.*?)(?=</top>|<top>|\Z)", re.S | re.I)
_FIELD = re.compile(r"<(num|title|desc)>(.*?)(?=</?[a-z]|\Z)", re.S | re.I)
_LABEL = re.compile(r"\s*(number|topic|description)\s*:", re.I)


class _Topic(msgspec.Struct):
    id: str | int | None = None
    underscored: str | int | None = msgspec.field(name="_id", default=None)
    text: str = ""
    title: str = ""


def _read(folder: Path) -> SuiteSource:
    """Read topics as `id<TAB>text` lines, as `<top>` elements or as JSON lines, and judgments.

    The query of a `<top>` element is its title, or its description if there is no title.
    """
    path = _only([each for each in _files(folder, "topics*") if "qrels" not in each.name], folder)
    qrels = _only(_files(folder, "*qrels*"), folder)
    content = read_bytes(path)
    text = content.decode()
    findings: tuple[Finding, ...] = ()
    if _TOP.search(text):
        topics = list(_tagged(text, path))
    elif text.lstrip().startswith("{"):
        topics, findings = _json_lines(content, path)
    else:
        topics = list(_tabbed(content, path))
    joined = join_judgments(folder.resolve().name, topics, path, qrels)
    return replace(joined, findings=(*joined.findings, *findings))


def _tagged(text: str, path: Path) -> Iterator[Topic]:
    for top in _TOP.finditer(text):
        line = text.count("\n", 0, top.start()) + 1
        fields = {
            name.lower(): " ".join(html.unescape(_LABEL.sub("", inside, count=1)).split())
            for name, inside in reversed(_FIELD.findall(top[1]))
        }
        if not fields.get("num"):
            raise InputError(
                "this topic has no number; write <num> Number: 301", file=str(path), line=line
            )
        yield Topic(fields["num"], fields.get("title") or fields.get("desc", ""), line)


def _json_lines(content: bytes, path: Path) -> tuple[list[Topic], tuple[Finding, ...]]:
    file = QueriesFile(path, _JSON_EXPECTED, _INFORMATIVE)
    decoded = decode_queries(list(text_lines(content)), _Topic, file)
    topics = []
    for topic, line in zip(decoded.queries, decoded.lines, strict=True):
        name = topic.underscored if topic.id is None else topic.id
        if name is None:
            raise InputError(f"has no id; {_JSON_EXPECTED}", file=str(path), line=line)
        topics.append(Topic(str(name), topic.text or topic.title, line))
    return topics, decoded.findings


def _tabbed(content: bytes, path: Path) -> Iterator[Topic]:
    for part in text_lines(content):
        name, tab, text = part.content.decode().partition("\t")
        if not tab:
            raise InputError(
                "has no tab; topics are lines of an id, a tab and the query, <top> elements or "
                "JSON lines",
                file=str(path),
                line=part.line,
            )
        yield Topic(name.strip(), text.strip(), part.line)


def _files(folder: Path, name: str) -> list[Path]:
    return sorted(path for path in folder.glob(name) if path.is_file())


def _only(found: list[Path], folder: Path) -> Path:
    if len(found) == 1:
        return found[0]
    names = ", ".join(path.name for path in found) or "none"
    raise InputError(
        "a TREC collection has one file topics* and one file *qrels*; "
        f"of one of them there are: {names}",
        file=str(folder),
    )


TREC_TOPICS_FORMAT = SuiteFormat(
    name="trec-topics",
    summary="a folder with a file topics* and a file *qrels*",
    recognises=lambda path: (
        path.is_dir() and bool(_files(path, "topics*") or _files(path, "*qrels*"))
    ),
    read=_read,
)
