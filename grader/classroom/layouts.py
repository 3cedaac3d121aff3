"""The shapes in which systems hand out what students handed in: one table, a rule for each.

A rule says whose each file or folder is. It never guesses: it knows the names that its system writes, and what the system
cannot have written together (two people with one number, one upload twice) is a contradiction that it tells.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from typing import Any

from grader.classroom.columns import EMAILS
from grader.classroom.file_names import number_of, problem_of, storable_name, student_and_problem
from grader.classroom.late import UnclearTime, of_blackboard, of_brightspace, of_nbgrader
from grader.classroom.student_names import (
    APLUS_EXTRAS,
    NUMBER,
    Inside,
    aplus,
    aplus_named,
    ilias,
    ilias_named,
    ways_of_canvas,
    ways_of_quiz,
)
from grader.classroom.submission import UploadNumber
from grader.classroom.tree import ARCHIVES, Listing, TreeEntry, Whom, Whose, held_in
from grader.kit.files import LARGEST_TEXT, Unreadable

LARGEST_METADATA = 1 << 20
"""The most bytes of Gradescope's file about a class: some thousand submissions."""

TIMESTAMP = "timestamp.txt"
"""Where nbgrader keeps the time at which it collected an assignment."""

SUBMITTED = "submitted"
"""The folder of a course of nbgrader that holds what was handed in."""

METADATA = "submission_metadata.yml"
"""Gradescope's file about a class."""

COLAB = re.compile(r"(?:Copy of )?.+? - (?P<student>.+?)(?: \([0-9]+\))?\.ipynb", re.DOTALL)
"""A notebook that Colab copied, and that its author gave a name: `Copy of week1 - Ana.ipynb`."""


@dataclass(frozen=True)
class Layout:
    """How one system hands out a class.

    Attributes:
        name: as `--from` takes it.
        title: in a sentence: "the submissions of a Canvas assignment".
        source: where the shape is written down.
        example: a name as the system writes it.
        read: whose the entries are that the system can have written.
        extras: what the system adds, and is nobody's work.
        once: what its names have once: "upload", the number of an upload; "file", the name of a file of one student.
        untold: why it is not told whose an entry is, as a sentence without a capital.
        lists: the columns of a list of the class that may hold its ids. Groups of columns are tried in this order: the
            first group counts of which the list has a column. None: any column that names students.
        numbered: whether its ids are numbers that only this system uses. A list must then have the same name beside the id.
        named: the rule where the user names the layout; None for `read`.
        zoned: whether its times name their zone.
        doubtful: whether a name that can be read in two ways is in doubt, if neither the class nor a list of it decides.
            Else the first way counts.
        second: the id of a second folder of one student, whose id it holds as `first`. A student may be called so too.
        inside: what it writes in the folders of students.
    """

    name: str
    title: str
    source: str
    example: str
    read: Callable[[Listing], Whom]
    extras: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    once: Collection[str] = ()
    untold: str = ""
    lists: Sequence[Collection[str]] | None = None
    numbered: bool = False
    named: Callable[[Listing], Whom] | None = None
    zoned: bool = True
    doubtful: bool = True
    second: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    inside: Inside = field(default=Inside())

    def contradiction(self, whom: Whom) -> str:
        """What the system cannot have written together, as a sentence without a capital; empty if there is nothing."""
        called: dict[str, str] = {}
        uploads = Counter[int]()
        files = Counter[tuple[str, str]]()
        for person in (
            person for people in whom.values() for person in people if not (self.doubtful and person.others)
        ):
            other = called.setdefault(person.student, person.called)
            if other != person.called:
                return f"{person.student} is in the names of {other!r} and of {person.called!r}"
            if person.attempt is not None:
                uploads[person.attempt.upload] += 1
                files[person.student, person.file] += 1
        upload, count = max(uploads.items(), key=lambda pair: pair[1], default=(0, 0))
        if "upload" in self.once and count > 1:
            return f"{count} names have the number {upload} of one upload"
        (student, file), count = max(files.items(), key=lambda pair: pair[1], default=(("", ""), 0))
        if "file" in self.once and count > 1:
            return f"{student} has {count} files called {file!r}"
        return ""


