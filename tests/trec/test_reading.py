"""Whatever a well-formed file looks like, it says the same."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.model import TieRule
from cranfield.trec.graded_run import grade_run
from cranfield.trec.judged_index import JudgedIndex
from cranfield.trec.run_parts import RunTotals, read_parts
from cranfield.trec.scores import score_runs
from cranfield.trec.ties import TieOrder
from cranfield.trec_files.qrels import Qrels, read_qrels
from cranfield.trec_files.text_blocks import TextSource
from tests.trec import reference

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\n"
RUN = "q1 Q0 d2 1 9.5 tag\nq1 Q0 d9 2 8.25 tag\nq1 Q0 d3 3 7 tag\nq2 Q0 d1 1 0.5 tag\n"
EXPECTED = {"q1": (0, None, 2), "q2": (1,)}


def write(folder: Path, name: str, text: str | bytes) -> str:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)


def ranked(qrels: Qrels, run: str) -> dict[str, tuple[int | None, ...]]:
    columns = grade_run(qrels, run).columns
    return {query: columns.grades(place).ranked for place, query in enumerate(columns.queries)}


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "   \t "),
        RUN.replace("\n", "\r\n"),
        RUN.replace("tag\n", "tag with spaces and # signs\n"),
        RUN.rstrip("\n"),
        RUN.replace("\n", "  \n"),
        "\n\n" + RUN.replace("\n", "\n\n") + "  \n",
        "# a comment\n" + RUN + "# another of six words here now\n",
        RUN.replace("q2 Q0", "  # comment after spaces\nq2 Q0"),
        "  " + RUN.replace("\n", "\n  "),
        "".join(reversed(RUN.splitlines(keepends=True))),
        "\ufeff" + RUN,
        RUN.replace("9.5", "9.5e0").replace("8.25", "+8.25"),
        RUN.replace("tag\n", "tag\x0b\n"),
    ],
)
def test_layout_does_not_matter_in_runs(tmp_path: Path, run: str) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    assert ranked(qrels, write(tmp_path, "run", run)) == EXPECTED


@pytest.mark.parametrize(
    "qrels",
    [
        QRELS,
        QRELS.replace(" ", "\t"),
        QRELS.replace(" ", "     "),
        QRELS.replace("\n", "\r\n"),
        QRELS.rstrip("\n"),
        "# comment\n# and another\n" + QRELS.replace("q2", "# in the middle\nq2"),
        "".join(reversed(QRELS.splitlines(keepends=True))),
        "\ufeff" + QRELS,
        "\n" + QRELS.replace("\n", "\n\n"),
        "query-id\tcorpus-id\tscore\n" + QRELS.replace(" 0 d", "\td").replace(" ", "\t"),
        "query-id\tcorpus-id\tscore\r\n"
        + QRELS.replace(" 0 d", "\td").replace(" ", "\t").replace("\n", "\r\n"),
        QRELS.replace(" 0 d", " d"),
    ],
)
def test_layout_does_not_matter_in_judgments(tmp_path: Path, qrels: str) -> None:
    read = read_qrels(write(tmp_path, "qrels.tsv", qrels))
    assert read.queries == ("q1", "q2")
    assert ranked(read, write(tmp_path, "run", RUN)) == EXPECTED


def test_ids_of_a_beir_table_may_hold_spaces(tmp_path: Path) -> None:
    table = "query-id\tcorpus-id\tscore\nwhat is x\tdoc one\t1\n"
    qrels = read_qrels(write(tmp_path, "qrels.tsv", table))
    assert qrels.queries == ("what is x",)


def test_gzip_is_recognised_by_its_content(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", gzip.compress(QRELS.encode())))
    assert ranked(qrels, write(tmp_path, "run.txt", gzip.compress(RUN.encode()))) == EXPECTED


@pytest.mark.process
def test_a_run_may_come_through_a_pipe(tmp_path: Path) -> None:
    qrels = write(tmp_path, "qrels", QRELS)
    command = [sys.executable, "-m", "cranfield", "score", qrels, "-", "-m", "RR"]
    piped = subprocess.run(command, input=RUN, capture_output=True, text=True, check=True)
    assert "0.6667" in piped.stdout


def test_the_tag_is_that_of_the_last_line(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    run = write(tmp_path, "run", RUN.replace("0.5 tag", "0.5 last one"))
    assert grade_run(qrels, run).tag == "last"


def test_document_ids_are_compared_as_bytes(tmp_path: Path) -> None:
    """é sorts after z: its first byte is higher."""
    qrels = read_qrels(write(tmp_path, "qrels", "1 0 é 1\n1 0 z 0\n"))
    assert ranked(qrels, write(tmp_path, "run", "1 Q0 z 1 5 t\n1 Q0 é 2 5 t\n")) == {"1": (1, 0)}


ids = st.text(st.sampled_from("abcdefgh_#-.éß漢"), min_size=1, max_size=30).filter(
    lambda text: not text.startswith("#")
)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str, int]:
    """Judgments, a run in any line order with many equal scores, and a block size."""
    queries = draw(st.lists(ids, min_size=1, max_size=5, unique=True))
    documents = draw(st.lists(ids, min_size=1, max_size=12, unique=True))
    qrels, run = [], []
    for query in queries:
        judged = draw(st.lists(st.sampled_from(documents), min_size=1, unique=True))
        qrels += [f"{query} 0 {each} {draw(st.integers(-1, 3))}" for each in judged]
        found = draw(st.lists(st.sampled_from(documents), unique=True))
        run += [f"{query} Q0 {each} 1 {draw(st.integers(-3, 3)) / 2} t" for each in found]
    run.append(f"{queries[0]} Q0 never-judged 1 0.25 t")
    random.Random(draw(st.integers(0, 999))).shuffle(run)  # noqa: S311 - not for secrets
    return "\n".join(qrels) + "\n", "\n".join(run) + "\n", draw(st.sampled_from([48, 200, 1 << 20]))


@pytest.mark.corpus
@given(files())
def test_any_file_is_graded_as_trec_eval_would(given_files: tuple[str, str, int]) -> None:
    qrels_text, run_text, block_bytes = given_files
    with TemporaryDirectory() as folder:
        qrels = read_qrels(write(Path(folder), "qrels", qrels_text))
        run = write(Path(folder), "run", run_text)
        expected = reference.grade(*reference.read(qrels_text, run_text))
        columns = grade_run(qrels, run).columns
        assert {q: columns.grades(i) for i, q in enumerate(columns.queries)} == expected
        # The same in blocks so small that queries and ties span several.
        source = TextSource(run, block_bytes=block_bytes)
        [table] = read_parts(source, JudgedIndex(qrels), RunTotals(len(qrels.queries)))
        order = TieOrder(qrels, source, TieRule.DOCUMENT)
        order.add(table)
        hits = order.hits()
        found = {
            (qrels.queries[qrels.query[judgment]], above + place, qrels.grade[judgment])
            for judgment, above, place in zip(
                hits.judgment, hits.above, hits.tie_position, strict=True
            )
        }
        assert found == {
            (query, rank, value)
            for query, grades in expected.items()
            for rank, value in enumerate(grades.ranked)
            if value is not None
        }


def test_a_run_of_many_blocks_equals_the_same_run_shuffled(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311 - not for secrets
    lines, judged = [], []
    for query in range(400):
        documents = chance.sample(range(100_000), 300)
        scores = sorted((round(chance.gammavariate(4, 3), 3) for _ in documents), reverse=True)
        pairs = list(zip(documents, scores, strict=True))
        lines += [f"{query} Q0 doc-{d:06} {r} {s} t" for r, (d, s) in enumerate(pairs, start=1)]
        judged += [f"{query} 0 doc-{d:06} {chance.randint(0, 3)}" for d in documents[::7]]
    qrels = read_qrels(write(tmp_path, "qrels", "\n".join(judged)))
    in_order = write(tmp_path, "in-order", "\n".join(lines))
    chance.shuffle(lines)
    shuffled = write(tmp_path, "shuffled", "\n".join(lines))
    measures = [parse_measure(text) for text in ("AP", "nDCG@10", "RR", "R@100", "infAP")]
    one, other = score_runs(qrels, [in_order, shuffled], measures)
    assert Path(in_order).stat().st_size > 3 << 20
    for measure in measures:
        assert one.columns[measure].values.tolist() == other.columns[measure].values.tolist()
        assert one.tie_bounds[measure] == other.tie_bounds[measure]


@pytest.mark.parametrize(
    ("line", "document", "score"),
    [
        ("q1\tQ0\td2 x\t7\t9.5\ttag", None, None),
        ("q1\tQ0\td2 3\t7\t9.5\ttag", "d2", 7.0),
        ("q1\tQ 0\td2\t3\t9.5\ttag", "0", None),
        ("q1\tQ 0\t7\t3\t9.5\ttag", "0", 3.0),
        ("q1\tQ0\td2\t1 2\t9.5\ttag", "d2", 2.0),
        ("q1\tQ0\td2\t1\t9.5 8\ttag", "d2", 9.5),
        ("q1\tQ0\td2\t1\t9.5\ttag of two", "d2", 9.5),
        ("q1 Q0 d2\t1\t9.5\ttag of two", "d2", 9.5),
    ],
)
def test_a_space_between_tabs_ends_a_field_as_in_trec_eval(
    tmp_path: Path, line: str, document: str | None, score: float | None
) -> None:
    """trec_eval takes the first six words of a line, whatever separates them."""
    qrels = read_qrels(write(tmp_path, "qrels", f"q1 0 {document} 1\nq1 0 low 0\n"))
    run = write(tmp_path, "run", f"q1 Q0 low 1 {(score or 0) - 0.5} t\n{line}\n")
    if score is None:
        with pytest.raises(InputError, match=r"run:2: rank .* is not a number"):
            grade_run(qrels, run)
        return
    assert ranked(qrels, run) == {"q1": (1, 0)}
    above = write(tmp_path, "run", f"q1 Q0 low 1 {score + 0.5} t\n{line}\n")
    assert ranked(qrels, above) == {"q1": (0, 1)}


def test_spaces_between_tabs_are_counted_and_their_first_line_is_named(tmp_path: Path) -> None:
    qrels = read_qrels(write(tmp_path, "qrels", QRELS))
    tabs = RUN.replace(" ", "\t")
    run = write(tmp_path, "run", "# top\n" + tabs.replace("d9", "d9 1").replace("d3", "d3 2"))
    [scored] = score_runs(qrels, [run], [parse_measure("AP")])
    [warned] = [each for each in scored.warnings if each.code == "spaces"]
    assert warned.count == 2
    assert warned.message == (
        "2 lines have tabs between fields and a space inside one, first in line 3; the space ends "
        "the field, as in trec_eval, and moves those after it"
    )
    whole = write(tmp_path, "whole", tabs.replace("tag", "tag of words"))
    [scored] = score_runs(qrels, [whole], [parse_measure("AP")])
    assert "spaces" not in {each.code for each in scored.warnings}
