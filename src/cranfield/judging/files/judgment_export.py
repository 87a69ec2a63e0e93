"""Judgments of a store, written to a file."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, UnknownNameError
from cranfield.judging.files.chunk_selections import find_selections
from cranfield.judging.files.judgment_records import (
    JudgmentRecords,
    choose_format,
)
from cranfield.judgments import JudgedBy, JudgmentStore
from cranfield.relevance import hash_content
from cranfield_shared.files import replace_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.judging.files.judgment_records import WrittenFiles
    from cranfield.judgments import Judgment
    from cranfield.model import Hit
    from cranfield.runs.store import Store

__all__ = [
    "ExportOptions",
    "ExportedJudgments",
    "collect_records",
    "export_judgments",
]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is exported, and how: all judgments, or those of a suite, or by somebody.

    `format_name` is empty for the one that the file's name asks for. Formats that hold one grade
    for a document take those of people unless `by` says otherwise. `runs` are names of stored runs,
    whose hits are written beside the grades by a format that holds them. `replace` a file that
    exists.
    """

    format_name: str = ""
    suite: str = ""
    by: JudgedBy | None = None
    runs: tuple[str, ...] = ()
    replace: bool = False


@dataclass(frozen=True, slots=True)
class ExportedJudgments:
    """What was written: the number of judgments or grades, and what the format left out."""

    format_name: str
    is_complete: bool
    count: int
    notes: tuple[str, ...]


def export_judgments(
    store: Store, path: Path, options: ExportOptions | None = None
) -> ExportedJudgments:
    """Write the judgments of a store to a file or folder, whole or not at all."""
    options = options or ExportOptions()
    chosen = choose_format(path, options.format_name, to_write=True)
    if path.exists() and not options.replace:
        raise CranfieldError(f"{path} exists; give another name, or --force to replace it")
    if options.runs and not chosen.holds_runs:
        raise CranfieldError(
            f"{chosen.name} holds judgments and no runs; leave out --run, or write chunk-scores"
        )
    written = chosen.write(collect_records(store, options))
    if not written.count:
        _require_rater(store, options.by)
        raise CranfieldError(
            f"there is no judgment{_describe(options)} to export; `cranfield judge progress` shows "
            "what is judged"
        )
    _put(path, written)
    return ExportedJudgments(chosen.name, chosen.is_complete, written.count, written.notes)


def _require_rater(store: Store, by: JudgedBy | None) -> None:
    """Raise UnknownNameError for a rater who judged nothing, if others did."""
    if by is None or not by.rater:
        return
    raters = {each.rater for each in JudgmentStore(store).judgments() if each.source is by.source}
    if raters and by.rater not in raters:
        raise UnknownNameError(f"rater among {by.source}", by.rater, sorted(raters))


def _describe(options: ExportOptions) -> str:
    by = f" by {options.by}" if options.by else ""
    return f"{by} for the suite {options.suite!r}" if options.suite else by


def collect_records(store: Store, options: ExportOptions) -> JudgmentRecords:
    """Gather judgments with their queries and texts, and the hits that stored runs have of them."""
    judged = JudgmentStore(store)
    judgments = tuple(each for each in judged.judgments() if _is_chosen(each, options))
    preferences = tuple(
        each
        for each in judged.preferences()
        if options.suite in ("", each.suite) and not options.by
    )
    used = {each.query for each in judgments} | {each.query for each in preferences}
    contents = {each.content: None for each in judgments if each.content}
    suites = dict.fromkeys(each.suite for each in judgments if each.suite)
    return JudgmentRecords(
        judgments,
        {key: query for key, query in judged.queries().items() if key in used},
        options.by or JudgedBy(),
        texts=judged.texts(contents),
        preferences=preferences,
        hits=_find_hits(store, contents, set(suites)),
        runs=find_selections(store, options.runs, used),
        codebase=", ".join(suites),
    )


def _is_chosen(judgment: Judgment, options: ExportOptions) -> bool:
    by = options.by
    if by and (judgment.source is not by.source or by.rater not in ("", judgment.rater)):
        return False
    return options.suite in ("", judgment.suite)


def _find_hits(store: Store, contents: dict[str, None], suites: set[str]) -> dict[str, Hit]:
    """Find contents in stored runs of the suites, the newest first; a run says where they are."""
    found: dict[str, Hit] = {}
    for header in reversed(store.headers()):
        if header.suite.id not in suites or len(found) == len(contents):
            continue
        for answer in store.answers(header.id):
            for hit in answer.response.hits:
                if (content := hash_content(hit)) in contents:
                    found.setdefault(content, hit)
    return found


def _put(path: Path, written: WrittenFiles) -> None:
    if set(written.contents) == {""}:
        replace_bytes(path, written.contents[""])
        return
    partial = path.with_name(f".{path.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name, content in written.contents.items():
        replace_bytes(partial / name, content)
    shutil.rmtree(path, ignore_errors=True)
    partial.rename(path)
