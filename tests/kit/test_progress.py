"""Progress: saved, loaded again, and it never stops the grader."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from grader.kit import progress
from grader.kit.kit import Kit
from grader.kit.state import take_warnings
from grader.marking.verdict import (
    CaseResult,
    Diagnosis,
    Excerpt,
    Frame,
    Insight,
    Named,
    Printed,
    Raised,
    Run,
    Status,
    Verdict,
)
from grader.values.message import verbatim
from tests.marking.places import changed, place

PLACE = place(1, 0, 1, 5, "x = 1")
RAN = progress.Ran("", None, 60.0, 1 << 30, 300.0)
WHOLE = Verdict(
    "toy",
    Status.WRONG,
    verbatim("Right on 0 of 1 cases."),
    file="toy.py",
    diagnosis=Diagnosis((Named("slow", verbatim("why"), verbatim("hint")),), (("fast",),), explained=True),
    cases=(
        CaseResult({"seed": 0, "rate": 0.5}, False, float("inf"), 1e-6),
        CaseResult({"seed": 1}, True, None, None),
    ),
    insights=(Insight("long", verbatim("It is long.")),),
    raised=Raised("ValueError", verbatim("no"), (Frame(1, "toy", "raise"),), verbatim("advice")),
    excerpt=Excerpt(verbatim("row 0"), (verbatim("column 0"),), (0.5,), (float("-inf"),), (True,)),
    run=Run(output=Printed("", "printed", 3), seconds=9.0, processor=2.0, device="cpu", confinement="none"),
)


def graded(verdict: Verdict = WHOLE, ran: progress.Ran = RAN) -> progress.KeptVerdict:
    return progress.KeptVerdict("1", ran, verdict)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    def change(kept: progress.Progress) -> None:
        kept.verdicts["toy"] = graded()
        kept.solved["toy"] = "2026-01-01"
        kept.hints["toy"] = 2
        kept.graded("toy")

    kept = progress.update(Kit(tmp_path), change)
    again = progress.load(Kit(tmp_path))
    assert again == kept
    assert (again.last, abs(again.graded_at - time.time()) < 10) == ("toy", True)
    assert again.current("toy", "1") == WHOLE
    assert again.current("toy", "2") is None


@pytest.mark.parametrize("version", [min(progress.EARLIER) - 1, progress.FORMAT + 1])
def test_the_file_of_another_version_is_set_aside_with_all_it_holds_and_a_line_says_so(
    version: int, tmp_path: Path
) -> None:
    Kit(tmp_path).state.mkdir()
    file = Kit(tmp_path).state / "progress.json"
    other = json.dumps({"format": version, "verdicts": {}, "solved": {"toy": "2026-01-01"}, "hints": {"toy": 2}})
    file.write_text(other)
    assert progress.load(Kit(tmp_path)).solved == {}
    assert file.with_name("progress.json.damaged").read_text() == other
    (line,) = take_warnings()
    assert f"of format {version}, and this is {progress.FORMAT}" in line
    assert "it is now progress.json.damaged" in line


def test_the_file_of_the_format_before_this_one_is_read(tmp_path: Path) -> None:
    kept = progress.Progress(
        Kit(tmp_path).state / "progress.json", {"toy": graded()}, {"toy": "2026-01-01"}, {"toy": 2}
    )
    kept.save()
    whole = json.loads(kept.path.read_text())
    del whole["last"], whole["graded_at"], whole["made"]
    kept.path.write_text(json.dumps({**whole, "format": min(progress.EARLIER)}))
    assert progress.load(Kit(tmp_path)) == kept
    assert take_warnings() == []


def test_values_for_pictures_are_in_no_file(tmp_path: Path) -> None:
    """A kit of others may bring the file."""
    kept = progress.Progress(Kit(tmp_path).state / "progress.json", {"toy": graded()})
    kept.save()
    data = json.loads(kept.path.read_text())
    data["verdicts"]["toy"]["verdict"]["drawable"] = {"pictures": [], "cases": [{}]}
    kept.path.write_text(json.dumps(data))
    assert progress.load(Kit(tmp_path)).verdicts == {}
    assert "toy.verdict.drawable" in take_warnings()[0]


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"confine": "best"}, False),
        ({"fresh": 7}, False),
        ({"seconds": 90.0, "memory": 2 << 30}, True),
        ({"seconds": 5.0}, True),
        ({"seconds": 1.0}, False),
        ({"clock": 10.0}, True),
        ({"clock": 5.0}, False),
        ({"memory": 1 << 29}, False),
    ],
)
def test_a_verdict_holds_for_a_run_that_would_give_the_same(changes: dict[str, Any], holds: bool) -> None:
    assert graded().holds("1", replace(RAN, **changes)) is holds
    assert not graded().holds("2", RAN)


def test_after_a_timeout_a_longer_limit_grades_again() -> None:
    timeout = graded(replace(WHOLE, status=Status.TIMEOUT))
    assert timeout.holds("1", RAN)
    assert not timeout.holds("1", replace(RAN, seconds=90.0))
    assert not timeout.holds("1", replace(RAN, clock=900.0))
    memory = graded(replace(WHOLE, status=Status.MEMORY))
    assert memory.holds("1", RAN)
    assert not memory.holds("1", replace(RAN, memory=2 << 30))


def test_the_next_problem_is_the_first_that_is_open_else_the_first_that_failed(tmp_path: Path) -> None:
    kept = progress.Progress(tmp_path)
    order = {"a": (), "b": (), "c": ()}
    assert kept.next_problem(order) == "a"
    kept.solved["a"] = kept.solved["b"] = "2026-01-01"
    kept.verdicts["b"] = graded()
    assert kept.next_problem(order) == "c"
    kept.solved["c"] = "2026-01-02"
    assert kept.next_problem(order) == "b", "it was solved, and is broken now"
    kept.verdicts["b"] = graded(replace(WHOLE, status=Status.CORRECT))
    assert kept.next_problem(order) is None


def test_the_next_problem_is_sought_after_the_one_that_was_solved_last_and_then_from_the_first_on(
    tmp_path: Path,
) -> None:
    kept = progress.Progress(tmp_path, solved={"d": "2026-01-02", "b": "2026-01-02"})
    order: dict[str, tuple[str, ...]] = dict.fromkeys("abcde", ())
    assert kept.next_problem(order) == "c"
    assert kept.next_problem(order, after="d") == "e"
    assert kept.next_problem(order, after="e") == "a"


def test_a_problem_is_open_only_if_all_that_it_builds_on_is_solved(tmp_path: Path) -> None:
    order = {"a": (), "b": ("a",), "c": (), "d": ("b", "c", "of no kit")}
    assert progress.Progress(tmp_path, solved={"c": "2026-01-01"}).next_problem(order) == "a"
    assert progress.Progress(tmp_path, solved=dict.fromkeys("ac", "2026-01-01")).next_problem(order) == "b"
    assert progress.Progress(tmp_path, solved=dict.fromkeys("abc", "2026-01-01")).next_problem(order) == "d"


def test_a_damaged_file_is_set_aside_and_not_lost(tmp_path: Path) -> None:
    state = Kit(tmp_path).state
    state.mkdir()
    (state / "progress.json").write_text("{half")
    assert progress.load(Kit(tmp_path)).solved == {}
    assert (state / "progress.json.damaged").read_text() == "{half"
    (line,) = take_warnings()
    assert "progress.json is damaged (not JSON): it is now progress.json.damaged" in line


EXCERPT = Excerpt(verbatim("position 1"), (verbatim("dim 0"), verbatim("dim 1")), (1.0, 2.0), (1.0, 3.0), (False, True))


@pytest.mark.parametrize(
    "change",
    [{"withheld": "zz"}, {"excerpt": replace(EXCERPT, yours=(1.0,))}, {"where": (changed(PLACE, end_line=10**9),)}],
    ids=["withheld", "excerpt", "where"],
)
def test_a_verdict_whose_parts_do_not_fit_is_no_verdict(change: dict[str, Any], tmp_path: Path) -> None:
    """A kit of others may bring the file, and a report would take a place of a billion lines for one."""
    whole = Verdict("toy", Status.WRONG, verbatim("Wrong."), excerpt=EXCERPT, where=(PLACE,))
    for verdict, known in ((whole, ["toy"]), (replace(whole, **change), [])):
        kept = progress.Progress(Kit(tmp_path).state / "progress.json", {"toy": graded(verdict)})
        kept.save()
        assert [*progress.load(Kit(tmp_path)).verdicts] == known
    assert "do not fit together" in take_warnings()[0]


def solve(root: Path, worker: int) -> None:
    for number in range(20):
        name = f"toy_{worker}_{number}"

        def change(kept: progress.Progress, name: str = name) -> None:
            kept.verdicts[name] = graded(Verdict(name, Status.CORRECT, verbatim("Right.")))
            kept.solved[name] = "2026-01-01"
            kept.hints["all"] = kept.hints.get("all", 0) + 1

        progress.update(Kit(root), change)


@pytest.mark.slow
def test_several_graders_at_once_lose_none_of_their_changes(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    graders = [context.Process(target=solve, args=(tmp_path, worker)) for worker in range(4)]
    for one in graders:
        one.start()
    for one in graders:
        one.join()
    kept = progress.load(Kit(tmp_path))
    names = {f"toy_{worker}_{number}" for worker in range(4) for number in range(20)}
    assert kept.solved.keys() == kept.verdicts.keys() == names
    assert kept.hints == {"all": 80}


def test_a_lock_that_is_held_is_waited_for_no_longer_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Kit(tmp_path).state.mkdir()
    monkeypatch.setattr(progress, "SECONDS_BEFORE_A_WRITE", 0.2)
    with FileLock(Kit(tmp_path).state / "progress.lock"):
        started = time.monotonic()
        with pytest.raises(
            progress.NotSaved, match=r"progress\.lock has been locked by another grader for more than 0\.2 s"
        ):
            progress.update(Kit(tmp_path), lambda kept: kept.solved.update(toy="today"))
        assert time.monotonic() - started < 1


def test_a_lock_file_that_a_killed_grader_left_does_not_lock(tmp_path: Path) -> None:
    Kit(tmp_path).state.mkdir()
    (Kit(tmp_path).state / "progress.lock").write_text("99999\n")
    assert progress.update(Kit(tmp_path), lambda kept: kept.solved.update(toy="today")).solved == {"toy": "today"}


def test_a_filesystem_without_locks_is_reported_and_nothing_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    for code in (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP):

        def refuse(*_: object, code: int = code) -> None:
            raise OSError(code, os.strerror(code))

        monkeypatch.setattr(fcntl, "flock", refuse)
        with pytest.raises(progress.NotSaved, match=f"cannot be written .*{os.strerror(code)}"):
            progress.update(Kit(tmp_path), lambda kept: kept.solved.update(toy="today"))


def test_a_damaged_file_that_another_grader_has_just_replaced_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit = Kit(tmp_path)
    kit.state.mkdir()
    file = kit.state / "progress.json"
    file.write_text("{half")
    read = progress.read_state

    def then_replaced(*arguments: Any) -> Any:
        try:
            return read(*arguments)
        finally:
            progress.Progress(file, solved={"toy": "today"}).save()

    monkeypatch.setattr(progress, "read_state", then_replaced)
    assert progress.load(kit).solved == {"toy": "today"}
    assert take_warnings() == []
    assert sorted(path.name for path in kit.state.iterdir()) == ["progress.json", "progress.lock"]


def test_the_fingerprint_changes_with_answer_reference_and_device(tmp_path: Path) -> None:
    kit = Kit(tmp_path)
    for path in (kit.stub("toy"), kit.answer("toy")):
        path.parent.mkdir(parents=True)
        path.write_text("one")
    seen = {progress.fingerprint(kit, "toy", "cpu"), progress.fingerprint(kit, "toy", "gpu")}
    for path in (kit.stub("toy"), kit.answer("toy")):
        path.write_text("two")
        seen.add(progress.fingerprint(kit, "toy", "cpu"))
    assert len(seen) == 4


@pytest.mark.parametrize("name", ["grader", "python", "jax", "flax", "optax", "numpy"])
def test_the_fingerprint_changes_with_the_software(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = progress.fingerprint(Kit(tmp_path), "toy", "cpu")
    assert progress.fingerprint(Kit(tmp_path), "toy", "cpu") == before
    here = progress.installed_version
    monkeypatch.setattr(progress, "installed_version", lambda asked: "0.0.1" if asked == name else here(asked))
    assert progress.fingerprint(Kit(tmp_path), "toy", "cpu") != before


def test_the_fingerprint_changes_with_a_setting_that_changes_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = progress.fingerprint(Kit(tmp_path), "toy", "cpu")
    monkeypatch.setenv("JAX_DEFAULT_PRNG_IMPL", "rbg")
    assert progress.fingerprint(Kit(tmp_path), "toy", "cpu") != before
