"""Paths as each system writes them, by the name of its layout, each with the students whose it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.classroom.submission import UploadNumber
from grader.classroom.tree import Whose

EXAMPLES: Mapping[str, Mapping[str, Sequence[Whose]]] = {
    "canvas": {
        "oneana_101_5001_rope.py": [Whose("101", "oneana", attempt=UploadNumber(0, 5001))],
        "twobo_LATE_102_5003_rope-1.py": [Whose("102", "twobo", attempt=UploadNumber(1, 5003), late=True)],
        "fourdi_106_5008_rope-6f9619ff-8b86-4011-b42d-00cf4fc964ff.py": [
            Whose("106", "fourdi", attempt=UploadNumber(None, 5008))
        ],
        "eighthu_110_5011_rope(1).py": [Whose("110", "eighthu", attempt=UploadNumber(1, 5011))],
    },
    "canvas-anonymous": {
        "anon_aB3xZ_5001_rope.py": [Whose("anon_aB3xZ", attempt=UploadNumber(0, 5001))],
        "LATE_anon_Qq7Rt_5002_rope.py": [Whose("anon_Qq7Rt", attempt=UploadNumber(0, 5002), late=True)],
    },
    "canvas-quiz": {
        "oneana101_question_5551_77001_rope.py": [Whose("101", "oneana", attempt=UploadNumber(0, 77001))],
        "twobo102_question_5551_77002_rope.py": [Whose("102", "twobo", attempt=UploadNumber(0, 77002))],
    },
    "moodle": {
        "Ana García_4711_assignsubmission_file_/rope.py": [Whose("Ana García_4711")],
        "Ana García_4711_assignsubmission_file_rope.py": [Whose("Ana García_4711")],
        "Participant_4715_assignsubmission_file_/rope.py": [Whose("Participant_4715")],
        "Group A-Bo Two_4716_assignsubmission_file_/rope.py": [Whose("Group A-Bo Two_4716")],
        "Ana García_4711_assignsubmission_onlinetext_/onlinetext.html": [Whose("Ana García_4711")],
    },
    "moodle-teams": {
        "Default group_assignsubmission_file_/rope.py": [Whose("Default group", team="Default group")],
        "Team A_4711_assignsubmission_file_/rope.py": [Whose("Team A", "4711", team="Team A")],
    },
    "blackboard": {
        "Week 1_student_2_attempt_2026-03-01-10-00-00_rope.py": [
            Whose("student_2", assignment="Week 1", submitted="2026-03-01T10:00:00+00:00")
        ],
        "Week 1_student_2_attempt_2026-03-01-10-00-00.txt": [],
    },
    "brightspace": {
        "397063-2557369 - Ana One - Sep 24, 2026 926 PM/rope.py": [
            Whose("397063", "Ana One", assignment="2557369", submitted="2026-09-24T21:26:00+00:00")
        ],
    },
    "gradescope": {
        "submission_456/rope.py": [Whose("S001", "Ana One", submitted="2026-03-01T12:00:00+00:00")],
        "submission_457/rope.py": [
            Whose("S002", "Bo Two", submitted="2026-03-01T12:00:00+00:00", team="submission_457"),
            Whose("S003", "Cy Three", submitted="2026-03-01T12:00:00+00:00", team="submission_457"),
        ],
    },
    "github": {"week1-submissions/week1-student-1/rope.py": [Whose("student-1")]},
    "nbgrader": {
        "student-1/week1/rope.ipynb": [Whose("student-1")],
        "student-1/week1/timestamp.txt": [],
    },
    "prairielearn": {
        "student-1@example.edu_1_rope_1_2_102_rope.py": [Whose("student-1@example.edu", attempt=UploadNumber(2, 102))],
        "student-2@example.edu_812345_rope_103_rope.py": [Whose("student-2@example.edu", attempt=UploadNumber(0, 103))],
    },
    "autolab": {
        "ana@x.example_1_rope.py": [Whose("ana@x.example", attempt=UploadNumber(1, 1))],
        "bo@x.example_10_rope.py": [Whose("bo@x.example", attempt=UploadNumber(10, 10))],
    },
    "ilias": {
        "One_Ana_aone_271/rope.py": [Whose("271", "One_Ana_aone")],
        "Two_Bo_b_two_272/Late Submission - rope.py": [Whose("272", "Two_Bo_b_two")],
        "Team 12/Three_Cy_cthree_273/rope.py": [
            Whose("274", "Four_Di_dfour", team="Team 12"),
            Whose("273", "Three_Cy_cthree", team="Team 12"),
        ],
        "Team 12/Four_Di_dfour_274/mha_rope.py": [
            Whose("274", "Four_Di_dfour", team="Team 12"),
            Whose("273", "Three_Cy_cthree", team="Team 12"),
        ],
    },
    "aplus": {
        "One, Ana (S001)/Week 1 (id=7)/Rope (id=71)/2026-03-01T12:00:00.123456+02:00 (best)/rope.py": [
            Whose("S001", "One, Ana")
        ],
        "Two, Bo (id=272)/Week 1 (id=7)/Rope (id=71)/2026-03-01T12_00_00Z/rope.py": [Whose("272", "Two, Bo")],
        "One, Ana (S001)/user.yaml": [],
    },
    "plain": {
        "ana/rope.py": [Whose("ana")],
        "ana/week1/rope.py": [Whose("ana")],
        "ana_maria_rope.py": [Whose("ana_maria")],
        "Copy of week1 - Ana One.ipynb": [Whose("Ana One")],
    },
}
