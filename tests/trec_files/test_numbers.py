from __future__ import annotations

from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.trec_files.fields import Layout, split_fields
from cranfield.trec_files.numbers import parse_floats, parse_integers
from cranfield.trec_files.text_blocks import TextSource

ONE_COLUMN = Layout(("number",))


def parse(texts: list[str]) -> list[float]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "numbers"
        path.write_text("\n".join(texts) + "\n")
        block = next(TextSource(str(path)).blocks())
        return list(map(float, parse_floats(block, split_fields(block, ONE_COLUMN).column(0))))


def parse_whole(texts: list[str]) -> list[int]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "numbers"
        path.write_text("\n".join(texts) + "\n")
        block = next(TextSource(str(path)).blocks())
        column = split_fields(block, ONE_COLUMN).column(0)
        return list(map(int, parse_integers(block, column, what="grade", limit=127)))


finite = st.floats(allow_nan=False, allow_infinity=False)
decimals = st.builds(lambda x, places: f"{x:.{places}f}", st.floats(-1e9, 1e9), st.integers(0, 25))
written = st.one_of(
    finite.map(repr),
    decimals,
    finite.map(lambda x: f"{x:.4e}"),
    st.integers(-(10**22), 10**22).map(str),
    st.from_regex(r"-?[0-9]{1,12}\.[0-9]{0,12}", fullmatch=True),
    st.sampled_from([".5", "5.", "-.25", "+3.5", "0", "-0", "007.50", "1E5", "1e-320"]),
).filter(lambda text: isfinite(float(text)))


@given(st.lists(written, min_size=1, max_size=40))
def test_every_text_is_read_as_float_reads_it(texts: list[str]) -> None:
    assert parse(texts) == [float(text) for text in texts]


@given(st.lists(st.floats(-1e7, 1e7), min_size=1, max_size=40), st.integers(1, 8))
def test_numbers_with_one_number_of_decimals_are_read_as_float_reads_them(
    values: list[float], places: int
) -> None:
    texts = [f"{value:.{places}f}" for value in values]
    assert parse(texts) == [float(text) for text in texts]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40), st.integers(1, 15))
def test_long_mantissas_are_rounded_once(digits: list[int], places: int) -> None:
    texts = [f"{number // 10**places}.{number % 10**places:0{places}d}" for number in digits]
    assert parse(texts) == [float(text) for text in texts]


def test_halfway_cases_are_rounded_to_even() -> None:
    texts = [
        "9007199254740993.0",
        "9007199254740995.0",
        "4503599627370496.5",
        "1.00000000000000011",
    ]
    assert parse(texts) == [float(text) for text in texts]


@given(st.lists(st.integers(-127, 127), min_size=1, max_size=20))
def test_whole_numbers_are_read(values: list[int]) -> None:
    assert parse_whole([str(value) for value in values]) == values


@pytest.mark.parametrize(
    "wrong", ["abc", ".", "-.", "-", "1.2.3", "1_000", "--5", "1e", "0x10", "１", "NaNs"]
)
def test_what_is_no_number_is_refused_with_its_line(wrong: str) -> None:
    with pytest.raises(InputError, match=r":2: score .* is not a number"):
        parse(["1.5", wrong, "2.5"])


@pytest.mark.parametrize("wrong", ["nan", "inf", "-inf", "Infinity", "1e999"])
def test_scores_must_be_finite(wrong: str) -> None:
    with pytest.raises(InputError, match=r":2: score .* is not finite"):
        parse(["1.5", wrong])


@pytest.mark.parametrize("wrong", ["1.0", "x", "-", "128", "-128", "123456789", "1e0", "+1"])
def test_what_is_no_whole_number_is_refused_with_its_line(wrong: str) -> None:
    with pytest.raises(InputError, match=r":2: grade .* is not a whole number from -127 to 127"):
        parse_whole(["1", wrong])


def test_no_rows_are_no_numbers() -> None:
    assert parse(["# only a comment"]) == []


def test_reading_is_the_same_without_extended_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where long doubles are ordinary ones, long mantissas go through `float` itself."""
    monkeypatch.setattr("cranfield.trec_files.numbers._HAS_LONG_DOUBLE", False)
    chance = np.random.default_rng(3)
    texts = [repr(value) for value in chance.normal(size=500).tolist()]
    assert parse(texts) == [float(text) for text in texts]
