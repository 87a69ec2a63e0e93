"""The formats that suites are written in, in the order in which they are recognised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cranfield.suites.similar_names import AcceptedNames
    from cranfield.suites.suite_source import SuiteSource

__all__ = ["SUITE_FORMATS", "SuiteFormat", "read_accepted", "read_source"]


@dataclass(frozen=True, slots=True)
class SuiteFormat:
    """A format of suites: how a file or folder is recognised, and how it is read."""

    name: str
    summary: str
    recognises: Callable[[Path], bool]
    read: Callable[[Path], SuiteSource]


SUITE_FORMATS: Registry[SuiteFormat] = Registry(
    "suite format", SuiteFormat, group="cranfield.suites"
)

# The first format that recognises a path reads it, so the order matters. Formats known by their
# content come before those known by a file name, narrow ones before wide ones.
_BUILT_IN = {
    "chunk-scores": "chunk_scores_format",  # SQLite's first bytes are certain, whatever the name
    "native": "native_format",  # any .toml
    "golden-set": "golden_set_format",  # .json that starts with [
    "test-corpus": "test_corpus_format",  # .json that starts with {
    "beir": "beir_format",  # before TREC: a folder with queries.jsonl may also hold qrels files
    "trec-topics": "trec_topics_format",  # any other folder with topics* or *qrels*
    "query-table": "query_table_format",  # any other .csv or .tsv
    "query-list": "query_list_format",  # last: any .txt
}
for _name, _module in _BUILT_IN.items():
    _place = f"cranfield.suites.formats.{_module}:{_module.upper()}"  # it is named as its file
    SUITE_FORMATS.register_reference(_name, _place)


def read_source(path: Path) -> SuiteSource:
    """Read a suite in whatever format it is written."""
    if not path.exists():
        raise InputError("does not exist; give a suite file or folder", file=str(path))
    for each in _in_order():
        if each.recognises(path):
            return each.read(path)
    known = "; ".join(each.summary for each in SUITE_FORMATS.values())
    raise InputError(f"is no suite that we can read; there are: {known}", file=str(path))


def read_accepted(path: Path, accepted: AcceptedNames) -> SuiteSource:
    """Read a suite; an error does not speak of unknown keys that the project accepts."""
    try:
        return read_source(path)
    except InputError as problem:
        kept = [part for part in problem.parts if part.key not in accepted.keys]
        if len(kept) == len(problem.parts):
            raise
        raise InputError.join(kept) from None


def _in_order() -> Iterator[SuiteFormat]:
    """Yield the built-in formats in their order, then those of plug-ins by name."""
    yield from map(SUITE_FORMATS.get, _BUILT_IN)
    yield from (SUITE_FORMATS.get(name) for name in SUITE_FORMATS.names() if name not in _BUILT_IN)
