"""The values everything else speaks in: frozen, without I/O."""

from cranfield.model.grades import Grades
from cranfield.model.values import Undefined, Value

__all__ = ["Grades", "Undefined", "Value"]
