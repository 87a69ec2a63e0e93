"""Code in what a model wrote: the last fenced block, or everything if there is none."""

from __future__ import annotations

import re

__all__ = ["extract_code"]

_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<label>[\w+#.-]*)[^\n]*\n"
    r"(?P<code>.*?)(?:^(?P=mark)[ \t]*$|\Z)",
    re.M | re.S,
)
_LABELS = {"python": {"python", "py", "python3", ""}, "swift": {"swift", ""}}


def extract_code(text: str, language: str) -> str:
    """Return the last fenced block of a language, without its fences.

    A block without a label counts. A text without such a block is taken as code, unless it has
    blocks of other languages only: then there is no code, and the result is empty.
    """
    blocks = list(_FENCE.finditer(text))
    labels = _LABELS.get(language, {language, ""})
    codes = [each["code"] for each in blocks if each["label"].lower() in labels]
    if codes:
        return codes[-1]
    return "" if blocks else text
