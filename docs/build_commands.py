"""Write `commands.md`: every help page as the commands print it. A test compares the two."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from cranfield.cli import app

COMMANDS = [
    [*command.split(), "--help"]
    for command in (
        "",
        "run",
        "compare",
        "check",
        "runs",
        "runs list",
        "runs show",
        "runs export",
        "runs delete",
        "runs audit",
        "score",
        "measures",
    )
]


def help_pages() -> str:
    """Return the document."""
    parts = [
        "# Commands\n\nThe help pages, as printed. `python docs/build_commands.py` renews them.\n"
    ]
    for command in COMMANDS:
        printed = CliRunner().invoke(app, command, prog_name="cranfield", terminal_width=80).output
        parts.append(f"## cranfield {' '.join(command[:-1])}".rstrip() + "\n")
        parts.append(f"```\n{printed.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    Path(__file__).with_name("commands.md").write_text(help_pages())
