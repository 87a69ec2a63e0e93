"""English: the index stems it, so the words of a query stay as they are."""

from __future__ import annotations

from stacks.text.natural.natural_language import NATURAL_LANGUAGES, NaturalLanguage

__all__ = ["ENGLISH"]

_STOP_WORDS = """
    a about also am an and any are as at be been being but by can could did do does for from had
    has have having he her here him his how i if in into is it its itself just may me might must
    my no not of on or our ours shall she should so some such than that the their theirs them
    then there these they this those to too us was we were what when where which while who whom
    whose why will with would you your yours
"""

ENGLISH = NaturalLanguage(
    code="en", english_name="English", stop_words=frozenset(_STOP_WORDS.split()), stem=str
)
"""English; `stem` returns the word itself."""

NATURAL_LANGUAGES.register("en", ENGLISH, aliases=("english",))
