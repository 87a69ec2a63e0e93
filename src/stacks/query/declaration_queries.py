"""Queries that describe a declaration: `async throws functions returning String`.

Such a query names a kind in the plural, or an attribute, and what the declaration has. It is
answered by the pages that declare or show such a thing, which no text says in these words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.query.features import weigh
from stacks.schema import SOURCE_SHIFT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stacks.query.candidates import RankedCandidate
    from stacks.query.lexical import LexicalSearch

__all__ = ["Declarations", "find_declaring", "lift_declaring", "read_declarations"]

_PLURALS: Mapping[str, tuple[str, ...]] = {
    "functions funcs methods classmethods": ("function", "method"),
    "properties variables": ("property",),
    "classes subclasses exceptions": ("class",),
    "structs structures": ("struct",),
    "enums enumerations": ("enum",),
    "protocols": ("protocol",),
    "actors": ("actor",),
    "types": ("class", "struct", "enum", "actor", "protocol"),
    "initializers inits": ("initializer",),
    "extensions": ("extension",),
    "subscripts": ("subscript",),
    "operators": ("operator",),
    "macros": ("macro",),
    "declarations": (),
}
_KINDS = {plural: kinds for plurals, kinds in _PLURALS.items() for plural in plurals.split()}
"""Kinds in the plural, and the kinds of symbols that each stands for."""

_PLURAL = re.compile(rf"\b({'|'.join(_KINDS)})\b", re.IGNORECASE)
_NAME = r"(?:an?\s+|the\s+)?(?P<name>(?:some\s+|any\s+)?[A-Z]\w*(?:\.\w+)*)"
_OWNED = r"(?:an?\s+|the\s+)?(?P<name>(?:[a-z_][\w.]*[. ])?[A-Z]\w*)"
"""A type, perhaps with the module that it is in before it."""
_BUILT_IN = r"(?P<name>bool|bytes|dict|float|int|list|None|object|set|str|tuple)\b"
_BEFORE_KIND = re.compile(
    rf"\b(?P<name>[A-Z]\w+)\s+(?:{'|'.join(_KINDS)})(?=\s*$|\s+(?:in|of|from)\b)"
)
_ATTRIBUTE_OF = re.compile(r"@\w+ (?:in|of|on) ")
_OWNER = re.compile(rf"\b(?:in|of|from|on)\s+{_OWNED}\s*$")
_PLACE = (
    r"(?:in|of|from|on)\s+(?:the\s+)?(?P<name>\w+(?:\s\w+)??)(?:\s+(?:module|framework|package))?"
)
_FRAMEWORK = re.compile(rf"\b{_PLACE}\s*$", re.IGNORECASE)
_OF_FRAMEWORK = re.compile(rf"\s*(?P<name>\w+)\s+(?:{'|'.join(_KINDS)})\b", re.IGNORECASE)
_ALL_OF = re.compile(rf"\s*(?:all\s+)?(?:{'|'.join(_KINDS)})\s+{_PLACE}\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Declarations:
    """What one declaration of a page has to be: its kinds, and SQL conditions with their values."""

    kinds: tuple[str, ...]
    conditions: tuple[str, ...]
    values: tuple[str, ...]
    framework: str = ""

    @property
    def sql(self) -> str:
        """The condition on a row of `symbols` as `d` and its document as `m`."""
        kinds = f"d.kind IN ({', '.join('?' * len(self.kinds))})" if self.kinds else "1"
        framework = " AND m.framework = ?" if self.framework else ""
        return " AND ".join([kinds, *self.conditions]) + framework

    @property
    def parameters(self) -> tuple[str, ...]:
        """The values of that condition, in order."""
        return (*self.kinds, *self.values, *filter(None, [self.framework]))


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to describe a declaration.

    In the values, `%(name)s` is the name in the query, and `%(folded)s` that as `doc_names` has it.
    """

    pattern: str
    sql: str
    values: tuple[str, ...] = ()


def _say(pattern: str, sql: str, *values: str) -> _Form:
    # Names begin with a capital and are compared with their case, all other words without.
    return _Form(rf"(?i:{pattern})" if "?P" not in pattern else pattern, sql, values)


_BELOW = """EXISTS (
    SELECT 1 FROM doc_names AS n JOIN docs_metadata AS p ON p.id = n.doc_id
    WHERE n.name = ? AND n.nearness < 2 AND p.source = m.source
    AND (m.uri = p.uri OR substr(m.uri, 1, length(p.uri) + 1) = p.uri || '/'))"""
