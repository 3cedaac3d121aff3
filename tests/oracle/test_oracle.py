"""An oracle with fake children: it makes each call once, saves what it got, and holds what a key holds."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.state import take_warnings
from grader.oracle.answer_key import IN_KEYS, text_mark
from grader.oracle.connection import Call
from grader.oracle.oracle import InThisProcess, Oracle, of_reference, open_oracle, sample
from grader.oracle.store import Mark, SavedOracle, to_bytes
from grader.run.child import Launcher
from grader.where.steps import Packed
from tests.oracle.conftest import PROBLEM, assert_same, opened, with_arrays, with_header
from tests.oracle.fake_child import NAME, FakeLauncher, keys_of


def kinds(asked: Sequence[Call]) -> list[str]:
    return [one.place.removeprefix("grader.oracle.calls:") for one in asked]


def no_launcher() -> Launcher:
    raise AssertionError("all is known: no process is started")


def test_opening_a_reference_starts_no_process(asking: Oracle, launcher: FakeLauncher) -> None:
    assert launcher.children == []


def test_facts_and_truth_are_asked_for_at_once_and_then_what_a_wrong_answer_needs(
    asking: Oracle, launcher: FakeLauncher, for_key: SavedOracle, kit: Kit
) -> None:
    assert asking.facts() == for_key.facts
    assert_same(list(asking.truth().expected), list(for_key.truth.expected))
    assert (asking.screening_case, asking.origin()) == (for_key.screening_case, for_key.origin)
    assert launcher.openings == [{"reference": str(kit.answer(NAME)), "device": "cpu"}]
    assert launcher.asked == [
        [
            *(Call("grader.oracle.calls:facts"), Call("grader.oracle.calls:truth", {"device": "cpu"})),
            Call("grader.oracle.calls:screened"),
        ]
    ]


def test_where_no_answer_was_wrong_the_mistakes_are_asked_for_in_the_next_run(
    asking: Oracle, launcher: FakeLauncher, kit: Kit, for_key: SavedOracle
) -> None:
    asking.truth()
    assert asking.close() is None
    again = opened(kit, launcher)
    assert_same(list(again.level(1)), for_key.levels[1])
    assert again.screening_case == for_key.screening_case
    assert kinds(launcher.asked[1]) == ["screened"]


def test_what_was_asked_for_once_is_remembered(asking: Oracle, launcher: FakeLauncher, for_key: SavedOracle) -> None:
    level = asking.level(1)
    assert_same(list(level), for_key.levels[1])
    assert asking.level(1) is level
    confirmed = asking.confirm(level[0])
    assert len(confirmed) == len(for_key.facts.cases)
    assert asking.confirm(level[0]) is confirmed
    fresh = asking.fresh(7)
    assert fresh is not None
    assert (fresh.cases, len(fresh.truth.expected)) == (((7, 3),), 1)
    assert asking.fresh(7) is fresh
    assert asking.fresh(8) is not fresh
    assert kinds(launcher.asked[0]) == ["facts", "truth", "screened", "confirmed", "fresh", "fresh"]


def test_threads_that_want_the_same_level_ask_for_it_once(asking: Oracle, launcher: FakeLauncher) -> None:
    with ThreadPoolExecutor(4) as pool:
        levels = list(pool.map(asking.level, [1] * 8))
    assert all(level is levels[0] for level in levels)
    assert kinds(launcher.asked[0]) == ["facts", "truth", "screened"]


def test_what_was_computed_is_kept_for_the_next_run(asking: Oracle, kit: Kit, for_key: SavedOracle) -> None:
    (first, *_) = asking.level(1)
    asking.confirm(first)
    assert asking.close() is None
    again = of_reference(kit, NAME, "cpu", no_launcher)
    assert again.facts() == for_key.facts
    assert_same(list(again.level(1)), for_key.levels[1])
    assert_same(list(again.confirm(first)), for_key.confirmed[first.names, first.forms])
    assert again.close() is None


def test_only_what_is_not_kept_is_asked_for(
    asking: Oracle, launcher: FakeLauncher, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    asking.level(1)
    asking.close()
    again = opened(kit, launcher)
    again.level(1)
    again.level(2)
    asked = {"size": 2, "case": again.screening_case, "part": 0, "parts": 1}
    assert launcher.asked[1] == [Call("grader.oracle.calls:level", asked)]


def test_closing_ends_the_child(asking: Oracle, launcher: FakeLauncher) -> None:
    asking.truth()
    asking.close()
    assert [child.ended.is_set() for child in launcher.children] == [True]


def test_a_kit_that_cannot_be_written_is_reported_in_one_line(
    asking: Oracle, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kit.root)
    asking.truth()
    kit.state.write_text("in the way")
    note = asking.close()
    assert note is not None
    assert note.startswith(".grader/oracles cannot be written (")
    assert note.endswith("nothing is kept for next time")


def test_two_children_share_the_sets_where_there_are_two_cores(
    asking: Oracle, launcher: FakeLauncher, for_key: SavedOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    asking.truth()
    for size in (1, 2, 3):
        assert_same(list(asking.level(size)), for_key.levels[size])
    shares = [
        [(one.arguments["size"], one.arguments["part"]) for one in asked if one.place.endswith(":level")]
        for asked in launcher.asked
    ]
    assert shares == [[(2, 0), (3, 0)], [(2, 1), (3, 1)]]
    asking.close()
    assert all(child.ended.is_set() for child in launcher.children)


@pytest.mark.parametrize("layers", [False, True])
def test_layers_of_flax_are_imported_if_the_reference_has_some(layers: bool, launcher: FakeLauncher, kit: Kit) -> None:
    kit.answer(NAME).write_text("from flax import nnx\n" if layers else "import jax\n")
    opened(kit, launcher).facts()
    assert launcher.imports == [["flax.nnx"] if layers else []]


@pytest.mark.parametrize("layers", [False, True])
def test_the_draws_of_this_software_need_no_reference(layers: bool, launcher: FakeLauncher) -> None:
    assert ("nnx.Linear" in sample(lambda: launcher, layers)) is layers
    assert launcher.imports == [["flax.nnx"] if layers else []]
    assert launcher.openings == [{"reference": None, "device": "cpu"}]
    assert launcher.children[0].ended.is_set()


@pytest.mark.parametrize(("size", "cases"), [(1, [0, 1, 2]), (2, [0, 1, 2]), (3, [1, 2])])
def test_the_sets_for_a_key_have_their_values_on_the_cases_asked_for(
    size: int, cases: list[int], asking: Oracle, for_key: SavedOracle
) -> None:
    assert_same(asking.sets_for_key(size, cases), {key: for_key.confirmed[key] for key in keys_of(for_key, size)})


def test_steps_are_asked_for_once_and_kept_apart_from_the_oracle(
    asking: Oracle, launcher: FakeLauncher, kit: Kit
) -> None:
    asked = [asking.steps(of_value=of_value) for of_value in (False, True, False)]
    assert asked == [Packed(data, (0, 1, 2)) for data in (b"of the program", b"of the value", b"of the program")]
    asking.close()
    again = opened(kit, launcher)
    assert [again.steps(of_value=of_value) for of_value in (False, True)] == asked[:2]
    again.close()
    assert [one for listed in launcher.asked for one in listed if one.place.endswith(":steps")] == [
        Call("grader.oracle.calls:steps", {"of_value": of_value}) for of_value in (False, True)
    ]


def test_steps_that_are_damaged_are_computed_again(asking: Oracle, kit: Kit, launcher: FakeLauncher) -> None:
    known = asking.steps(of_value=False)
    (path,) = kit.state.glob("oracles/*.steps")
    path.write_bytes(path.read_bytes()[:-1])
    assert opened(kit, launcher).steps(of_value=False) == known
    assert path.exists()
    (line,) = take_warnings()
    assert f"{path} is damaged (" in line


def test_a_reference_without_steps_is_no_fault(asking: Oracle, launcher: FakeLauncher) -> None:
    asking.truth()
    launcher.instead["steps"] = {"fault": {"text": "no", "line": 3, "file": "", "traceback": ""}}
    assert asking.steps(of_value=False) is None


def test_a_reference_without_any_steps_has_none(asking: Oracle, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = {"cases": [], "origin": asdict(asking.origin())}, [np.zeros(0, np.uint8)]
    monkeypatch.setattr(asking._source, "call", lambda call, then=None: reply)
    assert asking.steps(of_value=False) is None


def test_the_steps_for_a_key_are_those_of_some_cases(asking: Oracle) -> None:
    assert asking.steps_for_key(of_value=False, most=100) == Packed(b"of the program", (0, 1))


def test_a_question_right_after_the_facts_gets_its_own_reply(asking: Oracle, for_key: SavedOracle) -> None:
    asking.facts()
    assert asking.examine("module:function") == {"place": "module:function"}
    assert_same(asking.truth(), for_key.truth)


def test_an_examination_returns_its_document_and_nothing_is_kept(asking: Oracle, kit: Kit) -> None:
    assert asking.examine("module:function", whole=True) == {"place": "module:function", "whole": True}
    assert asking.close() is None
    assert not kit.state.exists()


@pytest.fixture
def keyed(kit: Kit, for_key: SavedOracle) -> Kit:
    """A kit with a key in place of the reference."""
    kit.answer(NAME).unlink()
    kit.key(NAME).write_bytes(to_bytes(for_key, Mark(text_mark(kit.statement(NAME)), "", "", {"normal": [0.5]})))
    return kit


def test_a_problem_is_graded_from_its_reference_else_from_its_key(keyed: Kit) -> None:
    of_key = open_oracle(keyed, NAME, "cpu", no_launcher)
    assert (of_key.computes, of_key.precision) == (False, IN_KEYS)
    keyed.answer(NAME).write_text("problem = 1\n")
    whole = open_oracle(keyed, NAME, "cpu", no_launcher)
    assert (whole.computes, whole.precision) == (True, 0.0)


def test_a_key_answers_what_its_reference_would(keyed: Kit, for_key: SavedOracle) -> None:
    oracle = open_oracle(keyed, NAME, "cpu", no_launcher)
    assert (oracle.facts(), oracle.screening_case) == (for_key.facts, for_key.screening_case)
    assert_same(oracle.truth(), for_key.truth)
    for size, level in for_key.levels.items():
        found = oracle.level(size)
        assert [(one.names, one.forms) for one in found] == [(one.names, one.forms) for one in level]
        for mistake in found:
            sizes = [one.size if one is not None else None for one in oracle.confirm(mistake)]
            assert sizes == ([None, 3, 4] if size == 3 else [1, 3, 4])
    oracle.keep_fresh(5)
    assert (oracle.level(4), oracle.fresh(5), oracle.keep(), oracle.close()) == ([], None, None, None)
    assert [oracle.steps(of_value=of_value) for of_value in (False, True)] == [*for_key.steps.values()]


def test_a_key_may_hold_no_steps(keyed: Kit) -> None:
    with_header(keyed.key(NAME), lambda read: read.update(steps=None, steps_of_value=None))
    with_arrays(keyed.key(NAME), lambda arrays: arrays.__delitem__(slice(-2, None)))
    assert open_oracle(keyed, NAME, "cpu", no_launcher).steps(of_value=False) is None


def test_an_oracle_can_compute_in_this_process(oracle: SavedOracle) -> None:
    here = Oracle(source=InThisProcess(PROBLEM))
    assert here.facts() == oracle.facts
    assert_same(here.truth(), oracle.truth)
    assert_same(list(here.level(1)), oracle.levels[1])
    first = here.level(1)[0]
    assert_same(list(here.confirm(first)), list(oracle.confirmed[first.names, first.forms]))
    assert (here.keep(), here.close()) == (None, None)


def test_fewer_samples_give_no_larger_tolerance() -> None:
    many, few = Oracle(source=InThisProcess(PROBLEM)), Oracle(source=InThisProcess(PROBLEM), samples=1)
    (mistake, *_) = many.level(1)
    for one, other in zip(many.confirm(mistake), few.confirm(mistake), strict=True):
        assert one is not None
        assert other is not None
        assert np.all(other.tolerance <= one.tolerance)


def test_without_reference_and_key_the_fault_says_how_to_get_keys(keyed: Kit) -> None:
    keyed.key(NAME).unlink()
    with pytest.raises(ProblemError) as raised:
        open_oracle(keyed, NAME, "cpu", no_launcher)
    assert str(raised.value).startswith("solutions/ramp/answer.py: there is no such file")
    assert "python -m grader release DIR" in str(raised.value)


def older(kit: Kit) -> Kit:
    with_header(kit.key(NAME), lambda read: read["origin"]["distributions"].update(jax="0.0.1"))
    return kit


def test_for_a_key_of_another_jax_a_process_draws_once(keyed: Kit, launcher: FakeLauncher) -> None:
    for _ in range(2):
        assert not open_oracle(older(keyed), NAME, "cpu", lambda: launcher).computes
    assert launcher.asked == [[Call("grader.oracle.draws:sample", {"layers": False})]]
    assert [child.ended.is_set() for child in launcher.children] == [True]


def test_a_process_that_ends_before_it_draws_is_a_fault(keyed: Kit, launcher: FakeLauncher) -> None:
    launcher.lives, launcher.status, launcher.printed = [0], 1, b"no jax"
    with pytest.raises(ProblemError, match=r"ended without an answer \(status 1: no jax\)"):
        open_oracle(older(keyed), NAME, "cpu", lambda: launcher)


def test_a_reply_that_does_not_fit_is_a_fault(asking: Oracle, launcher: FakeLauncher) -> None:
    launcher.instead["facts"] = {"document": {"name": NAME}}
    with pytest.raises(ProblemError, match="replied what cannot be used"):
        asking.facts()


def asked_fresh(launcher: FakeLauncher) -> int:
    return sum(kinds(listed).count("fresh") for listed in launcher.asked)


def fresh_files(kit: Kit) -> list[str]:
    return [path.name.partition(".")[2] for path in sorted(kit.state.glob("oracles/*fresh*"))]


def test_fresh_inputs_are_kept_if_somebody_says_so(asking: Oracle, launcher: FakeLauncher, kit: Kit) -> None:
    asking.keep_fresh(7)
    first = asking.fresh(7)
    asking.close()
    again = opened(kit, launcher)
    assert_same(again.fresh(7), first)
    assert asked_fresh(launcher) == 1
    again.fresh(8)
    again.close()
    assert fresh_files(kit) == ["fresh-7"]


def test_fresh_inputs_that_cannot_be_kept_are_drawn_again(asking: Oracle, launcher: FakeLauncher, kit: Kit) -> None:
    kit.state.write_text("in the way")
    asking.keep_fresh(7)
    assert asking.fresh(7) is asking.fresh(7)


@pytest.fixture
def kept(asking: Oracle, kit: Kit) -> Path:
    asking.truth()
    asking.keep_fresh(7)
    asking.close()
    (path,) = kit.state.glob("oracles/*.fresh-7")
    return path


def test_fresh_inputs_of_other_software_are_drawn_again_and_their_file_stays(
    kept: Path, kit: Kit, launcher: FakeLauncher
) -> None:
    with_header(kept, lambda read: read["document"]["origin"].update(python="2.7"))
    opened(kit, launcher).fresh(7)
    assert asked_fresh(launcher) == 2
    assert (kept.exists(), take_warnings()) == (True, [])


@pytest.mark.parametrize(
    "change",
    [
        lambda read: read["document"].pop("cases"),
        lambda read: read.update(format=1),
        lambda read: read["document"].update(cases=[[7]]),
        lambda read: read["document"].update(cases=[]),
        lambda read: read["document"].update(shapes=[[5]]),
        lambda read: read["document"].update(dtypes=["object"]),
    ],
)
def test_fresh_inputs_that_do_not_fit_together_are_damage(
    change: Any, kept: Path, kit: Kit, launcher: FakeLauncher
) -> None:
    with_header(kept, change)
    opened(kit, launcher).fresh(7)
    (line,) = take_warnings()
    assert f"{kept} is damaged (" in line
    assert not kept.exists()


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_fresh_inputs_that_are_cut_short_are_damage(part: float, kept: Path, kit: Kit, launcher: FakeLauncher) -> None:
    data = kept.read_bytes()
    kept.write_bytes(data[: int(len(data) * part)])
    opened(kit, launcher).fresh(7)
    assert asked_fresh(launcher) == 2
    assert not kept.exists()
    take_warnings()
