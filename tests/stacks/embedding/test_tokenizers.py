"""A tokenizer is parsed once in a process, and still is what its file and its user say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.stacks.embedding.encoders import WORDS, write_tokenizer

from stacks.embedding.model_kinds import load_tokenizer

if TYPE_CHECKING:
    from pathlib import Path


def test_users_of_one_file_share_its_tokenizer_but_not_where_it_cuts(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    path, text = tmp_path / "tokenizer.json", " ".join(WORDS[2:5])
    whole, cut = load_tokenizer(path), load_tokenizer(path, longest=2)
    assert [len(each.encode(text).ids) for each in (whole, cut)] == [3, 2]
    assert load_tokenizer(path) is whole


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    path, text = tmp_path / "tokenizer.json", WORDS[2]
    write_tokenizer(tmp_path)
    before = load_tokenizer(path)
    write_tokenizer(tmp_path, marked=True)
    assert len(load_tokenizer(path).encode(text).ids) > len(before.encode(text).ids)
