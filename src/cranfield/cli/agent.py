"""`cranfield agent`: does search keep a coding agent from inventing APIs?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.exit_codes import EXIT_FAILED
from cranfield.cli.options import format_option
from cranfield.cli.output import write_report

if TYPE_CHECKING:
    from cranfield.formats import Detail

__all__ = ["agent"]


def agent(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="A task file, or a folder.")],
    recorded: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Check the answers of this file, one JSON object a line.",
            show_default=False,
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option(
            metavar="ARM",
            help="Compare the other arms with this one.  [default: the first of the file]",
            show_default=False,
        ),
    ] = None,
    show: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="How much text is shown: overview, measures, changed, or all with every answer.",
        ),
    ] = "changed",
    output: Annotated[str, format_option("agent")] = "text",
) -> None:
    """Check what coding agents answered with and without search, and compare the arms.

    Every answer is checked mechanically: does it parse, does every name exist in the target's
    version, is nothing deprecated, do the task's tests pass? Tasks are paired; the verdict is that
    of all checks together. Exits with 1 if an arm is worse than the first.

    \b
    cranfield agent suites/agents/tasks/python --recorded answers.jsonl
    cranfield agent tasks --recorded answers.jsonl --against ungrounded --format html
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    from cranfield.agents import evaluate_answers, load_tasks, order_arms, read_recordings
    from cranfield.formats import find_format
    from cranfield.reports import report_agents
    from cranfield.verdicts import VerdictKind

    written = find_format(output, "agent")
    answers = read_recordings(recorded)
    evaluation = order_arms(evaluate_answers(load_tasks(tasks), answers), against)
    report = report_agents(evaluation, _read_level(show))
    write_report(written, report)
    verdicts = [each.verdict for each in report.subject.comparisons]
    if any(each and each.kind is VerdictKind.WORSE for each in verdicts):
        raise typer.Exit(EXIT_FAILED)


def _read_level(text: str) -> Detail:
    from cranfield.formats import Detail

    levels = [level.name.lower() for level in Detail if Detail.NONE < level < Detail.AUDIT]
    if text not in levels:
        raise typer.BadParameter(f"--show is one of {', '.join(levels)}, not {text!r}")
    return Detail[text.upper()]
