"""The values of a repair are as good as the answer: they are shown once all hints were taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.commands.learner import held_back
from grader.kit import progress, statement
from grader.kit.kit import Kit
from grader.marking.verdict import Status, Verdict
from grader.values.message import verbatim
from grader.values.places import PlaceKind
from tests.conftest import FLAGSHIP, copy_kit
from tests.marking.places import changed
from tests.report.test_places import WHERE

REPAIR = replace(WHERE, kind=PlaceKind.REPAIR)


def test_the_values_of_a_repair_come_after_the_last_hint(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path, FLAGSHIP))
    verdict = Verdict(FLAGSHIP, Status.WRONG, verbatim("Wrong."), where=(REPAIR, WHERE))
    count = len(statement.read(kit.statement(FLAGSHIP)).hints)
    for taken in range(count + 1):
        progress.update(kit, lambda known, taken=taken: known.hints.update({FLAGSHIP: taken}))
        repair, value = held_back(kit, verdict).where
        assert value == WHERE
        assert (repair == REPAIR) == (taken == count)
        assert repair == changed(REPAIR, block=repair.values.block)


def test_without_hints_or_a_statement_nothing_is_held_back(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path, FLAGSHIP))
    verdict = Verdict(FLAGSHIP, Status.WRONG, verbatim("Wrong."), where=(REPAIR,))
    path = kit.statement(FLAGSHIP)
    path.write_text(path.read_text().replace("\n## Hints\n", "\n## Nothing\n"))
    assert held_back(kit, verdict) == verdict
    path.unlink()
    assert held_back(kit, verdict) == verdict
