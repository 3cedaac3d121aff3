"""Checks of the form that every lesson has: an aim, a table of symbols, a picture, a question, an end, and few words.

Each of its pitfalls is a mistake that a verdict can name.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence

from grader.author.finding import Finding
from grader.author.statement_checks import ProblemText, readable_text
from grader.kit import markup, statement
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.solution import read_warned, read_words
from grader.kit.statement import Heading, Statement
from grader.marking.diagnosis import DETECTED_MISTAKES
from grader.marking.requirements import CONTRACTS, REQUIREMENT_NAMES

MOST_WORDS = 900
"""The most words of a lesson, without blocks of code, displayed formulas, tables, and the sections that are looked up."""
LONGEST_AIM = 120
"""The most characters of an aim: it is the end of one sentence."""
SYMBOL_TABLE = ("Symbol", "In code", "Shape")
"""The head of the table of symbols."""
CHECK, ANSWER, TRY = "**Check:**", "**Answer:**", "**Try:**"
"""What a pitfall holds, and what the two paragraphs of the end begin with."""
ERROR, ADVICE = "error", "advice"
"""What stands in the place of a mistake: an answer that makes it raises an error, or the pitfall is no mistake."""
LOOKED_UP = (Heading.HINTS, Heading.IN_REAL_USE, Heading.END, Heading.REFERENCES)
"""The sections that a learner need not read to solve the problem."""

_FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_DISPLAYED = re.compile(r"\$\$.*?\$\$", re.DOTALL)
_ROW = re.compile(r"^ *\|.*\|? *$", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")


def check_form(kit: Kit, name: str) -> Iterator[Finding]:
    """Check the form of a statement. One that cannot be read has no form; another check says why."""
    try:
        parsed = statement.read(kit.statement(name))
    except ProblemError:
        return
    read = readable_text(kit, kit.statement(name))
    yield from (*_aim(read, parsed), *_sections(read, parsed), *_pictures(read))
    if (count := words(parsed)) > MOST_WORDS:
        message = (
            f"it has {count} words beside blocks of code, displayed formulas and tables: shorten it to {MOST_WORDS}, or "
            "divide it"
        )
        yield read.fault("form", "", message)


def check_symbols(kit: Kit, name: str, parameters: Sequence[str]) -> Iterator[Finding]:
    """Check that the table of symbols has each argument, and that it has every name in its shapes and in the diagrams'."""
    read = readable_text(kit, kit.statement(name))
    text = read.section(Heading.IDEA)
    if not text:
        return  # the check of sections says so
    rows, heading = _table(text), f"## {Heading.IDEA}"
    if not rows:
        message = (
            f"{Heading.IDEA.value!r} has no table of symbols: begin it with `| {' | '.join(SYMBOL_TABLE)} |`, and give each "
            "symbol a row"
        )
        yield read.fault("form", heading, message)
        return
    known = {
        symbol for _, code, _ in rows for span in _CODE.findall(code) for symbol in re.findall(r"[A-Za-z_]\w*", span)
    }
    used: dict[str, list[str]] = {name: ["an argument"] for name in parameters[1:]}
    shapes = [
        (f"a size in `{span}`", markup.names_of_shape(span) or frozenset())
        for _, _, shape in rows
        for span in _CODE.findall(shape)
    ]
    shapes += [
        (f"a size in a {markup.FLOW}", diagram.names) for diagram in _diagrams(read) if isinstance(diagram, markup.Flow)
    ]
    for use, names in shapes:
        for symbol in sorted(names):
            used.setdefault(symbol, []).append(use)
    for name in (symbol for symbol in used if symbol not in known):
        what = " and ".join(dict.fromkeys(used[name]))
        mend = "" if name in parameters else ", or mend the shape"
        row = f"| - | `{name}` | a whole number |"
        message = f"the table of symbols has no row for `{name}`, {what}: add one such as {row}{mend}"
        yield read.fault("form", heading, message)


def words(parsed: Statement) -> int:
    """The number of words of a lesson that is held to `MOST_WORDS`."""
    text = "\n".join(section.text for heading, section in parsed.sections.items() if heading not in LOOKED_UP)
    for pattern in (_FENCE, _DISPLAYED, _ROW):
        text = pattern.sub("", text)
    return len(text.split())


