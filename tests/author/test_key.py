"""An answer key grades and names mistakes as its reference does, holds no code, and is refused if it does not fit."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.author.calls import diagnosis_of
from grader.author.key import make, plan_export, second_case, without_places
from grader.commands.author import release
from grader.kit.kit import COMMANDS, Kit, KitError
from grader.kit.mistakes import pitfall_sets
from grader.kit.problem_error import ProblemError
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import Truth
from grader.options import Options
from grader.oracle.documents import LARGEST_KEY, from_bytes
from grader.oracle.server import load
from grader.session import Session
from grader.values import frames
from grader.values.arrays import Answered, Expected
from grader.where.steps import unpacked
from tests import answers
from tests.author import toys
from tests.computed import Computed
from tests.conftest import Command, copy_kit
from tests.oracle.conftest import with_header

pytestmark = pytest.mark.slow  # the real command, in a kit of its own

SMALL = "relative_bias"


def exported(kit: Path, target: Path) -> Command:
    done = Command(kit)("release", str(target))
    assert done.returncode == 0, done.stderr
    return Command(target)


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A toy kit with an answer key in place of its solutions."""
    root = tmp_path_factory.mktemp("keyed")
    toys.make(root / "whole")
    exported(root / "whole", root / "exported")
    return root / "exported"


@pytest.fixture
def own(toy: Path, tmp_path: Path) -> Path:
    """A copy of the exported kit that a test may change."""
    return Path(shutil.copytree(toy, tmp_path / "own"))


@pytest.mark.nightly
def test_an_exported_kit_gives_the_same_verdicts(tmp_path: Path) -> None:
    kit = copy_kit(tmp_path / "kit", SMALL)
    without = exported(kit, tmp_path / "exported")
    assert not (without.kit / "solutions").exists()
    options: list[str] = []
    for kind in ("right", "wrong"):
        for number, written in enumerate(answers.read(SMALL, kind)[:4]):
            file = tmp_path / f"{kind}_{number}.py"
            file.write_text(written.text)
            options += ["--answer", str(file)]
    whole, keyed = (Command(one).json("check", SMALL, *options)["verdicts"] for one in (kit, without.kit))
    assert len(whole) == 8
    untimed = {"seconds": 0, "processor_seconds": 0}
    for one, other in zip(whole, keyed, strict=True):
        assert {**one, **untimed} == {**other, **untimed}


@pytest.mark.slow
def test_an_exported_kit_holds_no_code_of_the_solutions(toy: Path) -> None:
    assert sorted(path.relative_to(toy).as_posix() for path in toy.rglob("*") if path.is_file()) == [
        "README.md",
        "problems/distance_decay/README.md",
        "problems/distance_decay/key.bin",
        "problems/distance_decay/stub.py",
    ]
    header, _ = frames.unpack((toy / "problems/distance_decay/key.bin").read_bytes(), LARGEST_KEY)
    text = json.dumps(header)
    assert "too-narrow" in text
    for code in ("jnp", "def ", "apart"):
        assert code not in text


def test_the_readme_of_an_exported_kit_says_how_to_install_begin_and_hand_in(tmp_path: Path) -> None:
    for name, after in (("early_decay", "late_decay"), ("late_decay", "")):
        text = toys.STATEMENT.replace("after: []", f"after: [{after}]")
        toys.make(tmp_path / "kit", name, {**toys.FILES, toys.STATEMENT_FILE: text})
    kit = Kit(tmp_path / "kit")
    text = plan_export(kit, kit.names, tmp_path / "out")["README.md"].decode()
    assert text.index("(problems/late_decay/README.md)") < text.index("(problems/early_decay/README.md)")
    assert "| Distance decay | late_decay |" in text
    for said in (
        "pip install FILE",
        "`problems/NAME/stub.py`",
        "`grader`, and not `python -m grader`",
        "--confine",
        "Hand in",
    ):
        assert said in text
    assert "$" not in text
    assert str(tmp_path) not in text
    assert "http" not in text
    given = [line.split()[1:] for line in text.splitlines() if line.startswith("grader ")]
    assert [first for first, *_ in given] == ["doctor", "show", "check"]
    assert {*re.findall(r"`grader ([a-z]+)", text)} < {*COMMANDS}


@pytest.mark.slow
def test_the_first_commands_of_the_readme_work_in_an_exported_kit(own: Path) -> None:
    command = Command(own)
    assert "Distance decay" in command("show", "distance_decay").stdout
    assert "distance_decay" in command().stdout


