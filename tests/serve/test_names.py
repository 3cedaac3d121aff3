"""The names that the editor shows: those of the installed packages, as plain text, made once."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from grader.kit.kit import Kit
from grader.serve import names, saved
from grader.serve.names import LONGEST_SENTENCE, LONGEST_SIGNATURE, MODULES, Names, first_sentence, signature
from grader.serve.saved import PageCache


def shift(x, by=1, *, far=1e-300, kind=int, key=lambda: 0):  # type: ignore[no-untyped-def]
    return x, by, far, kind, key


class Plain:
    """A class."""

    def __init__(self, width: int, rngs: object = None) -> None:
        self.given = width, rngs


def test_a_signature_has_defaults_and_no_types() -> None:
    assert signature(shift) == "(x, by=1, *, far=1e-300, kind=int, key=...)"
    assert signature(Plain) == "(width, rngs=None)"
    assert signature(partial(shift, 1)) == "(by=1, *, far=1e-300, kind=int, key=...)"


def test_a_long_signature_ends_after_a_whole_parameter() -> None:
    many = eval(f"lambda {', '.join(f'parameter_{number}=({number}, 0)' for number in range(20))}: 0")
    assert signature(many).endswith("=(4, 0), ...)")
    assert len(signature(many)) <= LONGEST_SIGNATURE + len(", ...")


def test_what_has_no_signature_has_none() -> None:
    assert signature(3) == ""


@pytest.mark.parametrize(
    ("documentation", "sentence"),
    [
        (None, ""),
        ("", ""),
        ("\n  Adds two\n  arrays. And more.\n\n  Args:", "Adds two arrays."),
        ("Takes ``fun`` of :func:`~jax.jit` and :obj:`Array`\\s, :obj:`a <x>`.", "Takes fun of jax.jit and Arrays, a."),
        ("See `the paper <https://example.org>`_ [1]_, *e.g.* this one", "See the paper, e.g. this one"),
        (r"Elementwise :math:`\frac{1}{x_i}`.", "Elementwise 1/xᵢ."),
        ("The type, v. 2.0, of arrays:", "The type, v. 2.0, of arrays."),
    ],
)  # fmt: skip
def test_the_first_sentence_is_plain_text(documentation: str | None, sentence: str) -> None:
    assert first_sentence(documentation) == sentence


def test_a_long_sentence_is_cut_between_words() -> None:
    cut = first_sentence("word " * 100)
    assert cut.endswith("word …")
    assert len(cut) <= LONGEST_SENTENCE


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Names, bytes, int]:
    """The names as the browser gets them, in a cache of its own, and how often they were made for two runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder := tmp_path_factory.mktemp("cache")))
        times: list[str] = []
        printed = saved._output_of
        patch.setattr(saved, "_output_of", lambda name: (times.append(name), printed(name))[1])
        data = asyncio.run(PageCache(Kit(folder)).names())
        assert asyncio.run(PageCache(Kit(folder)).names()) == data
        return json.loads(data), data, len(times)


@pytest.mark.slow
def test_names_are_made_once_for_all_runs_and_are_small(made: tuple[Names, bytes, int]) -> None:
    found, data, times = made
    assert times == 1
    assert len(data) < 400_000
    assert tuple(found) == MODULES


@pytest.mark.slow
def test_every_name_is_public_and_is_shown_shortly_without_markup(made: tuple[Names, bytes, int]) -> None:
    for module, entries in made[0].items():
        for name, (called, said, kind) in entries.items():
            where = f"{module}.{name}"
            assert not name.startswith("_"), where
            assert kind in ("function", "class", "module", "value"), where
            assert len(called) <= LONGEST_SIGNATURE + len(", ..."), where
            assert len(said) <= LONGEST_SENTENCE, where
            assert not {*said} & {*"`\\"}, where
            assert " at 0x" not in called, where


@pytest.mark.slow
def test_a_name_shows_how_it_is_called(made: tuple[Names, bytes, int]) -> None:
    found = made[0]
    called, said, kind = found["jax.numpy"]["arange"]
    assert called.startswith("(start, stop=None, step=None, dtype=None")
    assert said.endswith(".")
    assert kind == "function"
    assert found["flax.nnx"]["Linear"][0].startswith("(in_features, out_features")
    assert found["jax.numpy"]["pi"] == ["", "", "value"]
    assert found["jax"]["numpy"][2] == found["jax"]["experimental"][2] == "module"
    assert len(found["optax"]) > 100


def test_names_that_cannot_be_made_are_a_fault_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(saved, "module", lambda _: ("-c", "raise SystemExit(3)"))
    with pytest.raises(OSError, match=r"grader\.serve\.names failed"):
        asyncio.run(PageCache(Kit(tmp_path)).names())


def test_no_deprecated_name_is_missing() -> None:
    """A name that a module makes on demand works in an answer: an editor that did not know it would mark a right one."""

    class Module:
        _deprecations = {"old": ("it is old", None), "gone": ("it is gone", None)}  # noqa: RUF012

        def __getattr__(self, name: str) -> object:
            if name != "old":
                raise AttributeError(name)
            return shift

    assert [*names._entries(Module())] == ["old"]  # type: ignore[arg-type]
