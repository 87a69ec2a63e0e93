"""The options of `cranfield agent` that ask a model; none has an effect on recorded answers."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

from cranfield.cli.options import complete_system
from cranfield.defaults import SEED

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


def _number(text: str, *names: str, least: float = 1, most: float | None = None) -> Any:
    return typer.Option(*names, min=least, max=most, metavar="NUMBER", help=text)


ModelName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ask this model, by the name that Inspect has for it: openai/NAME, anthropic/NAME, "
        "openai-api/PROVIDER/NAME.",
    ),
]
SystemName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ground the agent with this system of cranfield.toml.",
        autocompletion=complete_system,
    ),
]
AgainstSystem: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare with an agent that this system grounds.",
        autocompletion=complete_system,
    ),
]
ModeName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="Which arms: ungrounded, grounded or both.  [default: both, or grounded with two "
        "systems]",
    ),
]
GroundName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="tool: the agent searches; paste: the best hits are pasted into the prompt.  "
        "[default: tool]",
    ),
]
PastedHits: TypeAlias = Annotated[
    int | None,
    _number(
        "Hits to paste, or to return from a search that names no limit.  [default: 5]",
        "--k",
        most=100,
    ),
]
Repeats: TypeAlias = Annotated[
    int | None, _number("Ask every task so many times.  [default: 1]", "--repeat", most=1000)
]
SeedNumber: TypeAlias = Annotated[
    int | None,
    _number(
        f"Seed that the model is given; each repetition adds one.  [default: {SEED}]",
        "--seed",
        least=0,
    ),
]
Temperature: TypeAlias = Annotated[
    float | None,
    _number(
        "Temperature that the model is given.  [default: that of the model]", least=0.0, most=2.0
    ),
]
Turns: TypeAlias = Annotated[
    int | None, _number("Turns for one answer.  [default: those of the task]", most=1000)
]
Tokens: TypeAlias = Annotated[
    int | None, _number("Tokens for one answer, sent and received.  [default: 100000]")
]
Seconds: TypeAlias = Annotated[
    float | None, _number("Seconds for one answer.  [default: those of the task]", least=0.01)
]
Jobs: TypeAlias = Annotated[
    int | None, _number("Answers to ask for at a time.  [default: 4]", "--jobs", "-j", most=256)
]
Retries: TypeAlias = Annotated[
    int | None,
    _number("How often a request that failed is sent again.  [default: 5]", least=0, most=100),
]
LogFolder: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--log-dir",
        metavar="DIR",
        help="The folder of Inspect's logs, in which answers are kept.  [default: "
        ".cranfield/agents]",
    ),
]
DryRun: TypeAlias = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be asked; ask nothing.")
]
