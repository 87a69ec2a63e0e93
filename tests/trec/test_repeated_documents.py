"""A document that a ranking holds twice is refused, also between ids built to share a key."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.measures import parse_measure
from cranfield.trec.scores import score_runs
from cranfield.trec_files import text_blocks as blocks_module
from cranfield.trec_files.fields import FieldColumn
from cranfield.trec_files.keys import field_keys, pair_keys
from cranfield.trec_files.qrels import read_qrels

BOUNDED = [
    parse_measure(text)
    for text in ("AP", "R@10", "P@5", "nDCG@10", "RR", "RPrec", "Bpref", "Success@3", "F1")
]


def key_of(text: bytes) -> int:
    """Return the key of an id."""
    padded = bytes(24) + text + b"\n" + bytes(16)
    source = blocks_module.TextSource("/dev/null")
    block = blocks_module.TextBlock(padded, source=source, offset=0)
    column = FieldColumn(np.array([0]), np.array([len(text)]))
    return int(field_keys(block, column)[0])


def with_key(start: bytes, key: int) -> bytes | None:
    """Return a text of 16 printable bytes that begins so and has that key, if there is one."""
    rest = (key_of(start + b"        ") ^ key ^ key_of(b"        ")).to_bytes(8, "little")
    text = start + rest
    return text if all(32 < byte < 127 for byte in rest) and key_of(text) == key else None


@cache
def twins(count: int) -> tuple[str, ...]:
    """Return different ids that all have one key, by search."""
    chance = random.Random(9)  # noqa: S311 - not for secrets
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    key = key_of(b"document-of-many")
    found = ["document-of-many"]
    while len(found) < count:
        text = with_key("".join(chance.choices(letters, k=8)).encode(), key)
        if text is not None:
            found.append(text.decode())
    return tuple(found)


def test_the_twins_are_different_ids_with_one_key() -> None:
    assert len(set(twins(4))) == 4
    assert len({key_of(each.encode()) for each in twins(4)}) == 1
    query = np.array([5], dtype=np.uint64)
    keys = {int(pair_keys(query, np.array([key_of(t.encode())], np.uint64))[0]) for t in twins(4)}
    assert len(keys) == 1


def score(qrels: str, run: str, block_bytes: int) -> list[float]:
    """Score a run, read in blocks of that size."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        whole = blocks_module.TextSource.__init__
        patch.setattr(
            blocks_module.TextSource,
            "__init__",
            lambda self, path: whole(self, path, block_bytes=block_bytes),
        )
        (Path(folder) / "qrels").write_text(qrels)
        (Path(folder) / "run").write_text(run)
        [scored] = score_runs(read_qrels(f"{folder}/qrels"), [f"{folder}/run"], BOUNDED)
        return [float(scored.columns[each].values.max()) for each in BOUNDED]


TWIN_QUERIES = ("query657A0A0000A", "topic102zCh29Qet")
"""Different queries with one key; the first is judged."""
QUERIES = ("q1", "q2", *TWIN_QUERIES)


@st.composite
def rankings(draw: st.DrawFn) -> list[tuple[str, str]]:
    documents = (*twins(4), "d1", "d2")
    rows = draw(
        st.lists(st.sampled_from(list(product(QUERIES, documents))), min_size=1, max_size=14)
    )
    return draw(st.permutations(rows + draw(st.lists(st.sampled_from(rows), max_size=2))))


ONE, OTHER = twins(2)


@given(rows=rankings(), block_bytes=st.sampled_from([60, 150, 1 << 20]), falling=st.booleans())
@example(rows=[("q1", ONE), ("q1", OTHER), ("q1", ONE)], block_bytes=1 << 20, falling=True)
@example(rows=[("q1", ONE), ("q1", OTHER), ("q1", ONE)], block_bytes=60, falling=True)
@example(
    rows=[("q1", ONE), ("q2", "d1"), ("q1", OTHER), ("q1", ONE)], block_bytes=60, falling=False
)
def test_repeated_documents_are_refused_and_nothing_exceeds_one(
    rows: list[tuple[str, str]], block_bytes: int, falling: bool
) -> None:
    """The reference: a set of what came before."""
    qrels = "".join(f"{query} 0 {ONE} 1\n{query} 0 d1 2\n" for query in QUERIES[:-1])
    sign = -1 if falling else 1
    lines = [
        f"{query} Q0 {document} 1 {sign * at} t\n" for at, (query, document) in enumerate(rows)
    ]
    again = any(row in rows[:at] for at, row in enumerate(rows))
    may_share = {query for query, _ in rows} >= set(TWIN_QUERIES)
    problem, values = "", [0.0]
    try:
        values = score(qrels, "".join(lines), block_bytes)
    except InputError as refused:
        problem = str(refused)
    assert max(values) <= 1 + 1e-12
    if may_share and "two ids share a 64-bit key" in problem:
        return
    if "no query of this run is judged" not in problem:
        assert ("appears twice in this query's ranking" in problem) == again


def test_the_first_repeated_document_is_named_by_its_line() -> None:
    documents = [*twins(4), *twins(4)[1:]]
    lines = [f"q1 Q0 {each} 1 {-at} t\n" for at, each in enumerate(documents)]
    with pytest.raises(InputError, match=r"run:5: document '.*' appears twice") as refused:
        score(f"q1 0 {ONE} 1\n", "".join(lines), 1 << 20)
    assert repr(twins(4)[1]) in str(refused.value)


def test_judgments_of_twins_and_of_a_repeated_one_are_told_apart() -> None:
    """Judgments are found by their keys: ids that share one cannot be used."""
    with pytest.raises(InputError, match="two ids share a 64-bit key"):
        score(f"q1 0 {ONE} 1\nq1 0 {OTHER} 1\n", "q1 Q0 d1 1 1 t\n", 1 << 20)
    with pytest.raises(InputError, match="is judged twice for this query"):
        score(f"q1 0 {ONE} 1\nq1 0 {OTHER} 1\nq1 0 {ONE} 1\n", "q1 Q0 d1 1 1 t\n", 1 << 20)
