"""Pages of one thing for two languages: the Objective-C one says nothing that Swift's does not.

Its address is that of the Swift page with the language after a question mark. Where the Swift page
is found too, the twin only takes the place of another concept, unless the query calls the thing as
only Objective-C does: `NSURLSession`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stacks.query.corrections import Candidate

__all__ = ["find_twins"]


def find_twins(candidates: Sequence[Candidate], typed: str) -> frozenset[int]:
    """Find the pages whose Swift page is a candidate too, and which the query does not call."""
    titles = {each.uri: each.title for each in candidates if each.language != "objc"}
    words = typed.casefold().replace(".", " ").split()
    return frozenset(
        each.id
        for each in candidates
        if each.language == "objc"
        and (current := titles.get(each.uri.partition("?")[0])) is not None
        and not _calls(words, each.title, current)
    )


def _calls(words: Sequence[str], title: str, current: str) -> bool:
    """Tell whether a word begins a title, and not that of the current page."""
    title, current = title.casefold(), current.casefold()
    return any(title.startswith(word) and not current.startswith(word) for word in words)
