"""Languages of queries: the two-letter codes of ISO 639-1, and near ones for what is no code."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import regex

from cranfield.errors import ExpectationError, MeasureError, UnknownNameError
from cranfield.formats import count_queries
from cranfield.measures import parse_measure
from cranfield.relevance import RULES, RuleContext, TimedPattern, read_expectation
from cranfield.suites.classes import CLASSES, QueryClass, describe_classes
from cranfield.suites.similar_names import NOTHING_ACCEPTED, UnknownName
from cranfield.suites.suite_source import Finding, FindingSeverity, can_name_file
from cranfield_shared.registry import near_names, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cranfield.model import Query, Threshold
    from cranfield.suites.similar_names import AcceptedNames
    from cranfield.suites.suite_source import SuiteSource

__all__ = [
    "check_measure",
    "check_regression_rules",
    "check_threshold",
    "is_language",
    "patterns_in",
    "suggest_languages",
    "unknown_names",
    "unmet_requirements",
]

_TABLE = """
aa=afar ab=abkhazian ae=avestan af=afrikaans ak=akan am=amharic an=aragonese ar=arabic as=assamese
av=avaric ay=aymara az=azerbaijani ba=bashkir be=belarusian bg=bulgarian bi=bislama bm=bambara
bn=bengali bo=tibetan br=breton bs=bosnian ca=catalan ce=chechen ch=chamorro co=corsican cr=cree
cs=czech cu=slavonic cv=chuvash cy=welsh da=danish de=german dv=divehi dz=dzongkha ee=ewe el=greek
en=english eo=esperanto es=spanish et=estonian eu=basque fa=persian ff=fulah fi=finnish fj=fijian
fo=faroese fr=french fy=frisian ga=irish gd=gaelic gl=galician gn=guarani gu=gujarati gv=manx
ha=hausa he=hebrew hi=hindi ho=hiri-motu hr=croatian ht=haitian hu=hungarian hy=armenian hz=herero
ia=interlingua id=indonesian ie=interlingue ig=igbo ii=sichuan-yi ik=inupiaq io=ido is=icelandic
it=italian iu=inuktitut ja=japanese jv=javanese ka=georgian kg=kongo ki=kikuyu kj=kuanyama
kk=kazakh kl=kalaallisut km=khmer kn=kannada ko=korean kr=kanuri ks=kashmiri ku=kurdish kv=komi
kw=cornish ky=kyrgyz la=latin lb=luxembourgish lg=ganda li=limburgish ln=lingala lo=lao
lt=lithuanian lu=luba-katanga lv=latvian mg=malagasy mh=marshallese mi=maori mk=macedonian
ml=malayalam mn=mongolian mr=marathi ms=malay mt=maltese my=burmese na=nauru nb=bokmal
nd=north-ndebele ne=nepali ng=ndonga nl=dutch nn=nynorsk no=norwegian nr=south-ndebele nv=navajo
ny=chichewa oc=occitan oj=ojibwa om=oromo or=oriya os=ossetian pa=punjabi pi=pali pl=polish
ps=pashto pt=portuguese qu=quechua rm=romansh rn=rundi ro=romanian ru=russian rw=kinyarwanda
sa=sanskrit sc=sardinian sd=sindhi se=northern-sami sg=sango si=sinhala sk=slovak sl=slovenian
sm=samoan sn=shona so=somali sq=albanian sr=serbian ss=swati st=southern-sotho su=sundanese
sv=swedish sw=swahili ta=tamil te=telugu tg=tajik th=thai ti=tigrinya tk=turkmen tl=tagalog
tn=tswana to=tonga tr=turkish ts=tsonga tt=tatar tw=twi ty=tahitian ug=uighur uk=ukrainian
ur=urdu uz=uzbek ve=venda vi=vietnamese vo=volapuk wa=walloon wo=wolof xh=xhosa yi=yiddish
yo=yoruba za=zhuang zh=chinese zu=zulu
"""
_NAMES = {code: name for code, _, name in (each.partition("=") for each in _TABLE.split())}


def is_language(code: str) -> bool:
    """Return whether a code is of ISO 639-1, alone or with a region or script (`pt-BR`)."""
    return code.partition("-")[0] in _NAMES


def suggest_languages(written: str) -> list[str]:
    """Return the codes that were probably meant: of a language's name, or near ones."""
    folded = written.strip().casefold().replace("_", "-")
    if is_language(folded):
        return [folded]
    by_name = {name: code for code, name in _NAMES.items()}
    named = [by_name[name] for name in near_names(folded, by_name, 1)]
    return named or near_names(folded, _NAMES)


def unmet_requirements(
    source: SuiteSource, accepted: AcceptedNames = NOTHING_ACCEPTED
) -> Iterator[Finding]:
    """Find everything that loading checks; a suite with an error among it cannot be run.

    Unknown names that the project accepts are no mistakes.
    """
    found = (*source.findings, *unknown_names(source), *_check_content(source))
    return (each for each in found if not (each.unknown and accepted.accepts(each.unknown)))