"""That a page is that of an owner, or below it."""
_LISTED = "', ' || d.conformances || ',' LIKE ?"
_AS_LISTED = "%%, %(name)s,%%"
_DESCENDED = """m.uri IN (
    WITH RECURSIVE family (uri) AS (
        SELECT i.child_uri FROM doc_names AS n JOIN docs_metadata AS p ON p.id = n.doc_id
        JOIN inheritance AS i ON i.parent_uri = p.uri
        WHERE n.name = ? AND (n.nearness = 0 OR instr(n.name, '.'))
        UNION SELECT i.child_uri FROM inheritance AS i JOIN family ON i.parent_uri = family.uri
    ) SELECT uri FROM family)"""
_KIN = f"({_LISTED} OR {_DESCENDED})"
_AS_KIN = (_AS_LISTED, "%(folded)s")
_FORMS = (
    _say(rf"\bconform(?:s|ing)? to {_NAME}", _LISTED, _AS_LISTED),
    _say(rf"\b(?:inherit(?:s|ing)?|deriv(?:ed?|es|ing)) from {_OWNED}", _KIN, *_AS_KIN),
    _say(rf"\bsubclass(?:es)? of {_OWNED}", _KIN, *_AS_KIN),
    _say(
        r"\b(?:that|which) are an? (?P<name>(?:[a-z_][\w.]*[. ])?\w+)\s*$", _DESCENDED, "%(folded)s"
    ),
    _say(rf"\bconstrained to {_NAME}", "d.generic_constraints LIKE ?", "%%: %%%(name)s%%"),
    _say(rf"\bgeneric \w+ over {_NAME}", "d.generic_constraints LIKE ?", "%%: %%%(name)s%%"),
    _say(
        rf"\b(?P<parameter>[A-Z]\w*)\s+(?:that is|is|:)\s+{_NAME}",
        "d.generic_constraints LIKE ?",
        "%%: %(name)s%%",
    ),
    _say(r"\breturn(?:s|ing)? an array\b", "d.signature LIKE '%-> [%'"),
    _say(r"\breturn(?:s|ing)? a dictionary\b", "d.signature LIKE '%-> [%:%'"),
    _say(r"\breturn(?:s|ing)? an optional\b", "d.signature LIKE '%-> %?'"),
    _say(rf"\breturn(?:s|ing)? {_NAME}", "d.signature LIKE ?", "%%-> %(name)s%%"),
    _say(rf"\breturn(?:s|ing)? (?:an? )?{_BUILT_IN}", "d.signature LIKE ?", "%%-> %(name)s%%"),
    _say(r"->\s*(?P<name>[\w\[\].]+)", "d.signature LIKE ?", "%%-> %(name)s%%"),
    _say(
        r"\b(?:with|tak(?:e|es|ing)) (?:an? )?(?P<name>[A-Za-z_]\w+) (?:parameters?|arguments?)",
        "instr(d.signature, ?)",
        "%(name)s",
    ),
    _say(r"\bkeyword[- ]only\b", "(d.signature LIKE '%(*, %' OR d.signature LIKE '%, *, %')"),
    _say(
        r"\b(?:whose|with a) names? (?:that )?(?:start|begin)(?:s|ning)? with (?P<name>\w+)",
        "instr(d.name, ?) = 1",
        "%(name)s",
    ),
    _say(r"\bwith a where clause\b", "d.generic_constraints <> ''"),
    _say(r"\bfailable\b", "d.signature LIKE '%init?(%'"),
    _say(r"\bgeneric\b", "(d.generic_params <> '' OR d.generic_constraints <> '')"),
    _say(r"\b(?:do not|don't|never) throw\b|\bnon-?throwing\b", "d.is_throws = 0"),
    _say(r"\bthrow(?:s|ing)?\b", "d.is_throws = 1"),
    _say(r"\basync\b|\basynchronous\b", "d.is_async = 1"),
    _say(r"\bstatic\b", "d.is_static = 1"),
    _say(r"\bclassmethods?\b", "d.attributes LIKE '%@classmethod%'"),
    _say(r"\babstract(?:method)?\b", "d.attributes LIKE '%abstract%'"),
    *(
        _say(rf"\b{word}\b", f"' ' || d.signature LIKE '% {word} %'")
        for word in ("rethrows", "mutating", "nonisolated", "lazy", "weak", "final", "override")
    ),
    _say(r"(?P<name>@[A-Za-z_]\w*)", "d.attributes || ' ' || d.signature LIKE ?", "%%%(name)s%%"),
    _say(
        r"\b(?:with|tak(?:e|ing)|accept(?:ing)?) (?:an? |the )?(?P<name>[a-z_]\w+)(?=\s*$|\s+in\s)",
        "instr(d.signature, ?)",
        "%(name)s",
    ),
)


