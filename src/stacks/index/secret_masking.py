"""Secrets of known kinds, masked in documents of every source before anything is stored of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from cranfield_shared import find_secrets, mask_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cranfield_shared.secret_kinds import Secret
    from stacks.model import Document, Symbol

__all__ = ["MaskedDocument", "describe_secrets", "mask_document"]


@dataclass(frozen=True, slots=True)
class MaskedDocument:
    """A document without secrets, and how many of each kind it had."""

    document: Document
    secrets: Counter[str] = field(default_factory=Counter)


def mask_document(document: Document) -> MaskedDocument:
    """Mask the secrets in all texts of a document, its URI apart."""
    texts = list(_list_texts(document))
    # One search: most documents have no secret, and some have hundreds of names.
    if not find_secrets("\n".join([*texts, *document.names, *document.identifiers])):
        return MaskedDocument(document)
    secrets = [secret for text in texts for secret in find_secrets(text)]
    without = partial(_drop_parts, secrets, "\n".join(map(mask_secrets, texts)))
    masked = replace(
        document,
        title=mask_secrets(document.title),
        content=mask_secrets(document.content),
        summary=mask_secrets(document.summary),
        declaration=mask_secrets(document.declaration),
        names=without(document.names),
        identifiers=without(document.identifiers),
        attributes=_mask_all(document.attributes),
        conformances=_mask_all(document.conformances),
        snippets=tuple(replace(each, code=mask_secrets(each.code)) for each in document.snippets),
        symbols=tuple(map(_mask_symbol, document.symbols)),
        facts={name: mask_secrets(value) for name, value in document.facts.items()},
    )
    return MaskedDocument(masked, Counter(secret.kind for secret in secrets))


def describe_secrets(secrets: Counter[str]) -> str:
    """Say what was masked: `2 github-token, 1 private-key`."""
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(secrets.items()))


def _list_texts(document: Document) -> Iterator[str]:
    """Yield the texts that a secret can be written in."""
    yield from (document.title, document.content, document.summary, document.declaration)
    yield from (*document.attributes, *document.conformances, *document.facts.values())
    yield from (snippet.code for snippet in document.snippets)
    for symbol in document.symbols:
        yield from (symbol.name, symbol.signature, *symbol.attributes, *symbol.conformances)
        yield from (*symbol.generic_parameters, *symbol.generic_constraints)


def _drop_parts(secrets: Sequence[Secret], shown: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Drop names that are secrets, or parts of one that are nowhere else in what is shown."""
    return tuple(
        name
        for name in names
        if not find_secrets(name)
        and (name in shown or not any(name in secret.value for secret in secrets))
    )


def _mask_all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(mask_secrets, texts))


def _mask_symbol(symbol: Symbol) -> Symbol:
    return replace(
        symbol,
        name=mask_secrets(symbol.name),
        signature=mask_secrets(symbol.signature),
        attributes=_mask_all(symbol.attributes),
        conformances=_mask_all(symbol.conformances),
        generic_parameters=_mask_all(symbol.generic_parameters),
        generic_constraints=_mask_all(symbol.generic_constraints),
    )
