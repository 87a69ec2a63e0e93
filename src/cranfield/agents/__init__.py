"""Agents: tasks for coding agents, and what is right and wrong in their answers."""

from cranfield.agents.agent_gates import AgentDemand, judge_recordings
from cranfield.agents.answer_checks import (
    CHECKS,
    AnswerCheck,
    Submission,
    applicable_checks,
    check_answer,
    check_answers,
    is_right,
)
from cranfield.agents.answers import extract_code
from cranfield.agents.arm_comparison import (
    ALL_CHECKS,
    ArmComparison,
    CheckComparison,
    TaskBucket,
    TaskChange,
    compare_arms,
    detectable_gain,
)
from cranfield.agents.evaluation import (
    AgentEvaluation,
    CheckedAnswer,
    evaluate_answers,
    order_arms,
)
from cranfield.agents.findings import AnswerFinding, CheckOutcome, CheckResult
from cranfield.agents.mediation import Mediation, MediationStep, explain_failures, is_page_of
from cranfield.agents.recordings import (
    AgentAnswer,
    AgentSearch,
    AnswerState,
    read_recordings,
    write_recordings,
)
from cranfield.agents.remote_checks import check_remotely
from cranfield.agents.retrieval_outcomes import (
    Retrieval,
    RetrievalGroup,
    RetrievalOutcomes,
    relate_retrieval,
)
from cranfield.agents.task_checks import TaskCheck, check_tasks, holds_tasks
from cranfield.agents.task_verification import TaskProblem, has_name, verify_tasks
from cranfield.agents.tasks import (
    TASK_KINDS,
    Task,
    TaskTarget,
    WrongAnswer,
    load_task,
    load_tasks,
)

__all__ = [
    "ALL_CHECKS",
    "CHECKS",
    "TASK_KINDS",
    "AgentAnswer",
    "AgentDemand",
    "AgentEvaluation",
    "AgentSearch",
    "AnswerCheck",
    "AnswerFinding",
    "AnswerState",
    "ArmComparison",
    "CheckComparison",
    "CheckOutcome",
    "CheckResult",
    "CheckedAnswer",
    "Mediation",
    "MediationStep",
    "Retrieval",
    "RetrievalGroup",
    "RetrievalOutcomes",
    "Submission",
    "Task",
    "TaskBucket",
    "TaskChange",
    "TaskCheck",
    "TaskProblem",
    "TaskTarget",
    "WrongAnswer",
    "applicable_checks",
    "check_answer",
    "check_answers",
    "check_remotely",
    "check_tasks",
    "compare_arms",
    "detectable_gain",
    "evaluate_answers",
    "explain_failures",
    "extract_code",
    "has_name",
    "holds_tasks",
    "is_page_of",
    "is_right",
    "judge_recordings",
    "load_task",
    "load_tasks",
    "order_arms",
    "read_recordings",
    "relate_retrieval",
    "verify_tasks",
    "write_recordings",
]
