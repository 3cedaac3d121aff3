"""Ids hidden behind codes, for those who help and need not know who is who. The gradebook holds the key."""

from __future__ import annotations

import base64
import hmac
import io
import secrets
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from grader.classroom.history import Move
from grader.classroom.journal import Journal
from grader.classroom.points import Points
from grader.classroom.row import Row
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from grader.marking.verdict import Verdict

SETTING = "key of codes"
"""Under which name a gradebook keeps the key."""

DIGITS = 8
"""Characters of a code: two of a thousand students have one code once in two million classes."""


@dataclass(frozen=True)
class Codes:
    """The codes of a class, by the ids."""

    by_id: Mapping[str, str]

    def of(self, student: str) -> str:
        return self.by_id[student] if student else ""

    def whose(self, code: str) -> str:
        """The id behind a code.

        Raises:
            KitError: it is the code of nobody.
        """
        found = [student for student, known in self.by_id.items() if known == code.strip().lower()]
        if not found:
            raise KitError(f"{code!r} is no code of this gradebook: `class report --hide-ids` prints the codes.")
        return found[0]

    def rows(self, rows: Iterable[Row]) -> list[Row]:
        """Rows without ids, sorted by codes: the order of ids would tell who is who."""
        hidden = [
            replace(
                row,
                student=self.of(row.student),
                path=self._path(*row.of, row.path),
                team=self.of(row.team),
                called="",
                source="",
                verdict=None if row.verdict is None else _unsigned(row.verdict, row.problem),
            )
            for row in rows
        ]
        return sorted(hidden, key=lambda row: row.of)

    def points(self, points: Points) -> Points:
        """What a file of points says of single students, under their codes."""
        late = {self.of(student): more for student, more in points.deadline.extensions.items() if student in self.by_id}
        return replace(
            points,
            deadline=replace(points.deadline, extensions=late),
            excused={self.of(student): names for student, names in points.excused.items() if student in self.by_id},
            by_hand={self.of(student): given for student, given in points.by_hand.items() if student in self.by_id},
        )

    def unread(self, unread: Iterable[Unread]) -> list[Unread]:
        """What could not be read, without the reasons: they may name somebody."""
        return [
            replace(each, student=self.of(each.student), path=self._path(*each.of, each.path), why="")
            for each in unread
        ]

    def moves(self, moves: Iterable[Move]) -> list[Move]:
        return [replace(each, student=self.of(each.student), path=self._path(*each.of, each.path)) for each in moves]

    def _path(self, student: str, problem: str, path: str) -> str:
        file = f"{problem or 'file'}{PurePosixPath(path).suffix}"
        return f"{self.of(student)}/{file}" if student else file


def codes_of(journal: Journal, ids: Iterable[str]) -> Codes:
    """The codes of some ids, by the key of the gradebook, which is made once.

    Raises:
        KitError: the gradebook is being written to, and has no key yet.
    """
    key = journal.setting(SETTING)
    if key is None:
        key = secrets.token_hex(32)
        journal.keep(SETTING, key)
    digests = {student: _digest(key, student) for student in dict.fromkeys(ids) if student}
    length = DIGITS
    while len({digest[:length] for digest in digests.values()}) < len(digests):
        length += 1
    return Codes({student: f"s-{digest[:length]}" for student, digest in digests.items()})


def _digest(key: str, student: str) -> str:
    digest = hmac.digest(bytes.fromhex(key), student.encode("utf-8", "surrogatepass"), "sha256")
    return base64.b32encode(digest).decode().lower()


def _unsigned(verdict: Verdict, problem: str) -> Verdict:
    texts = (without_remarks("\n".join(place.span.text)) for place in verdict.where)
    where = (
        replace(place, span=replace(place.span, text=tuple(text.split("\n"))))
        for place, text in zip(verdict.where, texts, strict=True)
    )
    return replace(verdict, file=f"{problem}.py", where=tuple(where))


def without_remarks(text: str) -> str:
    """A text of Python with the same lines, without comments and the strings that stand alone, where authors sign.

    Nothing of it where it is no Python.
    """
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ""
    # From the last to the first, so that the columns of those that are left still hold.
    for token in sorted(_remarks(tokens), key=lambda remark: remark.start, reverse=True):
        (first, start), (last, end) = token.start, token.end
        rest = lines[last - 1][end:]
        lines[first - 1 : last] = [lines[first - 1][:start], *[""] * (last - first)]
        lines[last - 1] += rest
    return "\n".join(lines)


def _remarks(tokens: Iterable[tokenize.TokenInfo]) -> Iterator[tokenize.TokenInfo]:
    """The comments, and the parts of each string that is a statement of its own."""
    depth, strings, others = 0, list[tokenize.TokenInfo](), False
    in_string = 0
    for token in tokens:
        kind = tokenize.tok_name[token.type]
        if token.type == tokenize.COMMENT:
            yield token
        elif kind.startswith(("FSTRING", "TSTRING")):
            in_string += kind.endswith("_START") - kind.endswith("_END")
            strings.append(token)
        elif in_string or token.type == tokenize.STRING:
            strings.append(token)
        elif token.type in (tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE) or (
            depth == 0 and token.string in (";", ":")
        ):
            if not others:
                yield from strings
            strings, others = [], False
        elif token.type == tokenize.OP and token.string in "()[]{}":
            depth += 1 if token.string in "([{" else -1
            others = others or token.string not in "()"
        elif token.type not in (tokenize.NL, tokenize.ENDMARKER):
            others = True
    if not others:
        yield from strings
