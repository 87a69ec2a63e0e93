"""`cranfield agent`: does search keep a coding agent from inventing APIs?"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.agents.answer_checks import check_answers
from cranfield.agents.answers import evaluate_answers, order_arms
from cranfield.agents.command_options import (
    AgainstSystem,
    DryRun,
    GroundName,
    Jobs,
    LogFolder,
    ModelName,
    ModeName,
    PastedHits,
    Repeats,
    Retries,
    Seconds,
    SeedNumber,
    SystemName,
    Temperature,
    Tokens,
    Turns,
)
from cranfield.agents.live.agent_plan import (
    AgentLimits,
    AgentOptions,
    AgentPlan,
    describe_agent_plan,
    describe_asked,
)
from cranfield.agents.live.grounding import ArmMode, Ground, choose_arms, name_tools
from cranfield.agents.live.inspect_logs import read_answers
from cranfield.agents.live.live_run import LiveRun, Requests, check_model
from cranfield.agents.offers import find_tasks
from cranfield.agents.remote_checks import check_remotely
from cranfield.agents.report import report_agents
from cranfield.agents.tasks import load_tasks
from cranfield.cli.options import Config, executor_option, format_option, read_choice, read_level
from cranfield.cli.output import EXIT_FAILED, EXIT_UNANSWERED, StepLines, write, write_report
from cranfield.cli.output import report as report_line
from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield.evaluation.project import Project, open_project
from cranfield.executors import find_workers
from cranfield.formats import find_format
from cranfield.statistics import VerdictKind
from cranfield.systems import prepare_system
from cranfield_shared.signals import Stopped, loop_stoppable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cranfield.agents.answers import AgentAnswer
    from cranfield.agents.live.agent_plan import Question
    from cranfield.agents.tasks import Task
    from cranfield.executors import StartWorkers
    from cranfield.formats import Report

__all__ = ["agent"]


def agent(
    tasks: Annotated[
        Path, typer.Argument(metavar="TASKS", help="A task file, a folder, or the bundled agents.")
    ],
    recorded: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help="Check the answers of this file, one JSON object a line, or of Inspect's logs: a "
            "file (*.eval) or a folder.",
        ),
    ] = None,
    model: ModelName = None,
    system: SystemName = None,
    against_system: AgainstSystem = None,
    mode: ModeName = None,
    ground: GroundName = None,
    k: PastedHits = None,
    repeat: Repeats = None,
    seed: SeedNumber = None,
    temperature: Temperature = None,
    turns: Turns = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    jobs: Jobs = None,
    retries: Retries = None,
    log_dir: LogFolder = None,
    dry_run: DryRun = False,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="ARM",
            help="Compare the other arms with this one.  [default: the first]",
        ),
    ] = None,
    show: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="How much text is shown: overview, measures, changed, or all with every answer.",
        ),
    ] = "changed",
    executor: Annotated[
        str, executor_option("Where agents are asked, and answers checked")
    ] = "local",
    output: Annotated[str, format_option("agent")] = "text",
    config: Config = None,
) -> None:
    """Ask a coding agent with and without search, check its answers, and compare the arms.

    Every answer is checked mechanically: does it parse, does every name exist in the target's
    version, is nothing deprecated, do the task's tests pass? Tasks are paired; the verdict is that
    of all checks together. Nothing is asked twice: run it again to go on where it stopped. Exits
    with 1 if an arm is worse than the first, and with 4 if some answers could not be had.

    \b
    cranfield agent tasks --recorded answers.jsonl --against ungrounded --format html
    cranfield agent tasks --model openai/NAME --system docs --repeat 3 --dry-run
    cranfield agent tasks --model openai/NAME --system docs --repeat 3
    cranfield agent tasks --model openai/NAME --system new --against-system old
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    written = find_format(output, "agent")
    level = read_level(show)
    start = find_workers(executor)
    loaded = load_tasks(find_tasks(tasks))
    asked = {
        "--model": model, "--system": system, "--against-system": against_system, "--mode": mode,
        "--ground": ground, "--k": k, "--repeat": repeat, "--seed": seed,
        "--temperature": temperature, "--turns": turns, "--tokens": tokens, "--seconds": seconds,
        "--jobs": jobs, "--retries": retries, "--log-dir": log_dir, "--dry-run": dry_run or None,
        "--config": config,
    }  # fmt: skip
    answers = _ask(loaded, asked, start) if recorded is None else _read_recorded(recorded, asked)
    if answers is None:
        return
    check = check_answers if start is None else partial(check_remotely, start)
    evaluation = order_arms(evaluate_answers(loaded, answers, check), against)
    report = report_agents(evaluation, level)
    write_report(written, report)
    _exit(report)


