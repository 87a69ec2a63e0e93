"""`cranfield judge export`, `import` and `clicks`: judgments to files, and from files and logs."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Config, StorePlace, complete_run
from cranfield.cli.output import write
from cranfield.evaluation.project import open_project
from cranfield.formats import count_of, count_queries
from cranfield.judging.click_judgments import ClickOptions, judge_by_clicks, store_clicks
from cranfield.judging.click_log import ClickActions, read_click_log
from cranfield.judging.files.judgment_export import ExportOptions, export_judgments
from cranfield.judging.files.judgment_import import (
    ImportOptions,
    find_known_queries,
    import_judgments,
    read_conflict_rule,
    read_source,
)
from cranfield.judgments import read_judged_by

__all__ = [
    "clicks",
    "export",
    "import_file",
]

FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help="jsonl, csv, trec, beir or chunk-scores.  [default: what the file's name says]",
    ),
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        metavar="FILE",
        help="Suites whose queries the ids belong to; may be repeated.  [default: those of stored "
        "runs and judgments]",
    ),
]


def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file, or a folder for beir.")],
    format_name: FormatName = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="WHO",
            help="Whose judgments: people, people:NAME, model:NAME or clicks.  [default: all; of "
            "formats with one grade a document, those of people]",
        ),
    ] = None,
    suite: Annotated[
        str, typer.Option(metavar="NAME", help="Only judgments that were given for this suite.")
    ] = "",
    run: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN",
            help="Also write which chunks this stored run selected (chunk-scores); may be "
            "repeated.",
            autocompletion=complete_run,
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Write judgments to a file: all of them (.jsonl, .csv), or one grade a document.

    \b
    cranfield judge export judgments.jsonl
    cranfield judge export judgments.qrels --by people
    cranfield judge export collection --format beir
    cranfield judge export evals.db
    cranfield judge export evals.db --run old --run new
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    opened = open_project(config, os.environ).open_existing_store(store)
    options = ExportOptions(
        format_name or "",
        suite,
        read_judged_by(by) if by else None,
        tuple(run or ()),
        replace=force,
    )
    done = export_judgments(opened, Path(file), options)
    what = "judgment" if done.is_complete else "grade"
    write(f"{file}: {count_of(done.count, what)} as {done.format_name}\n")
    for note in done.notes:
        write(f"  {note}\n")


def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file, or a folder of beir.")],
    format_name: FormatName = None,
    rater: Annotated[
        str, typer.Option(metavar="NAME", help="The rater of judgments that name none.")
    ] = "",
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who judged, if the file does not say it: people, model or clicks.  [default: "
            "people]",
        ),
    ] = None,
    suites: Suites = None,
    conflicts: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A grade that contradicts the same rater's in the store: refuse the file, keep "
            "the store's, or replace it; its history stays.",
        ),
    ] = "refuse",
    skip_unknown: Annotated[
        bool,
        typer.Option("--skip-unknown", help="Leave out judgments of queries that nothing knows."),
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Add the judgments of a file to the store, all of them or none.

    \b
    cranfield judge import judgments.jsonl
    cranfield judge import judgments.csv --rater Ann
    cranfield judge import judgments.qrels --rater TREC --suite topics.toml
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    options = ImportOptions(
        format_name or "",
        rater,
        read_source(source),
        read_conflict_rule(conflicts),
        skip_unknown=skip_unknown,
    )
    project = open_project(config, os.environ)
    opened = project.open_store(store)
    known = find_known_queries(opened, project.load_suites(suites) if suites else ())
    done = import_judgments(Path(file), opened, known, options)
    write(
        f"{file}: {count_of(len(done.added), 'judgment')} added, {done.duplicates} known already\n"
    )
    if done.preferences:
        write(f"  {count_of(done.preferences, 'preference')} added\n")
    for conflict in done.conflicts:
        write(f"  {conflict}: {conflicts}\n")
    for name, count in done.unknown.items():
        judgments = count_of(count, "judgment")
        write(f"  {judgments} of the unknown query {name!r} left out\n")
    for note in done.notes:
        write(f"  {note}\n")


_MOST_RATES = 10


def clicks(
    queries: Annotated[
        str, typer.Argument(metavar="QUERIES", help="The log of queries, as JSON lines or CSV.")
    ],
    events: Annotated[
        str, typer.Argument(metavar="EVENTS", help="The log of events, as JSON lines or CSV.")
    ],
    click: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="An action that is a click; may be repeated.  [default: click]"
        ),
    ] = None,
    fewest: Annotated[
        int,
        typer.Option(
            min=1, metavar="NUMBER", help="Times that a document was shown to get a grade."
        ),
    ] = 10,
    highest: Annotated[
        int, typer.Option(min=1, max=127, metavar="GRADE", help="The highest grade.")
    ] = 1,
    log: Annotated[
        str,
        typer.Option(metavar="NAME", help="Name of the log; a later one replaces its grades."),
    ] = "ubi",
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Grade documents by clicks over expected clicks, from logs of User Behavior Insights.

    The grades are those of clicks, apart from what people say: a suite is graded by them if it
    asks for it (judged_by = "clicks").

    \b
    cranfield judge clicks ubi_queries.jsonl ubi_events.jsonl
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    options = ClickOptions(highest, fewest, log)
    actions = ClickActions(click=tuple(click)) if click else ClickActions()
    read = read_click_log(Path(queries), Path(events), actions)
    opened = open_project(config, os.environ).open_store(store)
    judged = judge_by_clicks(read, find_known_queries(opened), options)
    added = store_clicks(judged, opened)
    documents = count_of(len(judged.judgments), "document")
    queries = count_queries(len(judged.queries))
    write(f"{documents} graded by clicks for {queries}, {added} new or changed\n")
    grades = Counter(each.grade for each in judged.judgments)
    if grades:
        counts = (f"{grade}: {count}" for grade, count in sorted(grades.items()))
        write(f"  documents by grade  {', '.join(counts)}\n")
    rates = [f"{place}: {rate:.3f}" for place, rate in judged.rates.items()][:_MOST_RATES]
    write(f"  clicks expected by position  {', '.join(rates)}\n")
    ungraded = "document without a grade", "documents without a grade"
    query = "query", "queries"
    for count, noun, what in (
        (judged.seldom, ungraded, f": shown fewer than {fewest} times"),
        (judged.undefined, ungraded, ": shown only where nothing is ever clicked"),
        (judged.foreign, query, " in no suite of the stored runs"),
        (read.unplaced, ("click", "clicks"), " on documents that were not shown"),
        (read.untexted, query, " without a text"),
    ):
        if count:
            write(f"  {count_of(count, *noun)}{what}\n")
