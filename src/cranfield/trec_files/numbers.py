"""Numbers read from text for a whole block at once, exactly as Python's `float` and `int` do.

Eight digits are turned into a number with three multiplications on the eight bytes together.
Texts of another form (exponents, more than 19 digits) go through `float` one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cranfield.trec_files.fields import FieldColumn
    from cranfield.trec_files.text_blocks import TextBlock

__all__ = ["parse_floats", "parse_integers"]


def _everywhere(byte: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([byte]) * 8, "little"))


_ZEROS, _DOTS = _everywhere(ord("0")), _everywhere(ord("."))
_LOW_BITS, _HIGH_BITS = _everywhere(0x01), _everywhere(0x80)
_ABOVE_NINE = _everywhere(0x7F - ord("9"))
_ALL, _NONE = np.uint64(2**64 - 1), np.uint64(0)
_BYTE, _TOP_BYTE, _SEVEN = np.uint64(8), np.uint64(56), np.uint64(7)
_TWO_BYTES, _HALF = np.uint64(16), np.uint64(32)
_TEN, _PAIRS = np.uint64(10), np.uint64(0x000000FF000000FF)
_FIRST_FOUR, _LAST_FOUR = np.uint64(0x000F424000000064), np.uint64(0x0000271000000001)
_SCALES = np.array([1, 10**8, 10**16], dtype=np.uint64)

_LAST_BYTES = np.array([_ALL & ~np.uint64((1 << 8 * (8 - count)) - 1) for count in range(9)])
"""Masks that keep the last 0 to 8 bytes of a word."""

_LEADING = _ZEROS & ~_LAST_BYTES
"""What is in the bytes that `_LAST_BYTES` leaves out: leading zeros."""

_POWERS = 10.0 ** np.arange(23)
"""The powers of ten that a float holds exactly."""

_MOST_DIGITS = 19
_EXACT_MANTISSA = np.uint64(2**53)
_HAS_LONG_DOUBLE = np.finfo(np.longdouble).nmant == 63
_MINUS, _POINT = ord("-"), ord(".")


def parse_floats(block: TextBlock, column: FieldColumn) -> NDArray[np.float64]:
    """Read each field as a finite number; anything else is an error that names its line."""
    if len(column.start) == 0:
        return np.empty(0)
    negative = block.text[column.start] == _MINUS
    length = column.length - negative
    end = column.start + column.length
    values = _parse_uniform(block, end, length)
    if values is None:
        words = -(-int(length.max()) // 8)
        mantissa, decimals, plain = _read_decimals(block, end, length, min(words, 3))
        plain &= length - (decimals > 0) <= _MOST_DIGITS
        values = _divide(mantissa, decimals, plain)
    if negative.any():
        np.negative(values, out=values, where=negative)
    for row in np.flatnonzero(np.isnan(values)).tolist():
        values[row] = _parse_one(block, int(column.start[row]), int(column.length[row]))
    return values


def parse_integers(
    block: TextBlock, column: FieldColumn, *, what: str, limit: int
) -> NDArray[np.int64]:
    """Read each field as a whole number from -limit to limit, of up to eight digits."""
    negative = block.text[column.start] == _MINUS
    length = column.length - negative
    kept = np.clip(length, 0, 8)
    digits = _digits_before(block, column.start + column.length, kept)
    values = _eight_digits(digits).astype(np.int64)
    plain = _all_digits(digits) & (length > 0) & (length <= 8) & (values <= limit)
    if not plain.all():
        row = int(np.flatnonzero(~plain)[0])
        start, size = int(column.start[row]), int(column.length[row])
        got = block.slice(start, size).decode()
        raise block.error(start, f"{what} {got!r} is not a whole number from -{limit} to {limit}")
    return np.where(negative, -values, values)


def _digits_before(
    block: TextBlock, end: NDArray[np.int64], count: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Load the last `count` bytes before each end, up to eight, after leading zeros."""
    word: NDArray[np.uint64] = block.words_before(end) & _LAST_BYTES[count]
    return word | _LEADING[count]


def _parse_uniform(
    block: TextBlock, end: NDArray[np.int64], length: NDArray[np.int64]
) -> NDArray[np.float64] | None:
    """Read fields that all have the same number of decimals, as most programs write scores.

    Returns None if they do not, or are of another form.
    """
    first = block.slice(int(end[0] - length[0]), int(length[0]))
    decimals = len(first) - 1 - first.rfind(b".")
    whole_length = length - (decimals + 1)
    fewest = int(whole_length.min())
    if b"." not in first or decimals > 8 or fewest < (decimals == 0) or whole_length.max() > 8:
        return None
    point = end - (decimals + 1)
    if not np.all(block.text[point] == _POINT):
        return None
    fraction = (block.words_before(end) & _LAST_BYTES[decimals]) | _LEADING[decimals]
    whole = _digits_before(block, point, whole_length)
    mantissa = _eight_digits(whole) * np.uint64(10**decimals) + _eight_digits(fraction)
    if not np.all(_all_digits(whole) & _all_digits(fraction) & (mantissa <= _EXACT_MANTISSA)):
        return None
    return np.asarray(mantissa.astype(np.float64) / _POWERS[decimals], dtype=np.float64)


