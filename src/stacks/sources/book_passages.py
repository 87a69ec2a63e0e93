"""A chapter cut into overlapping passages of a given size, at natural boundaries.

A token is a word (letters with their combining marks, digits) or one other character: `don't` has
three, `हृदय,` has two. A passage has at most `size` tokens, of which at most `overlap` are carried
over from the previous passage, in whole sentences if one is short enough, otherwise in words. It
ends

- at the last end of a paragraph that leaves it at least half of `size`, else
- at the last end of a sentence (`. ! ? … । ॥`, with closing quotes), else
- at a word: in a sentence of more than `size` tokens.

A last passage that would add less than a quarter of `size` joins the one before it. Line breaks
make no difference, so rewrapped text is cut the same way; those of verse stay in the text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

import regex

from stacks.text import find_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Paragraph", "Passage", "cut_passages"]

_TOKEN = regex.compile(r"[\p{L}\p{N}\p{M}]++|\S")
_SENTENCE_END = regex.compile(r"[.!?…।॥][\p{Pf}\p{Pe}\"'*_]*+$")
_ABBREVIATION = regex.compile(
    r"\W*+(?:\p{Lu}|Mr|Mrs|Ms|Dr|St|Prof|Rev|Sr|Sra|Srta|Dra|Ud|Uds|vol|cap|pp?|no|núm|डॉ|श्री)\."
)
_FIRST_LETTER = regex.compile(r"\p{L}")


class Paragraph(NamedTuple):
    """A paragraph: one line of prose or several of verse; a heading stays with what follows."""

    text: str
    is_heading: bool = False


class Passage(NamedTuple):
    """Part of a chapter, with its numbers of words and tokens."""

    text: str
    words: int
    tokens: int


class _Word(NamedTuple):
    """The text between two blanks, its number of tokens, and the blank after it."""

    text: str
    tokens: int
    blank: str
    ends_sentence: bool = False
    ends_paragraph: bool = False


class _Stretch(NamedTuple):
    """The words of a passage; those before `new` are carried over."""

    start: int
    new: int
    end: int


def cut_passages(paragraphs: Iterable[Paragraph], *, size: int, overlap: int) -> list[Passage]:
    """Cut a chapter into passages; one without a word in it is left out."""
    words = [
        word for paragraph in paragraphs for word in _split_paragraph(paragraph, most=size // 2)
    ]
    stretches = _Cutter(words, size, overlap).cut()
    passages = (_write(words[stretch.start : stretch.end]) for stretch in stretches)
    return [passage for passage in passages if passage.words]


def _write(words: Sequence[_Word]) -> Passage:
    """Write the words of a passage with the blanks between them."""
    text = "".join(part for word in words for part in (word.text, word.blank)).strip()
    return Passage(text, len(find_words(text)), sum(word.tokens for word in words))


def _split_paragraph(paragraph: Paragraph, *, most: int) -> Iterator[_Word]:
    """Split a paragraph into words and mark where its sentences end."""
    written = []
    for line in paragraph.text.split("\n"):
        texts = line.split()
        for place, text in enumerate(texts, 1):
            written.append((text, "\n" if place == len(texts) else " "))
    if not written:
        return
    for (text, blank), (following, _) in pairwise(written):
        is_end = _is_sentence_end(text, following)
        yield from _split_word(_Word(text, 1, blank, ends_sentence=is_end), most)
    last = _Word(
        written[-1][0], 1, "\n\n", ends_sentence=True, ends_paragraph=not paragraph.is_heading
    )
    yield from _split_word(last, most)


def _is_sentence_end(text: str, following: str) -> bool:
    """Return whether a sentence ends with a word, by its punctuation and the next word."""
    if text[-1].isalnum() or not _SENTENCE_END.search(text[-20:]):
        return False
    if _ABBREVIATION.fullmatch(text[:20]):
        return False
    first = _FIRST_LETTER.search(following[:20])
    return first is None or not first.group().islower()


def _split_word(word: _Word, most: int) -> Iterator[_Word]:
    """Count the tokens of a word; one with too many is cut, though it has no blanks."""
    if word.text.isalnum():
        yield word
        return
    spans = [match.end() for match in _TOKEN.finditer(word.text)]
    if len(spans) <= most:
        yield word._replace(tokens=len(spans))
        return
    start = 0
    for count in range(most, len(spans), most):
        end = spans[count - 1]
        yield _Word(word.text[start:end], most, "")
        start = end
    yield word._replace(text=word.text[start:], tokens=(len(spans) - 1) % most + 1)


class _Cutter:
    """Finds where the passages of a chapter begin and end."""

    def __init__(self, words: Sequence[_Word], size: int, overlap: int) -> None:
        self.size = size
        self.overlap = overlap
        self.count = len(words)
        self.tokens = [0, *accumulate(word.tokens for word in words)]
        places = range(1, self.count + 1)
        self.sentences = [end for end in places if words[end - 1].ends_sentence]
        self.paragraphs = [end for end in places if words[end - 1].ends_paragraph]

    def cut(self) -> list[_Stretch]:
        """Cut from start to end; a small rest joins the passage before it."""
        stretches: list[_Stretch] = []
        new = 0
        while new < self.count:
            earliest = stretches[-1].start + 1 if stretches else new
            start = self.find_start(new, earliest)
            end = self.find_end(start, new)
            stretches.append(_Stretch(start, new, end))
            new = end
        if len(stretches) > 1 and self.measure(*stretches[-1][1:]) < self.size / 4:
            *stretches, before, last = stretches
            stretches.append(before._replace(end=last.end))
        return stretches

    def measure(self, start: int, end: int) -> int:
        """Count the tokens between two places."""
        return self.tokens[end] - self.tokens[start]

    def find_start(self, new: int, earliest: int) -> int:
        """Find where the words that are carried over start; they leave room for a sentence."""
        sentence = self.measure(new, self.sentences[bisect_right(self.sentences, new)])
        room = self.size - sentence if sentence <= self.size else self.size
        most = min(self.overlap, room)
        lowest = max(bisect_left(self.tokens, self.tokens[new] - most), earliest)
        position = bisect_left(self.sentences, lowest)
        starts_sentence = position < len(self.sentences) and self.sentences[position] < new
        return self.sentences[position] if starts_sentence else min(lowest, new)

    def find_end(self, start: int, new: int) -> int:
        """Find the end of a passage that starts at `start` and must go beyond `new`."""
        furthest = bisect_right(self.tokens, self.tokens[start] + self.size) - 1
        if furthest >= self.count:
            return self.count
        paragraph = _find_last(self.paragraphs, furthest)
        if paragraph > new and self.measure(start, paragraph) >= self.size / 2:
            return paragraph
        sentence = _find_last(self.sentences, furthest)
        if sentence > new and not self.is_scrap(start, sentence):
            return sentence
        return max(furthest, new + 1)

    def is_scrap(self, start: int, end: int) -> bool:
        """Return whether little text precedes a sentence that must be cut anyway."""
        following = self.sentences[bisect_right(self.sentences, end)]
        is_little = self.measure(start, end) < self.size / 4
        return is_little and self.measure(end, following) > self.size


def _find_last(places: Sequence[int], furthest: int) -> int:
    """Return the last place that is not beyond `furthest`, or 0."""
    position = bisect_right(places, furthest)
    return places[position - 1] if position else 0
