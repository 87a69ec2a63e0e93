"""The letters, in the languages of the town."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template


@dataclass(frozen=True)
class Letter:
    subject: Template
    body: Template

    def fill(self, **values: object) -> tuple[str, str]:
        return self.subject.substitute(values), self.body.substitute(values)


LETTERS = {
    ("due_soon", "en"): Letter(
        Template("$count items are due on $due"),
        Template("Dear $name,\n\nplease bring back or extend by $due:\n$list\n"),
    ),
    ("due_soon", "de"): Letter(
        Template("$count Medien sind am $due fällig"),
        Template("Guten Tag $name,\n\nbitte bis $due zurückgeben oder verlängern:\n$list\n"),
    ),
    ("late", "en"): Letter(
        Template("Overdue: $count items"),
        Template("Dear $name,\n\nthese should have been back by now:\n$list\n"),
    ),
    ("ready", "en"): Letter(
        Template("Waiting for you: $title"),
        Template("Dear $name,\n\n$title is on the hold shelf until $until.\n"),
    ),
}


def choose_letter(kind: str, language: str) -> Letter:
    """The letter in somebody's language, or else in English."""
    return LETTERS.get((kind, language)) or LETTERS[kind, "en"]
