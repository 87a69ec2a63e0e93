"""The documents of an index as resources of MCP: a list in pages, templates, and reading.

The list is ordered by URI, and the cursor of a page is the last URI before it, so that it is valid
for an index that was saved again in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp import MCPError, types

from stacks.errors import QueryError
from stacks.query import explain_no_document
from stacks.serve.tools import WORDING

if TYPE_CHECKING:
    from stacks.query import Index

__all__ = ["list_resources", "list_templates", "read_resource"]

_PAGE = 500
_MARKDOWN = "text/markdown"
_NOT_FOUND = -32002
"""The code of MCP for a resource that there is not."""


def list_resources(index: Index, cursor: str) -> types.ListResourcesResult:
    """List the documents after a cursor; the first page has none."""
    if cursor and "://" not in cursor:
        message = f"there is no cursor {cursor[:80]!r}; give the nextCursor of the page before"
        raise MCPError(types.INVALID_PARAMS, message)
    found = index.documents(cursor, _PAGE + 1)
    listed = found[:_PAGE]
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=entry.uri,
                name=entry.title or entry.uri,
                description=entry.summary or None,
                mime_type=_MARKDOWN,
            )
            for entry in listed
        ],
        next_cursor=listed[-1].uri if len(found) > _PAGE else None,
    )


def list_templates(index: Index) -> types.ListResourceTemplatesResult:
    """List how the URIs of each source are written."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(
                name=source.name,
                uri_template=f"{source.name}://{{+path}}",
                description=f"A document of {source.name}, by the URI that search returns.",
                mime_type=_MARKDOWN,
            )
            for source in index.sources()
        ]
    )


def read_resource(index: Index, uri: str) -> types.ReadResourceResult:
    """Read a whole document; an unknown URI is an error that names near ones."""
    try:
        document = index.read(uri)
    except QueryError:
        raise MCPError(_NOT_FOUND, explain_no_document(index, uri, WORDING)) from None
    contents = types.TextResourceContents(uri=document.uri, mime_type=_MARKDOWN, text=document.page)
    return types.ReadResourceResult(contents=[contents])