def _check_content(source: SuiteSource) -> Iterator[Finding]:
    yield from _check_ids(source)
    query_class: QueryClass | None = None
    try:
        query_class = CLASSES.get(source.suite.query_class)
    except UnknownNameError as problem:
        yield source.error(f"{problem}; {describe_classes()}")
    for place, query in enumerate(source.suite.queries):
        if not query.deprecated:
            yield from _check_query(source, place, query_class)
    for text in source.suite.measures:
        yield from check_measure(source, text, query_class)
    for threshold in source.suite.gate:
        yield from check_threshold(source, threshold, query_class)
    yield from check_regression_rules(source)


def _check_ids(source: SuiteSource) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for place, query in enumerate(source.suite.queries):
        if not query.id.strip():
            yield source.error("a query has no id; ids are how results are followed", place)
        elif query.id in first:
            line = source.line_of(first[query.id])
            where = f" (first in line {line})" if line else ""
            yield source.error(
                f"two queries have the id {query.id!r}{where}; ids are never reused, "
                "give the newer one an id of its own",
                place,
            )
        else:
            first[query.id] = place
    if not source.suite.asked:
        yield source.error("has no query to run")
    if not can_name_file(source.suite.id):
        yield source.warning(
            f"its id {source.suite.id!r} cannot name a file, so that no baseline of it can be "
            "kept; use letters, digits, '.', '-' and '_'"
        )


def check_regression_rules(source: SuiteSource) -> Iterator[Finding]:
    """Find categories in the regression rules that no query has: nothing would be guarded."""
    rules = source.suite.rules
    categories = {query.category for query in source.suite.asked} - {""}
    for rule, names in (("protected", rules.protected), ("watched", rules.watched)):
        for name in dict.fromkeys(names):
            if name not in categories:
                unknown = UnknownNameError("category of the suite", name, categories)
                yield source.error(f"regressions: {rule}: {unknown}")


def _check_query(
    source: SuiteSource, place: int, query_class: QueryClass | None
) -> Iterator[Finding]:
    query = source.suite.queries[place]
    if not query.text.strip():
        yield source.error(f"query {query.id!r} has no text", place)
    if query.pass_rank is not None and query.pass_rank < 1:
        yield source.error(
            f"query {query.id!r} has the pass_rank {query.pass_rank}; ranks start at 1", place
        )
    if query_class and query.expect and not set(query.expect) & set(query_class.rules):
        yield source.error(
            f"query {query.id!r} expects {', '.join(query.expect)}, which does not fit "
            f"the class {query_class.name}; it needs one of: {', '.join(query_class.rules)}",
            place,
        )
    for problem in _unreadable(query, RuleContext(folder=source.path.parent)):
        yield source.error(problem, place)


def _unreadable(query: Query, context: RuleContext) -> Iterator[str]:
    """Describe what cannot be read, rule by rule; rules that need a database wait for the run."""
    if not query.expect:
        try:
            read_expectation(query)
        except ExpectationError as problem:
            yield str(problem)
    for rule, value in query.expect.items():
        broken = [*_uncompilable(patterns_in(rule, value))]
        if broken:
            yield from (f"query {query.id!r}: {rule}: {problem}" for problem in broken)
            continue
        try:
            if RULES.get(rule).resolve is None:
                read_expectation(replace(query, expect={rule: value}), context)
        except UnknownNameError as problem:
            yield f"query {query.id!r}: {problem}"
        except ExpectationError as problem:
            yield str(problem)


