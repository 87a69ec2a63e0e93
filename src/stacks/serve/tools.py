"""The tools: what agents and programs can ask of an index, defined once for every server.

name ─► Tool ─► its parameters check the arguments ─► its function ─► ToolAnswer (JSON, Markdown)

A tool is one entry here: its function, then its `Tool` in `_BUILT_IN`. Both servers, the schema and
the instructions for agents follow from it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cranfield_shared.registry import Registry
from stacks.errors import QueryError
from stacks.model import PLATFORMS, SYMBOL_KINDS
from stacks.query import (
    DIRECTIONS,
    FILTER_NAMES,
    MODES,
    Filters,
    SearchOptions,
    SymbolFilters,
    Wording,
    explain_no_conformances,
    explain_no_document,
    explain_no_family,
    explain_no_hits,
    explain_no_symbols,
)
from stacks.serve.tool_markdown import (
    Excerpt,
    format_code,
    render_document,
    render_family,
    render_frameworks,
    render_hits,
    render_symbols,
)
from stacks.serve.tool_types import (
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    Tool,
    ToolAnswer,
    ToolParameter,
    check_arguments,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query import Index
    from stacks.serve.tool_types import Arguments

__all__ = ["TOOLS", "WORDING", "call_tool", "find_tool", "list_tools", "write_instructions"]

_MOST_RESULTS = 1000
_DEFAULT_CHARACTERS = 20_000
_MOST_CHARACTERS = 1_000_000
_LONGEST_NAME = 80
_ABOUT = (
    "Documentation of this machine, and its files, books and source code if they were saved, "
    "searched offline by words, names and meaning."
)
_CAUTION = (
    "If nothing is found, the answer says what to try; do not assume that an API exists if it is "
    "not here."
)

WORDING = Wording(
    search="search",
    frameworks="list_frameworks",
    read="read_document with uri {}",
    conformances="search_conformances with name {}",
    option=str,
    code=format_code,
)
"""How tools and what they find are called in remarks to agents."""

TOOLS = Registry("tool", Tool, group="stacks.tools", error=QueryError)
"""Every tool by name; plug-ins offer theirs as entry points in `stacks.tools`."""


def list_tools() -> list[Tool]:
    """List the built-in tools in their own order, then those of plug-ins by name."""
    return [*_BUILT_IN, *(tool for tool in TOOLS.values() if tool not in _BUILT_IN)]


def find_tool(name: str) -> Tool:
    """Return a tool by name; the error for an unknown name suggests near ones, and is short."""
    return TOOLS.get(name[:_LONGEST_NAME])


def call_tool(index: Index, name: str, given: Mapping[str, object]) -> ToolAnswer:
    """Call a tool by name; an unknown name or a wrong argument is a `QueryError`."""
    tool = find_tool(name)
    return tool.answer(index, check_arguments(tool.parameters, given))


def write_instructions() -> str:
    """Write the instructions for agents: what is here, when to use each tool, and a caution."""
    return " ".join((_ABOUT, *(tool.instruction for tool in list_tools()), _CAUTION))


def _limit(default: int) -> ToolParameter:
    return ToolParameter(
        "limit", NUMBER, "How many results at most.", default, minimum=1, maximum=_MOST_RESULTS
    )


def _search(index: Index, given: Arguments) -> ToolAnswer:
    filters = Filters.read({name: given[name] for name in FILTER_NAMES})
    options = SearchOptions(given["limit"], filters, mode=given["mode"])
    results = index.search(given["query"], options)
    data: dict[str, Any] = {
        "query": given["query"],
        **results.decided(),
        "asked": results.asked,
        "relaxed": list(results.relaxed),
        "expansions": results.expansions,
        "hits": [hit.as_dict() for hit in results],
    }
    if not results.hits:
        data["remark"] = explain_no_hits(index, results, filters, WORDING)
        data["suggestions"] = index.suggest(given["query"])
        return ToolAnswer(data, data["remark"])
    if results.near_names:
        data["suggestions"] = list(results.near_names)
    return ToolAnswer(data, render_hits(results, given["limit"]))


_SEARCH = Tool(
    name="search",
    path="/search",
    description=(
        "Search the documentation of this machine: APIs, guides, language proposals, packages "
        "and sample code, offline. Use it before you write code against an API you are not sure "
        "of: it shows whether a type or function exists, how it is spelled, since which version, "
        "and whether it is deprecated. A name (URLSession, OrderedDict.move_to_end), part of one "
        '(CookieStorage), an acronym or a question in words all work; "quoted words" must '
        "occur, -word must not. Returns ranked pages with title, kind, URI, summary and "
        "availability; pass a URI to read_document for the page."
    ),
    instruction=(
        "Before you use an API that you are not certain of, call search with its name or with "
        "words for what it should do."
    ),
    parameters=(
        ToolParameter("query", TEXT, "What to look for: a name or words; any text is allowed."),
        ToolParameter(
            "mode",
            TEXT,
            "fts5 (words and names), semantic (meaning and names), both, or smart (what there is).",
            "smart",
            choices=MODES,
        ),
        ToolParameter("source", TEXTS, "Only these sources, as list_frameworks names them.", ()),
        ToolParameter("framework", TEXT, "Only this framework or module, by any of its names.", ""),
        ToolParameter("language", TEXT, "Only pages for this language: swift, objc, python.", ""),
        ToolParameter("kind", TEXTS, "Only these kinds: class, method, module, article …", ()),
        ToolParameter(
            "attribute", TEXT, "Only pages with a declaration marked like this: @MainActor.", ""
        ),
        *(
            ToolParameter(
                f"min_{platform}",
                TEXT,
                f"Only what is available in {name} of this version: 17.0.",
                "",
            )
            for platform, name in PLATFORMS.items()
        ),
        ToolParameter("min_swift", TEXT, "Only what is in Swift of this version: 5.9.", ""),
        ToolParameter(
            "strict_availability",
            FLAG,
            "With min_…: leave out pages that state no platform, or no version of Swift.",
            default=False,
        ),
        _limit(10),
    ),
    answer=_search,
)


def _read_document(index: Index, given: Arguments) -> ToolAnswer:
    try:
        document = index.read(given["uri"])
    except QueryError:
        message = explain_no_document(index, given["uri"], WORDING)
        return ToolAnswer({"error": message}, message, is_found=False)
    total = len(document.page)
    if given["offset"] and given["offset"] >= total:
        raise QueryError(f"{document.uri} has {total} characters; offset must be less")
    excerpt = _cut(document.page, given["offset"], given["limit"])
    data = asdict(document)
    data["deprecated"] = data.pop("is_deprecated")
    data |= {
        "content": excerpt.text,
        "offset": excerpt.offset,
        "characters": total,
        "next_offset": excerpt.following,
    }
    return ToolAnswer(data, render_document(document, excerpt, _READ_DOCUMENT.name))


def _cut(content: str, offset: int, limit: int) -> Excerpt:
    """Cut at the end of a line, unless the lines are very long."""
    end = offset + limit
    if end >= len(content):
        return Excerpt(content[offset:], offset, len(content), None)
    line_end = content.rfind("\n", offset + limit // 2, end) + 1
    end = line_end or end
    return Excerpt(content[offset:end], offset, len(content), end)


_READ_DOCUMENT = Tool(
    name="read_document",
    path="/document",
    description=(
        "Read a page of documentation as Markdown: declaration, parameters, discussion, code "
        "examples, relationships. Use it with a URI that another tool returned, before you rely "
        "on details of an API. A long page comes in parts; each names the offset of the next."
    ),
    instruction="Call read_document with the URI of the right hit before you rely on details.",
    parameters=(
        ToolParameter("uri", TEXT, "The page's URI, such as apple-docs://swiftui/view."),
        ToolParameter("offset", NUMBER, "The character to start at.", 0, minimum=0),
        ToolParameter(
            "limit",
            NUMBER,
            "How many characters at most.",
            _DEFAULT_CHARACTERS,
            minimum=100,
            maximum=_MOST_CHARACTERS,
        ),
    ),
    answer=_read_document,
)


def _search_symbols(index: Index, given: Arguments) -> ToolAnswer:
    filters = SymbolFilters(
        **{name: value for name, value in given.items() if name not in ("text", "limit")}
    )
    if not given["text"].strip() and filters == SymbolFilters():
        raise QueryError("give text, or a filter such as attribute @MainActor or kind actor")
    found = index.symbols(given["text"], filters, given["limit"])
    data: dict[str, Any] = {"symbols": [asdict(each) for each in found]}
    if not found:
        data["remark"] = explain_no_symbols(index, given["text"], filters, WORDING)
        return ToolAnswer(data, data["remark"])
    return ToolAnswer(data, render_symbols(found, given["limit"]))


_SEARCH_SYMBOLS = Tool(
    name="search_symbols",
    path="/symbols",
    description=(
        "Find declarations by what they are, not by what is written about them: by words of "
        "their name or signature, by kind, attribute, generic constraint, async or throws. Use "
        "it for questions such as: which methods are async and throwing, what is marked "
        "@MainActor, which initializers take a View. Returns signatures with the URI of the "
        "page they are on. Give text, a filter, or both."
    ),
    instruction=(
        "search_symbols finds declarations by kind, attribute, constraint, async or throws."
    ),
    parameters=(
        ToolParameter("text", TEXT, "Words of the name or signature, in any case.", ""),
        ToolParameter("kind", TEXT, "What is declared.", "", choices=SYMBOL_KINDS),
        ToolParameter("attribute", TEXT, "An attribute or decorator: @MainActor, @property.", ""),
        ToolParameter("constraint", TEXT, "A part of its generic constraints: View.", ""),
        ToolParameter("is_async", FLAG, "Only asynchronous ones.", default=False),
        ToolParameter("is_throws", FLAG, "Only throwing ones.", default=False),
        ToolParameter("is_static", FLAG, "Only static ones.", default=False),
        _limit(20),
    ),
    answer=_search_symbols,
)


def _search_conformances(index: Index, given: Arguments) -> ToolAnswer:
    found = index.conformances(given["name"], given["limit"])
    data: dict[str, Any] = {"name": given["name"], "symbols": [asdict(each) for each in found]}
    if not found:
        data["remark"] = explain_no_conformances(index, given["name"], WORDING)
        return ToolAnswer(data, data["remark"])
    return ToolAnswer(data, render_symbols(found, given["limit"]))


_SEARCH_CONFORMANCES = Tool(
    name="search_conformances",
    path="/conformances",
    description=(
        "Find the types that conform to a protocol or inherit from a class: what is Hashable, "
        "what is a Sequence. Use it to choose a type, or to see examples of a conformance. "
        "Returns declarations with the URI of the page they are on."
    ),
    instruction=(
        "search_conformances finds the types that conform to a protocol or inherit from a class."
    ),
    parameters=(
        ToolParameter("name", TEXT, "The protocol or class, such as Hashable."),
        _limit(20),
    ),
    answer=_search_conformances,
)


def _get_inheritance(index: Index, given: Arguments) -> ToolAnswer:
    family = index.inheritance(given["symbol"], given["direction"], given["depth"])
    data = asdict(family)
    if not family.relatives:
        data["remark"] = explain_no_family(index, family, given["direction"], WORDING)
        return ToolAnswer(data, data["remark"])
    return ToolAnswer(data, render_family(family))


_GET_INHERITANCE = Tool(
    name="get_inheritance",
    path="/inheritance",
    description=(
        "Walk the class hierarchy from a type: what it inherits from (up), what inherits from "
        "it (down), or both. Use it to find where a member comes from, or which subclass or "
        "exception to use. Returns a nested list with URIs. Structs and enums inherit from no "
        "class; for protocols use search_conformances."
    ),
    instruction="get_inheritance walks the class hierarchy up and down from a type.",
    parameters=(
        ToolParameter(
            "symbol", TEXT, "A type by name, or by URI if several have the name: OSError."
        ),
        ToolParameter("direction", TEXT, "Which way to go.", "both", choices=tuple(DIRECTIONS)),
        ToolParameter("depth", NUMBER, "How many steps at most.", 3, minimum=1, maximum=100),
    ),
    answer=_get_inheritance,
)


def _list_frameworks(index: Index, _: Arguments) -> ToolAnswer:
    frameworks, sources = index.frameworks(), index.sources()
    data = {
        "sources": [entry._asdict() for entry in sources],
        "frameworks": [entry._asdict() for entry in frameworks],
    }
    return ToolAnswer(data, render_frameworks(frameworks, sources))


_LIST_FRAMEWORKS = Tool(
    name="list_frameworks",
    path="/frameworks",
    description=(
        "List what this index holds: its sources, and its frameworks and modules with their "
        "other names and how many pages each has. Use it to find out whether a library is covered "
        "at all, and for the values that search takes as source and framework."
    ),
    instruction="list_frameworks lists what is covered.",
    parameters=(),
    answer=_list_frameworks,
)

_BUILT_IN = (
    _SEARCH,
    _READ_DOCUMENT,
    _SEARCH_SYMBOLS,
    _SEARCH_CONFORMANCES,
    _GET_INHERITANCE,
    _LIST_FRAMEWORKS,
)
for _tool in _BUILT_IN:
    TOOLS.register(_tool.name, _tool)
