"""Checks on what people type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from bramble.errors import Invalid

_MAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]{2,}$")
Check = Callable[[Any], str | None]


def clean_isbn(text: str) -> str:
    """Drop hyphens and spaces; a book number of ten digits becomes one of thirteen."""
    digits = re.sub(r"[\s-]", "", text).upper()
    if len(digits) == 10 and _has_valid_ten(digits):
        body = "978" + digits[:9]
        return body + _last_of_thirteen(body)
    if len(digits) == 13 and digits.isdigit() and digits[-1] == _last_of_thirteen(digits[:12]):
        return digits
    raise Invalid("not an ISBN", given=text)


def _has_valid_ten(digits: str) -> bool:
    if not digits[:9].isdigit() or digits[9] not in "0123456789X":
        return False
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(weight * value for weight, value in zip(range(10, 0, -1), values)) % 11 == 0


def _last_of_thirteen(body: str) -> str:
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return str(-total % 10)


def looks_like_mail(value: Any) -> str | None:
    return None if isinstance(value, str) and _MAIL.match(value) else "is no mail address"


def not_blank(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "must not be empty"


@dataclass(frozen=True)
class Form:
    """Which fields a body may have, and what holds for each."""

    checks: Mapping[str, tuple[Check, ...]]
    optional: frozenset[str] = frozenset()

    def validate(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the known fields; raise Invalid with all problems at once."""
        problems: dict[str, str] = {}
        for name, checks in self.checks.items():
            if name not in body:
                if name not in self.optional:
                    problems[name] = "is missing"
                continue
            found = next((text for check in checks if (text := check(body[name]))), None)
            if found:
                problems[name] = found
        if problems:
            raise Invalid("some fields are not right", fields=problems)
        return {name: body[name] for name in self.checks if name in body}
