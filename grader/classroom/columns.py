"""The columns of the lists of students that systems export: which of them name one student, his name, and his team.

They are written as `column` reads their headers. Where several hold something, the first counts. The systems are Canvas,
Gradescope, Brightspace, Blackboard, Moodle, GitHub Classroom, Classroom 50, nbgrader, ILIAS and A+; `id` and the like are
usual in lists that somebody wrote.
"""

from __future__ import annotations

import re

EMAILS = ("email", "email_address", "e_mail_adresse", "e_mail")
LOGINS = (*("sis_login_id", "login_id", "username", "github_username", "login", "user_name", "user", "github"), *EMAILS)
"""Columns whose value names one student, and in which capitals do not count."""

IDS = (
    *(
        "id",
        "sis_user_id",
        "integration_id",
        "canvas_user_id",
        "user_id",
        "sid",
        "orgdefinedid",
        "student_id",
        "id_number",
    ),
    *("identifier", "identificador", "identifiant", "github_id", "lms_user_id", "usr_id", "studentid"),
    *LOGINS,
)
"""All columns whose value names one student."""

NAMES = (
    *("student", "name", "full_name", "vollständiger_name", "nombre_completo", "nome_completo", "nom_complet"),
    "student_name",
)
"""Columns that hold a whole name."""

FIRST = ("firstname", "first_name", "given_name")
LAST = ("lastname", "last_name", "surname", "family_name")

TEAMS = ("group_name", "canvas_group_id", "group_id", "group", "groups", "gruppe", "grupo", "groupe", "team")
"""The names and the ids of those who hand in together."""

MARKED = ("orgdefinedid", "username")
"""Columns of Brightspace: it writes `#` before each value, so that a spreadsheet keeps its zeros."""

PARTICIPANT = ("participant", "teilnehmer/in", "participante", "partecipante", "deelnemer", "deltagare", "参与者")
"""What Moodle calls a participant whose name is hidden. In some languages no blank stands before the number."""


def column(header: str) -> str:
    """What a header reads as, in any capitals, and with any blanks and marks: `SIS User ID` is `sis_user_id`."""
    return re.sub(r"[\W_]+", "_", header.casefold()).strip("_")
