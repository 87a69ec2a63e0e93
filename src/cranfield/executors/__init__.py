"""Executors: where work is done, in this process or by the workers of a cluster."""

from cranfield.executors.executor import (
    EXECUTORS,
    Executor,
    StartWorkers,
    Workers,
    find_workers,
)

__all__ = ["EXECUTORS", "Executor", "StartWorkers", "Workers", "find_workers"]
