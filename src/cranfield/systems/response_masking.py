"""Secrets in what a system answered, masked in every text of the response."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cranfield_shared.secret_kinds import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cranfield.model import Hit, Response

__all__ = ["mask_response"]


def mask_response(
    response: Response,
    mask: Callable[[str], str] = mask_secrets,
    mask_id: Callable[[str], str] | None = None,
) -> Response:
    """Mask each text of a response; one without secrets is returned itself.

    `mask_id` masks the ids of hits, if these are masked in another way than the rest.
    """
    whole = "\n".join(_list_texts(response))
    if mask(whole) == whole:
        return response
    mask_id = mask_id or mask
    return replace(
        response,
        hits=tuple(_mask_hit(hit, mask, mask_id) for hit in response.hits),
        route=mask(response.route),
        flags=tuple(map(mask, response.flags)),
        message=mask(response.message),
        raw=mask(response.raw),
    )


def _mask_hit(hit: Hit, mask: Callable[[str], str], mask_id: Callable[[str], str]) -> Hit:
    fields = {
        # The id is often among the fields too, and rules look there.
        _mask_value(name, mask): _mask_value(value, mask_id if value == hit.id else mask)
        for name, value in hit.fields.items()
    }
    text = _mask_value(hit.text, mask)
    return replace(hit, id=_mask_value(hit.id, mask_id), text=text, fields=fields)


def _mask_value(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {
            mask(name) if isinstance(name, str) else name: _mask_value(each, mask)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_mask_value(each, mask) for each in value]
    return value


def _list_texts(response: Response) -> Iterator[str]:
    yield from (response.message, response.raw, response.route, *response.flags)
    for hit in response.hits:
        yield from _list_values([hit.id, hit.text, hit.fields])


def _list_values(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield str(name)
            yield from _list_values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _list_values(each)
