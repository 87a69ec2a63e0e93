"""A language is detected by its script and stop words, and stems find the forms of a word."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stacks.text.natural import (
    NATURAL_LANGUAGES,
    NaturalLanguage,
    detect_language,
    find_natural_language,
)
from stacks.text.words import find_words, fold, stem_as_index, stem_words, unify

TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
ENGLISH, SPANISH, HINDI = (NATURAL_LANGUAGES.get(code) for code in ("en", "es", "hi"))


@cache
def open_table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f'CREATE VIRTUAL TABLE t USING fts5(x, tokenize = "{TOKENIZER}")')
    connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'row')")
    return connection


def get_terms(text: str) -> list[str]:
    """What the index makes of a text."""
    table = open_table()
    table.execute("DELETE FROM t")
    table.execute("INSERT INTO t VALUES (?)", (unify(text),))
    return [term for (term,) in table.execute("SELECT term FROM v")]


def finds(language: NaturalLanguage, word: str, text: str) -> bool:
    """Ask the index for a word as a query would."""
    table = open_table()
    table.execute("DELETE FROM t")
    table.execute("INSERT INTO t VALUES (?)", (unify(text),))
    prefix = language.find_prefix(word)
    query = f'"{prefix}" *' if prefix else f'"{unify(word)}"'
    return bool(table.execute("SELECT 1 FROM t WHERE t MATCH ?", (query,)).fetchall())


SPANISH_FORMS = [
    "meditación meditaciones meditar meditando medito meditamos meditaron meditarlo meditaba",
    "amor amores",
    "corazón corazones",
    "paz",
    "espiritual espirituales espiritualmente",
    "verdad verdades verdadera",
    "compasión compasiones",
    "divino divina divinos divinas divinamente",
    "hermano hermana hermanos hermanas",
    "maestro maestra maestros",
    "alegría alegrías alegre alegres",
    "caminar caminando camino caminos",
    "pensar pensamiento pensamientos pensando pensaba",
    "sentir sentimiento sentimientos",
    "comprender comprendiendo comprendió comprendido comprendo",
    "liberar liberación liberado",
    "español española españoles españolas",
    "agradable agradables",
    "alma almas",
    "niño niños",
    "casa casas",
    "muerte muertes",
    "miedo miedos",
    "construye construyendo",
    "eterno eterna eternamente",
    "enseñanza enseñanzas",
    "oración oraciones",
    "felicidad felicidades",
    "feliz felices",
    "luz",
    "perderse perder perdiendo perdido",
    "ley",
    "dios",
]

HINDI_FORMS = [
    "शांति शांतियों शांत",
    "मन",
    "प्रेम प्रेमी प्रेमियों",
    "हृदय हृदयों",
    "आत्मा आत्माओं आत्माएँ आत्माएं",
    "शक्ति शक्तियाँ शक्तियां शक्तियों",
    "विचार विचारों",
    "गुरु गुरुओं गुरू",
    "देवता देवताओं",
    "साधना साधनाओं",
    "ध्यान",
    "ईश्वर ईश्वरीय",
    "पुस्तक पुस्तकें पुस्तकों",
    "भावना भावनाएँ भावनाओं",
    "जीवन",
    "यहाँ यहां",
    "बच्चा बच्चे बच्चों",
    "मृत्यु",
]


@pytest.mark.parametrize(
    ("language", "forms"),
    [(SPANISH, forms) for forms in SPANISH_FORMS] + [(HINDI, forms) for forms in HINDI_FORMS],
)
def test_every_form_of_a_word_finds_every_other(language: NaturalLanguage, forms: str) -> None:
    words = forms.split()
    missed = [(a, b) for a in words for b in words if not finds(language, a, b)]
    assert missed == []


@pytest.mark.parametrize(
    ("language", "asked", "other"),
    [
        (SPANISH, "español", "espada"),
        (SPANISH, "casa", "caso"),
        (SPANISH, "casa", "casado"),
        (SPANISH, "libro", "libre"),
        (SPANISH, "alma", "almacén"),
        (SPANISH, "heredar", "hermano"),
        (SPANISH, "miedo", "mirar"),
        (SPANISH, "compasión", "compañía"),
        (SPANISH, "muerte", "mujer"),
        (SPANISH, "paz", "pasar"),
        (SPANISH, "dios", "diógenes"),
        (SPANISH, "corazón", "coraza"),
        (SPANISH, "meditar", "medir"),
        (HINDI, "मन", "मनुष्य"),
        (HINDI, "प्रेम", "प्रेरणा"),
        (HINDI, "हृदय", "हृष्ट"),
        (HINDI, "शांति", "शाम"),
        (HINDI, "साधना", "साधु"),
        (HINDI, "ध्यान", "ध्येय"),
    ],
)
def test_different_words_stay_apart(language: NaturalLanguage, asked: str, other: str) -> None:
    assert not finds(language, asked, other)


@pytest.mark.parametrize(
    ("asked", "other"),
    [("puerto", "puerta"), ("sentir", "sentencia"), ("feliz", "felino")],
)
def test_what_is_conflated_although_different_is_known(asked: str, other: str) -> None:
    assert finds(SPANISH, asked, other)


def test_spellings_that_differ_within_a_word_are_not_reached() -> None:
    assert not finds(HINDI, "शान्ति", "शांति")
    assert not finds(HINDI, "ज़िंदगी", "जिंदगी")


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        (SPANISH, "Meditación", "medit"),
        (SPANISH, "amores", "amor"),
        (SPANISH, "CORAZONES", "corazon"),
        (SPANISH, "paz", "paz"),
        (SPANISH, "miedo", "miedo"),
        (SPANISH, "", ""),
        (HINDI, "शांतियों", "शांत"),
        (HINDI, "मन", "मन"),
        (HINDI, "का", "का"),
        (HINDI, "क्\u200dयारियों", "क्यार"),
        (ENGLISH, "meditations", "meditations"),
    ],
)
def test_stems_are_cut_by_hand_alike(language: NaturalLanguage, word: str, stem: str) -> None:
    assert language.stem(word) == stem


def test_a_prefix_is_looked_up_where_it_finds_more_than_the_word() -> None:
    words = ["meditar", "alma", "paz", "dios", "corazón"]
    assert [SPANISH.find_prefix(word) for word in words] == ["medit", "", "", "", "corazon"]
    assert [HINDI.find_prefix(word) for word in ["मन", "शांति"]] == ["", "शांत"]
    assert ENGLISH.find_prefix("meditations") == ""


LETTERS = st.text("abcdeéghiílmnñoóprstuúvyz", min_size=1, max_size=14)
SIGNS = st.text("कखगतनमयरलवसह़ािीुूेोंँ्", min_size=1, max_size=10)
ENDED = st.tuples(LETTERS, st.sampled_from(["ando", "es", "ed", "ing", "ion", "al", "mente", "er"]))


@settings(max_examples=300, deadline=None)
@given(word=LETTERS | ENDED.map("".join) | SIGNS)
def test_a_word_is_always_found_by_its_own_stem(word: str) -> None:
    for language in NATURAL_LANGUAGES.values():
        stem = language.stem(word)
        assert (fold(word) if language is not ENGLISH else word).startswith(stem)
        least = {"en": 0, "es": 4, "hi": 3}[language.code]
        assert len(stem) >= min(least, len(fold(word)))
        assert finds(language, word, word)


@settings(max_examples=300, deadline=None)
@given(word=LETTERS | ENDED.map("".join) | SIGNS)
def test_folding_and_stemming_are_those_of_the_index(word: str) -> None:
    assert get_terms(word) == [stem_as_index(fold(word))]


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("compasion", "compas"),
        ("espiritual", "espiritu"),
        ("relational", "relat"),
        ("hopping", "hop"),
        ("ponies", "poni"),
        ("ies", "ie"),
        ("eed", "e"),
        ("controlling", "control"),
        ("ab", "ab"),
        ("a" * 61 + "ing", "a" * 61),
        ("a" * 62 + "ing", "a" * 62 + "ing"),
        ("हृदयों", "हृदयों"),
    ],
)
def test_the_index_stems_every_word_as_english(word: str, stem: str) -> None:
    assert stem_as_index(word) == stem
    assert get_terms(word) == [stem]


@settings(max_examples=50, deadline=None)
@given(words=st.lists(LETTERS | SIGNS | st.text(max_size=3), max_size=30))
def test_many_words_are_stemmed_as_one_by_one(words: list[str]) -> None:
    assert stem_words(words) == [stem_as_index(word) for word in words]


def test_a_text_that_is_not_one_word_has_no_stem() -> None:
    texts = ["", " ", "two words", "\ud800", "nul\0byte", "!"]
    assert stem_words(texts) == texts


def test_stems_are_remembered_only_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stacks.text.words._MOST_REMEMBERED", 10)
    words = [f"running{number}s" for number in range(40)]
    stems = [f"running{number}" for number in range(40)]
    assert stem_words(words) == stems
    assert [stem_as_index(word) for word in words] == stems
    assert stem_words([*words, "hopping"]) == [*stems, "hop"]


def test_threads_share_one_stemmer() -> None:
    words = [f"caching{number}s" for number in range(400)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(stem_as_index, words * 3))
    assert found == [f"caching{number}" for number in range(400)] * 3


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("What did he say about the divine mother?", "en"),
        ("I feel lost and purposeless", "en"),
        ("the son of God", "en"),
        ("sin and death", "en"),
        ("¿Qué es la paz interior?", "es"),
        ("como puedo encontrar la paz", "es"),
        ("meditación", "es"),
        ("quiero morir", "es"),
        ("मन की शांति कैसे मिले", "hi"),
        ("शांति", "hi"),
        ("योग और meditation", "hi"),
        ("amor", ""),
        ("kriya yoga", ""),
        ("no me", ""),
        ("sin", ""),
        ("", ""),
        ("12 + 3 = ?", ""),
        ("平和", ""),
        ("\ud800\x00", ""),
    ],
)
def test_a_language_is_detected_by_script_and_stop_words_or_not(text: str, code: str) -> None:
    assert detect_language(text, NATURAL_LANGUAGES) == code


def test_only_the_given_languages_are_detected() -> None:
    assert detect_language("¿Qué es la paz?", {"en", "hi"}) == "en"
    assert detect_language("¿Qué es la paz?", {"hi"}) == ""
    assert detect_language("amor", {"es", "hi"}) == "es"
    assert detect_language("amor", set()) == ""
    assert detect_language("शांति", {"en", "es", "xx"}) == ""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (ENGLISH, "a the what how why whose i my"),
        (SPANISH, "qué que cómo como por porque porqué puedo quiero me mi mí cuál donde usted"),
        (HINDI, "क्या कैसे क्यों मैं मुझे है हूँ हूं का की के में से को कृपया आप कहाँ कहां"),
    ],
)
def test_stop_words_hold_what_people_ask_with(language: NaturalLanguage, words: str) -> None:
    assert [word for word in words.split() if word not in language.stop_words] == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (SPANISH, "solo nada paz dios vida amor miedo"),
        (HINDI, "मन शांति प्रेम ईश्वर अकेला दुख"),
    ],
)
def test_words_that_say_what_are_no_stop_words(language: NaturalLanguage, words: str) -> None:
    assert [word for word in words.split() if word in language.stop_words] == []


def test_a_language_is_got_by_code_tag_or_name() -> None:
    codes = ["es", "ES", "es-MX", "es_AR", " Spanish ", "hindi"]
    found = [find_natural_language(code) for code in codes]
    assert [language.code if language else None for language in found] == ["es"] * 5 + ["hi"]
    assert [find_natural_language(code) for code in ("xx", "", "-")] == [None, None, None]


def test_words_keep_their_marks_and_texts_lose_what_is_not_seen() -> None:
    assert find_words("हृदय में, don't _x_ 3½") == ["हृदय", "में", "don", "t", "x", "3½"]
    assert unify("क्\u200dया so\u00adft \ufeffe\u0301") == "क्या soft é"
