"""A worked answer with its mistakes: the text that learners see, the functions that it and they are, and their words.

`answer.py` holds the worked answer, the mistakes in its comments (see `mistakes.py`) and `problem = Problem(...)`.
`mistakes.md` beside it says which mistakes the pitfalls of the statement are, and holds the words of each mistake:

    - All pairs but the first turn too fast ... : half-exponent

    ## half-exponent
    These are the numbers of 1 / 10000^(k/d): every pair but the first turns too fast.

    > By how much does the exponent grow from one pair to the next?

    ### label
    A note that is told after the words, for the forms that are called `half-exponent/label`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.kit import markup, statement
from grader.kit.mistakes import COMMENT, MistakeForm, MistakeWords, Pitfall, changed, read_forms
from grader.kit.problem_error import ProblemError
from grader.values.places import parsed

WORDS = "mistakes.md"
"""The file with the words of mistakes, beside the worked answer. `mistakes.es.md` holds them in Spanish."""

_WARNED = re.compile(r"- (?P<begins>.+?) \.\.\. : (?P<names>.+?) *$")
_SURVIVES = re.compile(r"[ \t]*# survives [a-z0-9_-]+:")


@dataclass(frozen=True, eq=False)
class Solution:
    """A worked answer: its text, its mistakes, and the functions that it and they are.

    Attributes:
        name: of the problem and of its function.
        file: the path of the text.
        text: the whole text, with mistakes and declaration.
        pitfalls: its mistakes, in the order in which `mistakes.md` has them.
    """

    name: str
    file: str
    text: str = field(repr=False)
    pitfalls: tuple[Pitfall, ...] = field(repr=False)
    _functions: dict[tuple[MistakeForm, ...], Callable[..., Any]] = field(default_factory=dict, init=False, repr=False)

    def use(self, names: Mapping[str, Any]) -> None:
        """Take the function from what the text has defined: it does not run twice. Raises ProblemError without it."""
        self._functions[()] = self._found(names)

    def function(self, forms: tuple[MistakeForm, ...] = ()) -> Callable[..., Any]:
        """The function of the worked answer with some mistakes made. Its lines have the numbers of the file's lines.

        Raises:
            ProblemError: if there is no such function.
            Exception: whatever the text raises.
        """
        if forms not in self._functions:
            self._functions[forms] = self._made(forms)
        return self._functions[forms]

    def _made(self, forms: tuple[MistakeForm, ...]) -> Callable[..., Any]:
        text = bare(changed(self.text, forms), numbered=True)
        names: dict[str, Any] = {"__name__": f"solution_of_{self.name}", "__file__": self.file}
        exec(compile(text, self.file, "exec", dont_inherit=True), names)
        return self._found(names)

    def _found(self, names: Mapping[str, Any]) -> Callable[..., Any]:
        function = names.get(self.name)
        if not callable(function):
            raise ProblemError(f"there is no function {self.name!r}: name it as its folder")
        return function


def read(
    name: str, path: str | Path, text: str, words: str | None, translations: Mapping[str, str] | None = None
) -> Solution:
    """A worked answer.

    Args:
        words: the text of `mistakes.md`; None without the file.
        translations: the texts of the same in other languages, by language.

    Raises:
        ProblemError: if the mistakes or their words cannot be read.
        SyntaxError: if the text is not Python.
    """
    return Solution(name, str(path), text, tuple(_pitfalls(read_forms(text), words, translations or {})))


def bare(text: str, *, numbered: bool = False) -> str:
    """The worked answer as learners see it: without its mistakes, what explains survivors, and the declaration.

    Args:
        numbered: whether each line keeps its number; what is left out then leaves blank lines.

    Raises:
        SyntaxError: if the text is not Python.
    """
    dropped: set[int] = set()
    for node in parsed(text).body:
        if _declares(node) or (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "grader"):
            dropped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    kept: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if number not in dropped and not COMMENT.match(line) and not _SURVIVES.match(line):
            kept.append(re.sub(rf"{_SURVIVES.pattern}.*", "", line))
        elif numbered:
            kept.append("")
    found = "\n".join(kept)
    if numbered:
        return found
    # What is left out stood among blank lines: one is kept in a function or a class, and two at the top.
    return re.sub(r"\n{3,}(?=[ \t])", "\n\n", re.sub(r"\n{4,}", "\n\n\n", found)).rstrip("\n") + "\n"


def _declares(node: ast.stmt) -> bool:
    """Whether a statement is `problem = ...`."""
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == "problem" for target in node.targets
    )


def _pitfalls(
    forms: Mapping[str, Sequence[MistakeForm]], words: str | None, translations: Mapping[str, str]
) -> list[Pitfall]:
    if words is None and forms:
        raise ProblemError(
            "there is no such file, and the worked answer has mistakes: write a section for each", file=WORDS
        )
    said = read_words(words or "")
    others = {language: read_words(text, f"mistakes.{language}.md") for language, text in translations.items()}
    for name, (form, *_) in forms.items():
        if name not in said:
            raise ProblemError(f"{name!r} has no words: write a section `## {name}` in {WORDS}", line=form.line)
    found: list[Pitfall] = []
    for name, mistake_words in said.items():
        if name not in forms:
            raise ProblemError(
                f"{name!r} stands under no statement of answer.py: write `#: {name}: ...`",
                line=mistake_words.line,
                file=WORDS,
            )
        labels = {form.label for form in forms[name]} - {""}
        if missing := [label for label in mistake_words.notes if label not in labels]:
            raise ProblemError(
                f"no form of {name!r} is called {name}/{missing[0]}", line=mistake_words.line, file=WORDS
            )
        translated = {language: of[name] for language, of in others.items() if name in of}
        found.append(Pitfall(name, tuple(forms[name]), mistake_words, translated))
    return found


def read_words(text: str, file: str = WORDS) -> dict[str, MistakeWords]:
    """The words of each mistake. Raises ProblemError if a section has no name, or a form of a mistake a question."""
    found: dict[str, MistakeWords] = {}
    for name, section in markup.sections(text).items():
        if not name:
            raise ProblemError("this heading has no name: write `## NAME`", line=section.start + 1, file=file)
        own, *noted = re.split(r"^### +(.+?) *$", statement.without_marks(section.text), flags=re.MULTILINE)
        hint = [line for line in own.split("\n") if line.startswith(">")]
        why = [line for line in own.split("\n") if not line.startswith(">")]
        notes: dict[str, str] = {}
        for label, note in zip(noted[::2], noted[1::2], strict=True):
            if re.search(r"^>", note, re.MULTILINE):
                said = f"{name}/{label} has a question: a form has a sentence alone, and the mistake has the question"
                raise ProblemError(said, line=section.start + 1, file=file)
            notes[label] = _joined(note.split("\n"))
        found[name] = MistakeWords(
            _joined(why), _joined(line.removeprefix(">") for line in hint), notes, section.start + 1
        )
    return found


@dataclass(frozen=True)
class Warned:
    """One line of the list at the head of `mistakes.md`: a pitfall of the statement, and the mistakes that it is.

    Attributes:
        begins: the first words of the pitfall.
        names: of mistakes; `error` for an answer that raises one, `advice` for a pitfall that is no mistake.
        line: of the file.
    """

    begins: str
    names: tuple[str, ...]
    line: int


def read_warned(text: str) -> list[Warned]:
    """The list at the head of `mistakes.md`, from the text of the file."""
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines) if line.startswith("## ")), len(lines))
    found = [(number, _WARNED.match(line)) for number, line in enumerate(lines[:end], start=1)]
    return [Warned(item["begins"], tuple(item["names"].split(", ")), number) for number, item in found if item]


def _joined(lines: Any) -> str:
    return " ".join(" ".join(lines).split())