@pytest.mark.slow
def test_an_exported_kit_is_graded_as_any_other(own: Path) -> None:
    command = Command(own)
    command("list")  # what is filled in after the first command is the learner's own
    stub = own / "problems/distance_decay/stub.py"
    stub.write_text(toys.ANSWER)
    assert command("distance_decay").returncode == 0
    stub.write_text(toys.ANSWER.replace("/ 4", "/ 2"))
    (verdict,) = command.json("distance_decay")["verdicts"]
    assert (verdict["status"], verdict["pitfalls"]) == ("wrong", ["too-narrow"])
    stub.write_text(toys.ANSWER.replace("/ 4", "/ 2").replace("** 2", "** 1").replace("((places", "(abs(places"))
    (verdict,) = command.json("distance_decay")["verdicts"]
    assert sorted(verdict["pitfalls"]) == ["not-squared", "too-narrow"]


@pytest.mark.slow
def test_a_key_diagnoses_every_set_of_mistakes_as_its_reference_does(toy: Path) -> None:
    problem = load(Kit(toy.parent / "whole").answer("distance_decay"))
    with Session(Kit(toy)) as session:
        reference, key = Computed(problem), session.oracle("distance_decay")
    sets = [made for size in (1, 2, 3) for made in pitfall_sets(problem.pitfalls, size)]
    assert max(len(names) for names, _ in sets) == 3
    for names, forms in sets:
        outputs = [np.asarray(problem.solution.function(forms)(*case)) for case in problem.cases]
        returned = [Answered(output, "float32") for output in outputs]
        found = diagnose(Evidence(reference.facts(), key, key.truth(), returned, band=MOST_TOLERANCES_WITH_PROGRAM))
        assert found.names == names
        assert found == diagnosis_of(outputs, reference)


