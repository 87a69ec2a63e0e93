"""A small suite, and systems that are right at a known rank."""

from __future__ import annotations

from cranfield.model import Query, Suite, Threshold

__all__ = ["right_first", "right_never", "right_second", "small_suite"]


def small_suite(
    count: int = 10, query_class: str = "canonical", gate: tuple[Threshold, ...] = ()
) -> Suite:
    queries = tuple(
        Query(
            f"q{number}",
            f"word{number}",
            {"ids": f"doc-{number}"},
            category="even" if number % 2 == 0 else "odd",
        )
        for number in range(count)
    )
    return Suite("small", query_class, queries, gate=gate)


def right_first(text: str, limit: int) -> list[str]:
    return [f"doc-{text.removeprefix('word')}", "doc-x", "doc-y"][:limit]


def right_second(text: str, limit: int) -> list[str]:
    return ["doc-x", f"doc-{text.removeprefix('word')}", "doc-y"][:limit]


def right_never(text: str, limit: int) -> list[str]:
    return [f"not-{text}"][:limit]
