"""Write `commands.md`: every help page as the commands print it. A test compares the two."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from cranfield.cli import app as cranfield_app
from stacks.cli.main import build_app as build_stacks_app

COMMANDS = {
    "cranfield": (
        "",
        "init",
        "run",
        "compare",
        "report",
        "serve",
        "check",
        "gate",
        "sweep",
        "judge",
        "judge pool",
        "judge progress",
        "judge export",
        "judge import",
        "judge clicks",
        "agent",
        "judge model",
        "judge calibrate",
        "baseline accept",
        "baseline show",
        "baseline history",
        "runs",
        "runs list",
        "runs show",
        "runs export",
        "runs import",
        "runs delete",
        "runs audit",
        "store copy",
        "power",
        "suggest",
        "score",
        "measures",
        "completion",
    ),
    "stacks": (
        "",
        "save",
        "search",
        "read",
        "symbols",
        "conformances",
        "inheritance",
        "examples",
        "serve",
        "list",
        "doctor",
        "bundle make",
        "bundle install",
        "export",
    ),
}
APPS = {"cranfield": cranfield_app, "stacks": build_stacks_app()}


def help_pages() -> str:
    """Return the document."""
    parts = [
        "# Commands\n\nThe help pages, as printed. `python docs/build_commands.py` renews them.\n"
    ]
    for program, commands in COMMANDS.items():
        for command in commands:
            arguments = [*command.split(), "--help"]
            printed = CliRunner().invoke(
                APPS[program], arguments, prog_name=program, terminal_width=80
            )
            parts.append(f"## {program} {command}".rstrip() + "\n")
            parts.append(f"```\n{printed.output.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("commands.md").write_text(help_pages())
