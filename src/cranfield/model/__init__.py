"""The values that all other packages use: frozen, without I/O."""

from cranfield.model.grades import Grades, Missing, TieRule, Undefined, Value
from cranfield.model.queries import JudgingSettings, Query, RegressionRules, Suite, Threshold
from cranfield.model.responses import Hit, Response, Status

__all__ = [
    "Grades",
    "Hit",
    "JudgingSettings",
    "Missing",
    "Query",
    "RegressionRules",
    "Response",
    "Status",
    "Suite",
    "Threshold",
    "TieRule",
    "Undefined",
    "Value",
]
