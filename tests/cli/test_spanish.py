"""Every line that the commands of a learner print in Spanish is Spanish, in a kit of one lesson."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests import answers
from tests.conftest import FLAGSHIP, Command
from tests.language import english_in

WRONG = answers.read(FLAGSHIP, "wrong")[0].text
RIGHT = WRONG.replace("10000 ** (-i / d_model)", "10000 ** (-2 * i / d_model)")
PRINTS = """
import jax.numpy as jnp
def sinusoidal_pos(seed, T, d_model):
    print(T)
    return jnp.zeros(T * d_model)
"""
RAISES = """
import jax.numpy as jnp
def sinusoidal_pos(seed, T, d_model):
    return jnp.zeros((T, d_model)) + jnp.zeros((T + 1, d_model))
"""
ENDLESS = """
def sinusoidal_pos(seed, T, d_model):
    while True:
        pass
"""
COMMANDS = [
    ("list",),
    ("list", "--track", "no"),
    ("hint", FLAGSHIP, "--all"),
    ("solution", FLAGSHIP),
    ("reset", FLAGSHIP),
    (FLAGSHIP,),
    (),
    ("no_such",),
    ("--no-such",),
    ("check",),
    ("check", "--answer", "nowhere.py"),
    ("trace", FLAGSHIP),
    ("run", FLAGSHIP, "T=2"),
    ("run", FLAGSHIP, "T=2", "d_model=4"),
    ("guide",),
    ("guide", "no"),
    ("doctor",),
    ("--help",),
    *((name, "--help") for name in ("init", "list", "show", "check", "watch", "serve", "hint", "solution", "reset")),
    *((name, "--help") for name in ("run", "trace", "picture", "guide", "doctor", "lsp", "mcp")),
]
NOT_TRANSLATED = ("new ", "audit ", "release ", "site ", "notebook ", "class ")
"""What begins a line of `--help` on a command for authors and instructors: these are told in English."""
GUIDES = ("authoring", "architecture", "cluster", "json", "security", "speed")
"""The guides that are English in every language, by the beginnings of their lines, and `translate`."""


def english_lines(text: str) -> list[str]:
    """The lines with English words, but for those on what is told in English."""
    lines = [line for line in text.splitlines() if not line.strip().startswith((*NOT_TRANSLATED, *GUIDES, "translate"))]
    return [line for line in lines if english_in(line)]


RUN_SOMETHING = ("trace", "run", "doctor", FLAGSHIP)
"""What runs something takes a second or more."""


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            one,
            id=" ".join(one),
            marks=pytest.mark.slow if one[:1] and one[0] in RUN_SOMETHING and "--help" not in one else (),
        )
        for one in COMMANDS
    ],
)
def test_what_a_command_prints_is_spanish(own_kit: Command, words: tuple[str, ...]) -> None:
    if words == ("doctor",):  # the reasons of the system come from a process that the tests share
        own_kit = replace(own_kit, process=True)
    done = own_kit(*words, GRADER_LANG="es")
    assert english_lines(done.stdout + done.stderr) == []
    assert done.returncode == own_kit(*words, GRADER_LANG="en").returncode


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [WRONG, RIGHT, PRINTS, RAISES, ENDLESS], ids=["wrong", "right", "prints", "raises", "endless"]
)
def test_what_is_said_of_an_answer_is_spanish(own_kit: Command, text: str, tmp_path: Path) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(text)
    done = own_kit(FLAGSHIP, "--lang", "es", "--cpu-limit", "2")
    python_says = ("incompatible", "TypeError", "add got")  # the message of an exception is that of JAX
    lines = [line for line in english_lines(done.stdout + done.stderr) if not any(one in line for one in python_says)]
    assert lines == []


@pytest.mark.parametrize(
    "words", [("class", "--help"), ("class", "grade", "--help"), ("audit", "--help"), ("audit", "no")]
)
def test_authors_and_instructors_are_told_in_english(own_kit: Command, words: tuple[str, ...]) -> None:
    spanish, english = own_kit(*words, GRADER_LANG="es"), own_kit(*words, GRADER_LANG="en")
    assert (spanish.stdout, spanish.stderr) == (english.stdout, english.stderr)


def test_a_lesson_is_shown_in_spanish_and_one_without_a_translation_says_so(own_kit: Command) -> None:
    shown = own_kit("show", FLAGSHIP, GRADER_LANG="es").stdout
    assert "Por qué importa" in shown
    assert "Why it matters" not in shown
    (own_kit.kit / "problems" / FLAGSHIP / "README.es.md").unlink()
    shown = own_kit("show", FLAGSHIP, GRADER_LANG="es").stdout
    assert "Esta lección todavía no está traducida" in shown
    assert "Why it matters" in shown


@pytest.mark.slow
def test_the_document_of_a_verdict_says_its_language(own_kit: Command) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(WRONG)
    english, spanish = (own_kit.json("check", FLAGSHIP, "--lang", one) for one in ("en", "es"))
    assert (english["language"], spanish["language"]) == ("en", "es")
    (one,), (other,) = english["verdicts"], spanish["verdicts"]
    assert [each["name"] for each in one["mistakes"]] == [each["name"] for each in other["mistakes"]]
    assert one["mistakes"][0]["why"] != other["mistakes"][0]["why"]
    assert (one["status"], one["cases"]) == (other["status"], other["cases"])


def test_a_verdict_that_was_reached_in_english_is_told_in_spanish_without_a_run(own_kit: Command) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(WRONG)
    english = own_kit.json("check", "--lang", "en")
    kept = (own_kit.kit / ".grader" / "progress.json").read_bytes()
    spanish = own_kit.json("check", "--lang", "es")
    assert (own_kit.kit / ".grader" / "progress.json").read_bytes() == kept, "a run would have kept its seconds"
    (one,), (other,) = ([each for each in told["verdicts"] if each["cases"]] for told in (english, spanish))
    assert (one["seconds"], one["cases"], one["pitfalls"]) == (other["seconds"], other["cases"], other["pitfalls"])
    told = (other["message"], other["mistakes"][0]["why"], other["mistakes"][0]["hint"], other["excerpt"]["place"])
    assert one["message"].startswith("Right on")
    assert [text for text in told if english_in(text)] == []
    assert "incorrecta" in own_kit("list", GRADER_LANG="es").stdout
    assert english_lines(own_kit(GRADER_LANG="es").stdout) == []
