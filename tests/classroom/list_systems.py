"""The lists of students that systems export, by their columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ListSystem:
    """The list that one system exports. Columns that say nothing on who a student is are not here.

    Attributes:
        source: where the columns are known from.
        ids: columns whose value names one student, and in which capitals count.
        logins: the same, where capitals do not count.
        emails: e-mail addresses, which are logins too.
        names: columns that hold a whole name.
        first: given names.
        last: family names.
        teams: the names and the ids of those who hand in together.
    """

    name: str
    source: str
    ids: tuple[str, ...] = ()
    logins: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """All columns."""
        named = (*self.names, *self.last, *self.first)
        return tuple(dict.fromkeys((*self.ids, *self.logins, *named, *self.emails, *self.teams)))


LIST_SYSTEMS = (
    ListSystem(
        "Canvas, gradebook",
        "GradebookExporter of instructure/canvas-lms",
        ids=("ID", "SIS User ID", "Integration ID"),
        logins=("SIS Login ID",),
        names=("Student",),
        first=("FirstName",),
        last=("LastName",),
    ),
    ListSystem(
        "Canvas, groups",
        "the membership file of a group set, which its importer reads too",
        ids=("canvas_user_id", "user_id"),
        logins=("login_id",),
        names=("name",),
        teams=("group_name", "canvas_group_id", "group_id"),
    ),
    ListSystem(
        "Gradescope",
        "rosters and scores that public scripts read",
        ids=("SID",),
        names=("Name",),
        first=("First Name",),
        last=("Last Name",),
        emails=("Email",),
    ),
    ListSystem(
        "Brightspace",
        "exports of grades that public scripts read; an id begins with #, which is no part of it",
        ids=("OrgDefinedId",),
        logins=("Username",),
        first=("First Name",),
        last=("Last Name",),
        emails=("Email",),
    ),
    ListSystem(
        "Blackboard",
        "the help of its Grade Center: tabs in UTF-16, in a file called .xls",
        ids=("Student ID",),
        logins=("Username",),
        first=("First Name",),
        last=("Last Name",),
    ),
    ListSystem(
        "Moodle, participants",
        "fields of users in moodle/moodle; a site chooses among them",
        ids=("ID number",),
        logins=("Username",),
        emails=("Email address",),
        first=("First name",),
        last=("Last name", "Surname"),
        teams=("Group", "Groups"),
    ),
    ListSystem(
        "Moodle, grading worksheet",
        "gradingtable.php and the language packs of moodle/moodle: English, German, Spanish and Portuguese, French",
        ids=("Identifier", "ID", "Identificador", "Identifiant", "ID number"),
        emails=("Email address", "E-Mail-Adresse"),
        names=("Full name", "Vollständiger Name", "Nombre completo", "Nome completo", "Nom complet"),
        teams=("Group", "Gruppe", "Grupo", "Groupe"),
    ),
    ListSystem(
        "GitHub Classroom and Classroom 50",
        "rosters that public scripts read",
        ids=("identifier", "github_id"),
        logins=("github_username",),
        names=("name",),
    ),
    ListSystem(
        "nbgrader",
        "the fields of a student in nbgrader/api.py",
        ids=("id", "lms_user_id"),
        first=("first_name",),
        last=("last_name",),
        emails=("email",),
    ),
    ListSystem(
        "ILIAS",
        "the fields of a user, usr_data of ILIAS-eLearning/ILIAS",
        ids=("usr_id",),
        logins=("login",),
        emails=("email",),
        first=("firstname",),
        last=("lastname",),
    ),
    ListSystem(
        "A+",
        "exercise/api/csv/aggregate_points.py of apluslms/a-plus",
        ids=("StudentID",),
        emails=("Email",),
        names=("Name",),
    ),
    ListSystem(
        "a list that somebody wrote",
        "the words that are usual",
        ids=("id", "student_id"),
        logins=("username", "user_name", "login", "user", "github"),
        emails=("email", "e-mail", "email_address"),
        names=("name", "full_name", "student_name", "student"),
        first=("first_name", "given_name"),
        last=("last_name", "surname", "family_name"),
        teams=("team", "group", "group_name"),
    ),
)
