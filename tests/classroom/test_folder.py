"""A folder is read as people have it: what counts is read once, and what is not graded is listed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from grader.classroom.folder import read_class
from grader.classroom.submission import Submission
from grader.kit.kit import Kit
from tests.conftest import FLAGSHIP, ROOT
from tests.kit.test_notebook import notebook

KIT = Kit(ROOT)
OTHER = "rope"
ANSWER = f"def {FLAGSHIP}(seed, T, d_model):\n    return 0\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def read(folder: Path, *problems: str) -> tuple[list[Submission], dict[str, str]]:
    submissions, unread = read_class(folder, KIT, problems or KIT.names)
    return submissions, {one.path: one.why for one in unread}


def test_all_layouts_are_read_side_by_side(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            f"ana/{FLAGSHIP}.py": ANSWER,
            f"ben/problems/{FLAGSHIP}/stub.py": ANSWER + "#1",
            f"cem/week1/{FLAGSHIP}.py": ANSWER + "#2",
            "cem/week1/timestamp.txt": "2026-03-01 10:00:00.5 UTC",
            f"dora_{FLAGSHIP}.py": ANSWER + "#3",
            f"evaf_LATE_77_901_{FLAGSHIP}-1.py": ANSWER + "#4",
            f"Fay G_88_assignsubmission_file_/{FLAGSHIP}.py": ANSWER + "#5",
            "gil/work.ipynb": notebook(f"k = 1\n{ANSWER}", f"def {OTHER}():\n    return k"),
        },
    )
    found, unread = read(tmp_path)
    assert unread == {}
    assert {(one.student, one.problem): one.path for one in found} == {
        ("ana", FLAGSHIP): f"ana/{FLAGSHIP}.py",
        ("ben", FLAGSHIP): f"ben/problems/{FLAGSHIP}/stub.py",
        ("cem", FLAGSHIP): f"cem/week1/{FLAGSHIP}.py",
        ("dora", FLAGSHIP): f"dora_{FLAGSHIP}.py",
        ("77", FLAGSHIP): f"evaf_LATE_77_901_{FLAGSHIP}-1.py",
        ("88", FLAGSHIP): f"Fay G_88_assignsubmission_file_/{FLAGSHIP}.py",
        ("gil", FLAGSHIP): "gil/work.ipynb",
        ("gil", OTHER): "gil/work.ipynb",
    }
    by_student = {(one.student, one.problem): one for one in found}
    assert by_student["cem", FLAGSHIP].submitted == "2026-03-01T10:00:00.500000+00:00"
    assert by_student["ana", FLAGSHIP].submitted == ""
    assert by_student["gil", OTHER].text == f"k = 1\n\ndef {OTHER}():\n    return k\n"
    assert {one.problem for one in read(tmp_path, OTHER)[0]} == {OTHER}


def test_of_a_clone_of_the_kit_only_the_stubs_count(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            f"ana/problems/{FLAGSHIP}/stub.py": ANSWER,
            f"ana/problems/{FLAGSHIP}/README.md": "...",
            "ana/README.md": "...",
            "ana/grader/grade.py": "x = 1",
            "ana/.git/config": "",
            f"ana/solutions/{FLAGSHIP}/answer.py": "x = 1",
        },
    )
    found, unread = read(tmp_path)
    assert [one.path for one in found] == [f"ana/problems/{FLAGSHIP}/stub.py"]
    assert unread == {}


def test_what_is_not_graded_is_listed_with_a_reason(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "ana/essay.pdf": "",
            f"ben/{FLAGSHIP}.py": " \n",
            "cem/work.ipynb": notebook("x = 1"),
            "dora/work.ipynb": "{",
            "hal/work.ipynb": notebook(f"{ANSWER}    '\ud800'"),
            f"fay/{FLAGSHIP}.py": ANSWER,
        },
    )
    (tmp_path / "eva").mkdir()
    (tmp_path / "eva" / f"{FLAGSHIP}.py").write_bytes(b"x = '\xff'\n")
    (tmp_path / "gil").symlink_to(tmp_path / "fay")
    (tmp_path / "fay" / f"{OTHER}.py").symlink_to(tmp_path / "fay" / f"{FLAGSHIP}.py")
    found, unread = read(tmp_path)
    assert [one.path for one in found] == [f"fay/{FLAGSHIP}.py"]
    said = {
        path: next(word for word in ("empty", "link", "UTF-8", "JSON", "character", "defines", "graded") if word in why)
        for path, why in unread.items()
    }
    assert said == {
        "ana/essay.pdf": "graded",
        f"ben/{FLAGSHIP}.py": "empty",
        "cem/work.ipynb": "defines",
        "dora/work.ipynb": "JSON",
        "hal/work.ipynb": "character",
        f"eva/{FLAGSHIP}.py": "UTF-8",
        "gil": "link",
        f"fay/{OTHER}.py": "link",
    }


def test_of_several_attempts_the_last_one_counts_and_the_others_are_listed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            f"a_1_300_{FLAGSHIP}-1.py": ANSWER + "# last",
            f"a_1_200_{FLAGSHIP}.py": ANSWER,
            f"ben/first/{FLAGSHIP}.py": ANSWER,
            "ben/first/timestamp.txt": "2026-03-02 10:00:00 UTC",
            f"ben/second/{FLAGSHIP}.py": ANSWER + "# older",
            "ben/second/timestamp.txt": "2026-03-01T10:00:00+00:00",
        },
    )
    found, unread = read(tmp_path)
    assert [one.path for one in found] == [f"a_1_300_{FLAGSHIP}-1.py", f"ben/first/{FLAGSHIP}.py"]
    assert list(unread) == [f"a_1_200_{FLAGSHIP}.py", f"ben/second/{FLAGSHIP}.py"]
    assert all("an earlier attempt" in why for why in unread.values())


def test_two_files_that_nobody_can_order_do_not_count(tmp_path: Path) -> None:
    write(tmp_path, {f"ana/{FLAGSHIP}.py": ANSWER, f"ana/week1/{FLAGSHIP}.py": ANSWER + "#"})
    found, unread = read(tmp_path)
    assert found == []
    assert len(unread) == 2
    assert all("leave the one that counts" in why for why in unread.values())


def test_a_bare_stub_beside_an_answer_does_not_count(tmp_path: Path) -> None:
    stub = KIT.stub(FLAGSHIP).read_text()
    write(tmp_path, {f"ana/{FLAGSHIP}.py": ANSWER, f"ana/kit/problems/{FLAGSHIP}/stub.py": stub})
    found, unread = read(tmp_path)
    assert ([one.text for one in found], unread) == ([ANSWER], {})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_listed(tmp_path: Path) -> None:
    (tmp_path / "ana").mkdir(mode=0)
    assert list(read(tmp_path)[1]) == ["ana"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name of a file is Unicode")
def test_names_that_are_not_utf8_are_listed_in_unicode(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"ana\xff")).mkdir()
    (tmp_path / os.fsdecode(b"ana\xff") / f"{FLAGSHIP}.py").write_text(ANSWER)
    found, unread = read(tmp_path)
    assert found == []
    assert unread == {f"ana\\udcff/{FLAGSHIP}.py": "its name is not UTF-8: rename it."}


def test_a_notebook_with_large_pictures_is_read(tmp_path: Path) -> None:
    book = json.loads(notebook(ANSWER))
    book["cells"][0]["outputs"] = [{"data": {"image/png": "A" * (1 << 21)}}]
    write(tmp_path, {"ana/work.ipynb": json.dumps(book)})
    assert [one.text for one in read(tmp_path)[0]] == [ANSWER]