def _read_decimals(
    block: TextBlock, end: NDArray[np.int64], length: NDArray[np.int64], words: int
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the digits as one number, how many are decimals, and which rows are plain.

    The words of a field are loaded from its end backwards; if a point is found, everything
    before it moves up by one byte to close the gap.
    """
    loaded = [
        _digits_before(block, end - 8 * place, np.clip(length - 8 * place, 0, 8))
        for place in range(words)
    ]
    loaded.append(np.broadcast_to(_ZEROS, end.shape))
    mantissa = np.zeros(len(end), dtype=np.uint64)
    decimals = np.zeros(len(end), dtype=np.int64)
    plain = (length > 0) & (length <= 8 * words)
    moved = np.zeros(len(end), dtype=np.uint64)
    for place in range(words):
        word = loaded[place]
        point = _point(word) & ~moved
        before = (point - np.uint64(1)) & np.where(point > 0, _ALL, _NONE) | moved
        here = point > 0
        decimals += np.where(here, 8 * place + 7 - (np.bitwise_count(before) >> 3), 0)
        after = ~(before | (point * np.uint64(255)))
        moved = np.where(here, _ALL, moved)
        incoming = (loaded[place + 1] >> _TOP_BYTE) & moved
        word = (word & after) | ((word & before) << _BYTE) | incoming
        plain &= _all_digits(word)
        mantissa += _eight_digits(word) * _SCALES[place]
    # A point alone is not a number.
    plain &= length > (moved > 0)
    return mantissa, decimals, plain


def _point(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a number whose only bit is the lowest of the first byte that is a point, or 0."""
    difference = word ^ _DOTS
    zero_bytes = (difference - _LOW_BITS) & ~difference & _HIGH_BITS
    return (zero_bytes & (~zero_bytes + np.uint64(1))) >> _SEVEN


def _all_digits(word: NDArray[np.uint64]) -> NDArray[np.bool_]:
    digits: NDArray[np.bool_] = ((word + _ABOVE_NINE) | (word - _ZEROS)) & _HIGH_BITS == 0
    return digits


def _eight_digits(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Read eight digits, most significant first, as one number."""
    digits = word - _ZEROS
    pairs = digits * _TEN + (digits >> _BYTE)
    first = (pairs & _PAIRS) * _FIRST_FOUR
    last = ((pairs >> _TWO_BYTES) & _PAIRS) * _LAST_FOUR
    return (first + last) >> _HALF


def _divide(
    mantissa: NDArray[np.uint64], decimals: NDArray[np.int64], plain: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Divide by the power of ten, rounded once; NaN if that needs `float` itself.

    Up to 2^53 both operands are exact and one division rounds correctly. Beyond that the
    quotient is formed with 64 bits of precision, which is right unless it comes to lie next to
    the middle between two floats.
    """
    values = mantissa.astype(np.float64) / _POWERS[np.minimum(decimals, 22)]
    values[~plain | (decimals > 22)] = np.nan
    wide = np.flatnonzero(plain & (mantissa > _EXACT_MANTISSA))
    if len(wide) == 0:
        return values
    values[wide] = np.nan
    if _HAS_LONG_DOUBLE:
        quotient = mantissa[wide].astype(np.longdouble) / _POWERS[decimals[wide]].astype(
            np.longdouble
        )
        rest = quotient.view(np.uint64)[::2] & np.uint64(0x7FF)
        clear = np.abs(rest.astype(np.int64) - 0x400) > 1
        values[wide[clear]] = quotient[clear].astype(np.float64)
    return values


def _parse_one(block: TextBlock, start: int, length: int) -> float:
    text = block.slice(start, length)
    try:
        # Python also reads 1_000, which no other program writes or reads as a number.
        value = float("not a number" if b"_" in text else text)
    except ValueError:
        shown = text.decode("utf-8", "replace")
        raise block.error(start, f"score {shown!r} is not a number") from None
    if not np.isfinite(value):
        raise block.error(
            start, f"score {text.decode()!r} is not finite; give every hit a finite score"
        )
    return value
