"""Build the scored chunks of the sample code from the questions beside this script.

`questions.toml` names the chunks that belong into the context of each answer as
`path :: Container.name`, a module by its path alone. Every other chunk was judged as well, and
gets the score 0. The same sources give the same bytes, whatever SQLite writes them.
"""

from __future__ import annotations

import sqlite3
import tomllib
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from stacks.sources.code import CodeSource
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from stacks.model import Document

HERE = Path(__file__).resolve().parent
QUESTIONS = HERE / "questions.toml"
SCORES = HERE / "evals.db"

_SCHEMA = """
PRAGMA page_size = 4096;
CREATE TABLE Files (
  fileName TEXT PRIMARY KEY,
  mtime FLOAT NOT NULL,  -- seconds; when scoring began, for all files
  size INTEGER NOT NULL  -- bytes
);
CREATE TABLE Chunks (
  chunkId TEXT PRIMARY KEY,
  treeName TEXT NOT NULL,  -- module, class, function, method …
  codeName TEXT NOT NULL,
  parentId TEXT REFERENCES Chunks(chunkId),
  fileName TEXT NOT NULL REFERENCES Files(fileName),
  lineNo INTEGER NOT NULL  -- from 1
);
CREATE TABLE Blobs (
  chunkId TEXT NOT NULL REFERENCES Chunks(chunkId),
  start INTEGER NOT NULL,  -- from 1
  lines TEXT NOT NULL,
  breadcrumb TEXT NOT NULL  -- names of the chunks around it
);
CREATE TABLE Info (
  codebase TEXT,
  startTimestamp TEXT,
  endTimestamp TEXT,  -- of scoring
  notes TEXT
);
CREATE TABLE Hashes (
  chunkHash TEXT PRIMARY KEY,
  chunkId TEXT UNIQUE REFERENCES Chunks(chunkId)
);
CREATE TABLE Questions (
  questionId TEXT PRIMARY KEY,
  question TEXT NOT NULL
);
CREATE TABLE Scores (
  questionId TEXT REFERENCES Questions(questionId),
  chunkHash TEXT REFERENCES Hashes(chunkHash),
  score INTEGER,  -- 0 or 1
  timestamp TEXT,
  CONSTRAINT pair UNIQUE (questionId, chunkHash)
);
CREATE TABLE IF NOT EXISTS Runs (
  runId TEXT PRIMARY KEY,
  runName TEXT UNIQUE,
  comments TEXT,
  startTimestamp TEXT,
  endTimestamp TEXT
);
CREATE TABLE IF NOT EXISTS RunScores (
  runId TEXT REFERENCES Runs(runId),
  questionId TEXT REFERENCES Questions(questionId),
  chunkHash TEXT REFERENCES Hashes(chunkHash),
  score INTEGER,  -- 0 or 1
  relevance FLOAT,  -- Range [0.0 ... 1.0]
  CONSTRAINT triple UNIQUE (runId, questionId, chunkHash)
);
"""
_WRITER = slice(96, 100)  # the version of the library that wrote a file: information, no more
_SAME_WRITER = (3_035_000).to_bytes(4, "big")


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
class SampleFile:
    """A file of the sample code."""

    name: str
    size: int


@dataclass(frozen=True)
class SampleChunk:
    """A chunk of the sample code; `id` is its number in the order of files and lines."""

    id: str
    parent: str | None
    kind: str
    code_name: str
    file: str
    line: int
    text: str
    breadcrumb: str
    hash: str

    @property
    def name(self) -> str:
        """The name that questions call it by."""
        _, *containers = self.breadcrumb.split() or [""]
        named = ".".join((*containers, self.code_name))
        return f"{self.file} :: {named}" if self.breadcrumb else self.file


@dataclass(frozen=True)
class Sample:
    """The sample code, cut."""

    files: tuple[SampleFile, ...]
    chunks: tuple[SampleChunk, ...]


def read_questions(path: Path) -> QuestionFile:
    """Read the questions."""
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), QuestionFile)


def cut_sample(root: Path) -> Sample:
    """Cut the code below a folder as an index of it is cut."""
    source = CodeSource(str(root))
    files: list[SampleFile] = []
    documents: list[Document] = []
    for page in source.pages():
        if isinstance(page, PageError):
            raise ScoresError(f"the sample code cannot be read: {page}")
        files.append(SampleFile(page.key, len(page.data)))
        documents += source.read(page)
    numbers = {document.uri: str(place) for place, document in enumerate(documents, 1)}
    chunks = [_make_chunk(document, numbers) for document in documents]
    return Sample(tuple(files), tuple(chunks))


def _make_chunk(document: Document, numbers: dict[str, str]) -> SampleChunk:
    facts = document.facts
    return SampleChunk(
        id=numbers[document.uri],
        parent=numbers.get(document.uri.rpartition("/")[0]),
        kind=document.kind,
        code_name=document.names[0],
        file=facts["file"],
        line=int(facts["lines"].partition("-")[0]),
        text=document.content,
        breadcrumb=facts["parents"],
        hash=facts["hash"],
    )


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
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        _write_sample(database, given, sample)
        _write_scores(database, given, sample.chunks)
        database.commit()
        database.execute("VACUUM")
        content = bytearray(database.serialize())
    content[_WRITER] = _SAME_WRITER
    return bytes(content)


def _write_sample(database: sqlite3.Connection, given: QuestionFile, sample: Sample) -> None:
    began = datetime.fromisoformat(given.started).timestamp()
    database.executemany(
        "INSERT INTO Files VALUES (?, ?, ?)",
        ((file.name, began, file.size) for file in sample.files),
    )
    database.executemany(
        "INSERT INTO Chunks VALUES (?, ?, ?, ?, ?, ?)",
        (
            (chunk.id, chunk.kind, chunk.code_name, chunk.parent, chunk.file, chunk.line)
            for chunk in sample.chunks
        ),
    )
    database.executemany(
        "INSERT INTO Blobs VALUES (?, ?, ?, ?)",
        ((chunk.id, chunk.line, chunk.text, chunk.breadcrumb) for chunk in sample.chunks),
    )
    database.executemany(
        "INSERT INTO Hashes VALUES (?, ?)", ((chunk.hash, chunk.id) for chunk in sample.chunks)
    )


def _write_scores(
    database: sqlite3.Connection, given: QuestionFile, chunks: Sequence[SampleChunk]
) -> None:
    database.execute(
        "INSERT INTO Info VALUES (?, ?, ?, ?)",
        (given.root, given.started, given.scored, given.notes),
    )
    database.executemany(
        "INSERT INTO Questions VALUES (?, ?)",
        ((question.id, question.question) for question in given.questions),
    )
    database.executemany(
        "INSERT INTO Scores VALUES (?, ?, ?, ?)",
        (
            (question.id, chunk.hash, int(chunk.name in question.chunks), given.scored)
            for question in given.questions
            for chunk in chunks
        ),
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
