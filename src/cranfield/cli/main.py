"""The command itself: its subcommands, its version, and what an error looks like."""

from __future__ import annotations

import sys
import traceback

import typer

from cranfield.cli.agent import agent
from cranfield.cli.baseline import baseline
from cranfield.cli.check import check
from cranfield.cli.compare import compare
from cranfield.cli.exit_codes import EXIT_FAULT, EXIT_INTERRUPTED, EXIT_SYSTEM, EXIT_USAGE
from cranfield.cli.gate import gate
from cranfield.cli.init import init
from cranfield.cli.judge import judge
from cranfield.cli.measures import measures
from cranfield.cli.output import report as report_line
from cranfield.cli.power import power
from cranfield.cli.report import report
from cranfield.cli.run import run
from cranfield.cli.runs import runs
from cranfield.cli.score import score
from cranfield.cli.serve import serve
from cranfield.cli.store import store
from cranfield.cli.suggest import suggest
from cranfield.cli.sweep import sweep
from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield_shared import (
    Stopped,
    add_completion,
    make_app,
    outlast_closed_errors,
    refuse_repeated_options,
    stoppable,
)
from cranfield_shared.version import __version__

__all__ = ["app", "main"]

app = make_app(
    "cranfield",
    "Is search build B better than build A, for which queries, and how sure are we?",
    __version__,
)
app.command()(init)
app.command()(run)
app.command(no_args_is_help=True)(compare)
app.command()(report)
app.command()(serve)
app.command()(check)
app.command()(gate)
app.command(no_args_is_help=True)(sweep)
app.add_typer(judge, name="judge")
app.command(no_args_is_help=True)(agent)
app.add_typer(baseline, name="baseline")
app.add_typer(runs, name="runs")
app.add_typer(store, name="store")
app.command()(power)
app.command(no_args_is_help=True)(suggest)
app.command(no_args_is_help=True)(score)
app.command()(measures)
add_completion(app, "cranfield")
refuse_repeated_options(app)


def main() -> None:
    """Run the command; a user's mistake prints one message and exits with 2.

    Other exit codes: 1 for a gate or comparison that failed as asked, 3 for a system that could
    not be run, 4 for a comparison in which queries were not answered, 5 for one in which answers
    were not graded or too few are judged, 70 for a defect of the program itself, 128 and the number
    of the signal if it was stopped by one.
    """
    outlast_closed_errors()
    try:
        with stoppable():
            app()
    except CranfieldError as problem:
        report_line(f"cranfield: {problem}")
        sys.exit(EXIT_SYSTEM if isinstance(problem, SystemUnusableError) else EXIT_USAGE)
    except Stopped as stopped:
        sys.exit(stopped.code)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except Exception:  # noqa: BLE001 - Python's own exit code would be that of a failed gate
        report_line(traceback.format_exc())
        typer.echo(
            f"cranfield: this is a defect of cranfield {__version__}, not a failed check; please "
            "report this, with the traceback above, to the maintainers",
            err=True,
        )
        sys.exit(EXIT_FAULT)
