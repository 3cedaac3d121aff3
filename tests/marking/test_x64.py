"""Answers that turn on 64 bits: how that is undone, and when it is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.marking.verdict import Diagnosis, Named, Status, Verdict
from grader.marking.x64 import because_of_x64, without_x64
from tests.marking.test_conclude import a_place


@pytest.mark.parametrize(
    ("on", "off"),
    [
        ('jax.config.update("jax_enable_x64", True)', 'jax.config.update("jax_enable_x64", False)'),
        ("config.update('jax_enable_x64',1)", "config.update('jax_enable_x64',False)"),
        ('config.update(name="jax_enable_x64", val=True)', 'config.update(name="jax_enable_x64", val=False)'),
        ("jax.config.jax_enable_x64 = True", "jax.config.jax_enable_x64 = False"),
        ("with jax.enable_x64(True):", "with jax.enable_x64(False):"),
        ("with jax.experimental.enable_x64():", "with jax.experimental.enable_x64(False):"),
        ('x = jnp.ones(3)\njax.config.update("jax_enable_x64", False)', ""),
        ("def enable_x64():\n    pass", ""),
        ("with jax.enable_x64(False):", ""),
    ],
)
def test_64_bits_are_turned_off_and_nothing_else_changes(on: str, off: str) -> None:
    assert without_x64(on) == (off or on)


def verdict(status: Status, *names: str, explained: bool = False, alternatives: tuple[str, ...] = ()) -> Verdict:
    named = tuple(Named(name, "Why.", "Hint?") for name in names)
    others = (alternatives,) if alternatives else ()
    return Verdict("toy", status, "It is so.", diagnosis=Diagnosis(named, others, explained=explained))


def test_an_answer_that_is_right_with_64_bits_off_is_explained() -> None:
    given = because_of_x64(verdict(Status.WRONG, "wrong-dtype"), verdict(Status.CORRECT))
    assert (given.status, given.diagnosis.names, given.diagnosis.explained) == (Status.WRONG, ("x64",), True)
    assert "With that off, it is right." in given.diagnosis.named[0].why


def test_the_mistakes_that_are_left_with_64_bits_off_are_named_too() -> None:
    off = verdict(Status.WRONG, "upside-down", explained=True, alternatives=("inside-out",))
    given = because_of_x64(verdict(Status.WRONG, "wrong-dtype"), off).diagnosis
    assert (given.names, given.alternatives, given.explained) == (
        ("x64", "upside-down"),
        (("x64", "inside-out"),),
        True,
    )


def test_the_place_is_that_of_the_run_with_64_bits_off() -> None:
    place = a_place(3)
    on = replace(verdict(Status.WRONG, "wrong-dtype"), where=(a_place(2),))
    assert because_of_x64(on, verdict(Status.CORRECT)).where == ()
    off = replace(verdict(Status.WRONG, "upside-down", explained=True), where=(place,))
    assert because_of_x64(on, off).where == (place,)


def test_a_mistake_that_is_left_without_a_name_leaves_the_answer_unexplained() -> None:
    given = because_of_x64(verdict(Status.WRONG, "wrong-dtype"), verdict(Status.WRONG)).diagnosis
    assert (given.names, given.explained) == (("x64",), False)


@pytest.mark.parametrize(
    ("on", "off"),
    [
        (verdict(Status.WRONG), verdict(Status.WRONG)),
        (verdict(Status.WRONG, "upside-down", explained=True), verdict(Status.WRONG, "upside-down", explained=True)),
        (verdict(Status.WRONG, "upside-down", explained=True), verdict(Status.WRONG)),
        (verdict(Status.WRONG), verdict(Status.ERROR)),
        (verdict(Status.ERROR), verdict(Status.TIMEOUT)),
    ],
)
def test_64_bits_are_not_named_where_nothing_shows_that_they_are_the_cause(on: Verdict, off: Verdict) -> None:
    assert because_of_x64(on, off) == on


def test_an_answer_that_raises_with_64_bits_alone_is_told_so() -> None:
    given = because_of_x64(verdict(Status.ERROR), verdict(Status.WRONG, "upside-down"))
    assert (given.status, given.message) == (Status.ERROR, "It is so. With `jax_enable_x64` off, it raises nothing.")
