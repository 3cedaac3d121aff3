"""Reads the mistakes of a worked answer. They stand in comments, each under the statement that it changes.

    omega = 10000.0 ** (-2 * k / d)
    #: half-exponent: 2 * k -> k                     a part of the statement; it occurs there once
    #: wrong-base: 10000.0 -> 1000.0, or 500000.0    two forms of the mistake
    #: mirrored: -2 -> 2, and k -> d // 2 - k        two parts at once
    #: unscaled: / d ->                              a part that is left out
    #: inverted: omega = 10000.0 ** (2 * k / d)      another statement in its place
    #: guarded:                                      several statements in its place
    #:     k = jnp.maximum(k, 1)
    #:     omega = 10000.0 ** (-2 * k / d)
    #: forgotten: -                                  no statement
    #: several-forms: =                              the statement as it is, in this form of the mistake

A mistake belongs to the last statement above it that begins in the same column. Under several statements, one name changes
all of them together. Under one statement, it stands once for each form of the mistake. `name/label` gives a form a label:
what has the same label under several statements belongs together. Without labels, the n-th forms of several statements do,
and one that stands alone under its statement belongs to all. Before the colon may stand, in brackets, `alone` (the form is
never combined with others) or `not with NAME, NAME`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import re
import textwrap
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.kit.problem_error import ProblemError
from grader.values.places import parsed

COMMENT = re.compile(r"[ \t]*#:")
_HEAD = re.compile(r"(?P<name>[^\s/:()]+)(?:/(?P<label>[^\s/:()]+))? ?(?:\((?P<flags>[^()]*)\))?:(?: (?P<change>.*))?$")
_ARROW, _OR, _AND = " -> ", ", or ", ", and "
_DOUBLED = "*/<>=|&"


@dataclass(frozen=True)
class TextEdit:
    """The characters from `start` to `end` of a text are replaced by `text`.

    A statement is replaced together with lines of comments below it or by as many blank lines, so that the lines that follow
    keep their numbers: `touches` is the end of what it changes. `whole` says that it replaces a statement.
    """

    start: int
    end: int
    text: str
    touches: int
    whole: bool = False


@dataclass(frozen=True)
class MistakeForm:
    """One way to make a mistake: the edits that make it, and `line`, where the first of them is declared.

    Attributes:
        pitfall: the name of the mistake.
        label: names this form, and its note if it has one; may be empty.
        shown: the change in a few words, for messages.
        alone: whether it is never combined with another mistake.
        apart: the names of mistakes that it is never combined with.
    """

    pitfall: str
    label: str
    edits: tuple[TextEdit, ...]
    shown: str
    alone: bool
    apart: frozenset[str]
    line: int


@dataclass(frozen=True)
class MistakeWords:
    """What is said of a mistake: what its numbers show, and a question that helps to find it.

    `notes` are told after `why` for the form with that label. `line` is that of their heading.
    """

    why: str
    hint: str
    notes: Mapping[str, str] = field(default_factory=dict[str, str])
    line: int = 0


@dataclass(frozen=True)
class Pitfall:
    """A mistake that people make: its name, its forms, and its words, in English and in other languages."""

    name: str
    forms: tuple[MistakeForm, ...] = field(repr=False)
    words: MistakeWords
    translations: Mapping[str, MistakeWords] = field(default_factory=dict[str, MistakeWords])

    @property
    def line(self) -> int:
        return self.forms[0].line


def combined(forms: Sequence[MistakeForm]) -> bool:
    """Whether forms of several mistakes can be made at once: none is alone, and no two change the same part."""
    if len(forms) < 2:
        return True
    names = {form.pitfall for form in forms}
    if any(form.alone or form.apart & names for form in forms):
        return False
    edits = sorted((edit for form in forms for edit in form.edits), key=lambda edit: (edit.start, edit.touches))
    return all(before.touches <= after.start for before, after in itertools.pairwise(edits))


def pitfall_sets(pitfalls: Sequence[Pitfall], size: int) -> Iterator[tuple[tuple[str, ...], tuple[MistakeForm, ...]]]:
    """Every set of `size` mistakes that can be made at once, as (names, forms), both in declared order.

    A mistake alone has all its forms. A set of several has the forms that are combined.
    """
    for group in itertools.combinations(pitfalls, size):
        for forms in itertools.product(*(pitfall.forms for pitfall in group)):
            if combined(forms):
                yield tuple(pitfall.name for pitfall in group), forms


def form_numbers(pitfalls: Sequence[Pitfall], names: Sequence[str], forms: Sequence[MistakeForm]) -> tuple[int, ...]:
    """The index of each form among those of its mistake; `names` and `forms` are a set as `pitfall_sets` has it."""
    by_name = {pitfall.name: pitfall.forms for pitfall in pitfalls}
    return tuple(by_name[name].index(form) for name, form in zip(names, forms, strict=True))


def changed(text: str, forms: Iterable[MistakeForm]) -> str:
    """The text with the edits of all forms. Each line that no form changes keeps its number."""
    return edited(text, (edit for form in forms for edit in form.edits))


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """The text with these edits."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def read_forms(text: str) -> dict[str, list[MistakeForm]]:
    """The forms of each mistake by its name, in the order in which they stand in the text.

    Raises:
        ProblemError: where a mistake stands under no statement, changes nothing, or makes a text that is not Python.
        SyntaxError: if the text itself is not Python.
    """
    statements = _Statements(text)
    alternatives = list(_alternatives(text, statements))
    by_name: dict[str, dict[tuple[int, int], list[_Alternative]]] = {}
    for alternative in alternatives:
        by_name.setdefault(alternative.name, {}).setdefault(alternative.statement, []).append(alternative)
    for alternative in alternatives:
        if unknown := [name for name in _apart(alternative) if name not in by_name]:
            raise ProblemError(
                f"{alternative.name!r} says (not with {unknown[0]}), and there is no such mistake",
                line=alternative.line,
            )
    return {name: list(_joined(text, places)) for name, places in by_name.items()}


