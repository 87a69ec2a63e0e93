"""`cranfield judge clicks`: judgments from what searchers clicked."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import write
from cranfield.formats import count_of, count_queries

__all__ = ["clicks"]

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
    from cranfield.evaluation import open_project
    from cranfield.judgments.clicks import (
        ClickActions,
        ClickOptions,
        judge_by_clicks,
        read_click_log,
        store_clicks,
    )
    from cranfield.judgments.files import find_known_queries

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
