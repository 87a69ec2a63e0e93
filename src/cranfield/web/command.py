"""`cranfield serve`: the workbench in a browser."""

from __future__ import annotations

import os
import webbrowser
from typing import Annotated

import typer

from cranfield.cli.options import Config, StorePlace
from cranfield.cli.output import report, write
from cranfield.errors import CranfieldError

__all__ = ["serve"]

_PORT = 8967


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Listen on this address; any but this machine's own demands a token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="NUMBER", help="A port; 0 takes a free one.")
    ] = _PORT,
    demand_token: Annotated[
        bool,
        typer.Option(
            "--demand-token",
            help="Demand a token here too: other users of this machine reach the address as well.",
        ),
    ] = False,
    open_page: Annotated[
        bool, typer.Option("--open", help="Show the first page in a browser.")
    ] = False,
    config: Config = None,
    store: StorePlace = None,
) -> None:
    """Show what is stored in a browser, live: runs, suites over time, any two runs compared.

    Runs that are made meanwhile appear with their progress. A playground asks two systems the same
    query, and adds it to a suite with the hits that you mark. Ctrl-C ends the server.

    \b
    cranfield serve --open
    cranfield serve --host 0.0.0.0 --port 8080
    """  # noqa: D301 - \b is typer's mark for lines to be left as they are
    try:
        # Starlette and uvicorn are an extra.
        from cranfield.web.application import listen, make_application, serve_forever
        from cranfield.web.guard import open_access
        from cranfield.web.workbench import Workbench
    except ModuleNotFoundError as problem:
        package = str(problem.name).partition(".")[0]
        raise CranfieldError(
            f"serve needs the package {package}; install cranfield[serve]"
        ) from None
    workbench = Workbench(config, store, dict(os.environ))
    opened, port = listen(host, port)
    with opened:
        access = open_access(host, demand_token=demand_token)
        application = make_application(workbench, access, report, f"cranfield-{port}")
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{port}/{f'?token={access.token}' if access.token else ''}"
        write(f"{address}\n")
        if open_page:
            _show(address)
        serve_forever(application, opened)


def _show(address: str) -> None:
    if not webbrowser.open(address):
        report(f"--open: no browser could be started; open {address} yourself")
