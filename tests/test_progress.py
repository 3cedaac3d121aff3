"""Progress: kept, found again, and never in the way."""

from __future__ import annotations

from pathlib import Path

from grader import progress
from grader.kit import Kit


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    kept = progress.load(Kit(tmp_path))
    kept.verdicts["toy"] = {"fingerprint": "1", "verdict": {"status": "correct"}}
    kept.solved["toy"] = "2026-01-01"
    kept.hints["toy"] = 2
    kept.save()
    again = progress.load(Kit(tmp_path))
    assert (again.verdicts, again.solved, again.hints) == (kept.verdicts, kept.solved, kept.hints)
    assert again.current("toy", "1") == {"status": "correct"}
    assert again.current("toy", "2") is None


def test_a_damaged_file_is_set_aside_and_not_lost(tmp_path: Path) -> None:
    state = Kit(tmp_path).state
    state.mkdir()
    (state / "progress.json").write_text("{half")
    assert progress.load(Kit(tmp_path)).solved == {}
    assert (state / "progress.damaged.json").read_text() == "{half"


def test_the_fingerprint_changes_with_answer_reference_and_device(tmp_path: Path) -> None:
    kit = Kit(tmp_path)
    for path in (kit.stub("toy"), kit.reference("toy")):
        path.parent.mkdir(parents=True)
        path.write_text("one")
    seen = {progress.fingerprint(kit, "toy", "cpu"), progress.fingerprint(kit, "toy", "gpu")}
    for path in (kit.stub("toy"), kit.reference("toy")):
        path.write_text("two")
        seen.add(progress.fingerprint(kit, "toy", "cpu"))
    assert len(seen) == 4
