"""`practice`: one mistake in the learner's own right answer; what is shown of it, and what is never touched."""

from __future__ import annotations

import datetime
import itertools
import json
import re
import shutil
from pathlib import Path

import pytest

from grader.commands.practice import Outcome, Step, Taken
from grader.kit.kit import Kit
from grader.practice import exercise, record
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command

PITFALLS = {"half-exponent", "stacked-layout", "swapped-pair"}


@pytest.fixture
def solved(own_kit: Command) -> Command:
    """A kit whose flagship is solved."""
    stub(own_kit).write_text(RIGHT)
    assert own_kit(FLAGSHIP).returncode == 0
    return own_kit


def stub(command: Command) -> Path:
    return command.kit / f"problems/{FLAGSHIP}/stub.py"


def broken(command: Command) -> Path:
    return command.kit / f"problems/{FLAGSHIP}/practice.py"


def kept(command: Command) -> record.Exercise:
    found = record.load(Kit(command.kit)).exercise
    assert found is not None
    return found


def mend(command: Command) -> None:
    broken(command).write_text(broken(command).read_text().replace(kept(command).after, kept(command).before))


def secrets_of(command: Command) -> list[str]:
    """What must not be shown before its hint: the name of the mistake, its sentences, and its line."""
    found = kept(command)
    named = found.verdict.diagnosis.named
    line = f"line {found.line}"
    return [line, *(text for one in named for text in (one.name, str(one.why)[:40], str(one.hint)[:40]))]


def words(text: str) -> str:
    return " ".join(text.split())


def test_an_exercise_is_begun_found_and_comes_back(solved: Command) -> None:
    begun = solved("practice")
    assert begun.returncode == 0
    assert f"problems/{FLAGSHIP}/practice.py holds your right answer, with one mistake in it." in words(begun.stdout)
    assert re.search(r"Right on \d of 8 cases", begun.stdout)
    assert ("expected" in begun.stdout, "yours" in begun.stdout) == (True, True)
    found = kept(solved)
    mend(solved)
    done = solved("practice")
    assert done.returncode == 0
    assert done.stdout.split()[:2] == [FLAGSHIP, "found"]
    assert words(found.before) in words(done.stdout)
    assert words(found.after) in words(done.stdout)
    failing = sum(not case.passed for case in found.verdict.cases)
    assert f"{failing} of 8 cases showed it. The problem comes back in 8 days." in words(done.stdout)
    listed = solved("practice", "--list").stdout
    assert re.search(rf"{FLAGSHIP} +in 8 days +1 +found at once", listed)
    nothing = solved("practice")
    assert nothing.returncode == 2
    assert f"There is nothing to practise now. The next is {FLAGSHIP}, in 8 days." in words(nothing.stderr)


def test_the_stub_and_progress_stay_as_they_are_to_the_byte(solved: Command) -> None:
    progress = solved.kit / ".grader/progress.json"
    before = stub(solved).read_bytes(), progress.read_bytes()
    solved("practice")
    broken(solved).write_text(HALF)
    for more in ((), ("--hint",), ("--again",), ("--list",)):
        solved("practice", *more)
    mend(solved)
    solved("practice")
    solved("practice", FLAGSHIP, "--worked")
    solved("practice", "--give-up")
    assert (stub(solved).read_bytes(), progress.read_bytes()) == before


