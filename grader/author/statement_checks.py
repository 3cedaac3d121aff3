"""Checks of a problem's texts and declarations, which run nothing: the statement, its inputs, its links, the stub, axes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from grader.author.finding import Finding
from grader.kit import markup, statement
from grader.kit.files import Missing, Unreadable, read_text
from grader.kit.kit import Kit, is_bare
from grader.kit.problem import Problem, as_pictures, differentiates, picture_source
from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading
from grader.kit.text import counted
from grader.marking.facts import ProgramRequirements
from grader.marking.requirements import Contract
from grader.values.places import parsed


def fault_of_axes(problem: Problem, shapes: Sequence[tuple[int, ...]]) -> str:
    """What is wrong with the names of axes of these shapes; empty if nothing is. The last axes may be without a name."""
    count = max(1, max(map(len, shapes)) - differentiates(problem))  # a derivative is stacked below the values
    if len(problem.axes) <= count:
        return ""
    given = f"`axes` names {len(problem.axes)}, {', '.join(problem.axes)}"
    return f"{given}, and before it is flattened the array has {count}: name no more than it has"


def fault_of_picture_axes(problem: Problem, shapes: Sequence[tuple[int, ...]]) -> str:
    """What is wrong with a picture of arrays of these shapes; empty if nothing is. The names of axes are right."""
    stacked = int(differentiates(problem))
    for picture in as_pictures(problem.picture):
        places = [stacked + problem.axes.index(axis) for axis in astuple(picture)]
        if not any(all(shape[place] > 1 for place in places) for shape in shapes):
            several = " and ".join(f"two values along {axis!r}" for axis in astuple(picture))
            return f"{picture_source(picture)} shows nothing: no case has {several}. Add such a case, or remove the picture"
    return ""


HINTS = 3

GAP = "TODO"
"""The mark of a gap in the files that `new` writes."""


@dataclass(frozen=True)
class ProblemText:
    """The text of a file of a problem. `shown` is its path from the kit's folder."""

    shown: str
    text: str

    def line(self, piece: str) -> int:
        """The number of the first line that holds a piece of text, 0 if there is none."""
        at = self.text.find(piece)
        return self.text.count("\n", 0, at) + 1 if at >= 0 else 0

    def fault(self, check: str, piece: str, message: str) -> Finding:
        """A finding at the first line that holds a piece of text."""
        return Finding(check, self.shown, self.line(piece) if piece else 0, message)

    def section(self, heading: str) -> str:
        """The text of one section; empty if there is none."""
        found = markup.sections(self.text).get(heading)
        return found.text if found else ""


def problem_text(kit: Kit, path: Path) -> ProblemText | Finding:
    """The text of a file, or a finding if it cannot be read."""
    shown = kit.shown(path)
    try:
        return ProblemText(shown, read_text(path))
    except Missing:
        return Finding("missing", shown, 0, "there is no such file: write it, or make the problem anew with `new`")
    except Unreadable as error:
        return Finding("missing", shown, 0, str(error).rstrip("."))


def readable_text(kit: Kit, path: Path) -> ProblemText:
    """The text of a file; empty if it cannot be read, for the checks that leave it to another one to say so."""
    read = problem_text(kit, path)
    return read if isinstance(read, ProblemText) else ProblemText(read.file, "")


def gaps(kit: Kit, name: str) -> Iterator[Finding]:
    """Find the gaps that `new` left and nobody has filled in."""
    for path in (kit.statement(name), kit.stub(name), kit.answer(name), kit.words(name)):
        read = readable_text(kit, path)
        for number, line in enumerate(read.text.splitlines(), start=1):
            if GAP in line:
                what = line[line.index(GAP) + len(GAP) :].strip(" :`\"',.)")
                yield Finding("gap", read.shown, number, f"a gap is left: {what}" if what else "a gap is left")


def check_statement(kit: Kit, name: str) -> Iterator[Finding]:
    """Check the front matter, sections, hints and links of a statement."""
    read = problem_text(kit, kit.statement(name))
    if isinstance(read, Finding):
        yield read
        return
    try:
        parsed = statement.read(kit.statement(name))
    except ProblemError as error:
        said = str(error).removeprefix(f"{kit.statement(name)}: ")
        yield Finding("front-matter", read.shown, 1, said)
        return
    given = {line.partition(":")[0] for line in read.text.partition("\n---\n")[0].splitlines()}
    for field in statement.FRONT_MATTER:
        if field not in given:
            yield Finding("front-matter", read.shown, 1, f"its front matter needs a line `{field}: [...]`")
    if "tags" in given and not parsed.tags:
        yield read.fault("front-matter", "tags:", "it has no tags: give two or three words")
    for before in parsed.after:
        if before not in kit.names:
            yield read.fault("after", "after:", f"`after` names {before!r}, which is no problem of this kit")
    yield from _sections(read, parsed)
    yield from _links(kit, name, read)
    for line, tex in markup.formulas(read.text):
        if said := markup.fault_of_formula(tex):
            message = f"the formula ${tex.strip()}$ reads badly in a terminal: {said}"
            yield Finding("formula", read.shown, line, " ".join(message.split()))


