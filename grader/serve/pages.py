"""The pages: those of the site, with the learner's progress and an editor in them."""

from __future__ import annotations

import difflib
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.solution import bare
from grader.page import body, site
from grader.page.files import page_file
from grader.page.site import Writer, style
from grader.page.words import page_words
from grader.serve import words
from grader.serve.live_lessons import LiveLessons

EDITOR = "editor.js"
LICENCES = "THIRD_PARTY.txt"
OWN = ("work.css", "work.js", "list.js", "server.js")

BUILT = (EDITOR, LICENCES)
"""Files of `assets/`: those that are in the tree, and those that are built (see `serve/editor_bundle.py`)."""


class ServedPages:
    """Makes each page when it is asked for."""

    def __init__(self, kit: Kit, lessons: LiveLessons, proof: str) -> None:
        self._kit, self._lessons = kit, lessons
        more = {name: _file(f"{name}.html.jinja") for name in ("start", "work")}
        # What a browser lets the pages do is in the header of each reply.
        self.writer = Writer(lessons.sound, page_words(), policy="", more=more)
        kept_as = hashlib.sha256(str(kit.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._run = {"proof": proof, "kit": kept_as}

    def start(self) -> str:
        """The list of lessons."""
        current = self._lessons.current()
        found = next((problem for problem in self._lessons.sound if problem.name == current), None)
        link = Markup('<a href="lessons/{}.html">{}</a>').format(found.name, found.title) if found else ""
        work = words.serve_words()
        return self.writer.start(
            [problem.name for problem in self._lessons.sound if self._kit.figure(problem.name).is_file()],
            "start",
            work=work,
            said=work.for_script(),
            run=self._run,
            go_on=Markup(str(escape(work.go_on))).format(lesson=link) if found else "",
            faulty=[problem for problem in self._lessons.listed if problem.fault],
        )

    def lesson(self, name: str) -> str:
        """A lesson with an editor beside it.

        Raises:
            ProblemError: where its statement cannot be read.
        """
        work = words.serve_words()
        return self.writer.lesson(
            self._lessons.lesson(name),
            "work",
            work=work,
            said=work.for_script(),
            run=self._run,
            editor=editor_is_built(),
            file=self._kit.shown(self._kit.stub(name)),
        )

    def asset(self, file: str) -> str | None:
        """The text of a file that pages load; None if there is no such file."""
        match file:
            case "style.css":
                return style()
            case "search.js":
                return site.search_index(self._lessons.sound, self._lessons.statements(), page_words())
            case "page.js" | "figures.js":
                return page_file(file)
            case _:
                known = file in OWN or (file in BUILT and _path(f"assets/{file}").is_file())
                return _file(f"assets/{file}") if known else None

    def solution(self, name: str) -> dict[str, Any]:
        """The worked answer, and what changes from the learner's text to it, as HTML.

        Raises:
            ProblemError: where it cannot be read.
        """
        path = self._kit.answer(name)
        try:
            worked = bare(read_text(path))
        except (Unreadable, SyntaxError) as error:
            raise ProblemError(f"{self._kit.opened(path)}: {error}") from None
        yours = self._lessons.texts.held(name).text
        changes = list(difflib.ndiff(yours.splitlines(), worked.splitlines()))
        shown = Markup().join(_changed(change) for change in changes if not change.startswith("?"))
        work = words.serve_words()
        return {
            "heading": work.worked,
            "html": str(
                Markup('<pre class="code"><code>{}</code></pre>').format(
                    Markup(body.highlighted_code(worked, "python"))
                )
            ),
            "compared": work.same if all(change.startswith("  ") for change in changes) else work.difference,
            "difference": "" if yours == worked else str(Markup('<pre class="code diff">{}</pre>').format(shown)),
        }


def _changed(line: str) -> Markup:
    tag = {"+ ": "ins", "- ": "del"}.get(line[:2], "span")
    return Markup("<{0}>{1}</{0}>\n").format(tag, line)


def editor_is_built() -> bool:
    """Whether the editor is here; else the page has a text box."""
    return _path(f"assets/{EDITOR}").is_file()


def _path(name: str) -> Path:
    return Path(str(files("grader.serve"))) / name


def _file(name: str) -> str:
    return _path(name).read_text(encoding="utf-8")
