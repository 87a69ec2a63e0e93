"""Whether a docstring says of its own object that it is deprecated, and not of a part of it."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["says_deprecated"]

_STATED = re.compile(
    r"""
      ^\.\.[ ]deprecated(-removed)?::               # Sphinx
    | \A[\W_]*(?i:deprecated)\b(?![ ]*[=(])        # the docstring begins with the word
    | \A[^\n]*[;,(][ ]?deprecated\W*\Z             # or is one line and ends with it
    | (\n[ \t]*\n|[.!?]\n)[\[(*]*(Deprecated|DEPRECATED)\b  # a paragraph or sentence begins so,
      (?=[*\])]*([.,;:!]|\s*$|\s+(since|in|as|from|by|for|use|and|because)\b))  # not `… names`
    """,
    re.MULTILINE | re.VERBOSE,
)
_COMMON = "alias|api|decorator|helper|interface|name|object|shim|wrapper"
_NOUNS = {
    "module": "file|library|module|package|submodule|subpackage",
    "class": f"{_COMMON}|class|enum|enumeration|error|exception|mixin|protocol|type|warning",
    "function": f"{_COMMON}|constructor|coroutine|factory|function|hook|method|property|routine",
    "attribute": f"{_COMMON}|attribute|constant|field|flag|function|method|property|value|variable",
    "type alias": f"{_COMMON}|type",
}
"""What a thing may call itself: `This class` in the docstring of a module is one of its classes."""
_IS_DEPRECATED = r"(?:is|are|was|has\s+been)\s+(?:now\s+)?deprecated\b"
_ITSELF = frozenset(("it", "this"))
_HEADING = re.compile(r"^[^\n]*\w[^\n]*\n[ \t]*([-=~^*#])\1{2,}[ \t]*$", re.MULTILINE)


@lru_cache(maxsize=4096)
def says_deprecated(docstring: str, name: str, kind: str) -> bool:
    """Tell whether the docstring of a module, class, function or attribute calls it deprecated.

    Of a module what stands above its sections is read, for those are about what is in it.
    """
    if "deprecated" not in docstring.lower():
        return False
    text = _drop_sections(docstring) if kind == "module" else docstring
    nouns = _NOUNS.get(kind, _COMMON)
    own = rf"\b(?i:this)\s+(?i:(?:{nouns})\s+{_IS_DEPRECATED}|deprecated\s+(?:{nouns})\b)"
    if _STATED.search(text) or re.search(own, text):
        return True
    named = rf"(?:\A|\b(?i:the)\s)\W*([\w.]+)(?:\(\))?\W*\s(?:(?i:{nouns})\s+)?{_IS_DEPRECATED}"
    subjects = (match[1].rpartition(".")[2] for match in re.finditer(named, text))
    return any(subject == name or subject.lower() in _ITSELF for subject in subjects)


def _drop_sections(docstring: str) -> str:
    """Cut a docstring at its first heading but one that is its title."""
    for heading in _HEADING.finditer(docstring):
        if re.search(r"\w", docstring[: heading.start()]):
            return docstring[: heading.start()]
    return docstring