def _uncompilable(patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        try:
            TimedPattern(pattern)
        except ExpectationError as problem:
            yield str(problem)


def check_measure(
    source: SuiteSource, text: str, query_class: QueryClass | None
) -> Iterator[Finding]:
    """Check one of the measures that the suite declares; the first is its headline."""
    try:
        measure = parse_measure(text)
    except (MeasureError, UnknownNameError) as problem:
        yield source.error(f"measures: {problem}")
        return
    if query_class and measure.name in query_class.refuses:
        reason = query_class.refuses[measure.name]
        yield source.error(f"measures: {measure} makes no sense for {query_class.name}: {reason}")
    if text == source.suite.measures[0] and (reason := measure.undecisive):
        yield source.error(
            f"measures: {measure} {reason}, so that it cannot be the headline; put another measure "
            "first"
        )


def check_threshold(
    source: SuiteSource, threshold: Threshold, query_class: QueryClass | None
) -> Iterator[Finding]:
    """Find what keeps a threshold from being applied to a suite."""
    if not isfinite(threshold.at_least):
        yield source.error(
            f"gate: {threshold.measure} has to reach {threshold.at_least}, which nothing can be "
            "compared with; give a number"
        )
    elif threshold.at_least <= 0:
        yield source.error(
            f"gate: every run reaches {threshold.at_least:g} of {threshold.measure}; require more "
            "than 0"
        )
    categories = {query.category for query in source.suite.asked} - {""}
    if threshold.category and threshold.category not in categories:
        unknown = UnknownNameError("category of the suite", threshold.category, categories)
        yield source.error(f"gate: {unknown}")
    try:
        measure = parse_measure(threshold.measure)
    except (MeasureError, UnknownNameError) as problem:
        yield source.error(f"gate: {problem}")
        return
    if measure.family.is_bounded and threshold.at_least > 1:
        yield source.error(
            f"gate: {measure} is never above 1, and {threshold.at_least:g} is required"
        )
    is_own = threshold.measure in source.suite.measures
    if query_class is None or is_own or measure in query_class.measures:
        return
    if measure.name in query_class.refuses:
        reason = query_class.refuses[measure.name]
        yield source.error(f"gate: {measure} makes no sense for {query_class.name}: {reason}")
        return
    listed = ", ".join(str(each) for each in query_class.measures)
    yield source.note(f"gate: {measure} is not among the class's own measures ({listed})")


def patterns_in(rule: str, value: Any) -> list[str]:
    """List the patterns in the expectation of a rule; a wrong type is left to the rule's reader."""
    find = _FINDERS.get(rule)
    return [] if find is None else list(find(value))


def _listed(*keys: str) -> Callable[[Any], Iterator[str]]:
    """Find strings, alone or in a list, and the values of some keys in a table."""

    def find(value: Any) -> Iterator[str]:
        for each in value if isinstance(value, list) else [value]:
            inside = [each.get(key) for key in keys] if isinstance(each, dict) else [each]
            yield from (text for text in inside if isinstance(text, str))

    return find


def _conditions(value: Any) -> Iterator[str]:
    """Find the patterns for the fields of hits."""
    for condition in value.values() if isinstance(value, dict) else ():
        if isinstance(condition, dict) and isinstance(condition.get("matches"), str):
            yield condition["matches"]


_FINDERS: dict[str, Callable[[Any], Iterator[str]]] = {
    "matches": _listed("pattern"),
    "prefers": _listed("this", "over"),
    "sources": _listed("pattern"),
    "excludes": _listed(),
    "where": _conditions,
}


_SEPARATORS = regex.compile(r"[\W_]+")


def unknown_names(source: SuiteSource) -> Iterator[Finding]:
    """Find categories that the format does not know or the suite writes twice, and languages.

    A query in such a category would fall through the thresholds and rules of the right one.
    """
    yield from _unknown_categories(source)
    yield from _twofold_categories(source)
    yield from _unknown_languages(source)


def _unknown_categories(source: SuiteSource) -> Iterator[Finding]:
    known = source.categories
    for name, places in _places(source, "category").items():
        if known and name not in known:
            yield _report(source, places, unknown_name("category", name, known), "categories", name)


def _twofold_categories(source: SuiteSource) -> Iterator[Finding]:
    """Find categories that differ only in case, spaces, hyphens or underscores."""
    found = _places(source, "category")
    first: dict[str, str] = {}
    for name, places in sorted(found.items(), key=lambda item: -len(item[1])):
        other = first.setdefault(_SEPARATORS.sub("", name).casefold(), name)
        if other != name and name not in source.categories and other not in source.categories:
            yield source.error(
                f"category {name!r} of {count_queries(len(places))} is written {other!r} in "
                f"{count_queries(len(found[other]))}: write it in one way, or thresholds miss "
                "some of them",
                places[0],
            )


def _unknown_languages(source: SuiteSource) -> Iterator[Finding]:
    for name, places in _places(source, "language").items():
        if not is_language(name):
            near = " or ".join(suggest_languages(name))
            hint = f"did you mean {near}?" if near else "use a code of ISO 639-1, such as en"
            message = f"unknown language {name!r}: {hint}"
            yield _report(source, places, message, "languages", name)


def _places(source: SuiteSource, field: str) -> dict[str, list[int]]:
    """Return the places of the queries that are asked, by their category or language."""
    places: dict[str, list[int]] = {}
    for place, query in enumerate(source.suite.queries):
        if (name := getattr(query, field)) and not query.deprecated:
            places.setdefault(name, []).append(place)
    return places


def _report(
    source: SuiteSource, places: list[int], message: str, listed_as: str, name: str
) -> Finding:
    unknown = UnknownName(listed_as, name)
    count = f" of {count_queries(len(places))}" if len(places) > 1 else ""
    text = unknown.explain(message.replace(":", f"{count}:", 1))
    query = source.suite.queries[places[0]]
    return Finding(
        FindingSeverity.ERROR, text, query.id, source.line_of(places[0]), unknown=unknown
    )