def check_pitfalls(kit: Kit, name: str) -> Iterator[Finding]:
    """Check that the list at the head of `mistakes.md` says of each pitfall of the statement which mistakes it is."""
    read, words_read = (readable_text(kit, path) for path in (kit.statement(name), kit.words(name)))
    if not read.text:
        return  # the check of the statement says so
    items, warned = _pitfalls(read.section(Heading.PITFALLS)), read_warned(words_read.text)
    for item in items:
        if not any(item.startswith(one.begins) for one in warned):
            begins = " ".join(item.split()[:6])
            message = (
                f"no mistake is named for the pitfall that begins {begins!r}: begin mistakes.md with a list, and say there "
                f"which mistake it is, as in `- {begins} ... : NAME`"
            )
            yield read.fault("pitfall", _begins(item), message)
    own = set()
    with contextlib.suppress(ProblemError):  # the check of the reference says so
        own = {*read_words(words_read.text)}
    known = own | DETECTED_MISTAKES | {*REQUIREMENT_NAMES, *(one.mistake for one in CONTRACTS.values()), ERROR, ADVICE}
    for one in warned:
        if not any(item.startswith(one.begins) for item in items):
            message = f"no pitfall of the statement begins with {one.begins!r}: mend these words, or drop the line"
            yield Finding("pitfall", words_read.shown, one.line, message)
        for mistake in one.names:
            if mistake not in known:
                message = (
                    f"{mistake!r} is no mistake of this problem, and none that all problems have: mend it, or add it"
                )
                yield Finding("pitfall", words_read.shown, one.line, message)


def _aim(read: ProblemText, parsed: Statement) -> Iterator[Finding]:
    if read.line("aim:") and not parsed.aim:
        message = "`aim` is empty: it ends the sentence that begins `After this lesson you can`"
        yield read.fault("form", "aim:", message)
    elif parsed.aim.endswith(".") or len(parsed.aim) > LONGEST_AIM:
        message = f"`aim` should be the end of one sentence, without its full stop, of at most {LONGEST_AIM} characters"
        yield read.fault("form", "aim:", message)
    if read.line("minutes:") and not parsed.minutes:
        yield read.fault("form", "minutes:", "`minutes` is 0: say how long the lesson takes about")


def _sections(read: ProblemText, parsed: Statement) -> Iterator[Finding]:
    text = {heading: section.text for heading, section in parsed.sections.items()}
    # Of an empty section, the check of sections says all.
    if "?" not in (text.get(Heading.QUESTION) or "?"):
        yield read.fault("form", f"## {Heading.QUESTION}", f"{Heading.QUESTION.value!r} asks nothing: ask one question")
    for item in _pitfalls(text.get(Heading.PITFALLS, "")):
        if CHECK not in item:
            message = (
                f"the pitfall that begins {item[:40]!r} has no `{CHECK}`: say what shows a learner whether it is so"
            )
            yield read.fault("form", _begins(item), message)
    if end := text.get(Heading.END):
        for begins in (ANSWER, TRY):
            if not re.search(rf"^{re.escape(begins)}", end, re.MULTILINE):
                what = "that answers the question" if begins == ANSWER else "with one variation"
                message = f"{Heading.END.value!r} has no paragraph {what}: begin one with `{begins}`"
                yield read.fault("form", f"## {Heading.END}", message)


def _pitfalls(text: str) -> list[str]:
    """The items of the section of pitfalls, each in one line."""
    return [" ".join(item.split()) for item in re.split(r"^- ", text, flags=re.MULTILINE)[1:]]


def _begins(item: str) -> str:
    """The first words of a pitfall in the statement."""
    return "- " + " ".join(item.split()[:3])


def _pictures(read: ProblemText) -> Iterator[Finding]:
    blocks = _blocks(read)
    if not blocks:
        kinds = " or ".join(markup.DIAGRAM_KINDS)
        message = (
            f"it has no picture in its text: draw one in a fenced block of the kind {kinds}, as `guide authoring` says"
        )
        yield read.fault("form", "", message)
    for block in blocks:
        try:
            markup.read_diagram(block.language, block.code)
        except markup.DiagramError as error:
            yield Finding("form", read.shown, block.line, f"the {block.language} cannot be read: {error}")


def _blocks(read: ProblemText) -> list[markup.Fence]:
    return [fence for fence in markup.fences(read.text) if fence.language in markup.DIAGRAM_KINDS]


def _diagrams(read: ProblemText) -> Iterator[markup.Flow | markup.DiagramGrid]:
    for block in _blocks(read):
        try:
            yield markup.read_diagram(block.language, block.code)
        except markup.DiagramError:
            continue  # `check_form` says so


def _table(text: str) -> list[tuple[str, str, str]]:
    """The rows of the table of symbols: each a symbol, what it is in code, and its shape."""
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in _ROW.findall(text)]
    if SYMBOL_TABLE not in rows:
        return []
    below = rows[rows.index(SYMBOL_TABLE) + 2 :]
    return [(row[0], row[1], row[2]) for row in below if len(row) == len(SYMBOL_TABLE)]
