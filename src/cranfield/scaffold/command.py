"""`cranfield init`: create a project for your own search."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.output import EXIT_INTERRUPTED, write
from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.scaffold.first_query import (
    TriedQuery,
    TypedSystem,
    add_settings,
    read_typed,
    relocate,
    try_query,
)
from cranfield.scaffold.project_files import (
    SUITE_NAME,
    Expected,
    describe_hits,
    describe_project,
    describe_unread,
    refuse_existing,
    render_config,
    render_suite,
    write_project,
)
from cranfield.systems import CONFIG_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping


__all__ = ["init"]

_EXAMPLE = "cranfield init --command './search {query} --limit {k}' --query 'a query to try'"
_QUESTION = """\
How is your search queried? Type a command or a URL; {query} stands for the query, {k} for the
number of hits:
  ./search {query} --limit {k}
  http://localhost:8080/search?q={query}&limit={k}

"""


def init(
    command: Annotated[
        str | None,
        typer.Option(metavar="COMMAND", help="A program to run: './search {query} --limit {k}'."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="A server: 'http://localhost/search?q={query}&n={k}'."),
    ] = None,
    python: Annotated[
        str | None, typer.Option(metavar="CALL", help="A callable: mysearch.py:search.")
    ] = None,
    mcp: Annotated[
        str | None, typer.Option(metavar="COMMAND", help="An MCP server; --tool names its tool.")
    ] = None,
    tool: Annotated[str | None, typer.Option(metavar="NAME", help="The tool to call.")] = None,
    sql: Annotated[
        str | None,
        typer.Option(
            metavar="SQL",
            help="A search in PostgreSQL; or fulltext, vector or hybrid: one to begin with.",
        ),
    ] = None,
    query: Annotated[str | None, typer.Option(metavar="TEXT", help="A query to try.")] = None,
    expect: Annotated[
        str | None, typer.Option(metavar="ID", help="The id of its right hit, if known.")
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the system.")] = "search",
    to: Annotated[str, typer.Option(metavar="FOLDER", help="The folder of the project.")] = ".",
    pattern: Annotated[
        str | None, typer.Option(metavar="REGEX", help="A pattern for ids, if answers are text.")
    ] = None,
    hits: Annotated[
        str | None, typer.Option(metavar="PATH", help="The path to the hits in JSON: data.found.")
    ] = None,
    id_path: Annotated[
        str | None, typer.Option("--id", metavar="PATH", help="The path to the id in a hit.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Another setting, as timeout=60 or preset=solr; may be repeated.",
        ),
    ] = None,
    no_try: Annotated[
        bool, typer.Option("--no-try", help="Write the project without querying the system.")
    ] = False,
) -> None:
    """Create a project for your own search by sending it one query.

    On a terminal, asks for whatever is missing. Writes cranfield.toml and queries.toml, and never
    overwrites a file.

    \b
    cranfield init
    cranfield init --command './search {query} --limit {k}' --query hashable
    cranfield init --url 'http://localhost:8080/search?q={query}' --query hashable --to eval
    cranfield init --mcp './server --stdio' --tool search_docs --query hashable
    cranfield init --url http://localhost:9200/docs/_search --set preset=opensearch --query cats
    cranfield init --sql fulltext --set 'dsn=${DATABASE_URL}' --query cats
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    folder = Path(to)
    refuse_existing(folder)
    typed = {
        "--command": command,
        "--url": url,
        "--python": python,
        "--mcp": mcp,
        "--sql": sql,
    }
    given = {option: text for option, text in typed.items() if text is not None}
    _check_options(given, tool)
    talks = (not given or query is None) and sys.stdin.isatty() and sys.stdout.isatty()
    if not talks and (not given or query is None):
        raise CranfieldError(_missing(given))
    option, text = next(iter(given.items())) if given else _ask_entry(name)
    reading = {"tool": tool, "pattern": pattern, "hits": hits, "id": id_path}
    system = add_settings(read_typed(name, option, text), settings or [])
    system = _add(system, {key: value for key, value in reading.items() if value is not None})
    system.spec(Path.cwd())
    query = _check_query(query if query is not None else _prompt("a query to try"))
    if no_try:
        _write(system, folder, query, _expected(expect, None, talks=False))
        return
    tried = _try(system, query, talks=talks)
    system = _add(system, tried.chosen or {})
    _write(system, folder, tried.query, _expected(expect, tried, talks=talks))


