"""Systems that are commands, and the child processes that run them."""

from cranfield.systems.process.child_process import ChildProcess
from cranfield.systems.process.line_process import LineProcess, LineProcessError
from cranfield.systems.process.process_pool import FailedExchangeError, ProcessPool
from cranfield.systems.process.programs import (
    check_program,
    find_files,
    process_environment,
    relocate_folder,
    split_command,
)

__all__ = [
    "ChildProcess",
    "FailedExchangeError",
    "LineProcess",
    "LineProcessError",
    "ProcessPool",
    "check_program",
    "find_files",
    "process_environment",
    "relocate_folder",
    "split_command",
]
