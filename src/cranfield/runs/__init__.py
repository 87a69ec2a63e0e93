"""Runs: a suite asked of a system, every answer stored as it arrives."""

from cranfield.runs.audit import AuditFinding, audit_run
from cranfield.runs.execution import Progress, Silent
from cranfield.runs.finding import find_run, find_runs, require_batch, require_runs, runs_alike
from cranfield.runs.importing import import_runs, open_copy
from cranfield.runs.measuring import Measuring
from cranfield.runs.records import Answer, AskedSuite, Outcomes, RunHeader, RunState
from cranfield.runs.remeasuring import remeasure
from cranfield.runs.running import Run, RunOptions, check_run, continue_run, run_suite
from cranfield.runs.store import Store, open_store
from cranfield.runs.summaries import Group, Summary, summarise

__all__ = [
    "Answer",
    "AskedSuite",
    "AuditFinding",
    "Group",
    "Measuring",
    "Outcomes",
    "Progress",
    "Run",
    "RunHeader",
    "RunOptions",
    "RunState",
    "Silent",
    "Store",
    "Summary",
    "audit_run",
    "check_run",
    "continue_run",
    "find_run",
    "find_runs",
    "import_runs",
    "open_copy",
    "open_store",
    "remeasure",
    "require_batch",
    "require_runs",
    "run_suite",
    "runs_alike",
    "summarise",
]
