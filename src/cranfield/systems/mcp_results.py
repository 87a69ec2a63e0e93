"""From the result of an MCP tool to a response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.model import Response, Status

if TYPE_CHECKING:
    from cranfield.systems.extraction import Extraction

__all__ = ["read_result"]

_MOST_MESSAGE = 300


def read_result(result: dict[str, Any], extraction: Extraction, limit: int) -> Response:
    """Read the hits: from the structured content if there is any, or else from the text."""
    content = result.get("content")
    listed = content if isinstance(content, list) else []
    blocks = [block for block in listed if isinstance(block, dict)]
    texts = [text for block in blocks if (text := _text(block)) is not None]
    if result.get("isError") is True:
        said = "\n".join(texts)
        message = f"the tool failed: {said[:_MOST_MESSAGE] or 'it does not say why'}"
        return Response.failed(Status.ERROR, message, raw=said)
    structured = result.get("structuredContent")
    if extraction.reads_text:
        shown = "\n".join(texts).encode() if texts else msgspec.json.encode(structured)
        return extraction.from_bytes(shown, limit)
    if isinstance(structured, dict) and not _is_wrapped_text(structured):
        return extraction.from_document(structured, limit)
    links = [block for block in blocks if block.get("type") == "resource_link"]
    return _from_texts(texts, extraction, limit) if texts else extraction.from_hits(links, limit)


def _text(block: dict[str, Any]) -> str | None:
    """Return the text of a block, or that of a resource inside it."""
    resource = block.get("resource")
    text = resource.get("text") if isinstance(resource, dict) else block.get("text")
    return text if isinstance(text, str) else None


def _is_wrapped_text(structured: dict[str, Any]) -> bool:
    """Tell whether the structured content is a text that some servers wrap, and no structure."""
    return list(structured) == ["result"] and isinstance(structured["result"], str)


def _from_texts(texts: list[str], extraction: Extraction, limit: int) -> Response:
    """Read JSON from text; several texts that are each JSON are one hit each."""
    try:
        documents = [msgspec.json.decode(text) for text in texts]
    except (msgspec.DecodeError, RecursionError):
        return extraction.from_bytes("\n".join(texts).encode(), limit)
    if len(documents) > 1:
        return extraction.from_document(documents, limit)
    response = extraction.from_document(documents[0], limit)
    if response.status is Status.UNPARSEABLE and isinstance(documents[0], dict):
        # A list of one hit is sent by some servers as that hit alone.
        alone = extraction.from_hits(documents, limit)
        return response if alone.status.is_failure else alone
    return response
