"""`site`: the kit as a site of static files. Returns the exit status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grader.commands.console import progress_bar
from grader.commands.learner import ListedProblem, catalogue
from grader.kit import shipped_kit, statement
from grader.kit.files import Unreadable, read_regular, size_text
from grader.kit.kit import Kit, KitError
from grader.kit.output import check_new
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import translated
from grader.kit.statement import Heading
from grader.kit.text import counted
from grader.locale.language import ENGLISH, LANGUAGES, speaking
from grader.options import Options
from grader.oracle.oracle import Oracle, of_reference
from grader.page.body import body
from grader.page.files import drawing_scripts, write_site
from grader.page.published import folder_of, for_robots
from grader.page.site import Drawn, Lesson, files_of
from grader.page.words import PageWords, page_words
from grader.report.terminal import Terminal
from grader.session import Session

EXAMINE = "grader.page.figure:examine_figures"
AT_ONCE = 2

Spoken = dict[str, tuple[Drawn, ...]]
"""The figures of one problem in each language."""


def figures(options: Options, languages: Mapping[str, Iterable[str]]) -> tuple[dict[str, Spoken], str]:
    """The figures of each problem that declares some, and a line on those that are left out; empty if none is.

    Args:
        languages: those that each problem's statement is in.

    Raises:
        ProblemError: a `figure.py` has a fault (see `examine_figures`).
    """
    kit = options.kit
    declared = [name for name in languages if kit.figure(name).is_file()]
    known = [name for name in declared if kit.answer(name).is_file()]
    with Session(kit) as session, progress_bar(options, len(known), "Figures") as bar:

        def one(name: str) -> Spoken:
            try:
                return figures_of(session, name, languages[name])
            finally:
                bar.advance()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = dict(zip(known, pool.map(one, known), strict=True))
    left_out = [name for name in declared if name not in known]
    note = f"Without the figures of {', '.join(left_out)}: this kit has no references." if left_out else ""
    return found, note


def figures_of(session: Session, name: str, languages: Iterable[str]) -> Spoken:
    """The figures of one problem in some languages.

    Raises:
        ProblemError: its `figure.py` has a fault (see `examine_figures`).
    """
    kit = session.kit
    source = of_reference(kit, name, session.device, session.launcher)
    try:
        return {language: _in(language, source, kit, name) for language in languages}
    finally:
        source.close()


def _in(language: str, source: Oracle, kit: Kit, name: str) -> tuple[Drawn, ...]:
    document = source.examine(EXAMINE, file=str(kit.figure(name)), language=language)
    if fault := document.get("fault"):
        place = f":{fault['line']}" if fault["line"] else ""
        raise ProblemError(f"{kit.shown(kit.figure(name))}{place}: {fault['message']}")
    return tuple(_drawn(number, language, figure) for number, figure in enumerate(document["figures"]))


def _drawn(number: int, language: str, figure: dict[str, Any]) -> Drawn:
    rows = tuple(tuple(row) for row in figure["rows"])
    told = (figure["title"], figure["section"], figure["sentence"], figure["of"])
    return Drawn(number, language, *told, tuple(figure["columns"]), rows, figure["spec"])


PICTURES = (".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp")

ACTIVE = re.compile(rb"<\s*(?:[\w-]+:)?(?:script|foreignobject|iframe)|\son\w+\s*=|javascript:", re.IGNORECASE)
"""What in an SVG runs, or is HTML, where somebody opens the picture by itself."""

LARGEST_PICTURE = 4 << 20


def site(options: Options, out: Path, names: Sequence[str], *, base: str = "", force: bool) -> int:
    """Write the site of some problems, or of all, in every language that one of them is translated into.

    Args:
        base: where it will be on the web, with a slash at its end; empty if that is not known.

    Raises:
        KitError: there is nothing to show, or the folder holds something and `force` is not set.
        ProblemError: a statement cannot be read, or a file that would be on the site is a link.
    """
    check_new(out, force=force, folder=True)
    lessons = lessons_of(options.kit, names, page_words())
    for lesson in lessons:
        shipped_kit.handed_out_files(options.kit, lesson.name)  # it raises where a link would be followed
    translated_into = {lesson.name: _languages(options.kit, lesson.name) for lesson in lessons}
    drawn, note = figures(options, translated_into)
    languages = [language for language in LANGUAGES if any(language in each for each in translated_into.values())]
    files: dict[str, bytes] = {}
    as_written: dict[tuple[str, str], str] = {}
    for language in languages:
        with speaking(language):
            words = page_words()
            lessons = [
                replace(lesson, figures=drawn[lesson.name][lesson.language] if lesson.name in drawn else ())
                for lesson in lessons_of(options.kit, names, words)
            ]
        bundle = drawing_scripts() if drawn else ""
        made = files_of(lessons, words, bundle=bundle, languages=languages, base=base)
        if base and language == ENGLISH:
            files |= for_robots(base, [path for path in made if path.endswith(".html")], languages)
        files |= {f"{folder_of(language)}{path}": data for path, data in made.items()}
        as_written |= {(lesson.name, tex): why for lesson in lessons for tex, why in lesson.body.as_written}
    removed = write_site(out, files, force=force)
    terminal = Terminal.make(colour=options.colour)
    size = size_text(sum(map(len, files.values())))
    terminal.to_do(f"{out} holds {counted(len(lessons), 'lesson')} now, in {size}: open {out / 'index.html'}")
    if base:
        terminal.to_do(f"Its pages say that they are at {base}: publish the folder there.")
    if note:
        terminal.to_do(note)
    if removed:
        terminal.line(f"{counted(len(removed), 'file')} of an earlier build removed.", "dim")
    for (name, tex), why in as_written.items():
        terminal.line(f"{name}: the formula ${tex}$ is shown as it is written: {why}.", "yellow", hanging=3)
    return 0


def _languages(kit: Kit, name: str) -> list[str]:
    """The languages that the statement of a problem is in."""
    return [
        language
        for language in LANGUAGES
        if language == ENGLISH or statement.translation_path(kit.statement(name), language).is_file()
    ]


def lessons_of(kit: Kit, names: Sequence[str], words: PageWords) -> list[Lesson]:
    """The lessons of some problems, or of all, in the order in which a learner meets them.

    Raises:
        KitError: there is none.
        ProblemError: a statement cannot be read.
    """
    listed = _chosen(kit, names)
    return [lesson_of(kit, problem, listed, words) for problem in listed]


def _chosen(kit: Kit, names: Sequence[str]) -> list[ListedProblem]:
    """The problems to show, in the order in which a learner meets them.

    Raises:
        KitError: there is none.
        ProblemError: for a problem that cannot be read.
    """
    wanted = {kit.resolve(name) for name in names}
    listed = [problem for problem in catalogue(kit) if problem.name in wanted or not wanted]
    if not listed:
        raise KitError(f"There is no problem in {kit.root / 'problems'}: nothing to show.")
    for problem in listed:
        if problem.fault:
            raise ProblemError(problem.fault)
    return listed


def lesson_of(kit: Kit, listed_problem: ListedProblem, listed: Sequence[ListedProblem], words: PageWords) -> Lesson:
    """One lesson, with links to those that are listed.

    Raises:
        ProblemError: its statement or a picture in it cannot be read.
    """
    read = statement.read(kit.statement(listed_problem.name))
    addresses = {each.name: f"{each.name}.html" for each in listed}
    headings = {read.heading(each): each.value for each in Heading}
    with speaking(read.language):  # the page itself says that a lesson is not translated
        text = read.shown
    picture = partial(_address, kit, listed_problem.name)
    shown = body(text, words, lessons=addresses, picture=picture, language=read.language, headings=headings)
    pictures = {
        f"pictures/{listed_problem.name}/{path}": _picture(kit, listed_problem.name, path) for path in shown.pictures
    }
    stub = translated(kit, listed_problem.name) or ""
    facts = (read.title, read.track, read.difficulty, read.tags, read.after)
    return Lesson(
        *(listed_problem.name, *facts, shown, read.body, stub),
        pictures=pictures,
        language=read.language,
        aim=read.aim,
        minutes=read.minutes,
    )


def _address(kit: Kit, name: str, path: str) -> str | None:
    """Where the page has a picture of a statement; None if it is no picture that lies in the problem's folder."""
    folder = kit.statement(name).parent
    inside = (folder / path).resolve().is_relative_to(folder.resolve()) and "://" not in path
    if not inside or not path.lower().endswith(PICTURES) or not (folder / path).is_file() or ".." in Path(path).parts:
        return None
    return f"../pictures/{name}/{path}"


def _picture(kit: Kit, name: str, path: str) -> bytes:
    folder = kit.statement(name).parent
    try:
        data = read_regular(folder / path, LARGEST_PICTURE)
    except Unreadable as error:
        raise ProblemError(f"{kit.shown(folder / path)}: {error}") from None
    if path.lower().endswith(".svg") and ACTIVE.search(data):
        raise ProblemError(f"{kit.shown(folder / path)}: it holds a script, or HTML: a picture of a lesson has none")
    return data
