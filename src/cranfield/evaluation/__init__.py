"""One way from a project to a result: its systems and suites, runs of them, comparison, gate."""

from cranfield.evaluation.acceptance import (
    Acceptance,
    accept_baseline,
    accept_by_rule,
    review_acceptance,
)
from cranfield.evaluation.arms import ArmOptions, find_arms
from cranfield.evaluation.bundled_projects import find_bundled
from cranfield.evaluation.demands import DEMANDS, Demand, DemandRequest, judge_all_demands
from cranfield.evaluation.evaluation import (
    ComparisonRequest,
    EvaluatedArms,
    EvaluatedRuns,
    GateRequest,
    RunRequest,
    StoredArms,
    compare_runs,
    compare_stored,
    evaluate_comparison,
    evaluate_gate,
    evaluate_run,
    evaluate_stored,
)
from cranfield.evaluation.gate_decision import (
    GateOptions,
    GateResult,
    find_stored_runs,
    gate,
    gate_stored,
    run_for_gate,
)
from cranfield.evaluation.judged_arms import set_judging, use_judgments
from cranfield.evaluation.modes import (
    ModeResult,
    compare_in_mode,
    find_candidates,
    judge_demands,
    judge_mode,
)
from cranfield.evaluation.project import Project, find_mode, open_named, open_project
from cranfield.evaluation.project_file import AgentGate, Mode
from cranfield.evaluation.report_names import name_report
from cranfield.evaluation.sessions import (
    Session,
    continue_system,
    describe_selection,
    refuse_unanswered,
    resolve_truths,
    resume_systems,
    run_system,
    run_systems,
)
from cranfield.evaluation.suite_checks import check_suites
from cranfield.evaluation.triggers import find_skip_reason, find_triggers, read_changed_paths

__all__ = [
    "DEMANDS",
    "Acceptance",
    "AgentGate",
    "ArmOptions",
    "ComparisonRequest",
    "Demand",
    "DemandRequest",
    "EvaluatedArms",
    "EvaluatedRuns",
    "GateOptions",
    "GateRequest",
    "GateResult",
    "Mode",
    "ModeResult",
    "Project",
    "RunRequest",
    "Session",
    "StoredArms",
    "accept_baseline",
    "accept_by_rule",
    "check_suites",
    "compare_in_mode",
    "compare_runs",
    "compare_stored",
    "continue_system",
    "describe_selection",
    "evaluate_comparison",
    "evaluate_gate",
    "evaluate_run",
    "evaluate_stored",
    "find_arms",
    "find_bundled",
    "find_candidates",
    "find_mode",
    "find_skip_reason",
    "find_stored_runs",
    "find_triggers",
    "gate",
    "gate_stored",
    "judge_all_demands",
    "judge_demands",
    "judge_mode",
    "name_report",
    "open_named",
    "open_project",
    "read_changed_paths",
    "refuse_unanswered",
    "resolve_truths",
    "resume_systems",
    "review_acceptance",
    "run_for_gate",
    "run_system",
    "run_systems",
    "set_judging",
    "use_judgments",
]
