"""An undefined value has a reason and nothing else."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from cranfield.model import Undefined


def test_an_undefined_value_says_why() -> None:
    assert str(Undefined("no query was judged")) == "undefined: no query was judged"


def test_an_undefined_value_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match=r"neither true nor false \(nothing was judged\)"):
        bool(Undefined("nothing was judged"))


def test_undefined_values_are_equal_by_their_reason() -> None:
    assert Undefined("a") == Undefined("a")
    assert Undefined("a") != Undefined("b")
    assert len({Undefined("a"), Undefined("a"), Undefined("b")}) == 2


def test_an_undefined_value_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Undefined("a").reason = "b"  # type: ignore[misc]
