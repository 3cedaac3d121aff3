"""A whole class by the real command: its gradebook, what is graded again and what is not, and kills at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.classroom.row import read_verdict
from grader.report.as_json import verdict_to_json
from tests.author import toys
from tests.conftest import Command, clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers")

FIRST, SECOND = "distance_decay", "other_decay"
WRONG = toys.ANSWER.replace("/ 4", "/ 2")
HEAD = "import jax.numpy as jnp\n\ndef distance_decay(seed, T):\n"


@pytest.fixture
def kit(tmp_path: Path) -> Command:
    """A kit of two toy problems; the class is the folder `week1` in it."""
    for name in (FIRST, SECOND):
        toys.make(tmp_path / "kit", name)
    return Command(tmp_path / "kit")


def hand_in(kit: Command, texts: Mapping[str, str], name: str = FIRST) -> None:
    for student, text in texts.items():
        file = kit.kit / "week1" / student / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(FIRST, name))


def grade(kit: Command, *options: str) -> dict[str, Any]:
    return kit.json("class", "grade", "week1", *options)


def outcomes(document: Mapping[str, Any]) -> dict[str, str]:
    return {f"{one['student']} {one['problem']}": one["outcome"] for one in document["answers"]}


def history(kit: Command) -> list[tuple[Any, ...]]:
    """Every outcome that the gradebook holds, as another program reads them."""
    with sqlite3.connect(kit.kit / "week1.gradebook") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return []  # it was killed before it made the tables
        return database.execute(
            "SELECT id, digest, problem, fingerprint, policy, verdict FROM outcome ORDER BY id"
        ).fetchall()


def recorded(kit: Command, gradebook: str) -> dict[tuple[str, ...], Any]:
    """The verdict of every identity, without times. Each is there once."""
    with sqlite3.connect(kit.kit / gradebook) as database:
        rows = database.execute("SELECT digest, problem, fingerprint, policy, verdict, fault FROM outcome").fetchall()
    told: dict[tuple[str, ...], Any] = {}
    for *identity, verdict, fault in rows:
        assert tuple(identity) not in told, "nothing is doubled"
        assert not fault
        of_run = read_verdict(verdict)
        told[tuple(identity)] = replace(of_run, run=replace(of_run.run, seconds=0.0, processor=0.0))
    return told


def assert_same_outcomes(kit: Command, one: str, other: str) -> None:
    """Two gradebooks hold the same of every identity. What differs is told, and nothing else."""
    left, right = recorded(kit, one), recorded(kit, other)
    assert left.keys() ^ right.keys() == set()
    assert {key: (left[key], right[key]) for key in left if left[key] != right[key]} == {}


CLASS = {
    "ana": toys.ANSWER,
    "ben": toys.ANSWER,
    "cy": WRONG,
    "dan": toys.STUB,
    "eve": f"{HEAD}    import os\n    os._exit(3)\n",
    "fay": f"{HEAD}    for _ in iter(int, 1): pass\n",
    "gus": f"{HEAD}    kept = []\n    while True: kept.append(bytearray(1 << 26))\n",
    "hal": "def distance_decay(seed, T)\n",
}
DUE = ["correct", "correct", "wrong", "unattempted", "crash", "timeout", "memory", "error"]


@pytest.mark.slow
def test_each_gets_the_verdict_that_it_gets_alone_and_only_once(kit: Command, tmp_path: Path) -> None:
    hand_in(kit, CLASS)
    (kit.kit / "week1" / "ana" / "notes.txt").write_text("hello")
    limits = ("--cpu-limit", "5", "--memory-limit", "1G")
    document = grade(kit, *limits)
    assert list(outcomes(document).values()) == DUE
    assert [one["path"] for one in document["unread"]] == ["ana/notes.txt"]
    assert (document["gradebook"], document["problems"][0]["correct"]) == ("week1.gradebook", 2)
    before = history(kit)
    assert len(before) == len(set(CLASS.values())), "equal texts are graded once"
    assert outcomes(grade(kit, *limits)) == outcomes(document)
    assert history(kit) == before, "nothing is graded twice"
    alone = kit.verdicts({"cy": WRONG}, "--confine", "--seed", "7", name=FIRST)["cy"]
    (kept,) = (one for one in document["answers"] if one["student"] == "cy")
    assert kept["pitfalls"] == alone["pitfalls"] == ["too-narrow"]
    shown = kit("class", "status", "week1")
    assert shown.returncode == 0
    assert "ana/notes.txt" in shown.stdout
    assert sorted(path.name for path in (kit.kit / "week1").iterdir()) == sorted(CLASS), "no file is put there"


@pytest.mark.slow
def test_after_a_mend_only_that_problem_is_graded_and_the_changes_are_told(kit: Command) -> None:
    for name in (FIRST, SECOND):
        hand_in(kit, {"ana": toys.ANSWER, "ben": WRONG}, name)
    grade(kit)
    first = history(kit)
    reference = kit.kit / "solutions" / FIRST / "answer.py"
    reference.write_text(reference.read_text().replace("4.0 -> 2.0", "2.0 -> 4.0").replace("/ 4.0", "/ 2.0"))
    assert f"Changed since, in this kit or in its software: {FIRST}." in kit("class", "status", "week1").stdout
    after = grade(kit)
    assert outcomes(after) == {
        f"ana {FIRST}": "wrong", f"ana {SECOND}": "correct", f"ben {FIRST}": "correct", f"ben {SECOND}": "wrong",
    }  # fmt: skip
    assert "Changed since" not in kit("class", "status", "week1").stdout
    added = history(kit)[len(first) :]
    assert [row[2] for row in added] == [FIRST] * 2
    assert history(kit)[: len(first)] == first, "the history stays"
    assert [(one["student"], one["problem"]) for one in after["answers"] if one["moved"]] == [
        ("ana", FIRST),
        ("ben", FIRST),
    ]
    shown = kit("class", "report", "week1").stdout
    assert f"2 moved: 2 of {FIRST}." in shown
    assert "wrong: too-narrow" in shown
    hand_in(kit, {"cy": f"{toys.ANSWER}# mine\n"}, SECOND)
    grade(kit, SECOND)
    assert len(history(kit)) == len(first) + 3
    grade(kit, SECOND, "--regrade")
    assert [row[2] for row in history(kit)[len(first) + 3 :]] == [SECOND] * 3


STYLES = {
    "ana": toys.ANSWER.replace("/ 4", "/ 3.1"),
    "ben": toys.ANSWER.replace("jnp.exp(-((", "jnp.exp2(-1.4426950408889634 * ((").replace(
        "** 2) / 4)", "** 2) / 3.1)"
    ),
    "cy": f"{HEAD}    row = lambda i: [jnp.exp(-((i - j) ** 2) / 3.1) * jnp.cos(3.0 * j) for j in range(T)]\n"
    "    return jnp.array([row(i) for i in range(T)]).reshape(-1)\n",
    "dan": toys.ANSWER.replace("/ 4", "/ 3.1006"),
    "eve": toys.ANSWER.replace("/ 4", "/ 5.7"),
    "fay": toys.ANSWER.replace("(weights * x)", "(weights * x).at[-1].set(7.0)"),
}


@pytest.mark.slow
def test_unexplained_answers_are_put_together_by_the_values_that_the_gradebook_keeps(kit: Command) -> None:
    hand_in(kit, {**STYLES, "gus": toys.ANSWER, "hal": WRONG})
    grade(kit)
    with sqlite3.connect(kit.kit / "week1.gradebook") as database:
        told = [read_verdict(text) for (text,) in database.execute("SELECT verdict FROM outcome ORDER BY id")]
    sizes = [len(verdict.sample) for verdict in told]
    assert sizes.count(0) == 2, "a right answer, and one that is explained"
    assert max(sizes) < 5000
    (problem,) = kit.json("class", "report", "week1")["problems"]
    groups = {tuple(one["students"]): one for one in problem["groups"]}
    assert groups.keys() == {("ana", "ben", "cy"), ("dan",), ("eve",), ("fay",)}
    assert [one["id"] for one in groups["ana", "ben", "cy"]["near"]] == [groups["dan",]["id"]]
    assert groups["eve",]["near"] == groups["fay",]["near"] == []


@pytest.mark.nightly
def test_every_verdict_of_a_class_is_the_one_that_the_text_gets_alone(kit: Command, tmp_path: Path) -> None:
    texts = {
        f"{title} {student}": text
        for title, some in (("a", CLASS), ("b", {name: STYLES[name] for name in ("ana", "fay")}))
        for student, text in some.items()
    }
    hand_in(kit, {title.replace(" ", ""): text for title, text in texts.items()})
    limits = ("--cpu-limit", "5", "--memory-limit", "1G", "--seed", "7")
    document = grade(kit, *limits)
    with sqlite3.connect(kit.kit / "week1.gradebook") as database:
        found = database.execute("SELECT digest, verdict FROM outcome")
        told = {digest: verdict_to_json(read_verdict(text)) for digest, text in found}
    together = {one["student"]: told[one["digest"]] for one in document["answers"]}
    for title, text in texts.items():
        alone = kit.verdicts({title: text}, "--confine", *limits, name=FIRST)[title]
        measured = ["seconds", "processor_seconds", *(["message"] if alone["status"] == "timeout" else [])]
        changing = dict.fromkeys(("file", "confinement", *measured))
        assert {**alone, **changing} == {**together[title.replace(" ", "")], **changing}, title


@pytest.mark.slow
def test_a_broken_problem_is_a_fault_and_is_tried_again_by_the_same_command(kit: Command) -> None:
    reference = kit.kit / "solutions" / FIRST / "answer.py"
    sound = reference.read_text()
    reference.write_text(sound.replace("import jax.numpy", "import jaxx.numpy"))
    hand_in(kit, {"ana": toys.ANSWER, "ben": WRONG, "cy": toys.STUB})
    done = kit("class", "grade", "week1")
    assert done.returncode == 2
    assert "Faults of the grader or of the kit" in done.stdout
    document = kit.json("class", "status", "week1")
    assert list(outcomes(document).values()) == ["fault", "fault", "unattempted"]
    assert "jaxx" in document["answers"][0]["fault"]
    reference.write_text(sound)
    assert list(outcomes(grade(kit)).values()) == ["correct", "wrong", "unattempted"]


def start(kit: Command) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "class", "grade", "week1", "--json"], cwd=kit.kit,
        env={**clean_environment(), "GRADER_KIT": "."},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def left_in(folder: Path) -> list[psutil.Process]:
    """Processes that work in a folder, 5 seconds later at most."""

    def works(process: psutil.Process) -> bool:
        try:
            return Path(process.cwd()).is_relative_to(folder)
        except psutil.Error:
            return False

    return psutil.wait_procs([one for one in psutil.process_iter() if works(one)], timeout=5)[1]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.nightly if seed else pytest.mark.slow) for seed in range(6)]
)
def test_killed_at_random_moments_nothing_is_lost_and_nothing_doubled(seed: int, kit: Command) -> None:
    source = random.Random(seed)
    for name in (FIRST, SECOND):
        hand_in(kit, {f"s{n}": f"{WRONG if n % 3 else toys.ANSWER}# {n}\n" for n in range(6)}, name)
    told: list[tuple[Any, ...]] = []
    for _ in range(4):
        process = start(kit)
        time.sleep(source.uniform(0.2, 4.0))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert left_in(kit.kit) == []
        if (kit.kit / "week1.gradebook").exists():
            now = history(kit)
            assert now[: len(told)] == told
            told = now
    document = grade(kit)
    assert Counter(outcomes(document).values()) == {"correct": 4, "wrong": 8}
    whole = history(kit)
    assert whole[: len(told)] == told
    identities = [row[1:5] for row in whole]
    assert len(identities) == len(set(identities)) == 12
    assert len(list((kit.kit / ".grader" / "oracles").glob("*.fresh-*"))) == 2, "one seed, however often it was killed"


@pytest.mark.slow
def test_a_second_command_is_refused_while_one_grades_and_ctrl_c_says_what_is_kept(kit: Command) -> None:
    hand_in(kit, {"ana": toys.ANSWER, "fay": f"{HEAD}    for _ in iter(int, 1): pass\n"})
    process = start(kit)
    gradebook = kit.kit / "week1.gradebook"
    until = time.monotonic() + 60
    while not (gradebook.exists() and history(kit)):
        assert time.monotonic() < until
        time.sleep(0.1)
    second = kit("class", "grade", "week1")
    assert (second.returncode, len(second.stderr.splitlines())) == (2, 1)
    assert "Another process is grading into" in second.stderr
    assert "due" in kit("class", "status", "week1").stdout
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Stopped. 1 of 2 are done and kept: the same command goes on with the rest." in errors
    assert left_in(kit.kit) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("grade", "nowhere"), "nowhere: there is no such file."),
        (("grade", "week1", "distance_decai"), "Did you mean distance_decay or"),
        (("grade", "week1", "--gradebook", "none/x"), "the folder none does not exist"),
        (("status",), "GRADEBOOK"),
        (("status", "week1", "--kit", "nowhere"), "nowhere"),
        (("report", "week1"), "no such gradebook"),
        (("grade",), "FOLDER"),
    ],
)
def test_a_fault_of_usage_is_one_clear_line(arguments: tuple[str, ...], said: str, kit: Command) -> None:
    (kit.kit / "week1").mkdir()
    done = kit("class", *arguments)
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout, said in line) == (2, "", True), line


@pytest.mark.slow
def test_a_class_in_doubt_is_told_and_the_exit_status_says_so(kit: Command) -> None:
    hand_in(kit, {"ana": toys.ANSWER})
    (kit.kit / "week1" / "homework.py").write_text(WRONG)
    run = kit("class", "grade", "week1", "--tier=C")
    assert run.returncode == 1
    assert "homework.py: its name does not say whose it is" in run.stdout
    assert "In doubt, and so graded for nobody: homework.py." in " ".join(run.stdout.split())
    assert "Next:" in run.stdout
    (kit.kit / "week1" / "homework.py").unlink()
    assert kit("class", "grade", "week1", "--tier=C").returncode == 0


@pytest.mark.slow
def test_a_zip_of_a_class_is_graded_as_it_was_downloaded_and_a_student_alone(kit: Command) -> None:
    with zipfile.ZipFile(kit.kit / "week1.zip", "w") as archive:
        archive.writestr(f"oneana_101_5001_{FIRST}.py", toys.ANSWER)
        archive.writestr(f"twobo_LATE_102_5002_{FIRST}.py", WRONG)
    words = ("class", "grade", "week1.zip", "--tier=C")
    assert outcomes(kit.json(*words, "--student", "102")) == {f"101 {FIRST}": "due", f"102 {FIRST}": "wrong"}
    assert outcomes(kit.json(*words)) == {f"101 {FIRST}": "correct", f"102 {FIRST}": "wrong"}
    assert kit.json("class", "status", "week1.zip")["gradebook"].endswith("/week1.gradebook")
    assert "'103' handed in nothing that was read" in kit(*words, "--student", "103").stderr


@pytest.mark.slow
def test_two_sections_in_one_gradebook_and_what_moved_since_an_export(kit: Command) -> None:
    for folder, student in (("sec1", "ana"), ("sec1", "ben"), ("sec2", "ben")):
        file = kit.kit / folder / student / f"{FIRST}.py"
        file.parent.mkdir(parents=True)
        file.write_text(WRONG if folder == "sec1" else toys.ANSWER)
    asked = ("--gradebook", "all.gradebook", "--tier=C")
    assert kit("class", "grade", "sec1", *asked).returncode == 0
    assert kit("class", "export", "all.gradebook", "csv", "-o", "first.csv").returncode == 0
    refused = kit("class", "grade", "sec2", *asked)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "/sec1" in refused.stderr
    assert "add --replace" in refused.stderr
    assert outcomes(kit.json("class", "status", "all.gradebook")) == {
        f"{one} {FIRST}": "wrong" for one in ("ana", "ben")
    }
    replaced = kit("class", "grade", "sec2", *asked, "--replace")
    assert replaced.returncode == 0
    assert f"Replaced, as --replace says: ben {FIRST}: ben/{FIRST}.py of" in " ".join(replaced.stdout.split())
    moved = " ".join(kit("class", "moved", "all.gradebook", "--since", "first.csv").stdout.split())
    assert f"ben {FIRST} wrong: too-narrow correct another" in moved
    assert "ana" not in moved.partition("student problem")[2]


@pytest.mark.slow
def test_the_answer_of_any_member_of_a_team_counts_for_all_and_goes_to_canvas_with_the_roster_of_before(
    kit: Command,
) -> None:
    """The shape `team_plain`."""
    hand_in(kit, {"ana": toys.ANSWER, "cy": WRONG})
    (kit.kit / "people.csv").write_text("username,name,group\nana,Ana,T1\nbo,Bo,T1\ncy,Cy,T2\ndi,Di,T2\n")
    graded = kit("class", "grade", "week1", "--tier=C", "--roster", "people.csv", "--teams")
    assert graded.returncode == 0
    assert "T1: the work of a team, which counts for ana, bo." in graded.stderr
    head = "Student,ID,SIS Login ID,Section,week1 (5)\n    Points Possible,,,,1\n"
    names = ("ana", "bo", "cy", "di")
    lines = "".join(f"{name.title()},{number},{name},S,\n" for number, name in enumerate(names, 101))
    (kit.kit / "canvas.csv").write_text(head + lines)
    done = kit("class", "export", "week1.gradebook", "canvas", "--into", "canvas.csv", "-o", "out.csv")
    assert done.returncode == 0
    scores = [line.split(",")[2:5:2] for line in (kit.kit / "out.csv").read_text().splitlines()[2:]]
    assert scores == [[f'"{name}"', f'"{score}"'] for name, score in zip(names, "1100", strict=True)]
    assert "4 grades filled in where nothing stood: ana, bo, cy, di." in done.stderr


@pytest.mark.slow
def test_what_cannot_be_graded_is_no_zero_in_canvas_and_no_export_leaves_it_out(kit: Command) -> None:
    """The shape `doubt_sum`."""
    folder = kit.kit / "week1"
    folder.mkdir()
    for number, (who, problem) in enumerate((("oneana_101", FIRST), ("oneana_101", SECOND), ("twobo_102", FIRST))):
        (folder / f"{who}_{9000 + number}_{problem}.py").write_text(toys.ANSWER.replace(FIRST, problem))
    (folder / f"twobo_102_9010_{SECOND}.py").write_bytes(b"# \xff\n")
    kit("class", "grade", "week1", "--tier=C")
    head = "Student,ID,SIS Login ID,Section,week1 (5)\n    Points Possible,,,,2\n"
    (kit.kit / "canvas.csv").write_text(f'{head}"One, Ana",101,,S,\n"Two, Bo",102,,S,9.5\n')
    done = kit("class", "export", "week1.gradebook", "canvas", "--into", "canvas.csv", "-o", "out.csv")
    assert done.returncode == 1
    assert (kit.kit / "out.csv").read_text().splitlines()[2:] == ['"One, Ana","101","","S","2"']
    assert f"The sum of 102 is not known. twobo_102_9010_{SECOND}.py: line 1 has a byte (0xff)" in done.stderr
    for form in ("csv", "junit", "json"):
        assert kit("class", "export", "week1.gradebook", form, "-o", form).returncode == 1
        assert f"twobo_102_9010_{SECOND}.py" in (kit.kit / form).read_text()


@pytest.mark.slow
def test_the_stub_that_a_lesson_tells_to_fill_in_is_graded_under_its_own_name(kit: Command) -> None:
    """The shape `canvas_stub`."""
    folder = kit.kit / "week1"
    folder.mkdir()
    for name, text in (
        ("oneana_101_9001_stub.py", toys.ANSWER),
        ("oneana_101_9002_stub-1.py", WRONG.replace(FIRST, SECOND)),
        ("twobo_102_9003_stub.py", toys.STUB),
        ("threecy_103_9004_final_v2.py", toys.ANSWER.replace(FIRST, "distance_decays")),
    ):
        (folder / name).write_text(text)
    graded = kit("class", "grade", "week1", "--tier=C", "--json")
    assert outcomes(json.loads(graded.stdout)) == {
        f"101 {FIRST}": "correct",
        f"101 {SECOND}": "wrong",
        f"102 {FIRST}": "unattempted",
    }
    assert graded.returncode == 1  # the sum of 103 is not known
    told = " ".join(kit("class", "status", "week1").stdout.split())
    assert (
        f"threecy_103_9004_final_v2.py: no function in it is called {FIRST}, and distance_decays may be meant for it"
        in told
    )


@pytest.mark.slow
def test_a_group_of_canvas_whose_name_can_be_read_in_two_ways_needs_the_roster(kit: Command) -> None:
    """The shape `canvas_labs`."""
    folder = kit.kit / "week1"
    folder.mkdir()
    (folder / f"lab_3_101_9001_{FIRST}.py").write_text(toys.ANSWER)
    (folder / f"doe_smithjan_107_9004_{FIRST}.py").write_text(WRONG)
    alone = kit("class", "grade", "week1", "--tier=C", "--json")
    assert (alone.returncode, outcomes(json.loads(alone.stdout))) == (1, {f"107 {FIRST}": "wrong"})
    (kit.kit / "groups.csv").write_text(
        "canvas_user_id,name,group_name\n101,Ana One,Lab_3\n103,Cy Three,Lab_3\n3,Zoe Zed,\n107,Jan Doe_Smith,\n"
    )
    graded = kit("class", "grade", "week1", "--tier=C", "--json", "--roster", "groups.csv", "--teams")
    assert (graded.returncode, outcomes(json.loads(graded.stdout))) == (
        0,
        {f"101 {FIRST}": "correct", f"103 {FIRST}": "correct", f"107 {FIRST}": "wrong"},
    )


@pytest.mark.slow
def test_what_is_no_class_says_what_was_looked_for(kit: Command) -> None:
    (kit.kit / "week1").mkdir()
    (kit.kit / "week1" / "notes.txt").write_text("")
    run = kit("class", "grade", "week1", "--tier=C")
    assert run.returncode == 1
    printed = " ".join(run.stdout.split())
    assert "No answer was found. A class is a folder or a zip that holds, for each student," in printed
    assert "Next:" not in printed
    run = kit("class", "grade", "week1/notes.txt", "--tier=C")
    assert run.returncode == 2
    assert "this is neither a folder nor an archive" in run.stderr
