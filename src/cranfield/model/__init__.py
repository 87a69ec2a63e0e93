"""The values that all other packages use: frozen, without I/O."""

from cranfield.model.choices import Missing, TieRule
from cranfield.model.grades import Grades
from cranfield.model.queries import Query, RegressionRules, Suite, Threshold
from cranfield.model.responses import Hit, Response, Status
from cranfield.model.values import Undefined, Value

__all__ = [
    "Grades",
    "Hit",
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
