"""Pages of documentation from what a package shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import griffe

from stacks.model import SYMBOL_KINDS, Document, Snippet, Symbol
from stacks.sources.pydoc.declarations import (
    get_bases,
    get_generic_parameters,
    make_construction,
    make_declaration,
)
from stacks.sources.pydoc.facts import get_decorators
from stacks.sources.pydoc.finding import is_private
from stacks.sources.pydoc.text import clean_text, get_summary, render_blocks, split_blocks
from stacks.sources.pydoc.uris import key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from stacks.sources.pydoc.index import Entry, PackageIndex
    from stacks.sources.pydoc.text import Block
    from stacks.sources.pydoc.uris import Key

__all__ = ["make_documents"]

_STATIC = ("staticmethod", "classmethod")


def make_documents(
    index: PackageIndex,
    uris: Mapping[Key, str],
    find_parents: Callable[[griffe.Class], Iterable[str]],
) -> Iterator[Document]:
    """Make a document of each page; `find_parents` gives the URIs of a class's bases."""
    summaries = {entry.path: _summarise(entry) for entry in index.everything}
    for entry in index.everything:
        yield _make_document(entry, uris[key_of(entry)], find_parents, summaries)


def _make_document(
    entry: Entry,
    uri: str,
    find_parents: Callable[[griffe.Class], Iterable[str]],
    summaries: Mapping[str, str],
) -> Document:
    target = entry.definition.target
    declaration = make_declaration(entry)
    blocks = split_blocks(entry.docstring)
    decorators = tuple(f"@{name}" for name in get_decorators(target))
    bases = get_bases(target)
    return Document(
        uri=uri,
        title=entry.title,
        content=_make_content(entry, declaration, blocks, summaries),
        framework=uri.split("://", 1)[1].split("/", 1)[0],
        module=entry.module,
        language="python",
        kind=entry.kind,
        summary=summaries[entry.path],
        declaration=declaration,
        names=_find_names(entry),
        is_deprecated=entry.is_deprecated,
        attributes=decorators,
        conformances=bases,
        snippets=tuple(_find_snippets(blocks)),
        symbols=_make_symbols(entry, declaration, decorators, bases),
        parents=tuple(find_parents(target)) if isinstance(target, griffe.Class) else (),
    )


def _summarise(entry: Entry) -> str:
    return get_summary(entry.docstring, entry.path.rpartition(".")[2])


def _find_names(entry: Entry) -> tuple[str, ...]:
    """List the names that a person would use: `pathlib.Path.exists`, `exists`."""
    bare = entry.path.rpartition(".")[2]
    others = (path.rpartition(".")[2] for path in entry.paths)
    names = dict.fromkeys((entry.path, *entry.paths, bare, *others))
    return tuple(name for name in names if name != entry.title)


def _find_snippets(blocks: Iterable[Block]) -> Iterator[Snippet]:
    for block in blocks:
        if block.is_code:
            yield Snippet(block.text, block.language)


def _make_symbols(
    entry: Entry, declaration: str, decorators: tuple[str, ...], bases: tuple[str, ...]
) -> tuple[Symbol, ...]:
    if entry.kind not in SYMBOL_KINDS:
        return ()
    target = entry.definition.target
    return (
        Symbol(
            name=entry.path.rpartition(".")[2],
            kind=entry.kind,
            signature=declaration,
            line=target.lineno or 1,
            is_async=target.has_labels("async"),
            is_public=True,
            is_static=any(target.has_labels(label) for label in _STATIC),
            attributes=decorators,
            conformances=bases,
            generic_parameters=get_generic_parameters(target),
        ),
    )


def _make_content(
    entry: Entry, declaration: str, blocks: list[Block], summaries: Mapping[str, str]
) -> str:
    """Write the page: what it is called, how it is declared, what it does, what is in it."""
    parts = (
        f"# {entry.path}",
        "> **Deprecated.**" if entry.is_deprecated else "",
        f"```python\n{declaration}\n```" if declaration else "",
        _tell_construction(entry),
        _tell_home(entry),
        render_blocks(blocks),
        _list_cases(entry),
        _list_members(entry, summaries),
        _list_contents(entry, summaries),
    )
    return "\n\n".join(part for part in parts if part)


def _tell_construction(entry: Entry) -> str:
    """Tell how a class is called, and what its `__init__` says beyond the class."""
    call = make_construction(entry)
    if not call:
        return ""
    target = entry.definition.target
    made = target.members.get("__init__")
    text = ""
    if isinstance(made, griffe.Function) and made.docstring and target.docstring:
        is_own = target.analysis == "static"
        text = render_blocks(split_blocks(clean_text(made.docstring.value))) if is_own else ""
    return "\n\n".join(part for part in (f"```python\n{call}\n```", text) if part)


def _tell_home(entry: Entry) -> str:
    """Tell where a thing is defined, where that is not where it is shown."""
    place = entry.definition.target.module.path if entry.kind != "module" else ""
    home = entry.definition.path
    inside = ", ".join(f"`{path}`" for path in entry.paths if path != home)
    told = [f"Defined in `{place}`."] if place and place != entry.module else []
    return " ".join((*told, *([f"Also {inside}."] if inside else ())))


def _list_cases(entry: Entry) -> str:
    """List the values of an enumeration, which have no pages."""
    if entry.kind != "enum":
        return ""
    cases = (
        f"- `{name} = {member.value}`"
        for name, member in entry.definition.target.members.items()
        if isinstance(member, griffe.Attribute) and member.value is not None
        if not name.startswith("_") and not is_private(name)
    )
    lines = clean_text("\n".join(cases))
    return f"## Cases\n\n{lines}" if lines else ""


def _list_members(entry: Entry, summaries: Mapping[str, str]) -> str:
    lines = (
        _list_item(_call_name(member.path.rpartition(".")[2], member.kind), summaries[member.path])
        for member in entry.members
    )
    text = "\n".join(lines)
    return f"## Members\n\n{text}" if text else ""


def _list_contents(entry: Entry, summaries: Mapping[str, str]) -> str:
    lines = (_list_item(name, summaries.get(path, "")) for name, path in entry.contents.items())
    text = "\n".join(lines)
    return f"## Contents\n\n{text}" if text else ""


def _call_name(name: str, kind: str) -> str:
    return f"{name}()" if kind == "method" else name


def _list_item(name: str, summary: str) -> str:
    return f"- `{name}` – {summary}" if summary else f"- `{name}`"