@pytest.mark.nightly
@pytest.mark.slow
def test_an_exported_kit_has_the_shipped_stub_and_not_the_learners(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    Command(kit)("list")
    Command(kit)("distance_decay")
    stub = kit / toys.STUB_FILE
    Command(kit)()
    stub.write_text(toys.ANSWER)
    without = exported(kit, tmp_path / "exported")
    assert (without.kit / toys.STUB_FILE).read_text() == toys.STUB
    assert stub.read_text() == toys.ANSWER


@pytest.mark.nightly
def test_keys_are_written_when_they_are_made_and_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    kit = tmp_path / "kit"
    names = [f"decay_{number}" for number in range(4)]
    for name in names:
        toys.make(kit, name)
    target = tmp_path / "exported"
    command = [sys.executable, "-m", "grader", "release", str(target)]
    with subprocess.Popen(command, cwd=kit, stdout=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        os.killpg(running.pid, signal.SIGKILL)
    assert ": written, " in first
    made = {name for name in names if (target / f"problems/{name}/key.bin").exists()}
    assert Path(first.split(":")[0]).parent.name in made
    assert made < set(names)
    lines = Command(kit)("release", str(target)).stdout.splitlines()
    told = {Path(line.split(": ")[0]).parent.name: line for line in lines if "key.bin: " in line}
    assert {name for name, line in told.items() if ": there already, " in line} == made
    assert {name for name, line in told.items() if ": written, " in line} == set(names) - made
    assert any("its keys" in line for line in lines)
    assert f", {len(made)} of them there already" in " ".join(line.strip() for line in lines)
    Command(target)("list")
    for name in names:
        (target / f"problems/{name}/stub.py").write_text(toys.ANSWER.replace("distance_decay", name))
    assert Command(target)(*names).returncode == 0


@pytest.mark.slow
def test_an_export_that_was_stopped_goes_on_and_no_other_file_is_touched(toy: Path, own: Path) -> None:
    kit, name = Kit(toy.parent / "whole"), "distance_decay"
    due = {toys.STATEMENT_FILE: toys.STATEMENT.encode(), toys.STUB_FILE: toys.STUB.encode()}
    due["README.md"] = (own / "README.md").read_bytes()
    assert plan_export(kit, [name], own) == due
    (own / "problems/distance_decay/key.bin").unlink()
    assert plan_export(kit, [name], own) == due
    shutil.rmtree(own / "problems/distance_decay")
    assert plan_export(kit, [name], own) == due
    for path in (
        "problems/distance_decay/notes.txt",
        "problems/another/README.md",
        "solutions/distance_decay/answer.py",
    ):
        (own / path).parent.mkdir(parents=True, exist_ok=True)
        (own / path).write_text("mine")
        with pytest.raises(KitError, match="is there already"):
            plan_export(kit, [name], own)
        (own / path).unlink()


@pytest.mark.slow
@pytest.mark.parametrize("file", [toys.STUB_FILE, toys.STATEMENT_FILE, "README.md"])
def test_an_export_with_a_changed_file_does_not_go_on(file: str, toy: Path, own: Path) -> None:
    (own / file).write_text((own / file).read_text() + "mine\n")
    with pytest.raises(KitError, match="is there already"):
        plan_export(Kit(toy.parent / "whole"), ["distance_decay"], own)


def expected(*values: float) -> Expected:
    return Expected(np.array(values), 1e-6)


def test_the_second_case_is_the_one_that_distinguishes_most_of_what_the_first_leaves_alike() -> None:
    truth = Truth([expected(0.0)] * 4, [(1,)] * 4, ["float32"] * 4, [{}] * 4)
    alike, other = expected(1.0), expected(2.0)
    sets = [[alike, alike, alike, alike], [alike, other, alike, other], [other, other, alike, alike]]
    assert second_case(truth, sets, 0) == 3
    assert second_case(truth, sets, 3) == 1
    assert second_case(truth, [[alike] * 4] * 2, 3) == 2
    only = Truth(truth.expected[:1], truth.shapes[:1], truth.dtypes[:1], truth.coarse[:1])
    assert second_case(only, [[alike], [other]], 0) == 0


@pytest.mark.parametrize("target", ["full", "kit/problems/inside", "file"])
def test_an_export_overwrites_nothing(target: str, tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/thesis.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    done = Command(kit)("release", str(tmp_path / target))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1
    assert (tmp_path / "full/thesis.txt").read_text() == (tmp_path / "file").read_text() == "mine"


def test_an_export_of_some_problems_needs_those_that_come_before_them(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    for name, before in (
        ("middle_decay", "distance_decay, other_decay"),
        ("other_decay", ""),
        ("late_decay", "middle_decay"),
    ):
        toys.make(kit, name)
        Kit(kit).statement(name).write_text(toys.STATEMENT.replace("after: []", f"after: [{before}]"))
    with pytest.raises(KitError) as refused:
        plan_export(Kit(kit), ["late_decay"], tmp_path / "out")
    before = "distance_decay, middle_decay, other_decay"
    assert f"would leave out what comes before its problems: {before}." in str(refused.value)
    *_, command = str(refused.value).split(": ")
    assert command == f"python -m grader release {tmp_path / 'out'} distance_decay late_decay middle_decay other_decay"
    planned = plan_export(Kit(kit), command.split()[5:], tmp_path / "out")
    assert {Path(path).parent.name for path in planned} - {""} == set(Kit(kit).names)


def test_an_export_holds_what_a_statement_names_and_follows_no_link(tmp_path: Path) -> None:
    kit, folder = Kit(toys.make(tmp_path / "kit")), tmp_path / "kit/problems/distance_decay"
    (tmp_path / "id_rsa").write_text("private")
    (folder / "notes").symlink_to(tmp_path / "id_rsa")
    (folder / "later.txt").write_text("not named")
    planned = plan_export(kit, ["distance_decay"], tmp_path / "out")
    assert set(planned) == {"README.md", toys.STATEMENT_FILE, toys.STUB_FILE}
    kit.statement("distance_decay").write_text(toys.STATEMENT + "\n![notes](notes)\n")
    with pytest.raises(ProblemError, match="problems/distance_decay/notes cannot be handed out: a link, not a file"):
        plan_export(kit, ["distance_decay"], tmp_path / "out")


def test_an_export_is_refused_if_a_problem_comes_after_an_unknown_one(tmp_path: Path) -> None:
    kit = Kit(toys.make(tmp_path / "kit"))
    kit.statement("distance_decay").write_text(toys.STATEMENT.replace("after: []", "after: [nowhere]"))
    with pytest.raises(ProblemError, match="`after` names 'nowhere', which is no problem here"):
        plan_export(kit, list(kit.names), tmp_path / "out")


@pytest.mark.slow
def test_a_kit_without_solutions_is_told_once_that_keys_need_them(toy: Path) -> None:
    with pytest.raises(
        KitError, match="solutions/, and keys are made from worked answers: this kit was handed out without"
    ):
        release(Options(Kit(toy)), [], None)


def test_a_damaged_key_is_refused_in_one_line(own: Path) -> None:
    path = own / "problems/distance_decay/key.bin"
    path.write_bytes(path.read_bytes()[:1000])
    Command(own)("list")
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.strip().splitlines()
    assert "problems/distance_decay/key.bin: damaged, or not a key" in line
    assert "python -m grader release --keys distance_decay" in line


def test_a_key_holds_the_versions_that_made_it_and_no_path(own: Path) -> None:
    header, _ = frames.unpack((own / "problems/distance_decay/key.bin").read_bytes(), LARGEST_KEY)
    assert header["origin"]["distributions"]["jax"] == version("jax")
    assert header["origin"]["files"] == {}
    assert header["key"]["sample"]["normal"]


@pytest.mark.nightly
def test_without_places_a_key_holds_nothing_of_the_steps_and_the_same_of_all_else(tmp_path: Path) -> None:
    kit = Kit(toys.make(tmp_path / "kit"))
    with Session(kit) as session:
        whole, without = (make(session, "distance_decay", {}, places=places) for places in (True, False))
    assert without_places(whole) == without == without_places(without)
    header, arrays = frames.unpack(whole, LARGEST_KEY)
    less, fewer = frames.unpack(without, LARGEST_KEY)
    assert {**header, "steps": None} == less
    assert len(fewer) == len(arrays) - 1, "the steps are one array"
    steps = [name for one in from_bytes(whole, LARGEST_KEY)[0].steps.values() for name in unpacked(one.data)[0]]
    assert any(name.endswith("exp:0:0") for name in steps), "line, column and operation of the worked answer"
    text = json.dumps(less).encode() + b"".join(one.tobytes() for one in fewer)
    assert not [name for name in steps if name.encode() in text]


@pytest.mark.nightly
@pytest.mark.slow
def test_without_places_a_kit_grades_and_names_mistakes_and_tells_no_place(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    (tmp_path / "wrong.py").write_text(toys.ANSWER.replace("/ 4", "/ 2"))
    (tmp_path / "odd.py").write_text(toys.ANSWER.replace("jnp.exp(", "0.3 + jnp.exp("))
    (tmp_path / "right.py").write_text(toys.ANSWER)
    options = [one for name in ("wrong", "odd", "right") for one in ("--answer", str(tmp_path / f"{name}.py"))]
    told: list[list[dict[str, Any]]] = []
    for name, more in (("with", []), ("without", ["--without-places"])):
        done = Command(kit)("release", str(tmp_path / name), *more)
        assert done.returncode == 0, done.stderr
        graded = Command(tmp_path / name)
        told.append(graded.json("check", "distance_decay", *options)["verdicts"])
        walk = " ".join(graded("trace", "distance_decay", "--answer", str(tmp_path / "odd.py")).stdout.split())
        assert ("not in the reference" in walk) == (name == "with"), "nothing is compared with steps that are not there"
        assert "On this case, the result is wrong." in walk
    for one, other in zip(*told, strict=True):
        assert other["where"] == []
        same = {**one, "where": [], "seconds": 0, "processor_seconds": 0}
        assert {**other, "seconds": 0, "processor_seconds": 0} == same
    assert [one["status"] for one in told[1]] == ["wrong", "wrong", "correct"]
    assert [bool(one["where"]) for one in told[0]] == [True, True, False]
    assert told[1][0]["pitfalls"] == ["too-narrow"]


@pytest.mark.nightly
@pytest.mark.slow
def test_keys_with_places_and_without_take_the_place_of_each_other(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    for more, kept in (
        ([], False),
        ([], True),
        (["--without-places"], False),
        (["--without-places"], True),
        ([], False),
    ):
        done = Command(kit)("release", "--keys", *more)
        assert ("there already" in done.stdout) == kept
        oracle, _ = from_bytes((kit / "problems/distance_decay/key.bin").read_bytes(), LARGEST_KEY)
        assert bool(oracle.steps) != bool(more)


@pytest.mark.slow
def test_a_key_of_another_jax_grades_if_that_draws_the_same_numbers(own: Path) -> None:
    path = own / "problems/distance_decay/key.bin"
    with_header(path, lambda header: header["origin"]["distributions"].update(jax="0.0.1"))
    Command(own)("list")
    (own / toys.STUB_FILE).write_text(toys.ANSWER)
    done = Command(own)("distance_decay")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_key_is_written_beside_its_statement_and_an_audit_finds_it_stale(tmp_path: Path) -> None:
    kit = toys.make(tmp_path)
    written, whole = Command(kit)("release", "--keys").stdout.splitlines()
    assert re.fullmatch(r" problems/distance_decay/key\.bin: written, \d+\.\d s, [\d.]+ KB", written)
    assert re.fullmatch(r" 1 key in problems/, [\d.]+ KB\.", whole)
    assert Command(kit)("audit").returncode == 0
    (kit / toys.WORKED_FILE).write_text(toys.WORKED + "# another text\n")
    (audited,) = Command(kit).json("audit")["audits"]
    (found,) = audited["findings"]
    assert (found["check"], found["file"]) == ("key", "problems/distance_decay/key.bin")
    assert not audited["left_out"], "a key is made anew once the problem is sound"
    assert "another text of solutions/distance_decay/answer.py" in found["message"]