def _of_names(pattern: str) -> Callable[[Listing], Whom]:
    """A rule for names that say it all: each group of the pattern is called after what of `Whose` it tells.

    An entry is a file if its name tells that of a file, and else a folder.
    """
    compiled = re.compile(pattern)

    def read(listing: Listing) -> Whom:
        found: dict[str, Sequence[Whose]] = {}
        for entry in listing.answers:
            match = compiled.fullmatch(storable_name(entry.name))
            if match and entry.is_folder != bool(match.groupdict().get("file")):
                found[entry.name] = (_told(match.groupdict(""), listing),)
        return found

    return read


def _told(named: Mapping[str, str], listing: Listing) -> Whose:
    """Whose an entry is, by the groups of its name."""
    told = defaultdict(str, named)
    attempt, problem = None, ""
    if "upload" in named or "number" in named:
        number = int(told["number"] or 0) if "number" in named else number_of(told["file"])
        attempt = UploadNumber(number, int(told["upload"] or told["number"]))
    if not problem_of(told["file"], listing.problems):
        problem = problem_of(told["question"] or told["manual"], listing.problems)
    return Whose(
        *(
            f"{told['prefix']}{told['student'] or told['team']}".strip(),
            told["called"],
            told["file"],
            told["assignment"],
        ),
        *(problem, attempt, of_brightspace(told["time"], listing.zone), bool(told["late"] or told["early"])),
        team=told["team"].strip(),
    )


def _canvas(listing: Listing) -> Whom:
    """Names of people and of groups may hold `_` and numbers (`lab_3`), and so may those of files: all ways are tried."""
    found: dict[str, Sequence[Whose]] = {}
    for entry in listing.answers:
        ways = [] if entry.is_folder else ways_of_canvas(storable_name(entry.name))
        if ways:
            found[entry.name] = (replace(ways[0], others=tuple(ways[1:])),)
    return found


def _canvas_quiz(listing: Listing) -> Whom:
    """A quiz has several questions: two of them may each have a file of one name."""
    pattern = rf"((?:[^\W_][^\s@.]*?[^\s@.0-9]|[^\W_0-9]){NUMBER})_question_{NUMBER}_(?P<upload>{NUMBER})_(?P<file>.+)"
    found: dict[str, Sequence[Whose]] = {}
    for name, (person,) in _of_names(pattern)(listing).items():
        match = re.fullmatch(pattern, storable_name(name))
        ways = [replace(person, student=way, called=called) for way, called in ways_of_quiz(match[1] if match else "")]
        found[name] = (replace(ways[0], others=tuple(ways[1:])),)
    return found


_moodle_teams = _of_names(r"(?P<team>[^_]+)(?:_(?P<called>[0-9]+))?_assignsubmission_[a-z]+(?:_(?P<file>.*))?")
"""Each name is that of a team; one without a number is Moodle's team of those who are in no group."""


def _moodle_teams_alone(listing: Listing) -> Whom:
    """Nothing but a name without a number tells teams from people: Moodle's people all have one."""
    found = _moodle_teams(listing)
    return found if any(not person.called for several in found.values() for person in several) else {}


def _blackboard(listing: Listing) -> Whom:
    """The user is told by the file that Blackboard writes about each attempt: names of assignments and of users hold `_`."""
    pattern = re.compile(
        r"(?P<head>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9][0-9]){5})(?:_(?P<file>.+)|\.txt)", re.DOTALL
    )
    names = {entry.name: match for entry in listing.entries if (match := pattern.fullmatch(storable_name(entry.name)))}
    users = dict(
        _about(entry, names[entry.name]["head"])
        for entry in listing.entries
        if entry.name in names and not names[entry.name]["file"]
    )
    assignments = {head.removesuffix(f"_{user}") for head, user in users.items() if user}
    found: dict[str, Sequence[Whose]] = {}
    for entry in listing.answers:
        match = names.get(entry.name)
        if match is None or not match["file"] or entry.is_folder:
            continue
        user = users.get(match["head"], "")
        if not user and len(assignments) == 1:
            (assignment,) = assignments
            user = match["head"].removeprefix(f"{assignment}_") if match["head"].startswith(f"{assignment}_") else ""
        if not user and match["head"].count("_") == 1:
            user = match["head"].partition("_")[2]
        assignment = match["head"].removesuffix(f"_{user}")
        whose = Whose(user, "", match["file"], assignment, submitted=of_blackboard(match["time"], listing.zone))
        found[entry.name] = (whose,) if user else ()
    return found


