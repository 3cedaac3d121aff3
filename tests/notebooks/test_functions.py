"""`grader.check` and its like as code calls them: options, kits, and one line for what goes wrong."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import grader
from grader.kit import progress
from grader.kit.kit import Kit
from grader.locale.language import ENGLISH, use_language
from grader.marking.verdict import Status, Verdict
from grader.notebooks import judge_client
from grader.notebooks.messages import JudgeReply, JudgeRequest
from grader.values.message import verbatim
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment, copy_kit


def sinusoidal_pos(seed: int, T: int, d_model: int) -> object:
    return None


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[JudgeRequest]:
    """What is asked of the process that judges, which is not started here."""
    asked: list[JudgeRequest] = []

    def ask(one: JudgeRequest) -> JudgeReply:
        asked.append(one)
        return JudgeReply(
            Verdict(one.name, Status.CORRECT, verbatim("Right.")), "Next: go on", "", "cpu", notes=("a note",)
        )

    monkeypatch.setattr(judge_client, "ask", ask)
    return asked


@pytest.fixture
def spanish(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GRADER_LANG", "es")
    yield
    use_language(ENGLISH)


def test_a_notebook_speaks_the_language_of_its_user_and_asks_for_a_verdict_in_it(
    spanish: None, asked: list[JudgeRequest], shared_kit: Path
) -> None:
    grader.check(FLAGSHIP, kit=shared_kit)
    assert asked[0].language == "es"
    assert "Por qué importa" in str(grader.show(FLAGSHIP, kit=shared_kit))
    assert "sin empezar" in str(grader.problems(kit=shared_kit))
    with pytest.raises(grader.KitError, match="No existe el problema"):
        grader.show("no_such", kit=shared_kit)


def test_a_language_that_the_kit_does_not_have_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_LANG", "xx")
    with pytest.raises(grader.KitError, match="GRADER_LANG: there is no language 'xx': choose one of en, es"):
        grader.problems()


def test_the_text_of_the_function_and_the_options_are_asked_for(
    asked: list[JudgeRequest], shared_kit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = grader.check(FLAGSHIP, kit=shared_kit, confine="best", seed=3, cpu_limit="2m", feedback="diagnosis")
    assert (report.correct, report.below) == (True, ("Next: go on",))
    (one,) = asked
    assert (one.kit, one.name, one.shown) == (str(shared_kit), FLAGSHIP, __file__)
    assert one.text == "def sinusoidal_pos(seed: int, T: int, d_model: int) -> object:\n    return None\n"
    assert (one.confine, one.fresh, one.seconds, one.feedback) == ("best", 3, 120.0, "diagnosis")
    assert capsys.readouterr().err == "a note\n"


def test_a_function_stands_for_its_name(asked: list[JudgeRequest], shared_kit: Path) -> None:
    grader.check(sinusoidal_pos, kit=shared_kit)
    assert asked[0].name == FLAGSHIP


def test_without_a_name_the_current_problem_is_checked(asked: list[JudgeRequest], own_kit: Command) -> None:
    grader.check(kit=own_kit.kit)
    assert asked[0].name == FLAGSHIP


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("sinusoidal_po",), {}, "There is no problem 'sinusoidal_po'. Did you mean sinusoidal_pos?"),
        (("zzz",), {}, "There is no problem 'zzz'. `grader.problems()` shows them all."),
        ((3,), {}, "3 is no problem: give its name, or the function of that name."),
        ((FLAGSHIP,), {"confine": "D"}, "confine is 'D': choose one of best, A, B, C."),
        ((FLAGSHIP,), {"feedback": "all"}, "feedback is 'all': choose one of full, numbers, diagnosis, verdict."),
        ((FLAGSHIP,), {"seed": -1}, "seed is -1: give a whole number below 2**31."),
        ((FLAGSHIP,), {"cpu_limit": "soon"}, "cpu_limit: 'soon' is not a time: give seconds, as in 20 or 2.5"),
        ((FLAGSHIP,), {"kit": "nowhere"}, "kit is 'nowhere', and there is no folder problems/ in it."),
    ],
)
def test_what_does_not_fit_is_one_line(
    arguments: tuple[Any, ...], options: dict[str, Any], said: str, asked: list[JudgeRequest], shared_kit: Path
) -> None:
    with pytest.raises(grader.KitError) as raised:
        grader.check(*arguments, **{"kit": shared_kit, **options})
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)
    assert asked == []
    # A notebook shows that line alone; elsewhere one frame of the grader is left.
    assert raised.value._render_traceback_() == [f"KitError: {raised.value}"]
    assert raised.value.__cause__ is None
    assert len(traceback.extract_tb(raised.tb)) == 2


def test_a_fault_is_one_line(shared_kit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_client, "ask", lambda one: JudgeReply(fault="A fault of the kit."))
    with pytest.raises(grader.KitError, match=r"^A fault of the kit\.$"):
        grader.check(FLAGSHIP, kit=shared_kit)


def test_without_a_kit_one_line_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRADER_KIT", raising=False)
    with pytest.raises(grader.KitError, match=r'^No kit here: .* Make one: grader\.init\("kit"\)\.'):
        grader.problems()


def test_init_finds_a_kit_or_makes_one_for_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_KIT", "")
    monkeypatch.setattr("grader.kit.kit.CHECKOUT", copy_kit(tmp_path / "shipped", FLAGSHIP))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    assert grader.init("kit") == f"Made a kit of 1 problem: {tmp_path / 'work' / 'kit'}"
    monkeypatch.chdir(tmp_path)
    assert [row.name for row in grader.problems().rows] == [FLAGSHIP]
    assert grader.init("other") == f"Found a kit of 1 problem: {tmp_path / 'work' / 'kit'}"
    assert not (tmp_path / "other").exists()


def test_lessons_and_hints_show_themselves_and_solved_problems_are_so_in_the_table(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    assert grader.show(kit=own_kit.kit).markdown.startswith("# ")
    assert grader.hint(FLAGSHIP, kit=own_kit.kit).markdown.startswith("**Hint 1 of ")
    assert [row.status for row in grader.problems(kit=own_kit.kit).rows] == ["unattempted"]
    progress.update(kit, lambda into: into.solved.update({FLAGSHIP: "2026-01-01"}))
    assert [row.status for row in grader.problems(kit=own_kit.kit).rows] == ["solved"]
    with pytest.raises(grader.KitError, match=r"^All problems are solved"):
        grader.hint(kit=own_kit.kit)


def test_to_import_the_grader_imports_nothing_else_of_it() -> None:
    script = "import sys, grader; print([n for n in sys.modules if n.startswith(('grader.', 'jax', 'numpy', 'rich'))])"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
