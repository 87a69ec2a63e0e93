"""Systems that are TREC run files: rankings written by another program."""

from __future__ import annotations

import gzip
import math
import zlib
from array import array
from functools import partial
from typing import IO, TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.model import Hit, Response
from cranfield.systems.system import Settings, System, SystemContext, SystemKind
from cranfield.systems.templates import describe_filters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cranfield.model import Query

__all__ = ["RUN_FILE_SYSTEM"]

_MOST_LINE = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_COLUMNS = "query Q0 document rank score tag"


class RunFileSettings(Settings, kw_only=True):
    """`file` is a TREC run, plain or gzip; its topics are the queries' ids."""

    file: str

    def named_files(self) -> list[str]:
        """Return the files that the settings name, the run included."""
        return [*super().named_files(), self.file]


class _Ranking:
    """One query's rows, packed tightly: a run may have millions."""

    def __init__(self) -> None:
        self._scores = array("d")
        self._documents = bytearray()

    def add(self, document: bytes, score: float) -> None:
        self._scores.append(score)
        self._documents += document + b"\n"

    def rows(self) -> list[tuple[float, bytes]]:
        return list(zip(self._scores, bytes(self._documents).splitlines(), strict=True))


class RunFileSystem(System):
    """Answers from a TREC run: by score, ties by document id, highest first, as trec_eval does.

    A query that is not in the run has retrieved nothing.
    """

    stays_in_thread = answers_at_once = True

    def __init__(self, settings: RunFileSettings, context: SystemContext) -> None:
        path = context.folder / settings.file
        self._rankings: dict[bytes, _Ranking] = {}
        for line, fields in _rows(path):
            if len(fields) < 6:
                message = f"has {len(fields)} columns, expected 6 or more: {_COLUMNS}"
                raise InputError(message, file=str(path), line=line)
            ranking = self._rankings.setdefault(fields[0], _Ranking())
            ranking.add(fields[2], _score(fields[4], path, line))
        if not self._rankings:
            raise InputError("has no result; is this the right file?", file=str(path))
        self._refuse_duplicates(path)

    def search(self, query: Query, limit: int) -> Response:
        """Look the query's id up."""
        ranking = self._rankings.get(query.id.encode(errors="replace"), _Ranking())
        best = sorted(ranking.rows(), reverse=True)[:limit]
        return Response.of(tuple(Hit(document.decode(), score) for score, document in best))

    def check_queries(self, queries: Sequence[Query]) -> list[str]:
        """Report filters: a run does not say which its rankings were made with."""
        named = describe_filters(queries)
        return [f"the run does not say whether it was made with {named}"] if named else []

    def _refuse_duplicates(self, path: Path) -> None:
        for query, ranking in self._rankings.items():
            seen: set[bytes] = set()
            for _, document in ranking.rows():
                if document in seen:
                    raise _duplicate_error(query, document, path)
                seen.add(document)


def _rows(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the line number and the fields of every row; lines that begin with # are comments."""
    try:
        with path.open("rb") as plain, _unpacked(plain) as lines:
            read_line = partial(lines.readline, _MOST_LINE + 1)
            for number, line in enumerate(iter(read_line, b""), start=1):
                if len(line) > _MOST_LINE:
                    raise InputError(
                        f"has more than {_MOST_LINE >> 20} MiB, the limit of a line; is this a "
                        "TREC run?",
                        file=str(path),
                        line=number,
                    )
                fields = line.removeprefix(_BYTE_ORDER_MARK if number == 1 else b"").split()
                if fields and not fields[0].startswith(b"#"):
                    line.decode()
                    yield number, fields
    except UnicodeDecodeError:
        raise InputError("is not UTF-8; convert it", file=str(path), line=number) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
        message = f"damaged gzip data ({problem}); copy the file again"
        raise InputError(message, file=str(path)) from None
    except OSError as problem:
        raise InputError(f"cannot be read: {problem.strerror}", file=str(path)) from None


def _unpacked(plain: IO[bytes]) -> IO[bytes]:
    is_gzip = plain.read(2) == _GZIP_MAGIC
    plain.seek(0)
    return gzip.GzipFile(fileobj=plain) if is_gzip else plain  # type: ignore[return-value]


def _score(text: bytes, path: Path, line: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        message = f"score {text.decode()!r} is not a finite number"
        raise InputError(message, file=str(path), line=line)
    return score


def _duplicate_error(query: bytes, document: bytes, path: Path) -> InputError:
    lines = [line for line, fields in _rows(path) if (fields[0], fields[2]) == (query, document)]
    return InputError(
        f"document {document.decode()!r} appears twice in this query's ranking; "
        "a ranking holds it once",
        file=str(path),
        line=lines[1],
    )


RUN_FILE_SYSTEM = SystemKind(
    name="runfile",
    summary="a TREC run, its topics being the ids of the queries",
    example='kind = "runfile"\nfile = "bm25.run"',
    settings=RunFileSettings,
    open=RunFileSystem,
    refuses={"timeout": "it is answered from a file"},
)
