"""The values everything else speaks in: frozen, without I/O."""

from cranfield.model.choices import Missing, TieRule
from cranfield.model.grades import Grades
from cranfield.model.values import Undefined, Value

__all__ = ["Grades", "Missing", "TieRule", "Undefined", "Value"]
