"""TREC runs as systems: the order is that of trec_eval."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.model import Response, Status
from tests.systems.helpers import ask, opened

if TYPE_CHECKING:
    from pathlib import Path


def answer(folder: Path, content: str | bytes, name: str = "1", limit: int = 10) -> Response:
    (folder / "run").write_bytes(content.encode() if isinstance(content, str) else content)
    with opened("runfile", folder, file="run") as system:
        return system.search(ask(name=name), limit)


def ids(response: Response) -> list[str]:
    return [hit.id for hit in response.hits]


RUN = "1 Q0 b 1 2.5 t\n1 Q0 a 2 3 t\n2 Q0 a 1 1 t\n1 Q0 c 3 2.5 t\n1 Q0 ä 4 2.50 t\n"


def test_hits_are_ordered_by_score_then_by_id_downwards(tmp_path: Path) -> None:
    response = answer(tmp_path, RUN)
    assert ids(response) == ["a", "ä", "c", "b"]
    assert [hit.score for hit in response.hits] == [3.0, 2.5, 2.5, 2.5]
    assert ids(answer(tmp_path, RUN, limit=2)) == ["a", "ä"]


@given(
    st.lists(st.tuples(st.sampled_from([0.5, 1, 2]), st.integers(0, 50)), unique_by=lambda d: d[1])
)
def test_the_order_of_the_lines_does_not_matter(rows: list[tuple[float, int]]) -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        lines = [f"1 Q0 d{n} {place} {score} t\n" for place, (score, n) in enumerate(rows)]
        header = "0 Q0 x 1 1 t\n"
        found = ids(answer(Path(folder), header + "".join(lines), limit=100))
        assert found == ids(answer(Path(folder), header + "".join(reversed(lines)), limit=100))
        assert len(found) == len(rows)


def test_packed_files_marks_comments_and_tabs_are_read(tmp_path: Path) -> None:
    content = "\ufeff# made by hand\n\n" + RUN.replace(" ", "\t").replace("\n", "\r\n")
    assert ids(answer(tmp_path, gzip.compress(content.encode(), mtime=0))) == ["a", "ä", "c", "b"]


def test_a_query_that_is_not_in_the_run_retrieved_nothing(tmp_path: Path) -> None:
    assert answer(tmp_path, RUN, name="9").status is Status.EMPTY


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (RUN + "1 Q0 d 5\n", "run:6: has 4 columns, expected 6 or more: query Q0 document rank"),
        (RUN + "1 Q0 d 5 high t\n", "run:6: score 'high' is not a finite number"),
        (RUN + "1 Q0 d 5 nan t\n", "run:6: score 'nan' is not a finite number"),
        (RUN + "1 Q0 a 5 1 t\n", "run:6: document 'a' appears twice in this query's ranking"),
        (RUN.encode() + b"1 Q0 \xff 5 1 t\n", "run:6: is not UTF-8; convert it"),
        (gzip.compress(RUN.encode(), mtime=0)[:-9], "run: damaged gzip data"),
        (
            gzip.compress(RUN.encode() + b"x" * 2**21, mtime=0),
            "run:6: has more than 1 MiB, the limit of a",
        ),
        ("", "run: has no result; is this the right file?"),
    ],
)
def test_a_bad_line_is_refused_with_its_place(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError) as refused:
        answer(tmp_path, content)
    assert message in str(refused.value)


def test_a_missing_run_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="cannot be read: No such file"),
        opened("runfile", tmp_path, file="nowhere"),
    ):
        pass
