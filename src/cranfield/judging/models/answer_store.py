"""The answers of models in the store: what was paid for is never asked again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable  # noqa: TC003 - msgspec reads annotations at run time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import func, select

from cranfield.errors import CranfieldError
from cranfield.runs import store_schema
from cranfield.runs.store_connection import insert_missing, repeated_while_away

if TYPE_CHECKING:
    from sqlalchemy import Row

    from cranfield.judging.models.model_settings import ModelSettings
    from cranfield.judging.models.prompts import Messages, Prompt
    from cranfield.runs.store import Store

__all__ = ["AnswerStore", "Spending", "StoredAnswer", "answer_key"]

_WHAT = "the answers of models"
_AT_ONCE = 500
"""Keys that one statement asks for."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer with its key; without a grade it is unjudged, and `reason` says why."""

    key: str
    rater: str
    prompt_digest: str
    query: str
    item: str
    answer: str
    grade: int | None
    reason: str
    input_tokens: int
    output_tokens: int
    given: str


class Spending(NamedTuple):
    """How many answers of a model there are, and the tokens that they took."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class AnswerStore:
    """The answers of models that a store has."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def find(self, keys: Iterable[str]) -> dict[str, StoredAnswer]:
        """Return the answers that are there, by key."""
        wanted = sorted(set(keys))
        table = store_schema.model_answers
        found: list[StoredAnswer] = []
        for start in range(0, len(wanted), _AT_ONCE):
            query = select(table).where(table.c.key.in_(wanted[start : start + _AT_ONCE]))
            found += self.store.read_rows(query, _read_answer, _WHAT)
        return {each.key: each for each in found}

    @repeated_while_away
    def add(self, answer: StoredAnswer) -> None:
        """Store an answer; another process may have stored the same."""
        row = asdict(answer)
        with self.store.changing(alone=False) as connection:
            insert_missing(connection, store_schema.model_answers, [row])

    def spending(self, rater: str) -> Spending:
        """Return what a model with its prompt has taken so far."""
        table = store_schema.model_answers
        query = select(
            func.count(), func.sum(table.c.input_tokens), func.sum(table.c.output_tokens)
        ).where(table.c.rater == rater)
        found = self.store.read_rows(query, _read_spending, _WHAT)
        return found[0] if found else Spending()

    def refuse_changed_prompt(self, rater: str, prompt: Prompt) -> None:
        """Refuse a prompt whose text changed, and whose version did not."""
        table = store_schema.model_answers
        query = select(table.c.prompt_digest).where(table.c.rater == rater).distinct()
        known = set(self.store.read_rows(query, lambda row: str(row[0]), _WHAT))
        if known - {prompt.digest}:
            raise CranfieldError(
                f"the text of the prompt changed since {rater} judged, and its version did not: "
                f"it still says `version: {prompt.version}`; give it a new one, so grades of "
                "two prompts are never mixed"
            )


def _read_answer(row: Row[*tuple[Any, ...]]) -> StoredAnswer:
    return StoredAnswer(**row._asdict())


def _read_spending(row: Row[*tuple[Any, ...]]) -> Spending:
    calls, given, taken = row
    return Spending(int(calls), int(given or 0), int(taken or 0))


def answer_key(settings: ModelSettings, prompt: Prompt, messages: Messages) -> str:
    """Hash all that an answer depends on: model, prompt version, query, content, options."""
    parts = (
        settings.kind, settings.model, settings.endpoint, settings.run, prompt.identity,
        settings.answer_tokens, settings.temperature, sorted(settings.grades.items()), messages,
    )  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:32]
