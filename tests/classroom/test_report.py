"""The report is counted from the rows alone: who needs help, what moved, and what stands for each group."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.classroom.history import ANSWER, PROBLEM, Move
from grader.classroom.report import (
    ClassReport,
    Moved,
    ReportInput,
    RosterAgreement,
    Student,
    report_document,
    report_of,
)
from grader.classroom.submission import Unread
from grader.marking.verdict import Status
from grader.run.forking import Forking
from tests import answers
from tests.classroom.exports.rows import WRONG, row, verdict_of
from tests.classroom.reported import EVIL, EVIL_TEXT, fill, numbered
from tests.classroom.reported import report as reported
from tests.classroom.test_clusters import raised, wrong
from tests.conftest import FLAGSHIP, ROOT, Command, document


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ClassReport:
    return reported(fill(tmp_path_factory.mktemp("report") / "week1.gradebook"))


def test_every_answer_is_in_one_outcome(report: ClassReport) -> None:
    (rope,) = report.problems
    assert sum(rope.outcomes.values()) == rope.answers == report.answers == 11
    assert rope.outcomes == {
        **dict.fromkeys(rope.outcomes, 0),
        **{"correct": 1, "wrong": 6, "error": 1, "timeout": 1, "unattempted": 1, "due": 1},
    }


def test_a_group_has_all_who_made_it_and_one_that_stands_for_them(report: ClassReport) -> None:
    same, *others = report.problems[0].groups
    of = {one.students: one for one in others}
    other, error = of["cy",], of["fay",]
    assert set(same.students) == {"ben", "bob"}
    assert same.representative.student == "ben"
    assert same.representative.text == "x = 1\n# ben\n"
    assert (same.args, same.places[0].line) == ({"T": 3}, 2)
    assert same.command == f"grader class pitfall week1 rope {same.id}"
    assert other.args == {"T": 2}
    assert (error.args, error.excerpt, error.command) == (None, None, "")


def test_who_has_most_left_to_mend_comes_first_and_who_is_done_or_due_is_not_there() -> None:
    stub = verdict_of(Status.UNATTEMPTED)
    rows = [
        *(row("ana", verdict, name) for name, verdict in (("a", WRONG), ("b", stub), ("c", verdict_of()))),
        *(row("ben", verdict, name) for name, verdict in (("a", WRONG), ("b", WRONG))),
        *(row("cy", stub, name) for name in ("a",)),
        *(row("dan", verdict_of(), name) for name in ("a",)),
        *(row("eve", None, name) for name in ("a",)),
        row("fay", state="fault", fault="no process"),
    ]
    report = report_of("x", rows)
    assert report.help == (
        Student("ben", ("a", "b"), (), 2),
        Student("ana", ("a",), ("b",), 3),
        Student("cy", (), ("a",), 1),
    )
    assert [one.count for one in report.help] == [2, 2, 1]


def test_what_moved_is_counted_by_from_and_to() -> None:
    named = "wrong: half-exponent + constant-factor"
    moves = [
        Move("1", "ana", "rope", named, "correct", PROBLEM, "ana/rope.py"),
        Move("2", "ben", "rope", named, "correct", PROBLEM, "ben/rope.py"),
        Move("3", "cy", "rope", named, "correct", ANSWER, "cy/rope.py"),
        Move("4", "cy", "rope", "correct", named, PROBLEM, "cy/rope.py"),
    ]
    found = report_of("x", [row("cy", WRONG)], ReportInput(moves=moves))
    assert found.moved == (
        Moved("rope", named, "correct", 2, PROBLEM),
        Moved("rope", "correct", named, 1, PROBLEM),
        Moved("rope", named, "correct", 1, ANSWER),
    )
    assert [one.at for one in found.moves] == ["4", "3", "2", "1"], "also the first of two moves of one answer"


def test_what_is_known_beside_the_rows_is_in_the_document() -> None:
    known = ReportInput(
        unread=[Unread("ana/rope.py", "line 3: no text", student="ana", problem="rope")],
        stale=["rope"],
        listed=RosterAgreement(("dan",), ("zoe",)),
    )
    found = report_of("x", [row("ana", None)], known)
    assert found.unread == (Unread("ana/rope.py", "line 3: no text", student="ana", problem="rope"),)
    whole = document(report_document(found))
    assert whole["stale"] == ["rope"]
    assert whole["listed"] == {"absent": ["dan"], "strange": ["zoe"]}
    assert whole["unread"][0]["why"] == "line 3: no text"


def test_equal_answers_are_told_beyond_the_stub_and_not_those_that_equal_the_worked_answer() -> None:
    rows = [row(name, verdict_of(), digest="x") for name in ("ana", "ben")]
    stub, text = "def rope(x):\n    raise NotImplementedError\n", "def rope(x):\n    y = x\n    return y\n"

    def statements(*given: str) -> list[int]:
        known = ReportInput(lambda _: text, given=lambda _: (given[0], given[1]))
        (problem,) = report_of("x", rows, known).problems
        return [one.statements for one in problem.equal]

    assert statements("", "") == [3]
    assert statements(stub, "") == [2]
    assert statements(stub, text.replace("y", "z")) == []


def test_of_a_single_wrong_answer_no_case_is_called_idle_or_alone() -> None:
    rows = [row("ana", wrong())]
    (one,) = report_of("x", rows).problems
    assert (one.compared, one.idle, one.sole) == (1, (), ())
    (two,) = report_of("x", [*rows, row("ben", wrong())]).problems
    assert [case.args for case in two.idle] == [{"T": 1}]
    assert [(case.args, case.alone) for case in two.sole] == [({"T": 2}, 2)]


def test_two_groups_never_have_one_id() -> None:
    rows = numbered([row("ana", wrong()), row("ben", wrong(0.9)), row("cy", raised("no"))])
    ids = [one.id for one in report_of("x", rows).problems[0].groups]
    assert len(set(ids)) == 3
    assert len(ids[0]) == 64  # as long as it takes


def test_an_empty_gradebook_has_a_report() -> None:
    empty = report_of("x", [])
    assert (empty.answers, empty.problems, empty.help, empty.moved, empty.graded_at) == (0, (), (), (), "")
    assert document(report_document(empty))["problems"] == []


def test_the_document_holds_the_texts_as_they_are(tmp_path: Path) -> None:
    report = reported(fill(tmp_path / "x.gradebook", verdicts={EVIL: wrong()}))
    (group,) = document(report_document(report))["problems"][0]["groups"]
    assert (group["students"], group["representative"]["text"]) == ([EVIL], EVIL_TEXT)


def test_groups_that_are_perhaps_one_name_each_other() -> None:
    by = {"ana": 0.5, "ben": 0.5 + 30e-6, "cy": 0.9, "dan": 0.9 + 30e-6, "eve": 0.9 + 60e-6}
    rows = numbered([row(name, wrong(value)) for name, value in by.items()])
    (problem,) = report_of("x", rows).problems
    near = {group.students[0]: [one.id for one in group.near] for group in problem.groups}
    ids = {group.students[0]: group.id for group in problem.groups}
    assert near["ana"] == [ids["ben"]]
    assert near["ben"] == [ids["ana"]]
    assert near["dan"] == [ids["cy"], ids["eve"]]
    (one,) = problem.groups[0].near
    assert one.tolerances == pytest.approx(30, rel=0.01)


_SENTENCE = re.compile(r"[A-Z][a-z]+ [a-z][^.;:<>\n]+[.;:]")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of answers")
def test_a_class_graded_in_english_is_reported_in_spanish_without_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong_answer = next(one.text for one in answers.read(FLAGSHIP, "wrong") if one.explained)
    stub = (ROOT / "problems" / FLAGSHIP / "stub.py").read_text()
    for student, text in {"ana": wrong_answer, "ben": stub, "cy": "x = (\n", "dan": ""}.items():
        (tmp_path / "week1" / student).mkdir(parents=True)
        (tmp_path / "week1" / student / f"{FLAGSHIP}.py").write_text(text)

    def run(*arguments: str) -> str:
        return Command(tmp_path)("class", *arguments, GRADER_KIT=str(ROOT)).stdout

    run("grade", "week1", "--tier", "C")

    def start(*_: object, **__: object) -> None:
        raise AssertionError("a process is started")

    monkeypatch.setattr(Forking, "start", start)
    monkeypatch.setattr(subprocess, "Popen", start)

    def told(out: str, *arguments: str) -> str:
        """What a command prints, or what it writes to a file or a folder."""
        if not out:
            return run(*arguments)
        run(*arguments, "-o", out, "--force")
        path = tmp_path / out
        return "\n".join(each.read_text() for each in ([*path.iterdir()] if path.is_dir() else [path]))

    for out, *arguments in (
        ("", "report", "week1"),
        ("report.html", "report", "week1"),
        ("pages", "report", "week1", "--students"),
        ("texts", "report", "week1", "--students", "--page", "text"),
        ("week1.csv", "export", "week1", "csv"),
        ("week1.json", "export", "week1", "json"),
    ):
        english, spanish = told(out, *arguments), told(out, *arguments, "--lang", "es")
        sentences = set(_SENTENCE.findall(re.sub(r"<(style|script)>.*?</\1>", "", english, flags=re.DOTALL)))
        assert sentences, arguments
        assert [one for one in sentences if one in spanish] == [], arguments
        assert re.search(r"Acierta en \d de 8 casos|no se entregó", " ".join(spanish.split())), arguments
        if out == "week1.csv":
            assert english.partition("\n")[0] == spanish.partition("\n")[0], "columns are names for programs"
        if out == "week1.json":
            assert re.findall(r'"outcome": .*', english) == re.findall(r'"outcome": .*', spanish) != []
