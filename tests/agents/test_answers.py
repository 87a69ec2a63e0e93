"""Recorded answers are read whole or refused, and code is taken out of what a model wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.agents.answers import (
    AgentAnswer,
    AgentSearch,
    extract_code,
    read_recordings,
    write_recordings,
)
from cranfield.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

texts = st.text(max_size=30)
names = st.text(min_size=1, max_size=20)
answers = st.builds(
    AgentAnswer, task=names, arm=names, answer=texts, repeat=st.integers(0, 3), message=texts,
    searches=st.lists(st.builds(AgentSearch, query=texts, hits=st.tuples(texts))).map(tuple),
)  # fmt: skip


@given(st.lists(answers, min_size=1, unique_by=lambda each: (each.task, each.arm, each.repeat)))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, given_answers: list[AgentAnswer]
) -> None:
    path = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    path.write_bytes(write_recordings(given_answers))
    assert read_recordings(path) == tuple(given_answers)


def test_every_line_that_does_not_fit_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    good = '{"task": "a", "arm": "x", "answer": "1"}'
    path.write_text(f'{good}\nnonsense\n{{"task": "a"}}\n{good[:-1]}, "tokens_used": 3}}\n{good}\n')
    with pytest.raises(InputError) as caught:
        read_recordings(path)
    assert [part.line for part in caught.value.parts] == [2, 3, 4, 5]
    assert "answers 'a' in 'x' again" in str(caught.value.parts[3])


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="has no answer"):
        read_recordings(tmp_path / "empty.jsonl")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x = 1\n", "x = 1\n"),
        ("Sure:\n```python\nx = 1\n```\nDone.", "x = 1\n"),
        ("```python\nx = 1\n```\nBetter:\n```py\nx = 2\n```\n", "x = 2\n"),
        ("```\nx = 1\n```\n```bash\nls\n```", "x = 1\n"),
        ("```bash\nls\n```", ""),
        ("~~~python\nx = '```'\n~~~", "x = '```'\n"),
        ("```python\nx = 1  # cut off", "x = 1  # cut off"),
    ],
)
def test_the_last_block_of_the_language_is_the_answer(text: str, code: str) -> None:
    assert extract_code(text, "python") == code
