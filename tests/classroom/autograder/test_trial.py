"""The trial of an autograder: what fails, or is not right there, is not written."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.autograder.bundle import bundle, make_kit
from grader.classroom.autograder.student_grading import Settings
from grader.classroom.autograder.trial import has_answers, try_out
from grader.kit.kit import Kit, KitError
from tests.conftest import FLAGSHIP, copy_kit


def test_a_kit_without_worked_answers_has_no_trial(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path, FLAGSHIP))
    assert has_answers(kit, [FLAGSHIP])
    kit.answer(FLAGSHIP).unlink()
    assert not has_answers(kit, [FLAGSHIP])


@pytest.mark.nightly
def test_a_worked_answer_that_is_wrong_and_a_key_that_does_not_fit_are_told(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path / "kit", FLAGSHIP))
    settings = Settings((FLAGSHIP,))
    make_kit(kit, [FLAGSHIP], tmp_path / "made")
    files = bundle(settings, tmp_path / "made")
    tried = try_out(files, settings, kit)
    assert tried.peak > 100 << 20
    assert tried.tier in "ABC"
    with pytest.raises(KitError, match=r"fails here, so it is not written"):
        try_out({**files, f"kit/problems/{FLAGSHIP}/key.bin": b"no key"}, settings, kit)
    kit.answer(FLAGSHIP).write_text(f"def {FLAGSHIP}(*given):\n    return 0\n", encoding="utf-8")
    with pytest.raises(KitError, match=f"does not take the worked answer of {FLAGSHIP}"):
        try_out(files, settings, kit)
