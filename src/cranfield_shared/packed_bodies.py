"""What HTTP servers answer: bodies unpacked to a limit, and when to ask again."""

from __future__ import annotations

__all__ = [
    "ACCEPTED_PACKINGS",
    "BodyUnpacker",
    "PackedBodyError",
    "read_retry_after",
]

ACCEPTED_PACKINGS = "gzip, deflate"
"""The value of the header Accept-Encoding."""

_GZIP = 16 + 15
_ZLIB = 15
_RAW_DEFLATE = -15
_WINDOWS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}


class PackedBodyError(Exception):
    """A body that is damaged, or packed in a way that is not read."""


class BodyUnpacker:
    """Unpacks a body by the header Content-Encoding: one layer, and one byte more than `most`."""

    def __init__(self, encoding: str, most: int) -> None:
        import zlib

        layers = [name for each in encoding.split(",") if (name := each.strip().lower())]
        layers = [name for name in layers if name != "identity"]
        if len(layers) > 1 or any(name not in _WINDOWS for name in layers):
            raise PackedBodyError(
                f"it is packed as {encoding[:60]!r}; let the server answer plainly, or with one of "
                f"{ACCEPTED_PACKINGS}"
            )
        self._room = most + 1
        self._packing = layers[0] if layers else ""
        self._layer = zlib.decompressobj(_WINDOWS[layers[0]]) if layers else None
        self._is_first = True

    def unpack(self, data: bytes) -> bytes:
        """Unpack the next piece, as far as there is room."""
        if self._layer is None:
            piece = data[: self._room]
        else:
            piece = self._unpack_layer(data) if self._room else b""
        self._room -= len(piece)
        return piece

    def _unpack_layer(self, data: bytes) -> bytes:
        import zlib

        is_first, self._is_first = self._is_first, False
        try:
            return self._layer.decompress(data, self._room) if self._layer else b""
        except zlib.error as problem:
            if not (is_first and self._packing == "deflate"):
                raise PackedBodyError(f"it is not {self._packing} as it says ({problem})") from None
        # Some servers leave out the header that the standard asks for.
        self._layer = zlib.decompressobj(_RAW_DEFLATE)
        return self._unpack_layer(data)


def read_retry_after(value: str) -> float | None:
    """Return how many seconds a server asks to wait (a number or a date); None if neither."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    if value.strip().isdecimal():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
