"""The command itself: its version, its exit codes, and what an error looks like."""

from __future__ import annotations

import atexit
import gc
import sys
import traceback

import typer

from cranfield.cli.commands import CommandGroup
from cranfield.cli.output import EXIT_FAULT, EXIT_INTERRUPTED, EXIT_SYSTEM, EXIT_USAGE
from cranfield.cli.output import report as report_line
from cranfield.errors import CranfieldError, SystemUnusableError
from cranfield_shared.signals import Stopped, stoppable
from cranfield_shared.terminal import (
    add_completion,
    make_app,
    outlast_closed_errors,
    refuse_repeated_options,
)
from cranfield_shared.version import __version__

__all__ = ["app", "main"]

_OBJECTS_BETWEEN_COLLECTIONS = 50_000

app = make_app(
    "cranfield",
    "Is search build B better than build A, for which queries, and how sure are we?",
    __version__,
    CommandGroup,
)
add_completion(app, "cranfield")
refuse_repeated_options(app)


def main() -> None:
    """Run the command; a user's mistake prints one message and exits with 2.

    Other exit codes: 1 for a gate or comparison that failed as asked, 3 for a system that could
    not be run, 4 for a comparison in which queries were not answered, 5 for one in which answers
    were not graded or too few are judged, 70 for a defect of the program itself, 128 and the number
    of the signal if it was stopped by one.
    """
    # What is loaded is never garbage. Looking for some while a command's modules are loaded, and
    # again at the end, took a tenth of the time of a short command.
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)
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
