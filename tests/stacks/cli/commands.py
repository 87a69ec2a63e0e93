"""Runs `stacks` in this process, as if typed in a folder."""

from __future__ import annotations

import contextlib
import subprocess
from io import BytesIO, StringIO, TextIOWrapper
from typing import TYPE_CHECKING
from unittest.mock import patch

from stacks.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["stacks"]


def stacks(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the index in `home`: its exit code and its output."""
    code = 0
    out, err = StringIO(), StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch.dict("os.environ", {"STACKS_HOME": "home"}),
        patch("sys.argv", ["stacks", *arguments]),
        patch("sys.stdin", TextIOWrapper(BytesIO())),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())
