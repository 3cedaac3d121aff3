"""The client of an oracle, with fake children: it asks each question once, saves replies, and replaces lost children."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.oracle import messages
from grader.oracle.answer_key import KeyOracle, text_mark
from grader.oracle.client import OracleClient, open_oracle
from grader.oracle.messages import Question
from grader.oracle.store import Mark, SavedOracle, to_bytes
from grader.run.child import Launcher
from grader.where.packed import Packed
from tests.oracle.conftest import assert_same, client_of, with_header
from tests.oracle.fake_child import NAME, FakeLauncher, keys_of


def kinds(asked: Sequence[Question]) -> list[type[Question]]:
    return [type(one) for one in asked]


def no_launcher() -> Launcher:
    raise AssertionError("all is known: no process is started")


def test_opening_a_reference_starts_no_process(client: OracleClient, launcher: FakeLauncher) -> None:
    assert launcher.children == []


def test_facts_and_truth_come_of_one_request(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle, kit: Kit
) -> None:
    assert client.facts() == for_key.facts
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    assert (client.screening_case, client.origin()) == (for_key.screening_case, for_key.origin)
    path, shown = kit.reference(NAME), "solutions/ramp/reference.py"
    assert launcher.asked == [[messages.OpenReference(str(path), shown, "cpu", True)]]


def test_what_was_asked_for_once_is_remembered(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle
) -> None:
    level = client.level(1)
    assert_same(list(level), for_key.levels[1])
    assert client.level(1) is level
    confirmed = client.confirm(level[0])
    assert len(confirmed) == len(for_key.facts.cases)
    assert client.confirm(level[0]) is confirmed
    fresh = client.fresh(7)
    assert fresh is not None
    assert (fresh.cases, len(fresh.truth.expected)) == (((7, 3),), 1)
    assert client.fresh(7) is fresh
    assert client.fresh(8) is not fresh
    assert kinds(launcher.asked[0])[1:] == [
        messages.AskLevel,
        messages.AskConfirmation,
        messages.AskFresh,
        messages.AskFresh,
    ]


def test_threads_that_want_the_same_level_ask_for_it_once(client: OracleClient, launcher: FakeLauncher) -> None:
    with ThreadPoolExecutor(4) as pool:
        levels = list(pool.map(client.level, [1] * 8))
    assert all(level is levels[0] for level in levels)
    assert kinds(launcher.asked[0]).count(messages.AskLevel) == 1


def test_what_was_computed_is_kept_for_the_next_run(client: OracleClient, kit: Kit, for_key: SavedOracle) -> None:
    (first, *_) = client.level(1)
    client.confirm(first)
    assert client.close() is None
    again = OracleClient(kit, NAME, "cpu", no_launcher)
    assert again.facts() == for_key.facts
    assert_same(list(again.level(1)), for_key.levels[1])
    assert_same(list(again.confirm(first)), for_key.confirmed[first.names, first.setting])
    assert again.close() is None


def test_only_what_is_not_kept_is_asked_for(
    client: OracleClient, launcher: FakeLauncher, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    client.level(1)
    client.close()
    again = client_of(kit, launcher)
    again.level(1)
    again.level(2)
    opening, question = launcher.asked[1]
    assert isinstance(opening, messages.OpenReference)
    assert not opening.truth
    assert question == messages.AskLevel(2, again.screening_case)


def test_closing_ends_the_child(client: OracleClient, launcher: FakeLauncher) -> None:
    client.truth()
    client.close()
    assert [child.ended.is_set() for child in launcher.children] == [True]


def test_a_kit_that_cannot_be_written_is_reported_in_one_line(
    client: OracleClient, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kit.root)
    client.truth()
    kit.state.write_text("in the way")
    note = client.close()
    assert note is not None
    assert note.startswith(".grader/oracles cannot be written (")
    assert note.endswith("nothing is kept for next time")


def test_two_children_share_the_sets_where_there_are_two_cores(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    client.truth()
    for size in (1, 2, 3):
        assert_same(list(client.level(size)), for_key.levels[size])
    shares = [[(one.size, one.part) for one in asked if isinstance(one, messages.AskLevel)] for asked in launcher.asked]
    assert shares == [[(1, 0), (2, 0), (3, 0)], [(2, 1), (3, 1)]]
    client.close()
    assert all(child.ended.is_set() for child in launcher.children)


@pytest.mark.parametrize("layers", [False, True])
def test_layers_of_flax_are_imported_and_drawn_if_the_reference_has_some(
    layers: bool, client: OracleClient, launcher: FakeLauncher, kit: Kit
) -> None:
    kit.reference(NAME).write_text("from flax import nnx\n" if layers else "import jax\n")
    assert ("nnx.Linear" in client.sample()) is layers
    assert launcher.imports == [["flax.nnx"] if layers else []]


@pytest.mark.parametrize(("size", "cases"), [(1, [0, 1, 2]), (2, [0, 1, 2]), (3, [1, 2])])
def test_the_sets_for_a_key_have_their_values_on_the_cases_asked_for(
    size: int, cases: list[int], client: OracleClient, for_key: SavedOracle
) -> None:
    assert_same(client.sets_for_key(size, cases), {key: for_key.confirmed[key] for key in keys_of(for_key, size)})


def test_steps_are_asked_for_once_and_kept_apart_from_the_oracle(
    client: OracleClient, launcher: FakeLauncher, kit: Kit
) -> None:
    asked = [client.steps(of_value=of_value) for of_value in (False, True, False)]
    assert asked == [Packed(data, (0, 1, 2)) for data in (b"of the program", b"of the value", b"of the program")]
    client.close()
    again = client_of(kit, launcher)
    assert [again.steps(of_value=of_value) for of_value in (False, True)] == asked[:2]
    again.close()
    assert [messages.AskSteps(False), messages.AskSteps(True)] == [
        one for asked in launcher.asked for one in asked if isinstance(one, messages.AskSteps)
    ]


def test_steps_that_are_damaged_are_computed_again(client: OracleClient, kit: Kit) -> None:
    known = client.steps(of_value=False)
    (path,) = kit.state.glob("oracles/*.steps")
    path.write_bytes(path.read_bytes()[:-1])
    assert client.steps(of_value=False) == known
    assert path.exists()


def test_a_reference_without_steps_is_no_fault(client: OracleClient, launcher: FakeLauncher) -> None:
    client.truth()
    launcher.instead[messages.AskSteps] = messages.StepsReply([], b"")
    assert client.steps(of_value=False) is None
    launcher.instead[messages.AskSteps] = messages.FaultReply("line 3", "Traceback")
    assert client.steps(of_value=True) is None


def test_the_steps_for_a_key_are_those_of_some_cases(client: OracleClient) -> None:
    assert client.steps_for_key(of_value=False, most=100) == Packed(b"of the program", (0, 1))


def test_a_question_right_after_the_facts_gets_its_own_reply(client: OracleClient, for_key: SavedOracle) -> None:
    client.facts()
    client.examine("module:function")
    assert_same(client.truth(), for_key.truth)


def test_an_examination_returns_its_document_and_nothing_is_kept(client: OracleClient, kit: Kit) -> None:
    assert client.examine("module:function", whole=True) == {"place": "module:function", "whole": True}
    assert client.close() is None
    assert not kit.state.exists()


@pytest.fixture
def keyed(kit: Kit, for_key: SavedOracle) -> Kit:
    """A kit with a key in place of the reference."""
    kit.reference(NAME).unlink()
    kit.key(NAME).write_bytes(to_bytes(for_key, Mark(text_mark(kit.statement(NAME)), "", "", {"normal": [0.5]})))
    return kit


def test_a_problem_is_graded_from_its_reference_else_from_its_key(keyed: Kit) -> None:
    assert isinstance(open_oracle(keyed, NAME, "cpu", no_launcher), KeyOracle)
    keyed.reference(NAME).write_text("problem = 1\n")
    assert isinstance(open_oracle(keyed, NAME, "cpu", no_launcher), OracleClient)


def test_without_reference_and_key_the_fault_says_how_to_get_keys(keyed: Kit) -> None:
    keyed.key(NAME).unlink()
    with pytest.raises(ProblemError) as raised:
        open_oracle(keyed, NAME, "cpu", no_launcher)
    assert str(raised.value).startswith("solutions/ramp/reference.py: there is no such file")
    assert "python -m grader key --export DIR" in str(raised.value)


def older(kit: Kit) -> Kit:
    with_header(kit.key(NAME), lambda read: read["origin"]["distributions"].update(jax="0.0.1"))
    return kit


def test_for_a_key_of_another_jax_a_process_draws_once(keyed: Kit, launcher: FakeLauncher) -> None:
    for _ in range(2):
        assert isinstance(open_oracle(older(keyed), NAME, "cpu", lambda: launcher), KeyOracle)
    assert launcher.asked == [[messages.AskDraws(False)]]
    assert [child.ended.is_set() for child in launcher.children] == [True]


def test_a_process_that_ends_before_it_draws_is_a_fault(keyed: Kit, launcher: FakeLauncher) -> None:
    launcher.lives, launcher.status, launcher.printed = [0], 1, b"no jax"
    with pytest.raises(ProblemError, match=r"ended without an answer \(status 1: no jax\)"):
        open_oracle(older(keyed), NAME, "cpu", lambda: launcher)
