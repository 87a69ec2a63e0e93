"""The formats that judgments are written and read in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from cranfield.judging.files.judgment_records import JudgmentFile, JudgmentRecords

__all__ = ["JUDGMENT_FORMATS", "JudgmentFormat", "WrittenFiles", "choose_format", "refuse_ids"]

_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """What an export writes: contents by name, one with an empty name for a single file.

    `count` is the number of grades or judgments; `notes` say what the format leaves out.
    """

    contents: Mapping[str, bytes]
    count: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgmentFormat:
    """A format of judgments: how a file is recognised, written and read.

    `is_complete` if it holds every judgment, and not one grade for each document; `holds_runs` if
    it keeps what runs selected beside them.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Path], bool]
    write: Callable[[JudgmentRecords], WrittenFiles]
    read: Callable[[Path], JudgmentFile]
    is_complete: bool = False
    holds_runs: bool = False


JUDGMENT_FORMATS: Registry[JudgmentFormat] = Registry(
    "format of judgments", JudgmentFormat, group="cranfield.judgment_formats"
)

# The first that recognises a file reads it: what is known by its content comes first.
_BUILT_IN = {
    "chunk-scores": "chunk_scores_file:CHUNK_SCORES_FILE",
    "beir": "beir_folder:BEIR_FOLDER",
    "jsonl": "judgment_lines:JUDGMENT_LINES",
    "csv": "judgment_table:JUDGMENT_TABLE",
    "trec": "trec_qrels:TREC_QRELS",
}
for _name, _place in _BUILT_IN.items():
    JUDGMENT_FORMATS.register_reference(_name, f"cranfield.judging.files.{_place}")


def choose_format(path: Path, name: str | None, *, to_write: bool) -> JudgmentFormat:
    """Return the named format; without a name the one that a file has, or its ending asks for."""
    if name:
        return JUDGMENT_FORMATS.get(name)
    formats = [JUDGMENT_FORMATS.get(each) for each in [*_BUILT_IN, *_plugins()]]
    for each in formats:
        if path.suffix.lower() in each.suffixes if to_write else each.recognises(path):
            return each
    known = ", ".join(f"{each.name} ({each.summary})" for each in formats)
    message = f"its name does not say which format it has; give --format, one of {known}"
    if to_write:
        raise CranfieldError(f"{path}: {message}")
    raise InputError(message, file=str(path))


def _plugins() -> list[str]:
    return [name for name in JUDGMENT_FORMATS.names() if name not in _BUILT_IN]


def refuse_ids(format_name: str, unfit: Iterable[str], reason: str) -> None:
    """Refuse ids that a format cannot hold; the message shows some of them."""
    listed = list(dict.fromkeys(unfit))
    if not listed:
        return
    some = ", ".join(repr(each) for each in listed[:_MOST_SHOWN])
    more = " …" if len(listed) > _MOST_SHOWN else ""
    raise CranfieldError(
        f"{format_name} cannot hold {len(listed)} of the ids ({some}{more}): {reason}; export to "
        ".csv or .jsonl, which hold any"
    )
