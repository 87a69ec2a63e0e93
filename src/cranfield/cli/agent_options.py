"""The options of `cranfield agent` that ask a model; none has an effect on recorded answers."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from cranfield.cli.completions import complete_system

__all__ = [
    "AgainstSystem",
    "DryRun",
    "GroundName",
    "Jobs",
    "LogFolder",
    "ModeName",
    "ModelName",
    "PastedHits",
    "Repeats",
    "Retries",
    "Seconds",
    "SeedNumber",
    "SystemName",
    "Temperature",
    "Tokens",
    "Turns",
]

ModelName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ask this model, by the name that Inspect has for it: openai/NAME, anthropic/NAME, "
        "openai-api/PROVIDER/NAME.",
        show_default=False,
    ),
]
SystemName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ground the agent with this system of cranfield.toml.",
        autocompletion=complete_system,
        show_default=False,
    ),
]
AgainstSystem: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare with an agent that this system grounds.",
        autocompletion=complete_system,
        show_default=False,
    ),
]
ModeName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="Which arms: ungrounded, grounded or both.  [default: both, or grounded with two "
        "systems]",
        show_default=False,
    ),
]
GroundName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="tool: the agent searches; paste: the best hits are pasted into the prompt.  "
        "[default: tool]",
        show_default=False,
    ),
]
PastedHits: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--k",
        min=1,
        max=100,
        metavar="NUMBER",
        help="Hits to paste, or to return from a search that names no limit.  [default: 5]",
        show_default=False,
    ),
]
Repeats: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--repeat",
        min=1,
        max=1000,
        metavar="NUMBER",
        help="Ask every task so many times.  [default: 1]",
        show_default=False,
    ),
]
SeedNumber: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        metavar="NUMBER",
        help="Seed that the model is given; each repetition adds one.  [default: 1967]",
        show_default=False,
    ),
]
Temperature: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        max=2.0,
        metavar="NUMBER",
        help="Temperature that the model is given.  [default: that of the model]",
        show_default=False,
    ),
]
Turns: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1000,
        metavar="NUMBER",
        help="Turns for one answer.  [default: those of the task]",
        show_default=False,
    ),
]
Tokens: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="NUMBER",
        help="Tokens for one answer, sent and received.  [default: 100000]",
        show_default=False,
    ),
]
Seconds: TypeAlias = Annotated[
    float | None,
    typer.Option(
        min=0.01,
        metavar="NUMBER",
        help="Seconds for one answer.  [default: those of the task]",
        show_default=False,
    ),
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        max=256,
        metavar="NUMBER",
        help="Answers to ask for at a time.  [default: 4]",
        show_default=False,
    ),
]
Retries: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=100,
        metavar="NUMBER",
        help="How often a request that failed is sent again.  [default: 5]",
        show_default=False,
    ),
]
LogFolder: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--log-dir",
        metavar="DIR",
        help="The folder of Inspect's logs, in which answers are kept.  [default: "
        ".cranfield/agents]",
        show_default=False,
    ),
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be asked; ask nothing.")
]