def _refuse_without_effect(why: str, asked: Mapping[str, Any], names: Iterable[str]) -> None:
    given = [name for name in names if asked[name] is not None]
    if given:
        raise CranfieldError(
            f"{why}, so {', '.join(given)} would have no effect; leave out one of them"
        )


def _read_recorded(place: Path, asked: Mapping[str, Any]) -> Sequence[AgentAnswer]:
    """Read recorded answers; options that ask a model are refused."""
    _refuse_without_effect("--recorded asks nobody", asked, asked)
    return read_answers(place)


def _ask(
    tasks: Sequence[Task], asked: Mapping[str, Any], start: StartWorkers | None
) -> Sequence[AgentAnswer] | None:
    """Ask a model what is not answered yet, and return all answers; None if nothing was asked."""
    model = asked["--model"]
    if model is None:
        raise CranfieldError(
            "there is nobody to ask: name a model with --model, or answers with --recorded"
        )
    project = open_project(asked["--config"])
    run = LiveRun(
        _make_plan(tasks, _make_options(model, asked), project, asked),
        Path(asked["--log-dir"] or project.folder / ".cranfield" / "agents"),
    )
    check_model(model)
    missing = run.missing()
    requests = _make_requests(asked, start)
    described = describe_agent_plan(run, len(missing), requests)
    if asked["--dry-run"]:
        write(f"{described}\nnothing was asked\n")
        return None
    report_line(described)
    _run(run, missing, requests)
    answers = run.answers()
    report_line(describe_asked(answers))
    if all(each.state == "error" for each in answers):
        said = answers[0].message if answers else "no answer is in the logs"
        raise SystemUnusableError(f"no answer could be had: {said}")
    return answers


def _make_options(model: str, asked: Mapping[str, Any]) -> AgentOptions:
    usual = AgentOptions(model)
    return AgentOptions(
        model,
        repeats=asked["--repeat"] or usual.repeats,
        seed=usual.seed if asked["--seed"] is None else asked["--seed"],
        temperature=asked["--temperature"],
        hits=asked["--k"] or usual.hits,
        limits=AgentLimits(
            asked["--turns"], asked["--seconds"], asked["--tokens"] or usual.limits.tokens
        ),
    )


def _make_plan(
    tasks: Sequence[Task], options: AgentOptions, project: Project, asked: Mapping[str, Any]
) -> AgentPlan:
    names = [name for name in (asked["--against-system"], asked["--system"]) if name]
    usual = ArmMode.GROUNDED if len(names) > 1 else ArmMode.BOTH
    mode = read_choice(ArmMode, asked["--mode"] or usual, "--mode")
    ground = read_choice(Ground, asked["--ground"] or Ground.TOOL, "--ground")
    if mode is ArmMode.UNGROUNDED:
        without = ("--system", "--against-system", "--ground", "--k")
        _refuse_without_effect("--mode ungrounded grounds no agent", asked, without)
    arms = choose_arms([project.system(name) for name in names], mode, ground)
    for arm in arms:
        if arm.system is not None:
            prepare_system(arm.system, os.environ, report_line)
    plan = AgentPlan.make(tasks, arms, options, name_tools(arms, os.environ))
    if asked["--k"] is not None and not plan.uses_hits:
        raise CranfieldError(
            "--k has no effect: agents search through the system's MCP server, which decides how "
            "many hits it returns; leave it out, or use --ground paste"
        )
    return plan


def _make_requests(asked: Mapping[str, Any], start: StartWorkers | None) -> Requests:
    usual = Requests()
    retries = usual.retries if asked["--retries"] is None else asked["--retries"]
    return Requests(asked["--jobs"] or usual.jobs, retries, start)


def _run(run: LiveRun, missing: Sequence[Question], requests: Requests) -> None:
    lines = StepLines("answers")
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        lines.advance(min(done, len(missing)), len(missing), "answers")

    try:
        with loop_stoppable():
            run.ask(missing, dict(os.environ), requests, advance)
    except Stopped:
        report_line("\nstopped; all answers so far are in the logs. The same command goes on.")
        raise


def _exit(report: Report) -> None:
    """Exit with what the report found, if that is not 0."""
    facts = report.subject
    verdicts = [each.verdict for each in facts.comparisons]
    if any(each and each.kind is VerdictKind.WORSE for each in verdicts):
        raise typer.Exit(EXIT_FAILED)
    if facts.evaluation.broken:
        raise typer.Exit(EXIT_UNANSWERED)
