"""The pages: those of the site, with the learner's progress and an editor in them."""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from grader.kit import progress as progress_file
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import shipped
from grader.kit.solution import bare
from grader.locale.language import LANGUAGES, language
from grader.page import body, site
from grader.page.files import page_file
from grader.page.site import Writer, style
from grader.page.words import page_words
from grader.serve import words
from grader.serve.live_lessons import LiveLessons
from grader.serve.reconnection import Reconnection
from grader.values.places import parsed

EDITOR = "editor.js"
LICENCES = "THIRD_PARTY.txt"
OWN = ("work.css", "work.js", "panes.js", "results.js", "practice.js", "list.js", "server.js")

LINES_AROUND, FEWEST_LEFT_OUT = 2, 2
"""Lines that are shown before and behind a change. So few lines between are not left out."""

BUILT = (EDITOR, LICENCES)
"""Files of `assets/`: those that are in the tree, and those that are built (see `serve/editor_bundle.py`)."""


class ServedPages:
    """Makes each page when it is asked for."""

    def __init__(self, kit: Kit, lessons: LiveLessons, proof: str, reconnection: Reconnection | None) -> None:
        self._kit, self._lessons, self._proof, self._reconnection = kit, lessons, proof, reconnection
        self._writers: dict[str, Writer] = {}
        self._kept_as = hashlib.sha256(str(kit.root).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def writer(self) -> Writer:
        """What writes the pages in the language that is spoken."""
        if language() not in self._writers:
            more = {name: _file(f"{name}.html.jinja") for name in ("start", "work")}
            # What a browser lets the pages do is in the header of each reply.
            self._writers[language()] = Writer(self._lessons.sound, page_words(), policy="", more=more)
        return self._writers[language()]

    @property
    def _run(self) -> dict[str, str]:
        """What the scripts know of this run of the server."""
        return {
            "proof": self._proof,
            "kit": self._kept_as,
            "secret": self._reconnection.secret if self._reconnection else "",
        }

    def start(self) -> str:
        """The list of lessons."""
        progress = progress_file.load(self._kit)
        begun = bool(progress.solved) or any(map(progress.failed, progress.verdicts))
        current = self._lessons.current() if begun else None
        work = words.serve_words()
        return self.writer.start(
            [problem.name for problem in self._lessons.sound if self._kit.figure(problem.name).is_file()],
            "start",
            live=True,
            work=work,
            said=work.for_script(),
            run=self._run,
            begun=begun,
            current=next((problem for problem in self._lessons.sound if problem.name == current), None),
            faulty=[problem for problem in self._lessons.listed if problem.fault],
        )

    def lesson(self, name: str) -> str:
        """A lesson with an editor beside it.

        Raises:
            ProblemError: where its statement cannot be read.
        """
        work, lesson = words.serve_words(), self._lessons.lesson(name)
        return self.writer.lesson(
            lesson,
            "work",
            work=work,
            track=[problem.name for problem in self._lessons.sound if problem.track == lesson.track],
            spoken=LANGUAGES.items(),
            can_find_again=self._reconnection is not None,
            editor_keys={"usual": work.usual_keys, "vim": "Vim", "emacs": "Emacs"}.items(),
            parameters=_parameters(shipped(self._kit, name) or "", name),
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
            case "theme.js" | "page.js" | "figures.js":
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
        work = words.serve_words()
        changes = [
            change for change in difflib.ndiff(yours.splitlines(), worked.splitlines()) if not change.startswith("?")
        ]
        shown = Markup().join(_shortened(changes, work.lines_alike))
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


def _parameters(stub: str, name: str) -> list[str]:
    """The parameters of the function to fill in; none where the stub cannot be read."""
    try:
        tree = parsed(stub)
    except (SyntaxError, ValueError):  # a kit may have a stub that is no Python: grading says so
        return []
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return [argument.arg for function in functions for argument in function.args.args]


def _shortened(changes: Sequence[str], alike: str) -> Iterator[Markup]:
    """Lines with their changes. Of many lines that are the same, those near a change are shown."""
    for same, run in groupby(enumerate(changes), key=lambda one: one[1].startswith("  ")):
        lines = list(run)
        first, last = lines[0][0] == 0, lines[-1][0] == len(changes) - 1
        head, tail = (0 if first else LINES_AROUND), (0 if last else LINES_AROUND)
        left = len(lines) - head - tail
        if not same or left <= FEWEST_LEFT_OUT:
            yield from (_changed(line) for _, line in lines)
            continue
        yield from (_changed(line) for _, line in lines[:head])
        yield Markup('<span class="skipped">{}</span>\n').format(alike.format(n=left))
        yield from (_changed(line) for _, line in lines[len(lines) - tail :])


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
