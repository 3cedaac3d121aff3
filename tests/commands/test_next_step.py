"""The line on what to do now: the step that helps, as a command that runs."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

import pytest

from grader import cli
from grader.commands.learner import ListedProblem, catalogue
from grader.commands.next_step import next_step
from grader.kit.kit import Kit
from grader.kit.progress import KeptVerdict, Progress, Ran
from grader.marking.verdict import Diagnosis, Frame, Named, Raised, Status, Verdict
from grader.notebooks.grading import following_step
from grader.options import Options
from grader.values.message import NO_MESSAGE
from tests.conftest import ROOT, Command


@pytest.fixture(autouse=True)
def in_the_folder_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("verdict", "step"),
    [
        (Verdict("toy", Status.WRONG, NO_MESSAGE), "python -m grader hint toy"),
        (
            Verdict(
                "toy", Status.WRONG, NO_MESSAGE, diagnosis=Diagnosis((Named("wrong-dtype", NO_MESSAGE, NO_MESSAGE),))
            ),
            "change problems/toy/stub.py, then python -m grader toy",
        ),
        (Verdict("toy", Status.ERROR, NO_MESSAGE, unread="missing"), "python -m grader reset toy"),
        (
            Verdict(
                "toy",
                Status.ERROR,
                NO_MESSAGE,
                raised=Raised("ValueError", NO_MESSAGE, (Frame(3, "f", "x"), Frame(7, "g", "y"))),
            ),
            "fix line 7 of problems/toy/stub.py, then python -m grader toy",
        ),
        (
            Verdict("toy", Status.ERROR, NO_MESSAGE, unread="unreadable"),
            "change problems/toy/stub.py, then python -m grader toy",
        ),
        (Verdict("toy", Status.TIMEOUT, NO_MESSAGE), "change problems/toy/stub.py, then python -m grader toy"),
    ],
)
def test_the_next_step_after_a_failure_is_the_one_that_helps(verdict: Verdict, step: str, tmp_path: Path) -> None:
    kit = Kit(tmp_path)
    if verdict.unread != "missing":
        kit.stub("toy").parent.mkdir(parents=True)
        kit.stub("toy").touch()
    assert next_step(Options(kit), [], Progress(tmp_path), "toy", verdict) == f"Next: {step}"


def test_a_folder_in_the_place_of_a_stub_is_replaced_by_reset(tmp_path: Path) -> None:
    kit = Kit(tmp_path)
    kit.stub("toy").mkdir(parents=True)
    verdict = Verdict("toy", Status.ERROR, NO_MESSAGE, unread="unreadable")
    assert next_step(Options(kit), [], Progress(tmp_path), "toy", verdict) == "Next: python -m grader reset toy"


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("", ""),
        ("--cpu-limit 5 --memory-limit 512MB", "--cpu-limit=5 --memory-limit=512M"),
        ("--timeout 2m", "--timeout=120"),
        ("--device gpu --cpu-limit 2.5 --memory-limit 1000", "--device=gpu --cpu-limit=2.5 --memory-limit=1000"),
        ("--confine --feedback verdict", "--confine"),
        ("--seed 0", "--seed=0"),
    ],
)
def test_the_command_that_grades_again_has_the_options_that_change_a_verdict(
    given: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = tmp_path / "problems" / "toy" / "stub.py"
    stub.parent.mkdir(parents=True)
    stub.touch()
    monkeypatch.setenv("GRADER_KIT", str(tmp_path))
    monkeypatch.setattr("grader.commands.check.check", lambda options, *_: parsed.append(options) or 0)
    parsed: list[Options] = []

    def step_after(words: list[str]) -> str:
        assert cli.run(words) == 0
        return next_step(parsed[-1], [], Progress(tmp_path), "toy", Verdict("toy", Status.TIMEOUT, NO_MESSAGE))

    step = step_after(["toy", *given.split()])
    assert step == f"Next: change problems/toy/stub.py, then python -m grader toy {printed}".rstrip()
    assert step_after(["toy", *printed.split()]) == step
    progress = Progress(
        tmp_path, {"toy": KeptVerdict("", Ran("", None, 60.0, 1, 300.0), Verdict("toy", Status.WRONG, NO_MESSAGE))}
    )
    step = next_step(parsed[-1], [ListedProblem("toy", "", "", "")], progress)
    assert step == f"Next: python -m grader toy {printed}".rstrip()


def test_after_a_solved_problem_comes_the_next_unsolved_one_and_after_the_last_one_the_first(tmp_path: Path) -> None:
    listed = [ListedProblem(name, "", "", "") for name in "abcd"]
    progress = Progress(tmp_path, solved={"b": "2026-01-01", "c": "2026-01-02"})
    for name in "abcd":
        Kit(tmp_path).stub(name).parent.mkdir(parents=True)
        Kit(tmp_path).stub(name).write_text(f"def {name}(seed):\n    raise NotImplementedError\n")

    def after(name: str) -> str:
        return next_step(Options(Kit(tmp_path)), listed, progress, name, Verdict(name, Status.CORRECT, NO_MESSAGE))

    assert after("b").startswith("Next: python -m grader show d,")
    assert after("d").startswith("Next: python -m grader show a,")


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_named_next_before_what_it_builds_on(seed: int, tmp_path: Path) -> None:
    listed, chance = catalogue(Kit(ROOT)), random.Random(seed)
    solved = chance.sample([one.name for one in listed], chance.randrange(1, len(listed)))
    progress = Progress(tmp_path, solved=dict.fromkeys(solved, "2026-01-01"))
    verdict = Verdict(solved[-1], Status.CORRECT, NO_MESSAGE)
    options = Options(Kit(ROOT))
    lines = (
        next_step(options, listed, progress),
        next_step(options, listed, progress, verdict.problem, verdict),
        following_step(Kit(ROOT), verdict, listed, progress),
    )
    for line in lines:
        about, _, _ = line.partition("To compare yours")
        (named,) = (one for one in listed if re.search(rf"\b{one.name}\b", about))
        assert named.name not in solved
        assert set(named.after) <= set(solved), line


def test_the_next_step_names_a_stub_that_can_be_opened_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "course").mkdir()
    monkeypatch.chdir(tmp_path)
    step = next_step(
        Options(Kit(tmp_path / "course", Path("course"))),
        [],
        Progress(tmp_path),
        "toy",
        Verdict("toy", Status.UNATTEMPTED, NO_MESSAGE),
    )
    assert step == "Next: python -m grader --kit course show toy, then fill in course/problems/toy/stub.py"


def test_after_a_reset_the_next_step_is_to_read_the_statement(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    progress = Progress(own_kit.kit)
    progress.verdicts["sinusoidal_pos"] = KeptVerdict(
        "", Ran("", None, 60.0, 1, 300.0), Verdict("sinusoidal_pos", Status.WRONG, NO_MESSAGE)
    )
    listed = [ListedProblem("sinusoidal_pos", "", "", "")]
    assert next_step(Options(kit), listed, progress).startswith("Next: python -m grader show sinusoidal_pos")
    kit.stub("sinusoidal_pos").write_text("def sinusoidal_pos(seed, T, d_model):\n    return 1\n")
    assert next_step(Options(kit), listed, progress) == "Next: python -m grader sinusoidal_pos"


@pytest.mark.slow
def test_the_next_step_names_the_kit_that_was_given_and_runs_as_printed(own_kit: Command, tmp_path: Path) -> None:
    own_kit.kit.rename(tmp_path / "my kit")
    elsewhere = Command(tmp_path)
    page = elsewhere("--kit", "my kit", "sinusoidal_pos").stdout
    printed = page.partition("Next: ")[2].partition(", then")[0]
    assert printed == "python -m grader --kit 'my kit' show sinusoidal_pos"
    _, _, _, *words = shlex.split(printed)
    assert elsewhere(*words).stdout.rstrip().endswith("python -m grader --kit 'my kit' sinusoidal_pos")