def _check_options(given: Mapping[str, str], tool: str | None) -> None:
    if len(given) > 1:
        raise CranfieldError(f"{' and '.join(given)} are two systems; give one of them")
    if (tool is not None) != ("--mcp" in given):
        raise CranfieldError("--mcp and --tool go together: --mcp './server --stdio' --tool search")


def _missing(given: Mapping[str, str]) -> str:
    what = "a query to try is missing" if given else "how the search is queried is missing"
    return f"{what}, and there is no terminal to ask at; write, for example:\n  {_EXAMPLE}"


def _check_query(text: str) -> str:
    text = text.strip()
    if not text:
        raise CranfieldError("the query is empty; give words to look for: --query 'a query to try'")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CranfieldError(f"the query {text!r} is not Unicode; write it in UTF-8") from None
    return text


def _add(system: TypedSystem, settings: Mapping[str, str]) -> TypedSystem:
    return TypedSystem(system.name, system.kind, {**system.settings, **settings})


def _prompt(question: str, default: str | None = None) -> str:
    """Ask the user; to leave is not an error."""
    try:
        return str(typer.prompt(question, default=default, show_default=False))
    except typer.Abort:
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _ask_entry(name: str) -> tuple[str, str]:
    """Ask how the system is queried, until the answer can be used."""
    write(_QUESTION)
    while True:
        text = _prompt("command or URL").strip()
        option = "--url" if text.startswith(("http://", "https://")) else "--command"
        try:
            read_typed(name, option, text).spec(Path.cwd())
        except CranfieldError as problem:
            write(f"{problem}\n\n")
        else:
            return option, text


def _try(system: TypedSystem, query: str, *, talks: bool) -> TriedQuery:
    """Run the query, and show what it found; ask for another if it found nothing."""
    while True:
        try:
            tried = try_query(system.spec(Path.cwd()), dict(os.environ), query)
        except SystemUnusableError as problem:
            raise SystemUnusableError(
                f"{problem}\nnothing was written; fix it, or write without a try: --no-try"
            ) from None
        if tried.received:
            raise CranfieldError(describe_unread(tried))
        if tried.response.hits:
            write("\n" * talks + describe_hits(tried, shutil.get_terminal_size().columns))
            return tried
        if not talks:
            raise CranfieldError(
                f"the answer to {query!r} has no hits, and nothing was written; give a query "
                "that finds something, or write without a try: --no-try"
            )
        query = _check_query(_prompt("no hits; another query to try"))


def _expected(expect: str | None, tried: TriedQuery | None, *, talks: bool) -> Expected:
    """Return which hit is right: as given, as answered, or the first as a proposal."""
    hits = tried.response.hits if tried else ()
    if talks and not expect:
        expect = _prompt("which hit is right? its number, another id, or Enter if unsure", "")
        write("\n")
        place = int(expect) if expect.isdecimal() else 0
        expect = hits[place - 1].id if 0 < place <= len(hits) else expect.strip()
    if expect:
        return Expected(expect, confirmed=True)
    return Expected(hits[0].id if hits else "")


def _write(system: TypedSystem, folder: Path, query: str, expected: Expected) -> None:
    texts = {
        CONFIG_NAME: render_config(relocate(system, Path.cwd(), folder)),
        SUITE_NAME: render_suite(query, expected),
    }
    write_project(folder, texts)
    write(describe_project(system.name, folder, expected))
