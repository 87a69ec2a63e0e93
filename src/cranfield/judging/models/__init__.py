"""Models as helpers: judges behind one interface, asked within a budget, measured by people."""

from cranfield.judging.models.answer_store import AnswerStore, Spending, StoredAnswer
from cranfield.judging.models.corrected_figures import (
    Calibration,
    ModelDemand,
    ModelFigure,
    calibrate,
)
from cranfield.judging.models.data_block import enclose, open_block, split_block
from cranfield.judging.models.human_sample import (
    HumanSample,
    ModelAgreement,
    compare_with_people,
    take_sample,
)
from cranfield.judging.models.model_columns import ModelColumns, find_model_columns
from cranfield.judging.models.model_judge import (
    MODEL_JUDGES,
    FailedRequestError,
    JudgeContext,
    ModelAnswer,
    ModelJudge,
    ModelJudgeKind,
)
from cranfield.judging.models.model_plan import ModelPlan, ModelTally
from cranfield.judging.models.model_round import ModelRound
from cranfield.judging.models.model_settings import (
    ModelSettings,
    ModelThreshold,
    read_model_settings,
)
from cranfield.judging.models.opened_rounds import current_suite, open_model_rounds
from cranfield.judging.models.pace import Clock, Pace
from cranfield.judging.models.prompt_file import Messages, Prompt, read_prompt
from cranfield.judging.models.remote_judge import open_judge
from cranfield.judging.models.request_loop import read_grade
from cranfield.judging.models.rule_grades import grade_by_rules

__all__ = [
    "MODEL_JUDGES",
    "AnswerStore",
    "Calibration",
    "Clock",
    "FailedRequestError",
    "HumanSample",
    "JudgeContext",
    "Messages",
    "ModelAgreement",
    "ModelAnswer",
    "ModelColumns",
    "ModelDemand",
    "ModelFigure",
    "ModelJudge",
    "ModelJudgeKind",
    "ModelPlan",
    "ModelRound",
    "ModelSettings",
    "ModelTally",
    "ModelThreshold",
    "Pace",
    "Prompt",
    "Spending",
    "StoredAnswer",
    "calibrate",
    "compare_with_people",
    "current_suite",
    "enclose",
    "find_model_columns",
    "grade_by_rules",
    "open_block",
    "open_judge",
    "open_model_rounds",
    "read_grade",
    "read_model_settings",
    "read_prompt",
    "split_block",
    "take_sample",
]
