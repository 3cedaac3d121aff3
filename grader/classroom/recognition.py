"""Which system a class comes from, and so whose each entry is: by the one rule that fits all, never by a guess."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from grader.classroom.file_names import attempts_in, ignored, problem_of, some, storable_name
from grader.classroom.layouts import PLAIN, SUBMITTED, SYSTEMS, TIMESTAMP, Layout
from grader.classroom.student_names import Listed, decided
from grader.classroom.submission import Unread
from grader.classroom.tree import (
    ARCHIVES,
    InArchive,
    Listing,
    TreeEntry,
    Whom,
    Whose,
    class_in,
    held_in,
    may_hold_answers,
    unpacked,
)
from grader.kit.files import Unreadable

COURSE = {"source", "release", "autograded", "feedback", "gradebook.db", "nbgrader_config.py"}
"""What lies beside `submitted` in the folder of a course of nbgrader."""

SHIPPED = {*("problems", "solutions", "grader", "tests"), *("README.md", "LICENSE", "pyproject.toml")}
"""What a clone of the kit holds at its root, whatever the kit here holds."""

MOST_FOLDERS_AROUND_A_CLASS = 3
"""The most folders or zips around a class, each alone in the one around it."""


@dataclass(frozen=True)
class ReadAs:
    """How a class is read: each is found where the user does not say it.

    Attributes:
        zone: of times that name none; None for that of this machine.
        assignment: the only folder to read in each student's; empty for all.
        listed: what the list of the class says of a number and a name; None where there is no list.
    """

    layout: Layout | None = None
    zone: tzinfo | None = None
    assignment: str = ""
    listed: Listed | None = None


ALL_FOUND = ReadAs()
"""Nothing is said."""


@dataclass(frozen=True)
class Recognised:
    """A class, and whose its entries are.

    Attributes:
        entries: what lies in it, but for what is nobody's work.
        whose: by the name of an entry. Entries that are not in it are nobody's.
        doubts: the entries of which nobody can say whose they are, or which the system cannot have written.
    """

    layout: Layout
    entries: Sequence[TreeEntry]
    whose: Mapping[str, Sequence[Whose]] = field(default_factory=dict[str, "Sequence[Whose]"])
    doubts: Sequence[Unread] = ()


def recognised(top: TreeEntry, problems: Collection[str], how: ReadAs = ALL_FOUND) -> Recognised:
    """Find whose each entry of a class is.

    Args:
        top: the folder, or the zip, of the class. Folders and zips around the class are looked into.

    Raises:
        Unreadable: the folder cannot be read.
    """
    given = how.layout
    for _ in range(MOST_FOLDERS_AROUND_A_CLASS + 1):
        listing = _listing(top, problems, how.zone)
        if _of_course(listing):
            top = next(entry for entry in listing.entries if entry.name == SUBMITTED)
            listing = _listing(top, problems, how.zone)
        found, inner = _read(top, _of(listing, how), how), _alone(listing)
        if inner is None or (found.whose and found.layout is not PLAIN):
            return found
        held = _listing(inner, problems, how.zone)
        if inner.name == top.name or _around(held, given):
            if given is None and (system := _one_file(held)):
                why = (
                    f"one file alone is in it, named as one of {system.title} is: say --from {system.name} if it is a "
                    "download, or --from plain if it is the folder of one student."
                )
                return _nobody(inner, why)
            top = inner
        else:
            return _in_doubt(listing, inner, held) or found
    around = f"more than {MOST_FOLDERS_AROUND_A_CLASS} folders lie around the class"
    why = f"{around}: run `class grade` on the one that holds it."
    return _nobody(top, why)


def _one_file(listing: Listing) -> Layout | None:
    """The layout by which one file alone in a folder would be read: a student may have called it so."""
    touched = _systems(listing)
    return touched[0][0] if touched and len(listing.answers) == 1 and not listing.answers[0].is_folder else None


def _of(listing: Listing, how: ReadAs) -> Listing:
    """What is of one assignment, where the names of entries tell that."""
    if not how.assignment:
        return listing
    of: dict[str, str] = {}
    for layout in (how.layout,) if how.layout else SYSTEMS:
        whom = _names(layout, listing)
        of |= {name: person.assignment for name, people in whom.items() for person in people if person.assignment}
    if not of:
        return listing
    wanted = [entry for entry in listing.entries if of.get(entry.name, how.assignment) == how.assignment]
    return replace(listing, entries=wanted)


def _names(layout: Layout, listing: Listing) -> Whom:
    """Whose the entries are, where the user names the layout."""
    return (layout.named or layout.read)(listing)


def _around(listing: Listing, given: Layout | None) -> bool:
    """Whether a folder is that of a class, or lies around it, by the names that a system writes."""
    for _ in range(MOST_FOLDERS_AROUND_A_CLASS):
        if _of_course(listing) or (given is None and _systems(listing)):
            return True
        if given not in (None, PLAIN) and _names(given, listing):
            return True
        inner = _alone(listing)
        if inner is None:
            return False
        listing = _listing(inner, listing.problems, listing.zone)
    return False


def _listing(folder: TreeEntry, problems: Collection[str], zone: tzinfo | None) -> Listing:
    # A name may begin with a dot in Moodle: that folder is not hidden.
    entries = [entry for entry in folder.inside() if not ignored(entry.name) or "_assignsubmission_" in entry.name]
    return Listing(folder.name, entries, problems, zone)


def _of_course(listing: Listing) -> bool:
    names = {entry.name for entry in listing.entries}
    return SUBMITTED in names and bool(names & COURSE)


def _alone(listing: Listing) -> TreeEntry | None:
    """The folder or the zip that alone may hold answers."""
    if len(listing.answers) != 1:
        return None
    (answer,) = listing.answers
    try:
        return class_in(answer) if answer.suffix in ARCHIVES else answer if answer.is_folder else None
    except Unreadable:
        return None


def _systems(listing: Listing) -> list[tuple[Layout, Whom]]:
    """The layouts of systems that fit at least one entry, and whose they say the entries are."""
    return [(system, whom) for system in SYSTEMS if (whom := system.read(listing))]


def _read(folder: TreeEntry, listing: Listing, how: ReadAs) -> Recognised:
    given, listed = how.layout, how.listed
    touched = _systems(listing) if given is None else [(given, _names(given, listing))]
    if why := next((why for _, whom in touched if (why := _several_assignments(whom))), ""):
        return _nobody(folder, why)
    if given is not None:
        return _by(listing, *touched[0], listed)
    names = {answer.name for answer in listing.answers}
    whole = [(layout, whom) for layout, whom in touched if set(whom) == names and not layout.contradiction(whom)]
    if len(whole) == 1:
        return _without_seconds(_by(listing, *whole[0], listed))
    plain = PLAIN.read(listing)
    if not touched and {"problems", "stub.py"} & {entry.name for entry in listing.entries}:
        why = "this looks like the folder of one student: give the one that holds those of all students."
        return _nobody(folder, why)
    if not touched and (attempts := attempts_in(person.student for several in plain.values() for person in several)):
        why = (
            f"{attempts[0]} and {attempts[1]} differ by a number alone, and may be two attempts of one student. "
            "Nothing is graded: leave one attempt of each student, without the number, or say --from plain if all are "
            "different students."
        )
        return _nobody(folder, why)
    if not touched:
        found = _by(listing, PLAIN, plain, listed)
        return _without_seconds(_apart(found, listing, several=not how.assignment))
    if len(touched) == 1 and not touched[0][0].contradiction(touched[0][1]):
        layout, whom = touched[0]
        if not (names - whom.keys()) & plain.keys():
            return _without_seconds(_by(listing, layout, whom, listed, apart=True))
    return _nobody(folder, _why(listing, touched))


def _nobody(folder: TreeEntry, why: str) -> Recognised:
    """A folder in which nobody can tell whose anything is."""
    return Recognised(PLAIN, (), {}, [Unread(storable_name(folder.path) or ".", why, doubt=True)])


def _several_assignments(whom: Whom) -> str:
    """What is to be said where names are of several assignments, whose attempts are not of one; else empty."""
    several = sorted({person.assignment for people in whom.values() for person in people if person.assignment})
    why = (
        f"these are of {len(several)} assignments: {', '.join(several)}. Nothing is graded: name one with --assignment."
    )
    return why if len(several) > 1 else ""


def _by(listing: Listing, layout: Layout, whom: Whom, listed: Listed | None, *, apart: bool = False) -> Recognised:
    """Read a class by one rule. What the rule does not fit is in doubt; and so are names that contradict each other.

    Args:
        apart: whether nothing else in the class has a name as what the rule does not fit.
    """
    whom, unclear = decided(whom, listed, doubtful=layout.doubtful)
    called: dict[str, set[str]] = {}
    for person in (person for several in whom.values() for person in several):
        called.setdefault(person.student, set()).add(person.called)
    doubts: list[Unread] = []
    for entry in listing.answers:
        mixed = [person for person in whom.get(entry.name, ()) if len(called[person.student]) > 1]
        if mixed:
            both = " and ".join(sorted(called[mixed[0].student]))
            who = mixed[0].student
            why = f"{who} is in names with {both}: keep the files with the name of {who}, and take the others away."
            doubts.append(Unread(storable_name(entry.path), why, doubt=True, student=who))
        elif unclear_name := unclear.get(entry.name):
            problem = next((name for way in unclear_name.ways if (name := problem_of(way.file, listing.problems))), "")
            people = unclear_name.students or [""]
            doubts += [
                Unread(storable_name(entry.path), unclear_name.why, doubt=True, student=who, problem=problem)
                for who in people
            ]
        elif entry.name in whom and not whom[entry.name]:
            doubts.append(Unread(storable_name(entry.path), layout.untold, doubt=True))
        elif entry.name not in whom:
            doubts.append(Unread(storable_name(entry.path), _stray(layout, entry, apart=apart), doubt=True))
    in_doubt = {doubt.path for doubt in doubts}
    entries = [
        entry
        for entry in listing.entries
        if not layout.extras.fullmatch(entry.name) and storable_name(entry.path) not in in_doubt
    ]
    # Whose a file is that holds no answer, such as a PDF, is known as well as that of the others.
    rest = _names(layout, replace(listing, holds=lambda entry: not may_hold_answers(entry)))
    others, _ = decided(rest, listed, doubtful=layout.doubtful)
    return Recognised(layout, entries, {**others, **whom}, doubts)


def _without_seconds(found: Recognised) -> Recognised:
    """Take out what may be a second folder of one student, and the first: nobody can tell which counts, or whose it is."""
    answering = {entry.name for entry in found.entries if may_hold_answers(entry)}
    whose = {name: several[0].student for name, several in found.whose.items() if several and name in answering}
    why: dict[str, str] = {}
    for student in whose.values():
        again = found.layout.second.fullmatch(student)
        if again and again["first"] in whose.values():
            said = (
                f"{student} may be a second one of {again['first']}: leave the one that counts, or say --from "
                f"{found.layout.name} if they are two students."
            )
            why |= {name: said for name in whose if whose[name] in (student, again["first"])}
    return _without(found, why, whose)


def _apart(found: Recognised, listing: Listing, *, several: bool) -> Recognised:
    """Take out the folders that are downloads of a system themselves, and those that may be of `several` students."""
    held = {entry.name: inside for entry in found.entries if (inside := _held(entry, listing)) is not None}
    why: dict[str, str] = {}
    # Beside a week, a section or a download, what holds folders alone may be another.
    alike = [name for name in held if held[name].answers and all(each.is_folder for each in held[name].answers)]
    archives = {entry.name for entry in found.entries if entry.suffix in ARCHIVES}
    for name, inside in held.items():
        see = f"it may hold several students, as {storable_name(name)} may: see there."
        looks = next((system for system, _ in _systems(inside) if system.name != "nbgrader"), None)
        folders = _of_several(inside) if several else []
        if looks is not None:
            alone = f"it looks like {looks.title}, and not like what one student handed in: grade it by itself."
            why = {**{other: see for other in alike if {other, name} <= archives}, **why, name: alone}
        elif folders:
            change = folders[0].to_do("run `class grade` on this folder")
            names = some([storable_name(folder.name) for folder in folders])
            why[name] = (
                f"{names} in it hold answers to one problem. If these are students, {change}; if they are assignments, name "
                "one with --assignment."
            )
            why = {**dict.fromkeys(alike, see), **why}
    return _without(found, why, {})


def _without(found: Recognised, why: Mapping[str, str], whose: Mapping[str, str]) -> Recognised:
    """Take out entries, by their names, each with why it is in doubt, and whose it is if that is known."""
    doubts = [
        Unread(storable_name(entry.path), why[entry.name], doubt=True, student=whose.get(entry.name, ""))
        for entry in found.entries
        if entry.name in why
    ]
    entries = [entry for entry in found.entries if entry.name not in why]
    return replace(found, entries=entries, doubts=[*found.doubts, *doubts])


def _of_several(listing: Listing) -> list[TreeEntry]:
    """Folders that hold a file called after one problem, or as all stubs are, without a time that tells which is later."""
    answering: dict[str, list[TreeEntry]] = {}
    for folder in (
        entry for entry in listing.entries if entry.is_folder and not entry.why and entry.name not in SHIPPED
    ):
        inside = held_in(folder)
        if not any(entry.name == TIMESTAMP for entry in inside):
            stub = {entry.name for entry in inside if entry.name == "stub.py" and folder.name not in listing.problems}
            for name in stub | {problem_of(entry.name, listing.problems) for entry in inside if not entry.is_folder} - {
                ""
            }:
                answering.setdefault(name, []).append(folder)
    return next((folders for folders in answering.values() if len(folders) > 1), [])


def _held(entry: TreeEntry, listing: Listing) -> Listing | None:
    """What lies in a folder or in a zip; None if it is neither, or cannot be read."""
    if entry.why or not (entry.is_folder or entry.suffix in ARCHIVES):
        return None
    try:
        return _listing(entry if entry.is_folder else unpacked(entry), listing.problems, listing.zone)
    except Unreadable:
        return None


def _why(listing: Listing, touched: Sequence[tuple[Layout, Whom]]) -> str:
    """Why no rule says whose the entries are, and what to do."""
    layouts = [layout for layout, _ in touched]
    options = " or ".join(f"--from {layout.name}" for layout in (*layouts, PLAIN))
    for layout, whom in touched:
        left = [storable_name(answer.name) for answer in listing.answers if answer.name not in whom]
        if contradiction := layout.contradiction(whom):
            return f"these look like {layout.title}, but {contradiction}. Nothing is graded: say what it is with {options}."
        if len(touched) == 1:
            return (
                f"{len(whom)} of these look like {layout.title}, and {some(left)} do not. Nothing is graded: move one "
                f"kind away, or say what all are with {options}."
            )
    kinds = " and like ".join(layout.title for layout in layouts)
    return f"these look like {kinds}. Nothing is graded: say what it is with {options}."


def _stray(layout: Layout, entry: TreeEntry, *, apart: bool) -> str:
    if layout is PLAIN:
        change = entry.to_do("put it in a folder that is called after the student.")
        return f"its name does not say whose it is: {change}"
    if apart:
        return f"it is not among {layout.title}, as the other names are."
    return f"it is not named as {layout.title} are: {layout.example} is one."


def _in_doubt(listing: Listing, inner: TreeEntry, held: Listing) -> Recognised | None:
    """The doubt about a lone folder that holds folders alone: they may be students, or assignments of one student."""
    of_one = {*listing.problems, *SHIPPED}
    folders = [entry for entry in held.entries if entry.is_folder and not entry.why]
    if len(folders) < 2 or len(folders) != len(held.entries):
        return None
    if any(folder.name in of_one or any(two.name == TIMESTAMP for two in folder.inside()) for folder in folders):
        return None
    within = storable_name(inner.path)
    unpack = (
        "unpack the archive, and "
        if isinstance(inner, InArchive) and inner.number is None and listing.answers[0].is_folder
        else ""
    )
    names = some([storable_name(folder.name) for folder in folders])
    why = (
        f"it is alone in the folder of the class, and holds {names}. If these are students, {unpack}run `class grade` on "
        f"{within} itself; if they are all of one student, move the answers up into it."
    )
    return _nobody(inner, why)
