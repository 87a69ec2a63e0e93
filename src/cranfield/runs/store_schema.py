"""The tables of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)

if TYPE_CHECKING:
    from sqlalchemy import Dialect

__all__ = [
    "answers",
    "claims",
    "judged_contents",
    "judged_queries",
    "judgments",
    "metadata",
    "model_answers",
    "preferences",
    "runs",
    "suites",
    "version",
]

metadata = MetaData()
_ESCAPE = "\ue000"
"""A character that Unicode leaves to its users."""


class AnyText(TypeDecorator[str]):
    """Text of others, which may have zero bytes: PostgreSQL takes none, and gets them escaped."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return a text as it is stored."""
        if value is None or dialect.name != "postgresql":
            return value
        return value.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Return a text as it was given."""
        if value is None or dialect.name != "postgresql" or _ESCAPE not in value:
            return value
        return value.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)


version = Table("store_version", metadata, Column("version", Integer, nullable=False))

suites = Table(
    "suites",
    metadata,
    Column("hash", String, primary_key=True),
    Column("content", Text, nullable=False),  # JSON: the suite, and its queries' hashes
)

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("label", String, nullable=False, index=True),
    Column("suite", String, nullable=False, index=True),
    Column("suite_hash", String, ForeignKey("suites.hash"), nullable=False),
    Column("system", String, nullable=False, index=True),
    Column("state", String, nullable=False),
    Column("started", String, nullable=False),  # orders runs, also if the clock was set back
    Column("finished", String, nullable=False),
    Column("header", Text, nullable=False),  # JSON: the header without its suite
    Column("headline", Float),  # the mean of the first measure; null if unfinished or undefined
)

answers = Table(
    "answers",
    metadata,
    Column("run", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("status", String, nullable=False),
    Column("seconds", Float),
    Column("first_rank", Integer),
    Column("figures", Text, nullable=False),  # JSON: one number or null a measure
    Column("reasons", Text, nullable=False),  # JSON: why a figure is undefined, by column
    Column("response", LargeBinary, nullable=False),  # JSON: hits, route, flags, message, raw
)


judged_queries = Table(
    "judged_queries",
    metadata,
    Column("key", String, primary_key=True),  # a hash of what is below
    Column("text", AnyText, nullable=False),
    Column("language", String, nullable=False),
    Column("filters", Text, nullable=False),  # JSON
)

judged_contents = Table(
    "judged_contents",
    metadata,
    Column("hash", String, primary_key=True),
    Column("text", AnyText, nullable=False),
)

judgments = Table(
    "judgments",
    metadata,
    Column("number", Integer, primary_key=True),  # their order, whatever the clock says
    Column("query", String, ForeignKey("judged_queries.key"), nullable=False, index=True),
    Column("document", AnyText, nullable=False),
    Column("content", String, nullable=False),  # a hash; empty if only the id was known
    Column("source", String, nullable=False),
    Column("rater", String, nullable=False),
    Column("state", String, nullable=False),
    Column("grade", Integer),
    Column("given", String, nullable=False),
    Column("note", AnyText, nullable=False),
    Column("guideline", String, nullable=False),
    Column("suite", String, nullable=False),
    Column("query_id", String, nullable=False),
    Column("batch", String, nullable=False),  # given at once, and undone at once
)

preferences = Table(
    "preferences",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("query", String, ForeignKey("judged_queries.key"), nullable=False, index=True),
    Column("first_answer", String, nullable=False),  # hashes of two lists of hits
    Column("second_answer", String, nullable=False),
    Column("first_run", String, nullable=False),
    Column("second_run", String, nullable=False),
    Column("choice", String, nullable=False),
    Column("is_swapped", Integer, nullable=False),  # 1 if the second was shown on the left
    Column("rater", String, nullable=False),
    Column("given", String, nullable=False),
    Column("note", AnyText, nullable=False),
    Column("guideline", String, nullable=False),
    Column("suite", String, nullable=False),
    Column("query_id", String, nullable=False),
)

claims = Table(
    "claims",
    metadata,
    Column("query", String, primary_key=True),
    Column("item", AnyText, primary_key=True),  # a content, or an id
    Column("rater", String, primary_key=True),
    Column("until", String, nullable=False),
)

model_answers = Table(
    "model_answers",
    metadata,
    Column("key", String, primary_key=True),  # a hash of model, prompt, query, content and options
    Column("rater", String, nullable=False, index=True),  # the model, and its prompt's version
    Column("prompt_digest", String, nullable=False),
    Column("query", String, nullable=False),
    Column("item", AnyText, nullable=False),
    Column("answer", AnyText, nullable=False),
    Column("grade", Integer),  # null: unjudged
    Column("reason", AnyText, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("given", String, nullable=False),
)
