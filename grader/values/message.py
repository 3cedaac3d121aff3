"""Messages for people, as they travel: an English text and what its fields hold. `str` puts them into words, at printing.

So a verdict is the same in every language: one that was reached in English is printed in Spanish without another run. A line
of an answer is a field as well, and gets its cell where the answer came from a notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any

from grader.locale.language import gettext, language, ngettext, pgettext


@dataclass(frozen=True, order=True)
class Line:
    """A line of an answer, from 1. In a notebook it counts in its cell; elsewhere that is 0."""

    number: int
    cell: int = 0


@dataclass(frozen=True)
class Lines:
    """Lines of an answer, as a field of a message: `line 9`, `lines 9 and 14`, `cell 2, line 3 and cell 4, line 1`."""

    lines: tuple[Line, ...]

    def __str__(self) -> str:
        numbers_of_cell: dict[int, list[str]] = {}
        for line in self.lines:
            numbers_of_cell.setdefault(line.cell, []).append(str(line.number))
        return listed(
            (
                ngettext("cell {cell}, line {numbers}", "cell {cell}, lines {numbers}", len(numbers))
                if cell
                else ngettext("line {numbers}", "lines {numbers}", len(numbers))
            ).format(cell=cell, numbers=listed(numbers))
            for cell, numbers in numbers_of_cell.items()
        )


@dataclass(frozen=True)
class Message:
    """A text for people, not yet in a language. `str` puts it into the language that is spoken.

    Attributes:
        text: in English, as the catalogues have it, with fields in braces: "It raises {exception}."
        fields: what each field holds. A tuple is told as a list: `a, b and c`.
        many: the text for any other `count` than 1, where the text depends on that field.
        context: tells a text from another that is the same in English (see `pgettext`).
        translations: the text in other languages, if a kit says it: the catalogues have none of it then.
    """

    text: str
    fields: Mapping[str, Field] = field(default_factory=dict[str, "Field"], hash=False)
    many: str = ""
    context: str = ""
    translations: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    def __str__(self) -> str:
        if self.translations:
            return self.translations.get(language(), self.text)
        if self.many:
            count = self.fields.get("count", 0)
            text = ngettext(self.text, self.many, count if isinstance(count, int) else 0)
        else:
            text = pgettext(self.context, self.text) if self.context else gettext(self.text)
        return _filled(text, self.fields) if self.fields else text

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def lines(self) -> tuple[tuple[Line, ...], ...]:
        """The lines that it tells, in the order in which it tells them: each entry is one field."""
        names = dict.fromkeys(name for _, name in _parts(self.text) if name is not None)
        return tuple(found for name in names for found in _lines_of(self.fields.get(name, "")))

    def with_fields(self, **fields: Field) -> Message:
        """This message, with these fields too, as for a message that a table holds."""
        return replace(self, fields={**self.fields, **fields})

    def with_lines(self, change: Callable[[Line], Line]) -> Message:
        """This message, with each of its lines changed, as for an answer that was taken from a notebook."""
        return replace(self, fields={name: _with_lines(value, change) for name, value in self.fields.items()})


Field = str | int | Lines | Message | tuple[Message | str, ...]

NO_MESSAGE = Message("")

LONGEST = 1 << 16
"""The most characters of a message with fields. A message of somebody else may name a field a thousand times."""


def message(text: str, /, **fields: Field) -> Message:
    """A message. Its text is a literal, which the catalogues have (see the guide `translate`)."""
    return Message(text, fields)


def plural_message(singular: str, plural: str, count: int, /, **fields: Field) -> Message:
    """A message whose text depends on a number: that is its field `count` too."""
    return Message(singular, {**fields, "count": count}, many=plural)


def message_in_context(context: str, text: str, /, **fields: Field) -> Message:
    """A message whose text means different things in different places."""
    return Message(text, fields, context=context)


def verbatim(text: str) -> Message:
    """A text that is the same in every language, such as a name. No catalogue is asked for it; its braces are its own."""
    return Message("{text}", {"text": text}) if text else NO_MESSAGE


def sentences(*messages: Message) -> Message:
    """Some messages, one after the other; those without a text are left out."""
    return _joined(messages, " ")


def at_case(case: str, sentence: Message) -> Message:
    """A sentence about one case, with its arguments as messages show them; the sentence alone where none are given."""
    return message("This happens at {case}. {sentence}", case=case, sentence=sentence) if case else sentence


def in_a_row(*messages: Message) -> Message:
    """Some messages with commas between them; those without a text are left out."""
    return _joined(messages, ", ")


def _joined(messages: Sequence[Message], between: str) -> Message:
    several = [each for each in messages if each]
    if len(several) < 2:
        return several[0] if several else NO_MESSAGE
    names = [f"part_{number}" for number in range(len(several))]
    return Message(between.join(f"{{{name}}}" for name in names), dict(zip(names, several, strict=True)))


def lines_field(numbers: Iterable[int]) -> Lines:
    """Lines of a file as a field of a message."""
    return Lines(tuple(map(Line, numbers)))


def listed(parts: Iterable[str]) -> str:
    """Words in a row: `a`, `a and b`, `a, b and c`."""
    several = [*parts]
    if len(several) < 2:
        return "".join(several)
    return gettext("{listed} and {last}").format(listed=", ".join(several[:-1]), last=several[-1])


def _filled(text: str, fields: Mapping[str, Field]) -> str:
    """A text with its fields. Only plain names are fields: a message may come from a file of somebody else.

    A sentence that begins with lines or with a list begins with a capital.
    """
    filled = ""
    words: dict[str, str] = {}
    for literal, name in _parts(text):
        filled += literal
        value = fields.get(name or "", "")
        if name is not None and name not in words:
            words[name] = listed(map(str, value)) if isinstance(value, tuple) else str(value)
        told = words.get(name or "", "")
        filled += told if filled or not isinstance(value, Lines | tuple) else told[:1].upper() + told[1:]
        if len(filled) > LONGEST:
            return filled[:LONGEST]
    return filled


def _parts(text: str) -> list[tuple[str, str | None]]:
    """The literal parts of a text, each with the name of the field after it; one part, if its braces make no sense."""
    try:
        return [(literal, name) for literal, name, _, _ in _FORMATTER.parse(text)]
    except ValueError:
        return [(text, None)]


def _lines_of(value: Field) -> Iterator[tuple[Line, ...]]:
    match value:
        case Lines():
            yield value.lines
        case Message():
            yield from value.lines
        case tuple():
            for part in value:
                yield from _lines_of(part)
        case _:
            pass


def _with_lines(value: Field, change: Callable[[Line], Line]) -> Any:
    match value:
        case Lines():
            return Lines(tuple(map(change, value.lines)))
        case Message():
            return value.with_lines(change)
        case tuple():
            return tuple(_with_lines(part, change) for part in value)
        case _:
            return value


_FORMATTER = Formatter()
