"""Secrets of known kinds, masked in documents of every source before anything is stored of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield_shared.secret_kinds import find_secrets, mask_secrets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield_shared.secret_kinds import Secret
    from stacks.model import Document

__all__ = ["MaskedDocument", "describe_secrets", "mask_document"]


@dataclass(frozen=True, slots=True)
class MaskedDocument:
    """A document without secrets, and how many of each kind it had."""

    document: Document
    secrets: Counter[str] = field(default_factory=Counter)


def mask_document(document: Document) -> MaskedDocument:
    """Mask the secrets in all texts of a document, its URI apart."""
    texts = _list_texts(replace(document, uri="", names=(), identifiers=()))
    # One search: most documents have no secret, and some have hundreds of names.
    if not find_secrets("\n".join([*texts, *document.names, *document.identifiers])):
        return MaskedDocument(document)
    secrets = [secret for text in texts for secret in find_secrets(text)]
    without = partial(_drop_parts, secrets, "\n".join(map(mask_secrets, texts)))
    masked: Document = _mask_texts(document)
    masked = replace(
        masked,
        uri=document.uri,
        names=without(document.names),
        identifiers=without(document.identifiers),
    )
    return MaskedDocument(masked, Counter(secret.kind for secret in secrets))


def describe_secrets(secrets: Counter[str]) -> str:
    """Say what was masked: `2 github-token, 1 private-key`."""
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(secrets.items()))


def _list_texts(document: Document) -> list[str]:
    """List every text of a document: whatever field a reader fills, a secret can be in it."""
    texts = [*document.facts, *document.availability]
    waiting = [msgspec.to_builtins(document)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, tuple | list):
            waiting += value
    return texts


def _mask_texts(value: Any) -> Any:
    """Mask every text in a value."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, tuple):
        return tuple(map(_mask_texts, value))
    if isinstance(value, Mapping):
        return {_mask_texts(name): _mask_texts(each) for name, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        masked = {each.name: _mask_texts(getattr(value, each.name)) for each in fields(value)}
        return replace(value, **masked)
    return value


def _drop_parts(secrets: Sequence[Secret], shown: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Drop names that are secrets, or parts of one that are nowhere else in what is shown."""
    return tuple(
        name
        for name in names
        if not find_secrets(name)
        and (name in shown or not any(name in secret.value for secret in secrets))
    )