def _sections(read: ProblemText, parsed: statement.Statement) -> Iterator[Finding]:
    for heading in Heading:
        if heading not in parsed.sections:
            yield read.fault("section", "", f"it has no section `## {heading}`")
        elif not parsed.sections[heading].text:
            yield read.fault("section", f"## {heading}", f"the section {heading.value!r} is empty")
    there = [heading for heading in parsed.sections if heading in set(Heading)]
    due = [heading.value for heading in Heading if heading in there]
    for heading, wanted in zip(there, due, strict=True):
        if heading != wanted:
            message = f"{heading!r} stands where {wanted!r} should: the sections have one order everywhere"
            yield read.fault("section", f"## {heading}", message)
            break
    hints = parsed.sections.get(Heading.HINTS)
    if hints and hints.text and len(parsed.hints) < HINTS:
        message = f"{counted(len(parsed.hints), 'hint')}: number at least {HINTS}, from a nudge to nearly there"
        yield read.fault("hints", f"## {Heading.HINTS}", message)


def check_task(kit: Kit, name: str, contract: Contract, asked: ProgramRequirements) -> Iterator[Finding]:
    """Check that the section "The task" says what a contract, and what is asked of the program, ask for."""
    read = readable_text(kit, kit.statement(name))
    text = " ".join(read.section(Heading.TASK).split())
    if not text:
        return  # the check of sections says so
    for words in dict.fromkeys((*contract.stated, *asked.words)):
        if words not in text:
            message = (
                f"the contract {contract.name!r} asks for more than values: say so in the section {Heading.TASK.value!r}, "
                f"with the words `{words}`"
            )
            yield read.fault("statement", f"## {Heading.TASK}", message)


def _links(kit: Kit, name: str, read: ProblemText) -> Iterator[Finding]:
    folder = kit.statement(name).parent
    for line, target in markup.links(read.text):
        parts = urlsplit(target)
        if not parts.scheme and not (folder / unquote(parts.path)).exists():
            yield Finding("link", read.shown, line, f"the link leads to {unquote(parts.path)!r}, where nothing is")


def check_stub(kit: Kit, name: str, parameters: tuple[str, ...]) -> Iterator[Finding]:
    """Check that the stub has the worked answer's signature, and raises NotImplementedError."""
    read = problem_text(kit, kit.stub(name))
    if isinstance(read, Finding):
        yield read
        return
    try:
        tree = parsed(read.text)
    except SyntaxError as error:
        yield Finding("stub", read.shown, error.lineno or 0, f"not Python: {error.msg}")
        return
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    if not functions:
        yield read.fault("stub", "", f"there is no function {name!r}: begin it with {_signature(name, parameters)}")
        return
    (function, *_) = functions
    given = tuple(argument.arg for argument in (*function.args.posonlyargs, *function.args.args))
    if given != parameters or function.args.kwonlyargs or function.args.vararg or function.args.kwarg:
        message = f"its signature is not the worked answer's: write {_signature(name, parameters)}"
        yield Finding("signature", read.shown, function.lineno, message)
    elif not is_bare(read.text, name):
        message = (
            "it should end with `raise NotImplementedError`, and return nothing before: delete the lines that solve it, or "
            f"put the shipped stub back with `reset {name}`"
        )
        yield Finding("stub", read.shown, function.lineno, message)


def _signature(name: str, parameters: tuple[str, ...]) -> str:
    return f"`def {name}({', '.join(parameters)}):`"


HEADING = Heading.INPUTS.value


def check_inputs(
    kit: Kit, name: str, facts: Mapping[str, Sequence[Sequence[str]]], related: Sequence[Sequence[str]]
) -> Iterator[Finding]:
    """Check that "Inputs" has an entry for each argument with its facts, and names arguments that go together in one entry.

    Args:
        facts: of each argument, what its entry must say; each fact may be said in several ways.
        related: the arguments of each relation.
    """
    read = readable_text(kit, kit.statement(name))
    text = read.section(HEADING)
    if not text:
        return  # the check of sections says so
    entries, heading = _entries(text), f"## {HEADING}"
    for argument, due in facts.items():
        said = entries.get(argument)
        if said is None:
            yield read.fault("inputs", heading, f"{HEADING!r} has no entry that begins with `{argument}`")
            continue
        for ways in due:
            if not any(re.search(rf"\b{re.escape(way)}(?!\w|[.]\d)", said) for way in ways):
                message = f"{HEADING!r} does not say of `{argument}` that it is {ways[0]}, as is declared"
                yield read.fault("inputs", heading, message)
    for names in related:
        if not any(all(f"`{name}`" in piece for name in names) for piece in _pieces(text)):
            together = " and ".join(f"`{name}`" for name in names)
            message = f"{HEADING!r} does not say how {together} go together: name them in one entry"
            yield read.fault("inputs", heading, message)


def _entries(text: str) -> dict[str, str]:
    """What the entries of the list say, each under every argument that it begins with."""
    entries: dict[str, str] = {}
    for piece in _pieces(text):
        begins, _, said = piece.removeprefix("- ").partition(":")
        if piece.startswith("- "):
            entries.update(dict.fromkeys(re.findall(r"`(\w+)`", begins), said))
    return entries


def _pieces(text: str) -> list[str]:
    """The entries of the list and the paragraphs, each in one line."""
    return [" ".join(piece.split()) for piece in re.split(r"\n\n|\n(?=- )", text)]