@dataclass(frozen=True)
class _Alternative:
    """What stands in one comment: a change of one statement, whose lines are `statement`."""

    name: str
    label: str
    flags: str
    statement: tuple[int, int]
    edits: tuple[TextEdit, ...]
    shown: str
    line: int


class _Statements:
    """The statements of a text by their last line."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self._ends: dict[int, list[ast.stmt]] = {}
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.stmt):
                self._ends.setdefault(node.end_lineno or node.lineno, []).append(node)

    def above(self, line: int) -> tuple[int, Mapping[int, _Statement]]:
        """The nearest line above at which statements end, and these by their columns, decorators included."""
        last = next((number for number in range(line - 1, 0, -1) if number in self._ends), 0)
        found: dict[int, _Statement] = {}
        for node in reversed(self._ends.get(last, ())):  # of two that begin in one column, the outer one counts
            first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
            found[node.col_offset] = _Statement(self.lines, self.starts, first, last)
        return last, found


@dataclass(frozen=True)
class _Statement:
    """One statement: its first and last line, the lines of its text, and where each of these starts."""

    lines: Sequence[str] = field(repr=False)
    starts: Sequence[int] = field(repr=False)
    first: int
    last: int

    @property
    def text(self) -> dict[int, str]:
        """Its lines by their number, without comments that hold mistakes."""
        listed = {number: self.lines[number - 1] for number in range(self.first, self.last + 1)}
        return {number: line for number, line in listed.items() if not COMMENT.match(line)}

    def whole(self, block: list[str]) -> TextEdit:
        """It, replaced by the lines of a block."""
        lacking = len(block) - (self.last - self.first + 1)
        start, touches = self.starts[self.first - 1], self.starts[self.last] - 1
        end = self.starts[self.last + max(lacking, 0)] - 1
        return TextEdit(start, end, "\n".join([*block, *[""] * -lacking]), touches, whole=True)

    def found(self, old: str) -> list[tuple[int, int]]:
        """Where a part of it stands: line and column."""
        pattern = re.compile(_whole_words(old))
        return [(number, at.start()) for number, line in self.text.items() for at in pattern.finditer(line)]

    def part(self, at: tuple[int, int], old: str, new: str) -> TextEdit:
        """What stands at a place, replaced."""
        start = self.starts[at[0] - 1] + at[1]
        return TextEdit(start, start + len(old), new, start + len(old))


def _whole_words(old: str) -> str:
    """A pattern of a piece of code that begins and ends with whole words: `2 * k` is not in `12 * keys`, `*` not in `**`."""
    begins = r"(?<!\w)(?<!\d\.)" if re.match(r"\w", old) else rf"(?<!{re.escape(old[0])})" if old[0] in _DOUBLED else ""
    ends = r"(?!\w)(?!\.\d)" if re.search(r"\w$", old) else rf"(?!{re.escape(old[-1])})" if old[-1] in _DOUBLED else ""
    return begins + re.escape(old) + ends


def _alternatives(text: str, statements: _Statements) -> Iterator[_Alternative]:
    comments = list(_comments(text))
    while comments:
        line, column, said = comments.pop(0)
        match = _HEAD.match(said.removeprefix(" "))
        if said.startswith("  ") or match is None:
            raise ProblemError(f"`#:{said}` begins no mistake: write it as in `#: name: old{_ARROW}new`", line=line)
        block: list[str] = []
        while comments and comments[0][:2] == (line + len(block) + 1, column) and comments[0][2][:2] in ("", "  "):
            block.append(comments.pop(0)[2])
        name, change = match["name"], match["change"] or ""
        last, ending = statements.above(line)
        if column not in ending:
            columns = " or ".join(str(start + 1) for start in sorted(ending))
            message = (
                f"{name!r} begins in column {column + 1}, and the statement that ends above it, in line {last}, in column "
                f"{columns}: write `#:` there"
            )
            raise ProblemError(
                message if ending else f"no statement stands above {name!r}: write it below one", line=line
            )
        statement = ending[column]
        if bool(change) == bool(block):
            nothing = (
                f"changes nothing: write `#: {name}: old{_ARROW}new`, or lines below it with `#:` in the same column"
            )
            message = "holds a change in its first line and lines below it: keep one" if block else nothing
            raise ProblemError(f"{name!r} {message}", line=line)
        for form in _forms_of(line, name, change):
            edits = _edits(line, name, form, block, column, statement)
            code = [part.strip() for part in block if not part.strip().startswith("#")]
            shown = form or (code[0] if code else "") + ("; …" if len(code) > 1 else "")
            lines = statement.first, statement.last
            yield _Alternative(name, match["label"] or "", match["flags"] or "", lines, edits, shown, line)


def _forms_of(line: int, name: str, change: str) -> list[str]:
    """`old -> new, or other` as `old -> new` and `old -> other`. Of several parts, one may have several."""
    parts = [re.split(r" ->(?: |$)", part, maxsplit=1) for part in change.split(_AND)]
    if any(len(part) < 2 for part in parts):
        meant = _AND.join(_spaced(part) for part in change.split(_AND))
        if meant != change:
            raise ProblemError(f"an arrow of {name!r} lacks a space: write `#: {name}: {meant}`", line=line)
        return [change]
    options = [[f"{old}{_ARROW}{part}" for part in new.split(_OR)] for old, new in parts]
    return [_AND.join(made) for made in itertools.product(*options)]


def _spaced(part: str) -> str:
    """A part of a change with spaces around its first arrow, if it has none with them and is no statement as it is."""
    if re.search(r" ->(?: |$)", part):
        return part
    with contextlib.suppress(SyntaxError):
        parsed(part)
        return part
    strings_or_arrow = re.compile(r"\"[^\"]*\"|'[^']*'|\s*->\s*")
    arrow = next((at for at in strings_or_arrow.finditer(part) if "->" in at[0] and at[0][0] not in "\"'"), None)
    return part if arrow is None else f"{part[: arrow.start()]}{_ARROW}{part[arrow.end() :]}".rstrip()


def _edits(
    line: int, name: str, change: str, block: list[str], column: int, statement: _Statement
) -> tuple[TextEdit, ...]:
    """The edits of an alternative; none where it keeps the statement as it is."""
    indent = " " * column
    if block:
        lines = textwrap.dedent("\n".join(block)).split("\n")
        return (statement.whole([indent + row if row else "" for row in lines]),)
    if change == "=":
        return ()
    if change == "-":
        return (statement.whole([f"{indent}pass"]),)
    if _ARROW not in change:
        return (statement.whole([indent + change]),)
    return tuple(_part(line, name, part, statement) for part in change.split(_AND))


def _part(line: int, name: str, change: str, statement: _Statement) -> TextEdit:
    old, _, new = (piece.strip() for piece in change.partition(_ARROW))
    if old == new:
        raise ProblemError(f"{name!r} changes `{old}` to itself", line=line)
    found = statement.found(old)
    if len(found) != 1:
        raise ProblemError(f"{name!r} changes `{old}`, which {_said(statement, old, found)}", line=line)
    return statement.part(found[0], old, new)


def _said(statement: _Statement, old: str, found: Sequence[tuple[int, int]]) -> str:
    """What is to be said of a part that does not stand once in a statement: how often, in which line, and what to write."""
    first, last = statement.first, statement.last
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    if not found:
        if any(old.count(quote) % 2 for quote in "\"'"):  # the arrow stands in a string
            return f"does not stand in {lines}: write a statement that holds `{_ARROW}` as a block"
        loose = re.compile(r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", old))))
        like = [at for text in statement.text.values() if (at := loose.search(text))]
        more = f"`{like[0][0]}`, as it stands there" if like else "a piece of code that stands there on one line"
        return f"does not stand in {lines}: write {more}"
    number, column = found[0]
    words = [at.span() for at in re.finditer(r"\w+|[^\w\s]", statement.lines[number - 1])]
    starts = [start for start, _ in words if start <= column]
    ends = [end for _, end in words if end >= column + len(old)]
    around = sorted(itertools.product(starts, ends), key=lambda span: span[1] - span[0])
    pieces = (statement.lines[number - 1][start:end] for start, end in around)
    once = next((piece for piece in pieces if len(statement.found(piece)) == 1), "")
    more = f", such as `{once}` for the first" if once else ""
    return f"stands {len(found)} times in {lines}: write more of what stands around it{more}"


def _comments(text: str) -> Iterator[tuple[int, int, str]]:
    """The comments that begin with `#:` and stand on lines of their own, as (line, column, what follows the mark)."""
    if "#:" not in text:
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and COMMENT.match(token.line):
            yield token.start[0], token.start[1], token.string[2:]


def _joined(text: str, places: Mapping[tuple[int, int], Sequence[_Alternative]]) -> Iterator[MistakeForm]:
    """The forms of one mistake: those of each label, and the n-th ones without a label under each statement."""
    labels = dict.fromkeys(alternative.label for listed in places.values() for alternative in listed)
    seen: dict[str, int] = {}
    for label in labels:
        labelled = [[alternative for alternative in listed if alternative.label == label] for listed in places.values()]
        for parts in _side_by_side([listed for listed in labelled if listed]):
            form = _form(parts)
            made = changed(text, [form])
            if made == text:
                raise ProblemError(f"{form.pitfall!r} changes nothing", line=form.line)
            try:
                parsed(made)
            except SyntaxError as error:
                raise ProblemError(f"{form.pitfall!r} is not Python: {error.msg}", line=form.line) from error
            if made in seen:
                message = f"{form.pitfall!r} stands there already, in line {seen[made]}: remove one"
                raise ProblemError(message, line=form.line)
            seen[made] = form.line
            yield form


def _side_by_side(places: Sequence[Sequence[_Alternative]]) -> Iterator[list[_Alternative]]:
    """The n-th alternatives under each statement. One alone under its statement belongs to all."""
    count = max(map(len, places))
    for listed in places:
        if len(listed) not in (1, count):
            last = listed[-1]
            more = f"has {count} forms under one statement and {len(listed)} under this one"
            raise ProblemError(f"{last.name!r} {more}: write as many here, or one for all", line=last.line)
    for number in range(count):
        yield [listed[min(number, len(listed) - 1)] for listed in places]


def _form(parts: Sequence[_Alternative]) -> MistakeForm:
    return MistakeForm(
        parts[0].name,
        parts[0].label,
        tuple(edit for part in parts for edit in part.edits),
        "; ".join(part.shown for part in parts if part.edits),
        any(part.flags == "alone" for part in parts),
        frozenset(name for part in parts for name in _apart(part)),
        parts[0].line,
    )


def _apart(alternative: _Alternative) -> list[str]:
    """The names of mistakes that an alternative is never combined with."""
    if alternative.flags in ("", "alone"):
        return []
    if not alternative.flags.startswith("not with "):
        raise ProblemError(
            f"{alternative.name!r} says ({alternative.flags}): write (alone), or (not with NAME)", line=alternative.line
        )
    return [name.strip() for name in alternative.flags.removeprefix("not with ").split(",")]