def _about(entry: TreeEntry, head: str) -> tuple[str, str]:
    """The head of the names of an attempt, and the user that Blackboard's file about it names."""
    try:
        first = entry.text(LARGEST_TEXT).partition("\n")[0]
    except Unreadable:
        return head, ""
    found = re.search(r"\(([^()]+)\)\s*$", first)
    user = found[1].strip() if found else ""
    return head, user if user and head.endswith(f"_{user}") else ""


def _gradescope(listing: Listing) -> Whom:
    import yaml

    about = next((entry for entry in listing.entries if entry.name == METADATA), None)
    folders = [
        answer for answer in listing.answers if answer.is_folder and re.fullmatch(r"submission_[0-9]+", answer.name)
    ]
    if about is None or not folders:
        return {}
    try:  # as text alone: a SID such as 0012 is no number
        told = yaml.load(about.text(LARGEST_METADATA), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (Unreadable, yaml.YAMLError, ValueError, RecursionError):
        told = None
    known: dict[Any, Any] = told if isinstance(told, dict) else {}
    return {folder.name: _submitters(known.get(folder.name), folder.name) for folder in folders}


def _submitters(of: Any, name: str) -> list[Whose]:
    """The students who handed in a folder; nobody where that is not told of each of them."""
    people = of.get(":submitters") if isinstance(of, dict) else None
    if not isinstance(people, list) or not all(isinstance(person, dict) for person in people):
        return []
    moment = re.sub(r"(\.[0-9]{6})[0-9]+", r"\1", str(of.get(":created_at") or ""))
    try:
        submitted = of_nbgrader(moment, UTC)
    except UnclearTime:
        submitted = ""
    ids = [str(person.get(":sid") or person.get(":email") or "").strip() for person in people]
    if not all(ids):
        return []
    team = name if len(ids) > 1 else ""
    names = [str(person.get(":name") or "") for person in people]
    return [
        Whose(storable_name(id_), storable_name(called), submitted=submitted, team=team)
        for id_, called in zip(ids, names, strict=True)
    ]


def _github(listing: Listing) -> Whom:
    slug = listing.name.removesuffix("-submissions")
    if slug == listing.name:
        return {}
    return {
        answer.name: (Whose(storable_name(answer.name).removeprefix(f"{slug}-")),)
        for answer in listing.answers
        if answer.is_folder and answer.name.startswith(f"{slug}-") and answer.name != f"{slug}-"
    }


def _nbgrader(listing: Listing) -> Whom:
    """Folders of students that hold folders of assignments alone, one of which has the time of nbgrader."""
    if not listing.answers or not all(answer.is_folder for answer in listing.answers):
        return {}
    inner = [held_in(answer) for answer in listing.answers]
    timed = any(
        below.name == TIMESTAMP for entries in inner for entry in entries if entry.is_folder for below in held_in(entry)
    )
    alone = all(entry.is_folder for entries in inner for entry in entries)
    if not alone or not (timed or listing.name == SUBMITTED):
        return {}
    return {answer.name: (Whose(storable_name(answer.name).strip()),) for answer in listing.answers}


def _plain(listing: Listing) -> Whom:
    """Folders, zips and files that are called after students."""
    found: dict[str, Sequence[Whose]] = {}
    for entry in listing.answers:
        name = storable_name(entry.name).strip()
        if entry.is_folder:
            found[entry.name] = (Whose(name),)
        elif entry.suffix in ARCHIVES:
            found[entry.name] = (Whose(name[: -len(entry.suffix)]),)
        elif (colab := COLAB.fullmatch(name)) and not student_and_problem(name, listing.problems)[0]:
            found[entry.name] = (Whose(colab["student"].strip(), "", entry.name),)
        else:
            student, problem = student_and_problem(name, listing.problems)
            if student.strip():
                found[entry.name] = (Whose(student.strip(), "", entry.name, problem=problem),)
    return found


AUTOLAB = rf"(?P<student>[^@\s]+@[^@_\s]+)_(?P<number>0|{NUMBER})_(?P<file>.+)"

PRAIRIELEARN = (
    r"(?P<student>[^@]+@[^@_]+)_(?:[0-9]+_(?P<question>.+?)_[0-9]+_(?P<number>[0-9]+)|[^_]*_(?P<manual>.+?))_"
    rf"(?P<upload>{NUMBER})_(?P<file>.+)"
)

USERS = ("username", "user_name", "login", "user", "sis_login_id", "login_id")
CANVAS = (("id", "canvas_user_id"),)
"""Columns of lists, as `columns.column` reads their headers."""

PLAIN = Layout(
    "plain",
    "folders, zips and files that are called after students",
    "guides/classes.md",
    "ana",
    _plain,
    re.compile(r"index\.html|grades\.csv"),
    second=re.compile(r"(?P<first>.+?)(?:[ _]?\([0-9]+\)| - Copy)"),
)

SYSTEMS = (
    Layout(
        "canvas",
        "the submissions of a Canvas assignment",
        "Canvas LMS, app/models/content_zipper.rb: the name without what is no letter, LATE, the user, the upload, the file",
        "oneana_101_5001_rope.py",
        _canvas,
        re.compile(r"index\.html"),
        ("upload", "file"),
        lists=CANVAS,
        numbered=True,
    ),
    Layout(
        "canvas-anonymous",
        "the submissions of a Canvas assignment that is graded anonymously",
        "Canvas LMS, app/models/content_zipper.rb: the anonymous id of five characters in the place of name and user",
        "anon_aB3xZ_5001_rope.py",
        _of_names(
            r"(?P<early>LATE_)?(?P<prefix>anon_)(?P<late>LATE_)?(?P<student>[A-Za-z0-9]{5})_(?:LATE_)?"
            rf"(?P<upload>{NUMBER})_(?P<file>.+)"
        ),
        re.compile(r"index\.html"),
        ("upload", "file"),
        lists=(),
    ),
    Layout(
        "canvas-quiz",
        "the files of a Canvas quiz",
        "Canvas LMS, lib/quizzes/quiz_submission_zipper.rb: name and user in one, question, upload, file",
        "oneana101_question_5551_77001_rope.py",
        _canvas_quiz,
        once=("upload",),
        lists=CANVAS,
        numbered=True,
        doubtful=False,
    ),
    Layout(
        "moodle",
        "the submissions of a Moodle assignment",
        "Moodle, mod/assign/classes/downloader.php: the name, the participant's number, the plug-in; in folders or flat",
        "Ana García_4711_assignsubmission_file_",
        _of_names(r"(?P<student>[^_]+_[0-9]+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?"),
    ),
    Layout(
        "moodle-teams",
        "the submissions of teams in a Moodle assignment",
        "Moodle, mod/assign/classes/downloader.php, teamsubmission: the team and its number, or the default team alone",
        "Default group_assignsubmission_file_",
        _moodle_teams_alone,
        lists=(),
        named=_moodle_teams,
    ),
    Layout(
        "blackboard",
        "the files of a Blackboard column",
        "Blackboard Learn, Grade Center, Assignment File Download: assignment, user, `attempt`, the time, the file",
        "Week 1_student_2_attempt_2026-03-01-10-00-00_rope.py",
        _blackboard,
        re.compile(r"(?:(?!_attempt_[0-9]).)+_attempt_[0-9]{4}(?:-[0-9][0-9]){5}\.txt", re.DOTALL),
        untold="the text that Blackboard writes about each attempt is not beside it, and its name alone does not tell the "
        "user: download all of it again.",
        lists=(USERS, ("id", "student_id")),
        zoned=False,
    ),
    Layout(
        "brightspace",
        "the submissions of a Brightspace folder",
        "D2L Brightspace, Assignments, Download: user and folder, the name, the time, one folder for each attempt",
        "397063-2557369 - Ana One - Sep 24, 2026 926 PM",
        _of_names(r"(?P<student>[0-9]+)-(?P<assignment>[0-9]+) - (?P<called>.+) - (?P<time>.+)"),
        re.compile(r"index\.html"),
        lists=(("id",), ("orgdefinedid",)),
        numbered=True,
        zoned=False,
    ),
    Layout(
        "gradescope",
        "the export of a Gradescope assignment",
        f"Gradescope, Export Submissions: {METADATA} says who handed in each folder",
        "submission_456",
        _gradescope,
        re.compile(re.escape(METADATA)),
        untold=f"{METADATA} does not say who handed it in: export it again.",
        lists=(("sid", *EMAILS), ("id", "student_id", "id_number", "sis_user_id")),
    ),
    Layout(
        "github",
        "the repositories of a GitHub Classroom or Classroom 50 assignment",
        "GitHub, gh classroom clone student-repos: a folder ASSIGNMENT-submissions, which holds ASSIGNMENT-LOGIN",
        "week1-submissions",
        _github,
        lists=(("github_username", "github"), USERS, ("id",)),
        second=re.compile(r"(?P<first>.+)-[1-9][0-9]?"),
    ),
    Layout(
        "nbgrader",
        "what nbgrader collected",
        f"nbgrader, directory structure: {SUBMITTED}/STUDENT/ASSIGNMENT, each with {TIMESTAMP}",
        "student-1",
        _nbgrader,
        lists=(("id",), USERS),
    ),
    Layout(
        "prairielearn",
        "the submissions of a PrairieLearn assessment",
        "PrairieLearn, assessment downloads: user, instance, question, variant, number, submission, file",
        "student-1@example.edu_1_rope_1_2_102_rope.py",
        _of_names(PRAIRIELEARN),
        lists=((*EMAILS, *USERS), ("id",)),
    ),
    Layout(
        "autolab",
        "the submissions of an Autolab assessment",
        "Autolab, app/models/submission.rb, handin_file_long_filename: the e-mail address, the version, the file",
        "ana@x.example_1_rope.py",
        # With a number between two `_` of the file, it may be of PrairieLearn.
        _of_names(rf"(?!.*@[^@]*_[0-9]+_.*_[0-9]+_){AUTOLAB}"),
        lists=((*EMAILS, *USERS), ("id",)),
        named=_of_names(AUTOLAB),
    ),
    Layout(
        "ilias",
        "the submissions of an ILIAS exercise",
        "ILIAS, Modules/Exercise/classes/class.ilExSubmission.php, downloadAllAssignmentFiles: last name, first name, "
        "login, and the number of the user; folders of teams around them; words and ` - ` before the name of a late file",
        "One_Ana_aone_271",
        ilias,
        lists=(("usr_id",),),
        named=ilias_named,
        inside=Inside(late=re.compile(r".+? - (?P<file>.+)", re.DOTALL)),
    ),
    Layout(
        "aplus",
        "the submissions of an A+ course",
        "A+, a-plus-downloader, aplus_downloader.py: the person, the module, the exercise, and a folder for each attempt",
        "One, Ana (S001)",
        aplus,
        APLUS_EXTRAS,
        lists=(("studentid", "student_id"),),
        numbered=True,
        named=aplus_named,
        inside=Inside(4, APLUS_EXTRAS, timed=True),
    ),
)

LAYOUTS = {layout.name: layout for layout in (*SYSTEMS, PLAIN)}
"""All layouts, by name."""
