"""The six things an index can be asked, defined once for every server.

name ─► Tool ─► its parameters check the arguments ─► its function ─► Answer (JSON and Markdown)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from stacks.errors import QueryError
from stacks.model import SYMBOL_KINDS
from stacks.query import (
    DIRECTIONS,
    MODES,
    Filters,
    SearchOptions,
    SymbolFilters,
    Wording,
    ask_near,
    explain_no_conformances,
    explain_no_document,
    explain_no_family,
    explain_no_hits,
    explain_no_symbols,
)
from stacks.serve.markdown import (
    PLATFORM_NAMES,
    Excerpt,
    list_hits,
    list_holdings,
    list_symbols,
    make_code,
    show_document,
    show_family,
)
from stacks.serve.parameters import FLAG, NUMBER, TEXT, TEXTS, Parameter, check_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query import Index

__all__ = ["TOOLS", "Answer", "Tool", "call_tool", "find_tool"]

MOST_RESULTS = 1000
DEFAULT_CHARACTERS = 20_000
MOST_CHARACTERS = 1_000_000

_WORDING = Wording(
    search="search",
    frameworks="list_frameworks",
    read="read_document with uri {}",
    conformances="search_conformances with name {}",
    option=str,
    code=make_code,
)

Arguments = dict[str, Any]


class Answer(NamedTuple):
    """What a tool says, as JSON for programs and as Markdown for agents.

    `is_found` is false where the one thing that was asked for does not exist.
    """

    data: dict[str, Any]
    text: str
    is_found: bool = True


@dataclass(frozen=True, slots=True)
class Tool:
    """A question: its name for agents, its path for HTTP, what it takes and who answers."""

    name: str
    path: str
    description: str
    parameters: tuple[Parameter, ...]
    answer: Callable[[Index, Arguments], Answer]

    def schema(self) -> dict[str, Any]:
        """Describe its arguments as JSON Schema does."""
        return {
            "type": "object",
            "properties": {each.name: each.schema() for each in self.parameters},
            "required": [each.name for each in self.parameters if each.is_required],
            "additionalProperties": False,
        }


def find_tool(name: str) -> Tool:
    """Return the tool of that name, or say which there are."""
    if name not in TOOLS:
        near = ask_near(name, TOOLS)
        raise QueryError(f"there is no tool {name[:80]!r}; {near}tools are {', '.join(TOOLS)}")
    return TOOLS[name]


def call_tool(index: Index, name: str, given: Mapping[str, object]) -> Answer:
    """Answer a call by name; a name or an argument that does not exist is a QueryError."""
    tool = find_tool(name)
    return tool.answer(index, check_arguments(tool.parameters, given))


def _search(index: Index, given: Arguments) -> Answer:
    versions = {platform: given[f"min_{platform}"] for platform in PLATFORM_NAMES}
    filters = Filters(
        sources=given["source"],
        framework=given["framework"],
        language=given["language"],
        kinds=given["kind"],
        attribute=given["attribute"],
        available={name: version for name, version in versions.items() if version},
    )
    options = SearchOptions(given["limit"], filters, mode=given["mode"])
    results = index.search(given["query"], options)
    data: dict[str, Any] = {
        "query": given["query"],
        **results.decided(),
        "asked": results.asked,
        "expansions": results.expansions,
        "hits": [hit.as_dict() for hit in results],
    }
    if not results.hits:
        data["remark"] = explain_no_hits(index, results, filters, _WORDING)
        data["suggestions"] = index.suggest(given["query"])
        return Answer(data, data["remark"])
    return Answer(data, list_hits(results, given["limit"]))


def _read_document(index: Index, given: Arguments) -> Answer:
    try:
        document = index.read(given["uri"])
    except QueryError:
        message = explain_no_document(index, given["uri"], _WORDING)
        return Answer({"error": message}, message, is_found=False)
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
    return Answer(data, show_document(document, excerpt))


def _cut(content: str, offset: int, limit: int) -> Excerpt:
    """Take a stretch that ends with a line, unless its lines are very long."""
    end = offset + limit
    if end >= len(content):
        return Excerpt(content[offset:], offset, len(content), None)
    line_end = content.rfind("\n", offset + limit // 2, end) + 1
    end = line_end or end
    return Excerpt(content[offset:end], offset, len(content), end)


def _search_symbols(index: Index, given: Arguments) -> Answer:
    filters = SymbolFilters(
        **{name: value for name, value in given.items() if name not in ("text", "limit")}
    )
    if not given["text"].strip() and filters == SymbolFilters():
        raise QueryError("give text, or a filter such as attribute @MainActor or kind actor")
    found = index.symbols(given["text"], filters, given["limit"])
    data: dict[str, Any] = {"symbols": [asdict(each) for each in found]}
    if not found:
        data["remark"] = explain_no_symbols(index, given["text"], filters, _WORDING)
        return Answer(data, data["remark"])
    return Answer(data, list_symbols(found, given["limit"]))


def _search_conformances(index: Index, given: Arguments) -> Answer:
    found = index.conformances(given["name"], given["limit"])
    data: dict[str, Any] = {"name": given["name"], "symbols": [asdict(each) for each in found]}
    if not found:
        data["remark"] = explain_no_conformances(index, given["name"], _WORDING)
        return Answer(data, data["remark"])
    return Answer(data, list_symbols(found, given["limit"]))


def _get_inheritance(index: Index, given: Arguments) -> Answer:
    family = index.inheritance(given["symbol"], given["direction"], given["depth"])
    data = asdict(family)
    if not family.relatives:
        data["remark"] = explain_no_family(index, family, given["direction"], _WORDING)
        return Answer(data, data["remark"])
    return Answer(data, show_family(family))


def _list_frameworks(index: Index, _: Arguments) -> Answer:
    frameworks, sources = index.frameworks(), index.sources()
    data = {
        "sources": [entry._asdict() for entry in sources],
        "frameworks": [entry._asdict() for entry in frameworks],
    }
    return Answer(data, list_holdings(frameworks, sources))


def _limit(default: int) -> Parameter:
    return Parameter(
        "limit", NUMBER, "How many results at most.", default, minimum=1, maximum=MOST_RESULTS
    )


_SEARCH = Tool(
    name="search",
    path="/search",
    description=(
        "Search the documentation of this machine: APIs, guides, language proposals, packages "
        "and sample code, offline. Use it before you write code against an API you are not sure "
        "of: it tells whether a type or function exists, how it is spelled, since which version, "
        "and whether it is deprecated. A name (URLSession, OrderedDict.move_to_end), part of one "
        '(CookieStorage), an acronym or a question in words all work; "quoted words" must '
        "occur, -word must not. Returns ranked pages with title, kind, URI, summary and "
        "availability; give a URI to read_document for the page."
    ),
    parameters=(
        Parameter("query", TEXT, "What to look for: a name or words; any text is allowed."),
        Parameter(
            "mode",
            TEXT,
            "Words and names (fts5), meaning and names (semantic), both, or what there is (smart).",
            "smart",
            choices=MODES,
        ),
        Parameter("source", TEXTS, "Only these sources, as list_frameworks names them.", ()),
        Parameter("framework", TEXT, "Only this framework or module, by any of its names.", ""),
        Parameter("language", TEXT, "Only pages for this language: swift, objc, python.", ""),
        Parameter("kind", TEXTS, "Only these kinds: class, method, module, article …", ()),
        Parameter("attribute", TEXT, "Only pages with a declaration so marked: @MainActor.", ""),
        *(
            Parameter(f"min_{platform}", TEXT, f"Only what this version of {name} has: 17.0.", "")
            for platform, name in PLATFORM_NAMES.items()
        ),
        _limit(10),
    ),
    answer=_search,
)
_READ_DOCUMENT = Tool(
    name="read_document",
    path="/document",
    description=(
        "Read a page of documentation as Markdown: declaration, parameters, discussion, code "
        "examples, relationships. Use it with a URI that another tool returned, before you rely "
        "on details of an API. A long page comes in parts; each says the offset of the next."
    ),
    parameters=(
        Parameter("uri", TEXT, "The page's URI, such as apple-docs://swiftui/view."),
        Parameter("offset", NUMBER, "The character to begin with.", 0, minimum=0),
        Parameter(
            "limit",
            NUMBER,
            "How many characters at most.",
            DEFAULT_CHARACTERS,
            minimum=100,
            maximum=MOST_CHARACTERS,
        ),
    ),
    answer=_read_document,
)
_SEARCH_SYMBOLS = Tool(
    name="search_symbols",
    path="/symbols",
    description=(
        "Find declarations by what they are instead of what is written about them: by words of "
        "their name or signature, by kind, attribute, generic constraint, async or throws. Use "
        "it for questions such as: which methods are async and throwing, what is marked "
        "@MainActor, which initializers take a View. Returns signatures with the URI of the "
        "page they are on. Give text, a filter, or both."
    ),
    parameters=(
        Parameter("text", TEXT, "Words of the name or signature; case does not count.", ""),
        Parameter("kind", TEXT, "What is declared.", "", choices=SYMBOL_KINDS),
        Parameter("attribute", TEXT, "An attribute or decorator: @MainActor, @property.", ""),
        Parameter("constraint", TEXT, "A part of its generic constraints: View.", ""),
        Parameter("is_async", FLAG, "Only asynchronous ones.", default=False),
        Parameter("is_throws", FLAG, "Only throwing ones.", default=False),
        Parameter("is_static", FLAG, "Only static ones.", default=False),
        _limit(20),
    ),
    answer=_search_symbols,
)
_SEARCH_CONFORMANCES = Tool(
    name="search_conformances",
    path="/conformances",
    description=(
        "Find the types that conform to a protocol or inherit from a class: what is Hashable, "
        "what is a Sequence. Use it to choose a type, or to see examples of a conformance. "
        "Returns declarations with the URI of the page they are on."
    ),
    parameters=(
        Parameter("name", TEXT, "The protocol or class, such as Hashable."),
        _limit(20),
    ),
    answer=_search_conformances,
)
_GET_INHERITANCE = Tool(
    name="get_inheritance",
    path="/inheritance",
    description=(
        "Walk the class hierarchy from a type: what it inherits from (up), what inherits from "
        "it (down), or both. Use it to find where a member comes from, or which subclass or "
        "exception to use. Returns a nested list with URIs. Structs and enums inherit from no "
        "class; for protocols use search_conformances."
    ),
    parameters=(
        Parameter("symbol", TEXT, "A type by name or URI: OSError, UIView."),
        Parameter("direction", TEXT, "Which way to go.", "both", choices=tuple(DIRECTIONS)),
        Parameter("depth", NUMBER, "How many steps at most.", 3, minimum=1, maximum=100),
    ),
    answer=_get_inheritance,
)
_LIST_FRAMEWORKS = Tool(
    name="list_frameworks",
    path="/frameworks",
    description=(
        "List what this index holds: its sources, and its frameworks and modules with their "
        "other names and how many pages each has. Use it to learn whether a library is covered "
        "at all, and for the values that search takes as source and framework."
    ),
    parameters=(),
    answer=_list_frameworks,
)

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        _SEARCH,
        _READ_DOCUMENT,
        _SEARCH_SYMBOLS,
        _SEARCH_CONFORMANCES,
        _GET_INHERITANCE,
        _LIST_FRAMEWORKS,
    )
}
