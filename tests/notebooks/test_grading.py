"""What is kept warm between answers fits each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.kit import progress
from grader.kit.kit import Kit
from grader.kit.notebook_verdict import CellOrigin
from grader.notebooks.grading import Warm
from grader.notebooks.messages import JudgeReply, JudgeRequest
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, Command


class Asking:
    """Asks for verdicts on the flagship in one kit."""

    def __init__(self, root: Path) -> None:
        self.warm, self.root = Warm(), root

    def __call__(self, text: str, **options: object) -> JudgeReply:
        places = tuple((5, number) for number in range(1, len(text.splitlines()) + 1))
        usual = {"confine": "", "fresh": None, "seconds": 60.0, "feedback": "full"}
        origin = CellOrigin(places, {}, {}).as_text()
        asked = JudgeRequest(str(self.root), FLAGSHIP, text, origin, "notebook", **{**usual, **options})  # type: ignore[arg-type]
        told = self.warm.graded(asked)
        self.warm.get_ready(asked)
        return told


@pytest.fixture
def ask(own_kit: Command) -> Iterator[Asking]:
    asking = Asking(own_kit.kit)
    yield asking
    session = asking.warm._session
    if session is not None:
        session.__exit__(None, None, None)


@pytest.mark.nightly
@pytest.mark.slow
def test_one_session_serves_one_answer_after_the_other_as_options_say(ask: Asking) -> None:
    told = ask(HALF)
    assert told.verdict is not None
    assert told.verdict.diagnosis.names == ("half-exponent",)
    assert [place.span.cell for place in told.verdict.where] == [5]
    assert told.following == f'Next: grader.hint("{FLAGSHIP}")'
    first = ask.warm._session
    assert progress.load(Kit(ask.root)).solved == {}

    told = ask(HALF, feedback="verdict")
    assert told.verdict is not None
    assert (told.verdict.diagnosis.names, told.verdict.withheld) == ((), "verdict")
    assert ask.warm._session is first

    told = ask(RIGHT)
    assert told.verdict is not None
    assert told.verdict.status.value == "correct"
    assert told.following.startswith("Solved. It was the only problem here. To compare yours with the worked answer: ")
    assert list(progress.load(Kit(ask.root)).solved) == [FLAGSHIP]

    told = ask(RIGHT, fresh=3)
    assert told.in_force == "The same fresh inputs again: seed=3"
    assert ask.warm._session is not first


@pytest.mark.slow
def test_a_changed_reference_counts_at_once_and_a_fault_of_the_kit_is_one_line(ask: Asking) -> None:
    reference = Kit(ask.root).answer(FLAGSHIP)
    shipped = reference.read_text()
    assert ask(RIGHT).fault == ""
    reference.write_text(shipped.replace("10000.0", "1000.0"))
    changed = ask(RIGHT)
    assert changed.verdict is None or changed.verdict.status.value == "wrong"
    reference.write_text("raise ValueError('broken')\n")
    fault = ask(RIGHT).fault
    assert fault.startswith("A fault of the kit, not of your answer: ")
    assert "\n" not in fault
    reference.write_text(shipped)
    told = ask(RIGHT)
    assert told.verdict is not None
    assert told.verdict.status.value == "correct"
