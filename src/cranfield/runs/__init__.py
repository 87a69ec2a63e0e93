"""Runs: a suite run on a system, with every answer stored as it arrives."""

from cranfield.runs import store_schema
from cranfield.runs.audit import AuditFinding, StoreAudit, audit_run, audit_store
from cranfield.runs.deletions import (
    Deletion,
    delete_runs,
    plan_deletion,
    plan_expiry,
    read_age,
)
from cranfield.runs.execution import Progress, Silent
from cranfield.runs.grading import Evaluator, grade_response, remeasure
from cranfield.runs.holes import HoleBounds, assume_irrelevant, find_holes
from cranfield.runs.lookup import (
    find_run,
    find_run_with,
    find_runs,
    latest_runs,
    require_batch,
    require_complete,
    require_runs,
    runs_alike,
)
from cranfield.runs.records import Answer, AskedSuite, Outcomes, RunHeader, RunState, TruthSource
from cranfield.runs.regrading import regrade, regrade_by
from cranfield.runs.run_entries import RunEntry
from cranfield.runs.runner import (
    Run,
    RunOptions,
    check_run,
    continue_run,
    measured_by,
    require_same_build,
    run_suite,
)
from cranfield.runs.store import Store, open_store
from cranfield.runs.store_connection import (
    PATIENCE,
    insert_missing,
    repeat_while_away,
    repeated_while_away,
)
from cranfield.runs.store_places import fill_place, read_place
from cranfield.runs.summaries import Group, Summary, find_doubts, summarise, take_percentiles
from cranfield.runs.transfer import CopiedStore, ImportedRuns, copy_store, import_runs, open_copy
from cranfield.runs.truth import Truth, answers_of, find_moved, resolve_truth, truth_of

__all__ = [
    "PATIENCE",
    "Answer",
    "AskedSuite",
    "AuditFinding",
    "CopiedStore",
    "Deletion",
    "Evaluator",
    "Group",
    "HoleBounds",
    "ImportedRuns",
    "Outcomes",
    "Progress",
    "Run",
    "RunEntry",
    "RunHeader",
    "RunOptions",
    "RunState",
    "Silent",
    "Store",
    "StoreAudit",
    "Summary",
    "Truth",
    "TruthSource",
    "answers_of",
    "assume_irrelevant",
    "audit_run",
    "audit_store",
    "check_run",
    "continue_run",
    "copy_store",
    "delete_runs",
    "fill_place",
    "find_doubts",
    "find_holes",
    "find_moved",
    "find_run",
    "find_run_with",
    "find_runs",
    "grade_response",
    "import_runs",
    "insert_missing",
    "latest_runs",
    "measured_by",
    "open_copy",
    "open_store",
    "plan_deletion",
    "plan_expiry",
    "read_age",
    "read_place",
    "regrade",
    "regrade_by",
    "remeasure",
    "repeat_while_away",
    "repeated_while_away",
    "require_batch",
    "require_complete",
    "require_runs",
    "require_same_build",
    "resolve_truth",
    "run_suite",
    "runs_alike",
    "store_schema",
    "summarise",
    "take_percentiles",
    "truth_of",
]
