"""A spec reads what was written, whatever it holds, and an unknown word suggests a known one."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.embedding import EMBEDDERS, EmbedderKind, ModelSpec, open_embedder
from stacks.errors import EmbeddingError

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True)
VALUES = st.text(st.sampled_from("ab=,\\ é\n:")) | st.text()


@given(NAMES, VALUES, st.dictionaries(NAMES, VALUES))
def test_a_spec_survives_writing_and_reading(
    kind: str, location: str, options: dict[str, str]
) -> None:
    spec = ModelSpec(kind, location, options)
    read = ModelSpec.parse(str(spec))
    assert read == spec
    assert hash(read) == hash(spec)


@given(st.text(st.sampled_from("ab=,\\ ")))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    with suppress(EmbeddingError):
        spec = ModelSpec.parse(text)
        assert ModelSpec.parse(str(spec)) == spec


def test_blanks_and_commas_of_values_are_kept() -> None:
    spec = ModelSpec.parse("onnx=my models/a,b,pooling=cls,query=query: ,document=a, b=c, ")
    assert spec.kind == "onnx"
    assert spec.location == "my models/a,b"
    assert spec.options == {"pooling": "cls", "query": "query: ", "document": "a, b=c, "}


def test_a_backslash_takes_the_meaning_of_a_comma_away() -> None:
    spec = ModelSpec.parse(r"onnx=a\,b=c,query=d\\,document=e")
    assert spec.location == "a,b=c"
    assert spec.options == {"query": "d\\", "document": "e"}


def test_options_are_the_same_in_any_order() -> None:
    assert ModelSpec.parse("a=b,x=1,c=2") == ModelSpec.parse("a=b,c=2,x=1")
    assert str(ModelSpec.parse("a=b,x=1,c=2")) == "a=b,c=2,x=1"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "is not a kind of model"),
        ("=folder", "is not a kind of model"),
        ("Ünsinn=1", "is not a kind of model"),
        ("onnx=a,query=b,query=c", "gives query twice"),
        ("wordlama", "unknown embedder 'wordlama': did you mean wordllama?"),
        ("qqqq", "known: http, onnx, wordllama"),
        ("onnx=a,poling=cls", "did you mean 'pooling'?"),
        ("wordllama,dimension=100", "there are 64, 128, 256"),
        ("wordllama=here", "has no location"),
        ("http=http://localhost:1,model=m,batch=0", "1 or more"),
        ("http=http://localhost:1,model=m,batch=²", "1 or more"),
        ("http=http://localhost:1,model=m,batch=99999999999", "1 or more"),
        ("http=http://localhost:1", "needs the model's name"),
        ("http=localhost:8080,model=m", "has a scheme and a host"),
        ("http=http://[::1,model=m", "has a scheme and a host"),
        ("http=http://user:secret@host/v1,model=m", "must not contain a user name"),
        ("http=http://host/v1?key=secret,model=m", "must not contain a user name"),
    ],
)
def test_a_wrong_spec_is_refused_with_the_remedy(spec: str, words: str) -> None:
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(spec)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_name_is_registered_once() -> None:
    kind = EMBEDDERS.get("wordllama")
    EMBEDDERS.register("wordllama", kind)
    other = EmbedderKind("wordllama", "another", "wordllama", kind.open)
    with pytest.raises(EmbeddingError, match="already registered"):
        EMBEDDERS.register("wordllama", other)


def test_every_kind_has_an_example_that_reads_as_one_of_it() -> None:
    assert EMBEDDERS.names() == ["http", "onnx", "wordllama"]
    for kind in EMBEDDERS.values():
        spec = ModelSpec.parse(kind.example)
        assert spec.kind == kind.name
        assert set(spec.options) <= set(kind.options)