def read_declarations(text: str, resolve: Callable[[str], str]) -> Declarations | None:
    """Return what declarations a query describes; None if it describes none.

    `resolve` returns the slug of a framework by its name, and nothing for any other name.
    """
    plural = _PLURAL.search(text)
    if not plural and not _ATTRIBUTE_OF.match(text):
        return None
    conditions, values, rest = _read_forms(text)
    before = _BEFORE_KIND.search(text)
    if before and not conditions:
        conditions.append(_LISTED)
        values.append(f"%, {before['name']},%")
    framework = _find_framework(rest, resolve)
    owner = None if framework else _OWNER.search(rest)
    is_asked = conditions or (framework and _ALL_OF.fullmatch(text))
    if owner and conditions:
        conditions.append(_BELOW)
        values.append(owner["name"].replace(" ", ".").casefold())
    if not is_asked:
        return None
    kinds = _KINDS[plural[1].lower()] if plural else ()
    return Declarations(kinds, tuple(conditions), tuple(values), framework)


def _read_forms(text: str) -> tuple[list[str], list[str], str]:
    """Read everything that describes a declaration; return the rest of the text as well."""
    conditions: list[str] = []
    values: list[str] = []
    for form in _FORMS:
        # Compiled when it is first needed: most queries describe no declaration.
        found = re.search(form.pattern, text)
        if found is None:
            continue
        conditions.append(form.sql)
        if form.values:
            name = found["name"]
            folded = name.replace(" ", ".").casefold()
            values += [value % {"name": name, "folded": folded} for value in form.values]
        text = text[: found.start()] + " " + text[found.end() :]
    return conditions, values, text


def _find_framework(text: str, resolve: Callable[[str], str]) -> str:
    """Find the framework that declarations should be in, after or before their kind."""
    places = (_FRAMEWORK.search(text), _OF_FRAMEWORK.match(text))
    return next((slug for place in places if place and (slug := resolve(place["name"]))), "")


def find_declaring(lexical: LexicalSearch, wanted: Declarations) -> dict[int, bool]:
    """Find the documents that have such a declaration; True if it is the page's own."""
    sources = ", ".join(map(str, lexical.sources))
    within = lexical.condition.sql or "1"
    # Every symbol is looked at once, in the order they are stored in; few have a page looked up.
    rows = lexical.database.rows(
        f"""
        SELECT d.doc_id, max(d.origin <> 'snippet') FROM symbols AS d NOT INDEXED
        CROSS JOIN docs_metadata AS m ON m.id = d.doc_id
        WHERE {wanted.sql} AND d.doc_id >> {SOURCE_SHIFT} IN ({sources}) AND {within}
        GROUP BY +d.doc_id
        """,  # noqa: S608 - numbers and conditions of our own
        (*wanted.parameters, *lexical.condition.values),
    )
    return {number: bool(own) for number, own in rows}


_DECLARES = weigh("declares what is asked for", "declares")
_SHOWS = weigh("shows what is asked for", "declares")


def lift_declaring(
    ranked: list[RankedCandidate], declaring: Mapping[int, bool]
) -> list[RankedCandidate]:
    """Put pages that declare such a thing first, then those that show it, then all others."""
    if not declaring:
        return ranked
    lifted = []
    for each in ranked:
        own = declaring.get(each.candidate.id)
        factors = () if own is None else (_DECLARES if own else _SHOWS,)
        score = each.score * (factors[0].factor if factors else 1.0)
        lifted.append(each._replace(factors=(*each.factors, *factors), score=score))
    return sorted(
        lifted,
        key=lambda each: (
            each.candidate.id not in declaring,
            not declaring.get(each.candidate.id),
            -each.score,
            each.candidate.uri,
        ),
    )
