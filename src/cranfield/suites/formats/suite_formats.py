"""The formats that suites are written in, in the order in which they are recognised."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.registry import Registry
from cranfield.slices import find_offers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cranfield.suites.similar_names import AcceptedNames
    from cranfield.suites.suite_source import SuiteSource

__all__ = ["SUITE_FORMATS", "SuiteFormat", "read_accepted", "read_source"]


@dataclass(frozen=True, slots=True)
class SuiteFormat:
    """A format of suites: how a file or folder is recognised, and how it is read.

    `read` is a function, or where to import it from, `"module:function"`. A format that a slice
    offers is asked `before` the named one of the core, or else after all of them.
    """

    name: str
    summary: str
    recognises: Callable[[Path], bool]
    read: Callable[[Path], SuiteSource] | str
    before: str = ""

    def load(self, path: Path) -> SuiteSource:
        """Read a suite that is written in this format."""
        if not isinstance(self.read, str):
            return self.read(path)
        module, _, function = self.read.partition(":")
        source: SuiteSource = getattr(import_module(module), function)(path)
        return source


SUITE_FORMATS: Registry[SuiteFormat] = Registry(
    "suite format", SuiteFormat, group="cranfield.suites"
)

# The first format that recognises a path reads it, so the order matters. Formats known by their
# content come before those known by a file name, narrow ones before wide ones.
_BUILT_IN = {
    "native": "native_format",  # any .toml
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
            return each.load(path)
    known = "; ".join(each.summary for each in SUITE_FORMATS.values())
    raise InputError(f"is not a suite that we can read; there are: {known}", file=str(path))


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
    """Yield the formats of core and slices in their order, then those of plug-ins by name."""
    offered = {name: SUITE_FORMATS.get(name) for name in sorted(find_offers(SUITE_FORMATS.group))}
    asked = set()
    for name in _BUILT_IN:
        first = [each for each in offered.values() if each.before == name]
        yield from (*first, SUITE_FORMATS.get(name))
        asked |= {name, *(each.name for each in first)}
    # Installed packages are looked through only if nothing before reads the file.
    yield from (SUITE_FORMATS.get(name) for name in SUITE_FORMATS.names() if name not in asked)
