"""Bad input gives one message with file and line, and no value at all."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.model import Missing, TieRule
from cranfield.trec.graded_run import grade_run
from cranfield.trec_files.qrels import read_qrels

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"
RUN = "q1 Q0 d1 1 3.0 t\nq1 Q0 d2 2 2.0 t\nq2 Q0 d1 1 1.0 t\n"


def write(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (RUN + "q1 Q0 d1 3 1.0 t\n", "run:4: document 'd1' appears twice in this query's ranking"),
        ("# top\n\n" + RUN + "q2 Q0 d1 3 1.0 t\n", "run:6: document 'd1' appears twice"),
        (RUN.replace("2.0", "nan"), "run:2: score 'nan' is not finite"),
        (RUN.replace("2.0", "-inf"), "run:2: score '-inf' is not finite"),
        (RUN.replace("2.0", "two"), "run:2: score 'two' is not a number"),
        (RUN.replace(" 2 2.0 t", " 2 2.0"), "run:2: has 5 columns, expected 6 or more: query Q0"),
        (RUN.replace("q2 Q0 d1 1 1.0 t", "q2"), "run:3: has 1 column, expected 6 or more"),
        (RUN.encode().replace(b"d2", b"d\xff2"), "run:2: is not UTF-8 (byte 0xff)"),
        (RUN.replace("d2", "d\x002"), "run:2: holds a control character"),
        (RUN.replace("d2", "d two"), "run:2: rank 'two' is not a number; is there a space in"),
        (RUN.replace(" ", "\t").replace("d2", "d two"), "run:2: rank 'two' is not a number"),
        (RUN.replace("\n", "\r"), "run:1: has a carriage return inside"),
        (RUN.replace("d2", "d\x1f2"), "run:2: holds a control character"),
        (RUN.encode("utf-16"), "looks like UTF-16; convert it to UTF-8"),
        (
            QRELS,
            "run:1: has 4 columns, expected 6 or more: query Q0 document rank score tag; this l",
        ),
        ("", "run: holds no result"),
        ("\n# nothing\n", "run: holds no result"),
        (gzip.compress(RUN.encode(), mtime=0)[:-6], "run: damaged gzip data"),
        (
            gzip.compress(RUN.encode() + b"x" * 2**26, mtime=0),
            "run: a line has more than 16 MiB, the limit",
        ),
    ],
)
def test_a_bad_run_is_refused(tmp_path: Path, run: str | bytes, message: str) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    with pytest.raises(InputError) as refused:
        grade_run(qrels, write(tmp_path, "run", run))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("qrels", "message"),
    [
        (QRELS + "q1 0 d2 1\n", "qrels:4: document 'd2' is judged twice for this query"),
        (QRELS.replace("d2 0", "d2 x"), "qrels:2: grade 'x' is not a whole number"),
        (QRELS.replace("d2 0", "d2 0.5"), "qrels:2: grade '0.5' is not a whole number"),
        (QRELS.replace("d2 0", "d2"), "qrels:2: has 3 columns, expected 4"),
        (QRELS.replace("d2 0", "d2 0 0"), "qrels:2: has 5 columns, expected 4"),
        ("q1\n", "qrels:1: has 1 column, expected 3: query document grade"),
        (QRELS.encode().replace(b"d2", b"\xe9"), "qrels:2: is not UTF-8 (byte 0xe9)"),
        (
            RUN,
            "qrels:1: has 6 columns, expected 4: query iteration document grade; this looks like",
        ),
        ("query-id corpus-id score\n1 d 1\n", "after this header, tabs separate the columns"),
        ("", "qrels: holds no judgment"),
        ("# only this\n", "qrels: holds no judgment"),
        ("query-id\tcorpus-id\tscore\n", "qrels: holds a header and no judgment"),
        ("query-id\tcorpus-id\tscore\n1\td\t1\n1\td\n", "qrels:3: has 2 columns, expected 3"),
    ],
)
def test_bad_judgments_are_refused(tmp_path: Path, qrels: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_qrels(write(tmp_path, "qrels", qrels))
    assert message in str(refused.value)


def test_the_first_fault_of_a_long_file_is_the_one_reported(tmp_path: Path) -> None:
    lines = [f"q1 Q0 d{n} 1 {n}.5 t" for n in range(300_000)]
    lines[250_000] = "q1 Q0 d250000 1 bad t"
    lines[250_001] = "q1 Q0 worse"
    lines[299_999] = "q1 Q0 d299999 1 nan t"
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    with pytest.raises(InputError, match="run:250002: has 3 columns"):
        grade_run(qrels, write(tmp_path, "run", "\n".join(lines)))
    lines[250_001] = "q1 Q0 d250001 1 1 t"
    with pytest.raises(InputError, match="run:250001: score 'bad'"):
        grade_run(qrels, write(tmp_path, "run", "\n".join(lines)))


@pytest.mark.parametrize("document", ["d7", "a-document-with-a-long-name-7"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_duplicate_far_down_the_file_is_found(
    tmp_path: Path, document: str, shuffled: bool
) -> None:
    lines = [f"q1 Q0 {document.replace('7', str(n))} 1 {-n}.5 t" for n in range(200_000)]
    if shuffled:
        lines[100_000] = "q2 Q0 d1 1 0.5 t"
    lines.append(f"q1 Q0 {document} 1 -999999 t")
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    with pytest.raises(InputError, match=f"run:200001: document '{document}' appears twice"):
        grade_run(qrels, write(tmp_path, "run", "\n".join(lines)))


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: cannot be read: No such file"):
        read_qrels(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="is a folder; give the file inside it"):
        read_qrels(str(tmp_path))


def test_a_run_of_another_collection_is_refused(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    run = write(tmp_path, "run", RUN.replace("q1", "x1").replace("q2", "x2"))
    with pytest.raises(InputError, match="it has 'x1', the judgments have 'q1'"):
        grade_run(qrels, run)


def test_missing_queries_can_be_an_error(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    run = write(tmp_path, "run", RUN.splitlines(keepends=True)[0])
    with pytest.raises(InputError, match="no results for 1 judged queries, first 'q2'"):
        grade_run(qrels, run, missing=Missing.ERROR)


def test_the_given_order_of_ties_needs_ranks(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    run = write(tmp_path, "run", RUN.replace("2 2.0", "2x 3.0"))
    with pytest.raises(InputError, match="run:2: rank '2x' is not a whole number"):
        grade_run(qrels, run, ties=TieRule.GIVEN)


def test_the_first_of_many_duplicates_is_named(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    lines = [f"q1 Q0 d{n} 1 {-n} t\n" for n in range(2000)]
    with pytest.raises(InputError, match="run:2001: document 'd0' appears twice"):
        grade_run(qrels, write(tmp_path, "run", "".join(lines * 2)))


@pytest.mark.process
def test_bad_judgments_from_a_pipe_are_named_by_their_line(tmp_path: Path) -> None:
    run = write(tmp_path, "run", RUN)
    script = f"cranfield score <(printf 'q1 0 d1 1\\nq1 0 d2 x\\n') {run}"
    folder = Path(sys.executable).parent
    shown = subprocess.run(
        ["bash", "-c", f"PATH={folder}:$PATH; {script}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.returncode == 2
    assert ":2: grade 'x' is not a whole number" in shown.stderr


WORDS = b"1|2|Q0|0|a|abcdefghijkl|2.5|-1e3|nan|#|_|-|.".split(b"|")
SPACES_AND_STRAYS = [b" ", b"  ", b"\t", b"\n", b"\r\n", b"\x0b", b"\x00", b"\xff", b"\xc3\xa9"]
pieces = st.sampled_from([*WORDS, *SPACES_AND_STRAYS, b"\xef\xbb\xbf"])


@given(st.lists(pieces, max_size=60).map(b"".join), st.lists(pieces, max_size=60).map(b"".join))
def test_no_bytes_break_the_reader(some: bytes, more: bytes) -> None:
    """Whatever stands in the files, it is scored or refused."""
    with TemporaryDirectory() as folder:
        qrels = write(Path(folder), "qrels", QRELS.encode() + some)
        run = write(Path(folder), "run", RUN.encode() + more)
        try:
            graded = grade_run(read_qrels(qrels), run)
        except InputError:
            return
        assert set(graded.columns.queries) >= {"q1", "q2"}


# Two texts with one 64-bit key, found by search: what chance does not do, malice can.
TWINS = ("query657A0A0000A", "topic102zCh29Qet")


def test_a_query_with_the_key_of_another_is_not_that_other(tmp_path: Path) -> None:
    one, other = TWINS
    qrels = read_qrels(write(tmp_path, "qrels", f"{one} 0 d 1\n"))
    with pytest.raises(InputError, match="no query of this run is judged"):
        grade_run(qrels, write(tmp_path, "run", f"{other} Q0 d 1 1.0 t\n"))


def test_two_queries_with_one_key_are_refused(tmp_path: Path) -> None:
    one, other = TWINS
    with pytest.raises(InputError, match="two ids share a 64-bit key"):
        read_qrels(write(tmp_path, "qrels", f"{one} 0 d 1\n{other} 0 e 1\n"))
    qrels = read_qrels(write(tmp_path, "qrels", f"{one} 0 d 1\n"))
    with pytest.raises(InputError, match="two ids share a 64-bit key"):
        grade_run(qrels, write(tmp_path, "run", f"{one} Q0 d 1 1 t\n{other} Q0 e 1 1 t\n"))


@pytest.mark.process
@pytest.mark.server
def test_a_closed_standard_input_and_a_socket_are_said(tmp_path: Path) -> None:
    qrels = write(tmp_path, "qrels", QRELS)
    command = f"{sys.executable} -m cranfield score {qrels} - <&-"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (shown.returncode, "Traceback" in shown.stderr) == (2, False)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(InputError, match="cannot be read"):
            read_qrels(str(tmp_path / "socket"))


def test_a_document_twice_is_found_where_most_queries_have_a_single_row(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    rows = [f"q{number} Q0 d1 1 1.0 t\n" for number in range(100)]
    rows[50:50] = ["q50 Q0 d1 1 2.0 t\n"]
    (tmp_path / "run").write_text("".join(rows))
    with pytest.raises(InputError, match="run:52: document 'd1' appears twice"):
        grade_run(read_qrels(str(tmp_path / "qrels")), str(tmp_path / "run"))
