"""Build the scored chunks of the sample code from the questions beside this script.

`questions.toml` names the chunks that belong into the context of each answer as
`path :: Container.name`, a module by its path alone. Every other chunk was judged as well, and
gets the score 0. The file is what `cranfield judge export` writes of these judgments: the same
sources give the same bytes, whatever SQLite writes them.

`list_chunks` is a system that answers every question with all chunks, so that they can be judged
again from nothing.
"""

from __future__ import annotations

import sqlite3
import tomllib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cranfield.judging.files.chunk_scores_file import CHUNK_SCORES_FILE
from cranfield.judging.files.judgment_records import JudgmentRecords
from cranfield.judgments import JudgedBy, Judgment, query_key
from cranfield.model import Hit, Query
from stacks.sources.code import CodeSource
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stacks.model import Document

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.toml"
SCORES = HERE / "evals.db"

RATER = "author"


class ScoresError(Exception):
    """The questions do not fit the code; the message has a line for each thing that is wrong."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question with the names of the chunks that answer it."""

    id: str
    question: str
    chunks: tuple[str, ...]


class QuestionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `questions.toml` holds; the times are written into the scores as they are."""

    root: str
    started: str
    scored: str
    notes: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class SampleChunk:
    """A chunk of the sample code; `id` is its number in the order of files and lines."""

    id: str
    uri: str
    kind: str
    code_name: str
    file: str
    file_size: int
    lines: str
    text: str
    breadcrumb: str
    hash: str

    @property
    def line(self) -> int:
        """The line where it starts."""
        return int(self.lines.partition("-")[0])

    @property
    def name(self) -> str:
        """The name that questions call it by."""
        _, *containers = self.breadcrumb.split() or [""]
        named = ".".join((*containers, self.code_name))
        return f"{self.file} :: {named}" if self.breadcrumb else self.file

    @property
    def hit(self) -> Hit:
        """The chunk as a system finds it, with all that its place in the code is."""
        fields = {
            "hash": self.hash,
            "file": self.file,
            "size": self.file_size,
            "lines": self.lines,
            "parents": self.breadcrumb,
            "kind": self.kind,
            "name": self.code_name,
        }
        return Hit(self.uri, text=self.text, fields=fields)


@dataclass(frozen=True)
class Sample:
    """The sample code, cut."""

    chunks: tuple[SampleChunk, ...]


def read_questions(path: Path) -> QuestionFile:
    """Read the questions."""
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), QuestionFile)


def cut_sample(root: Path) -> Sample:
    """Cut the code below a folder as an index of it is cut."""
    source = CodeSource(str(root))
    found: list[tuple[Document, int]] = []
    for page in source.pages():
        if isinstance(page, PageError):
            raise ScoresError(f"the sample code cannot be read: {page}")
        found += ((document, len(page.data)) for document in source.read(page))
    return Sample(tuple(_make_chunk(str(at), *each) for at, each in enumerate(found, start=1)))


def _make_chunk(number: str, document: Document, file_size: int) -> SampleChunk:
    facts = document.facts
    return SampleChunk(
        id=number,
        uri=document.uri,
        kind=document.kind,
        code_name=document.names[0],
        file=facts["file"],
        file_size=file_size,
        lines=facts["lines"],
        text=document.content,
        breadcrumb=facts["parents"],
        hash=facts["hash"],
    )


@cache
def _all_chunks() -> tuple[Hit, ...]:
    root = read_questions(QUESTIONS).root
    return tuple(chunk.hit for chunk in cut_sample(HERE / root).chunks)


def list_chunks(text: str, limit: int) -> list[Hit]:  # noqa: ARG001 - a system gets the question
    """Answer any question with all chunks, in the order of files and lines."""
    return list(_all_chunks()[:limit])


def check(questions: Sequence[Question], chunks: Sequence[SampleChunk]) -> None:
    """Raise an error that names every question and every chunk that is not exactly one."""
    problems = [*_find_twins(questions, chunks)]
    names = Counter(chunk.name for chunk in chunks)
    for question in questions:
        problems += (f"question {question.id}: {text}" for text in _check_names(question, names))
    if problems:
        raise ScoresError("\n".join(problems))


def _find_twins(questions: Sequence[Question], chunks: Sequence[SampleChunk]) -> Iterator[str]:
    for name, count in Counter(question.id for question in questions).items():
        if count > 1:
            yield f"question {name}: there are {count} of this id; number them anew"
    first: dict[str, SampleChunk] = {}
    for chunk in chunks:
        twin = first.setdefault(chunk.hash, chunk)
        if twin is not chunk:
            lines = f"lines {twin.line} and {chunk.line}"
            yield f"{chunk.name}: {lines} hold the same text, so they cannot be told apart"


def _check_names(question: Question, names: Counter[str]) -> Iterator[str]:
    if not question.chunks:
        yield "no chunk is listed; a question without an answer measures nothing"
    for name, count in Counter(question.chunks).items():
        if count > 1:
            yield f"{name!r} is listed {count} times; keep one"
        if names[name] > 1:
            yield f"{name!r} is the name of {names[name]} chunks; rename all but one in the code"
        if not names[name]:
            near = get_close_matches(name, names, n=3)
            hint = f"; near are {', '.join(map(repr, near))}" if near else ""
            yield f"{name!r} does not exist{hint}"


def build_scores(given: QuestionFile, sample: Sample) -> bytes:
    """Write questions, chunks and a score for each pair of them into a database."""
    check(given.questions, sample.chunks)
    return CHUNK_SCORES_FILE.write(make_records(given, sample)).contents[""]


def make_records(given: QuestionFile, sample: Sample) -> JudgmentRecords:
    """Judge every chunk for every question as the author did."""
    queries = [Query(question.id, question.question) for question in given.questions]
    judgments = tuple(
        Judgment(
            query=query_key(query),
            document=chunk.uri,
            rater=RATER,
            grade=int(chunk.name in question.chunks),
            content=chunk.hash,
            given=given.scored,
            query_id=query.id,
        )
        for query, question in zip(queries, given.questions, strict=True)
        for chunk in sample.chunks
    )
    return JudgmentRecords(
        judgments,
        {query_key(query): query for query in queries},
        JudgedBy(),
        texts={chunk.hash: chunk.text for chunk in sample.chunks},
        hits={chunk.hash: chunk.hit for chunk in sample.chunks},
        codebase=given.root,
        started=given.started,
        notes=given.notes,
    )


def refuse_runs(path: Path) -> None:
    """Raise an error if runs are kept in the file, which would be lost."""
    if not path.exists():
        return
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        runs: int = database.execute("SELECT count(*) FROM Runs").fetchone()[0]
    if runs:
        raise ScoresError(f"{path} holds {runs} runs that would be lost; move it away first")


def main() -> None:
    """Write the scores beside the questions."""
    given = read_questions(QUESTIONS)
    try:
        refuse_runs(SCORES)
        content = build_scores(given, cut_sample(HERE / given.root))
    except ScoresError as problem:
        raise SystemExit(str(problem)) from None
    SCORES.write_bytes(content)


if __name__ == "__main__":
    main()
