"""`stacks examples`: code that uses something."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from stacks.cli.options import DbOption, FormatOption, LimitOption, default_folder
from stacks.cli.output import choose_format, shorten, write, write_json
from stacks.query import Example, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["examples"]

MOST_LINES = 12


def examples(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the code should use.")],
    language: Annotated[str, typer.Option(help="Only this language: swift, python …")] = "",
    imports: Annotated[
        str, typer.Option(metavar="MODULE", help="Only code that imports this.")
    ] = "",
    limit: LimitOption = 5,
    db: DbOption = None,
    output_format: FormatOption = "text",
) -> None:
    """Find snippets and sample code that use something.

    \b
    stacks examples withTaskGroup --language swift
    stacks examples "Counter most_common"
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    render = choose_format(_FORMATS, output_format)
    with open_index(db or default_folder()) as index:
        found = index.examples(text, language=language, imports=imports, limit=limit)
    write(render(found) if found or output_format == "json" else f"no code here uses {text!r}")


def _shorten(code: str) -> list[str]:
    lines = code.strip("\n").splitlines()
    kept = lines[:MOST_LINES]
    return kept if len(kept) == len(lines) else [*kept, f"… {len(lines) - MOST_LINES} more lines"]


def _as_text(found: list[Example]) -> str:
    parts = []
    for example in found:
        code = "\n".join(f"    {line}" for line in _shorten(example.code))
        title = shorten(example.title, 98 - len(example.uri))
        parts.append(f"{title}  {example.uri}\n{code}")
    return "\n\n".join(parts)


def _as_markdown(found: list[Example]) -> str:
    return "\n\n".join(
        f"**{example.title}** – `{example.uri}`\n\n```{example.language}\n{example.code}\n```"
        for example in found
    )


_FORMATS: Mapping[str, Callable[[list[Example]], str]] = {
    "text": _as_text,
    "json": lambda found: write_json([asdict(example) for example in found]),
    "markdown": _as_markdown,
}