def test_after_a_kill_between_two_writes_the_file_is_written_from_what_was_kept(
    solved: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = stub(solved).read_bytes(), (solved.kit / ".grader/progress.json").read_bytes()
    with monkeypatch.context() as killed:
        killed.setattr(exercise, "write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        solved("practice")
    assert not broken(solved).exists()
    assert (stub(solved).read_bytes(), (solved.kit / ".grader/progress.json").read_bytes()) == before
    again = solved("practice")
    assert "was missing: it is written again, with the mistake in it." in words(again.stdout)
    assert broken(solved).read_text() == kept(solved).text


@pytest.mark.parametrize(
    "command",
    [
        ("practice",),
        ("practice", "--again"),
        ("practice", "--hint"),
        ("practice", "--list"),
        ("check", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py"),
        ("check", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py", "--json"),
        ("report", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py"),
        ("picture", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py"),
        ("run", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py"),
        ("list",),
        (),
    ],
    ids=" ".join,
)
def test_no_name_and_no_line_is_shown_before_its_hint(solved: Command, command: tuple[str, ...]) -> None:
    solved("practice")
    done = solved(*command)
    assert done.stdout
    told = words(done.stdout + done.stderr)
    assert [secret for secret in secrets_of(solved) if words(secret) in told] == []
    assert "None of the mistakes" not in told


def test_a_trace_of_an_exercise_has_no_marks(solved: Command) -> None:
    solved("practice")
    traced = solved("trace", FLAGSHIP, "--answer", f"problems/{FLAGSHIP}/practice.py").stdout
    assert "angles" in traced
    assert "The first doubt" not in traced
    beside = solved.kit / "copy.py"
    beside.write_text(broken(solved).read_text())
    assert "The first doubt" in solved("trace", FLAGSHIP, "--answer", "copy.py").stdout


def test_hints_come_one_by_one_and_the_last_one_ends_the_exercise(solved: Command) -> None:
    solved("practice")
    found = kept(solved)
    first = solved("practice", "--hint").stdout
    assert first.count(" of 4.") == 1
    assert str(found.line) not in re.findall(r"line (\d+)", first)
    assert solved("practice", "--hint").stdout.count(" of 4.") == 2
    assert f"Look at line {found.line}." in solved("practice", "--hint").stdout
    last = solved("practice", "--hint").stdout
    assert last.split()[:3] == [FLAGSHIP, "given", "up"]
    assert words(found.before) in words(last)
    assert re.search(rf"{FLAGSHIP} +in 1 day +1 +given up", solved("practice", "--list").stdout)


def test_a_mistake_that_is_found_with_many_hints_is_found(solved: Command) -> None:
    solved("practice")
    hinted = [solved("practice", "--hint").stdout for _ in range(3)]
    assert "The next hint tells the change, and ends the exercise:" in words(hinted[-1])
    mend(solved)
    assert "comes back in 1 day" in words(solved("practice").stdout)
    assert re.search(rf"{FLAGSHIP} +in 1 day +1 +found with hints", solved("practice", "--list").stdout)
    solved("practice", FLAGSHIP)
    assert not list(broken(solved).parent.glob("practice.2*.py")), "a text that was mended is not kept"


def test_a_change_that_makes_no_difference_is_told_as_that(solved: Command) -> None:
    solved("practice")
    broken(solved).write_text(broken(solved).read_text() + "\n# a remark\n")
    done = solved("practice")
    assert done.returncode == 1
    assert "made no difference: the numbers are those from before." in words(done.stdout)
    broken(solved).write_text(RIGHT.replace("10000.0", "77.0"))
    assert "is not right yet." in words(solved("practice").stdout)


def test_what_a_learner_wrote_is_kept_when_the_text_is_written_again(solved: Command) -> None:
    solved("practice")
    broken(solved).write_text("mine")
    assert "is kept in" in words(solved("practice", "--again").stdout)
    assert broken(solved).read_text() == kept(solved).text
    (aside,) = broken(solved).parent.glob("practice.2*.py")
    assert aside.read_text() == "mine"
    broken(solved).write_text("mine too")
    solved("practice", "--give-up")
    solved("practice", FLAGSHIP)
    assert "mine too" in [path.read_text() for path in broken(solved).parent.glob("practice.2*.py")]


@pytest.mark.nightly
@pytest.mark.slow
def test_no_exercise_on_a_problem_has_the_numbers_of_one_before_nor_its_kind(solved: Command) -> None:
    for _ in range(4):
        solved("practice", FLAGSHIP)
        solved("practice", "--give-up")
    past = record.load(Kit(solved.kit)).past
    assert len({one.numbers for one in past}) == 4
    kinds = [one.name or one.sort for one in past]
    assert all(one != other for one, other in itertools.pairwise(kinds))


def test_a_mistake_that_the_learner_made_comes_first(own_kit: Command) -> None:
    for text in (RIGHT.replace("/ d_model", "/ (d_model - 1)"), RIGHT):
        stub(own_kit).write_text(text)
        own_kit(FLAGSHIP)
    own_kit("practice")
    assert kept(own_kit).name == "d-minus-one"


@pytest.mark.parametrize("text", [HALF, "", None])
def test_without_a_right_answer_the_line_says_what_to_do(own_kit: Command, text: str | None) -> None:
    if text is not None:
        stub(own_kit).write_text(text)
    done = own_kit("practice", FLAGSHIP)
    assert (done.returncode, broken(own_kit).exists()) == (2, False)
    assert f"There is no right answer of yours to {FLAGSHIP}: solve it first" in words(done.stderr)
    assert "No problem is solved here yet" in words(own_kit("practice").stderr)
    worked = own_kit("practice", FLAGSHIP, "--worked")
    assert worked.returncode == 0
    assert "holds the worked answer, with one mistake in it." in words(worked.stdout)


def test_a_stub_that_changes_meanwhile_is_told_and_the_exercise_goes_on(solved: Command) -> None:
    solved("practice")
    stub(solved).write_text(HALF)
    assert "Your stub has changed since then" in words(solved("practice").stdout)
    mend(solved)
    assert "found" in solved("practice").stdout


def test_an_exercise_that_a_new_kit_finds_right_is_dropped(solved: Command) -> None:
    solved("practice")

    def other(into: record.Record) -> None:
        found = into.exercises[FLAGSHIP]
        into.exercises[FLAGSHIP] = record.Exercise(**{**vars(found), "print": "older", "text": RIGHT})

    record.update(Kit(solved.kit), other)
    done = solved("practice")
    assert (done.returncode, "The exercise is dropped." in words(done.stderr)) == (2, True)
    assert record.load(Kit(solved.kit)).exercise is None


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, grader: Command) -> Path:
    """A kit that is handed out without solutions: it takes long to make."""
    folder = tmp_path_factory.mktemp("released") / "kit"
    assert grader("release", str(folder)).returncode == 0
    return folder


@pytest.fixture
def handed(released: Path, tmp_path: Path) -> Command:
    """A kit that was handed out without solutions, in which nothing is filled in."""
    made = Command(Path(shutil.copytree(released, tmp_path / "handed")))
    made("list")
    return made


@pytest.mark.nightly
@pytest.mark.slow
def test_a_kit_without_solutions_has_exercises_too(handed: Command, tmp_path: Path) -> None:
    assert not list(handed.kit.rglob("practice*"))
    stub(handed).write_text(RIGHT)
    assert handed(FLAGSHIP).returncode == 0
    assert handed("practice").returncode == 0
    assert kept(handed).name == "", "no mistake is known there"
    broken(handed).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{RIGHT}")
    assert handed("practice").returncode == 0, "it was begun here"
    assert (tmp_path / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize("older", [False, True])
def test_an_exercise_that_came_with_a_kit_does_not_run(
    handed: Command, solved: Command, tmp_path: Path, older: bool
) -> None:
    solved("practice")
    text = f"open({str(tmp_path / 'ran')!r}, 'w')\n{RIGHT}"
    data = json.loads((solved.kit / ".grader/practice.json").read_text())
    if older:
        data["exercises"][FLAGSHIP].update(text=text, print="older")
    (handed.kit / ".grader/practice.json").write_text(json.dumps(data))
    broken(handed).write_text(text)
    done = handed("practice")
    assert (done.returncode, (tmp_path / "ran").exists()) == (2, False)
    assert "came with this kit, and nobody here has begun an exercise on it" in words(done.stderr)


def test_a_link_in_the_place_of_the_file_is_refused(solved: Command, tmp_path: Path) -> None:
    solved("practice")
    broken(solved).unlink()
    (tmp_path / "elsewhere.py").write_text(RIGHT)
    broken(solved).symlink_to(tmp_path / "elsewhere.py")
    done = solved("practice")
    assert (done.returncode, "is a link" in words(done.stderr)) == (2, True)


@pytest.mark.parametrize(("level", "shown"), [("diagnosis", ("expected",)), ("verdict", ("expected", "Right on"))])
def test_a_level_that_an_instructor_set_is_not_widened(solved: Command, level: str, shown: tuple[str, ...]) -> None:
    told = words(solved("practice", "--feedback", level).stdout)
    assert [text for text in (*shown, *secrets_of(solved)) if text in told] == []
    hint = words(solved("practice", "--feedback", level, "--hint").stdout)
    assert (level == "verdict") == ("Hint 1 of 4. Which cases fail is not shown here." in hint)
    mend(solved)
    ended = words(solved("practice", "--feedback", level).stdout)
    assert (level == "diagnosis") == any(name in ended for name in kept_names(solved))
    assert (level == "diagnosis") == ("cases showed it" in ended)


def kept_names(command: Command) -> tuple[str, ...]:
    return record.load(Kit(command.kit)).past[-1].mistakes or ("?",)


def test_what_is_due_is_remarked_in_the_list_and_in_one_line(solved: Command) -> None:
    solved("practice")
    solved("practice", "--give-up")

    def yesterday(into: record.Record) -> None:
        before = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
        into.schedules[FLAGSHIP] = record.Schedule(before.isoformat(), 1.0, 5.0, before.isoformat())

    assert "practise: due" not in solved("list").stdout
    record.update(Kit(solved.kit), yesterday)
    assert re.search(rf"{FLAGSHIP} .*correct +practise: due", solved("list").stdout)
    assert "1 problem is due for practice: python -m grader practice" in words(solved().stdout)


def test_a_session_on_a_track_goes_on_and_says_what_came_back(solved: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("problems", "solutions"):
        shutil.copytree(ROOT / folder / "embed_tokens", solved.kit / folder / "embed_tokens")
    progress = Kit(solved.kit).state / "progress.json"
    kept_there = json.loads(progress.read_text())
    kept_there["solved"]["embed_tokens"] = kept_there["solved"][FLAGSHIP]
    progress.write_text(json.dumps(kept_there))
    begun = solved("practice", "--track", "2")
    assert begun.returncode == 0
    mend(solved)
    ended = words(solved("practice").stdout)
    assert "The session on 2 Position encoding is over." in ended
    assert f"found at once: {FLAGSHIP}" in ended
    assert "embed_tokens is left out: There is no right answer of yours to embed_tokens" in ended, (
        "it was solved, and is wrong now"
    )
    assert solved("practice", "--track", "9").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--hint", "--again"), "--hint --again: give one of them"),
        ((FLAGSHIP, "--list"), "--list and --track take no NAME"),
        (("--hint",), "No exercise is under way. To begin one: python -m grader practice"),
        (("nothing",), "There is no problem"),
    ],
)
def test_a_command_that_cannot_be_has_one_line(own_kit: Command, arguments: tuple[str, ...], line: str) -> None:
    done = own_kit("practice", *arguments)
    assert (done.returncode, line in words(done.stderr)) == (2, True)


def test_an_exercise_speaks_spanish(solved: Command) -> None:
    told = solved("practice", "--lang", "es").stdout
    assert "error" in told
    assert "mistake" not in told


def test_an_exercise_that_was_mended_before_its_turn_in_a_session_is_not_under_way(solved: Command) -> None:
    solved("practice")
    ended, begun = (Step(outcome, kept(solved)) for outcome in (Outcome.FOUND, Outcome.BEGUN))
    assert (Taken(ended, begun).under_way, Taken(ended, ended).under_way) == (FLAGSHIP, "")
