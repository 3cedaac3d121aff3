"""An audit finds every kind of defect and nothing else; a sound problem has no finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.author.audit import audit
from grader.kit.kit import Kit
from grader.session import Session
from tests.author import toys
from tests.author.toys import DEFECTS
from tests.conftest import Command, calls_in

NAMES = {defect: f"toy_{number:02}" for number, defect in enumerate(DEFECTS)}

HIDDEN = "toy_hidden"


@pytest.fixture(scope="session")
def audited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One kit with a problem for every defect that this run tests and one without, audited in one run."""
    kit = tmp_path_factory.mktemp("toys")
    toys.make(kit)
    toys.make(kit, HIDDEN, toys.HIDDEN)
    for given in calls_in(request.session, test_every_defect_is_found_and_nothing_else):
        toys.make(kit, NAMES[given["title"]], DEFECTS[given["title"]].files())
    done = Command(kit)("audit", "--json")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "grader/audit/2"
    return {"kit": kit, **{one["problem"]: one for one in document["audits"]}}


@pytest.mark.few(0, 10)
@pytest.mark.parametrize("title", DEFECTS)
def test_every_defect_is_found_and_nothing_else(title: str, audited: dict[str, Any]) -> None:
    defect, name = DEFECTS[title], NAMES[title]
    findings = audited[name]["findings"]
    assert {found["check"] for found in findings} == {defect.check}, findings
    assert all(found["file"] == defect.file.replace("distance_decay", name) for found in findings)
    (found, *_) = [found for found in findings if defect.says in found["message"]] or [{}]
    assert found, findings
    assert "\n" not in found["message"]
    if defect.line:
        lines = (audited["kit"] / found["file"]).read_text().splitlines()
        assert defect.line.replace("distance_decay", name) in lines[found["line"] - 1]
    else:
        assert found["line"] == 0
    assert audited[name]["sound"] is False


@pytest.mark.slow
def test_a_sound_problem_has_no_finding(audited: dict[str, Any]) -> None:
    sound = audited["distance_decay"]
    assert sound["findings"] == []
    assert sound["score"]["killed"] == sound["score"]["mutants"] > 10
    assert sound["sets"] == 6  # three alone, three pairs


@pytest.mark.slow
def test_what_only_other_seeds_show_is_found_with_the_seed_to_take(audited: dict[str, Any]) -> None:
    findings = audited[HIDDEN]["findings"]
    assert {found["check"] for found in findings} == {"survivor", "near-miss", "pitfall-is-right"}
    said = {found["message"].partition(": ")[0]: found["message"] for found in findings}
    for start in ("no case tells `add -> sub` from the truth", "no case tells `0.300003` for `0.3` from the truth"):
        assert f"{start}: seed 6 of the case T=2 does, so take it, or say on this line" in said[start]
    pitfall = next(found["message"] for found in findings if found["check"] == "pitfall-is-right")
    assert pitfall.endswith("take seed 6 of the case T=2, which shows it, or drop it")


def test_an_unknown_name_is_a_fault_of_usage(grader: Command) -> None:
    done = grader("audit", "no_such_problem")
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no problem 'no_such_problem'" in done.stderr


LEFT_OUT = "What takes longer, mistakes and mutants among it, is tried once this is fixed, or with --mutants."


@pytest.mark.few(0, 1)
@pytest.mark.parametrize(
    "title",
    [
        "a statement without a section",
        "a stub with another signature",
        "a table of symbols without a row",
        "a worked answer of another shape",
    ],
)
def test_what_is_quick_to_find_is_told_before_mutants_are_tried(title: str, tmp_path: Path) -> None:
    kit = toys.make(tmp_path, files=DEFECTS[title].files())
    (quick,) = Command(kit).json("audit")["audits"]
    assert len(quick["findings"]) == 1
    assert (quick["left_out"], quick["score"], quick["sets"]) == (True, None, 0)
    assert LEFT_OUT in " ".join(Command(kit)("audit").stdout.split())
    toys.make(tmp_path, "other_decay")
    assert f"1 problem audited in part. {LEFT_OUT}" in " ".join(Command(kit)("audit").stdout.split())


@pytest.mark.slow
def test_with_mutants_all_is_tried_at_once(tmp_path: Path) -> None:
    kit = toys.make(tmp_path, files=DEFECTS["a statement without a section"].files())
    (whole,) = Command(kit).json("audit", "--mutants")["audits"]
    assert len(whole["findings"]) == 1
    assert (whole["left_out"], whole["score"]["killed"], whole["sets"]) == (False, whole["score"]["mutants"], 6)
    assert LEFT_OUT not in Command(kit)("audit", "--mutants").stdout


@pytest.mark.slow
def test_a_damaged_key_is_named_and_nothing_else(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    (kit / "problems/distance_decay/key.bin").write_bytes(b"PK\3\4 this is no key")
    (found,) = Command(kit).json("audit")["audits"][0]["findings"]
    assert (found["check"], found["file"]) == ("key", "problems/distance_decay/key.bin")
    assert "damaged" in found["message"]


@pytest.mark.slow
def test_the_findings_are_lines_that_an_editor_can_follow(tmp_path: Path) -> None:
    kit = toys.make(tmp_path, files=DEFECTS["a link that leads nowhere"].files())
    done = Command(kit)("audit")
    assert done.returncode == 1
    line = next(line for line in done.stdout.splitlines() if "elsewhere" in line)
    number = toys.STATEMENT[: toys.STATEMENT.index("[the same lesson]")].count("\n") + 1
    assert line.startswith(f" problems/distance_decay/README.md:{number}: link: ")


@pytest.mark.nightly
@pytest.mark.slow
def test_mutants_without_a_name_are_candidates(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    short, long = (Command(kit)("audit", *options).stdout for options in ((), ("--mutants",)))
    assert "that no pitfall names" in short
    assert "--mutants shows all" in short
    assert "--mutants shows all" not in long
    assert len(long.splitlines()) > len(short.splitlines())


@pytest.mark.slow
def test_a_kit_without_solutions_cannot_be_audited(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    assert Command(kit)("release", "--keys").returncode == 0
    for path in (kit / "solutions/distance_decay").iterdir():
        path.unlink()
    done = Command(kit)("audit")
    assert done.returncode == 2
    assert "handed out without solutions/" in done.stderr


@pytest.mark.nightly
@pytest.mark.slow
def test_the_process_of_a_reference_ends_with_the_audit_of_its_problem(tmp_path: Path) -> None:
    names = ("distance_decay", "other_decay")
    for name in names:
        toys.make(tmp_path, name)
    before = {*psutil.Process().children(recursive=True)}
    with Session(Kit(tmp_path)) as session:
        for _ in audit(session, names, 2, lambda: None):
            pass
        running = {*psutil.Process().children(recursive=True)} - before
    assert len(running) == 1, "the template is left: the references of a large kit would need all memory"
