"""The client of an oracle, with fake children: it asks each question once, saves replies, and replaces lost children."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.kit.state import take_warnings
from grader.marking.judge import Expected
from grader.options import NoSuchDevice
from grader.oracle import messages
from grader.oracle.answer_key import KeyOracle, text_mark
from grader.oracle.client import OracleClient, open_oracle
from grader.oracle.messages import Question, Reply
from grader.oracle.store import Mark, SavedOracle, to_bytes
from grader.run.child import Child, Launcher, start_thread
from tests.oracle.conftest import assert_same, with_header

NAME = "ramp"
Replies = list[tuple[Reply, Sequence[Expected]]]


@dataclass
class FakeLauncher(Launcher):
    """Starts children that are threads. They reply with the values of an oracle that is computed already.

    Attributes:
        known: the oracle.
        instead: replies for questions of a type, in place of the oracle's; None for no reply.
        lives: for each child in turn, how many questions it answers before it ends; more children answer everything.
        status: the exit status of a child; None if nobody knows it, as of a child whose template was killed.
        printed: what a child prints before it ends.
        imports: the imports of each child that was started.
        asked: the questions that reached each child.
    """

    known: SavedOracle
    instead: dict[type[Question], Reply | None] = field(default_factory=dict[type[Question], Reply | None])
    warnings: list[str] = field(default_factory=list[str])
    lives: list[int] = field(default_factory=list[int])
    status: int | None = None
    printed: bytes = b""
    imports: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    asked: list[list[Question]] = field(default_factory=list[list[Question]])
    children: list[Child] = field(default_factory=list[Child])

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        requests, request = os.pipe()
        result, results = os.pipe()
        child = Child(-1, request, lambda: child.ended.set(), result)
        lives = self.lives[len(self.children)] if len(self.children) < len(self.lives) else 100
        self.imports.append(imports)
        self.children.append(child)
        self.asked.append([])
        start_thread(self._serve, child, requests, results, lives, self.asked[-1])
        return child

    def uncounted(self) -> str:
        return ""

    def close(self) -> None:
        for child in self.children:
            child.close()

    def _serve(self, child: Child, requests: int, results: int, lives: int, asked: list[Question]) -> None:
        # The other end may be closed while this child still writes.
        with contextlib.suppress(BrokenPipeError):
            while len(asked) < lives and (message := messages.read(requests)) is not None:
                asked.append(message[0])
                for reply, expected in self._replies(message[0]):
                    messages.write(results, reply, expected)
        child.status = self.status
        child.output += self.printed
        os.close(requests)
        os.close(results)

    def _replies(self, question: Question) -> Replies:
        known, origin = self.known, self.known.origin
        if type(question) in self.instead:
            reply = self.instead[type(question)]
            return [] if reply is None else [(reply, ())]
        coarse = [dict(bounds) for bounds in known.truth.coarse]
        drawn = [list(one) for one in known.truth.draws]
        truth = messages.TruthReply(
            list(known.truth.shapes), list(known.truth.dtypes), coarse, drawn, known.screening_case, origin
        )
        match question:
            case messages.OpenReference(truth=wanted):
                facts = messages.FactsReply(known.facts, self.warnings)
                return [(facts, ()), (truth, known.truth.expected)] if wanted else [(facts, ())]
            case messages.AskTruth():
                return [(truth, known.truth.expected)]
            case messages.AskLevel(size, _):
                level = known.levels[size]
                return [(messages.LevelReply(keys_of(known, size), origin), [one.expected for one in level])]
            case messages.AskConfirmation(names, setting):
                return [(messages.ConfirmationReply(origin), list(held(known, (names, setting)).values()))]
            case messages.AskSets(size, cases):
                keys = keys_of(known, size)
                return [(messages.SetsReply(keys), [held(known, key)[case] for key in keys for case in cases])]
            case messages.AskFresh(seed):
                return [(messages.FreshReply([(seed, 3)], [(3,)], ["float32"]), known.truth.expected[1:2])]
            case messages.AskDraws(layers):
                return [(messages.DrawsReply({"normal": [0.5], **({"nnx.Linear": [1.0]} if layers else {})}), ())]
            case messages.AskExamination(place, arguments):
                return [(messages.ExaminationReply({"place": place, **arguments}), ())]


def keys_of(known: SavedOracle, size: int) -> list[tuple[tuple[str, ...], int]]:
    return [(one.names, one.setting) for one in known.levels[size]]


def held(known: SavedOracle, key: tuple[tuple[str, ...], int]) -> dict[int, Expected]:
    """The values of one set, by the case."""
    return {case: one for case, one in enumerate(known.confirmed[key]) if one is not None}


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    kit = Kit(tmp_path / "kit")
    for path, text in ((kit.reference(NAME), "problem = 1\n"), (kit.statement(NAME), "# Ramp\n")):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return kit


@pytest.fixture
def launcher(for_key: SavedOracle) -> FakeLauncher:
    return FakeLauncher(for_key)


def client_of(kit: Kit, launcher: FakeLauncher) -> OracleClient:
    return OracleClient(kit, NAME, "cpu", lambda: launcher)


@pytest.fixture
def client(kit: Kit, launcher: FakeLauncher) -> OracleClient:
    return client_of(kit, launcher)


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


def test_only_what_is_not_kept_is_asked_for(client: OracleClient, launcher: FakeLauncher, kit: Kit) -> None:
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


@pytest.mark.parametrize("lives", [0, 1, 2, 3])
def test_a_lost_child_is_started_again(
    lives: int, client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle
) -> None:
    launcher.lives = [lives]
    assert client.facts() == for_key.facts
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    for size in (1, 2, 3):
        assert_same(list(client.level(size)), for_key.levels[size])
    assert len(launcher.children) == 2


def test_a_child_that_is_lost_while_it_computes_the_truth_is_started_again(
    client: OracleClient, launcher: FakeLauncher, for_key: SavedOracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = launcher._replies

    def without_truth(question: Question) -> Replies:
        return whole(question)[:1] if len(launcher.children) == 1 else whole(question)

    monkeypatch.setattr(launcher, "_replies", without_truth)
    launcher.lives = [1]
    assert_same(list(client.truth().expected), list(for_key.truth.expected))
    assert len(launcher.children) == 2


def test_a_child_that_is_lost_twice_is_a_fault(client: OracleClient, launcher: FakeLauncher) -> None:
    client.truth()
    client.close()
    launcher.lives = [1, 1, 1]
    with pytest.raises(ProblemError, match=r"^solutions/ramp/reference\.py: the process of its oracle was ended twice"):
        client.level(1)
    assert len(launcher.children) == 3


@pytest.mark.parametrize(
    ("status", "printed", "how"),
    [
        (-signal.SIGKILL, b"", r"\(signal 9\)"),
        (3, b"one\nno memory left\n", r"\(status 3: no memory left\)"),
        (0, b"\xff", r"\(status 0: .\)"),
    ],
)
def test_a_child_that_ended_by_itself_is_reported_and_not_started_again(
    status: int, printed: bytes, how: str, client: OracleClient, launcher: FakeLauncher
) -> None:
    launcher.instead, launcher.lives = {messages.OpenReference: None}, [1]
    launcher.status, launcher.printed = status, printed
    with pytest.raises(
        ProblemError, match=rf"^solutions/ramp/reference\.py: its process ended without an answer {how}"
    ):
        client.truth()
    assert len(launcher.children) == 1


@pytest.mark.parametrize("debug", [False, True])
def test_a_fault_is_one_line_and_its_traceback_is_printed_on_demand(
    debug: bool,
    client: OracleClient,
    launcher: FakeLauncher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRADER_DEBUG", "1" if debug else "")
    launcher.instead = {messages.AskLevel: messages.FaultReply("reference.py: line 3: no", "Traceback: in f")}
    client.truth()
    with pytest.raises(ProblemError, match=r"^reference\.py: line 3: no$"):
        client.level(1)
    assert ("Traceback: in f" in capsys.readouterr().err) is debug


def test_a_device_that_is_not_there_is_an_error_of_usage(client: OracleClient, launcher: FakeLauncher) -> None:
    launcher.instead = {messages.OpenReference: messages.NoDeviceReply("there is no tpu")}
    with pytest.raises(NoSuchDevice, match="there is no tpu"):
        client.facts()


def test_a_warning_of_the_reference_is_printed_with_its_path(
    client: OracleClient, launcher: FakeLauncher, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kit.root)
    launcher.warnings = ["line 3: rename it"]
    client.facts()
    assert take_warnings() == ["solutions/ramp/reference.py: line 3: rename it"]


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
