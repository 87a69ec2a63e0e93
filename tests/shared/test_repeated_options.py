"""Options of one value that are given several times, and those that may be."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from cranfield_shared.terminal import refuse_repeated_options


@pytest.fixture
def app() -> typer.Typer:
    """Make an application with a command, and the same command in a group."""

    def show(
        words: list[str],
        limit: Annotated[int, typer.Option("--limit", "-n")] = 1,
        kind: Annotated[list[str] | None, typer.Option()] = None,
        loud: Annotated[bool, typer.Option("--loud")] = False,
    ) -> None:
        typer.echo(f"{words} {limit} {kind} {loud}")

    inner = typer.Typer()
    inner.command()(show)
    app = typer.Typer()
    app.command()(show)
    app.add_typer(inner, name="inner")
    refuse_repeated_options(app)
    return app


@pytest.mark.parametrize("command", [("show",), ("inner", "show")])
@pytest.mark.parametrize(
    "options", [("--limit", "2", "--limit", "3"), ("-n2", "--limit=3"), ("-n", "2", "-n", "2")]
)
def test_an_option_of_one_value_is_refused_if_it_is_repeated(
    app: typer.Typer, command: tuple[str, ...], options: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(app, [*command, "a", *options])
    assert result.exit_code == 2
    assert "--limit is given 2 times; give it once" in result.output


def test_lists_flags_and_arguments_may_be_repeated(app: typer.Typer) -> None:
    options = ["--kind", "x", "--kind", "y", "--loud", "--loud", "--limit", "2"]
    result = CliRunner().invoke(app, ["show", "a", "b", *options, "--", "--limit", "--limit"])
    assert result.output == "['a', 'b', '--limit', '--limit'] 2 ['x', 'y'] True\n"
