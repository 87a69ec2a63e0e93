"""Code is taken out of what a model wrote."""

from __future__ import annotations

import pytest

from cranfield.agents.answers import extract_code


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
