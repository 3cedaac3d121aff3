"""`report`: one answer, its verdict and the versions as Markdown, for those who mend a verdict. Returns an exit status."""

from __future__ import annotations

import io
import os
import platform
import pwd
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rich.text import Text

from grader.commands.console import allow_stubs
from grader.commands.grading import grade_all
from grader.commands.group import FAULT
from grader.commands.learner import in_force_line, shown_to_learner
from grader.kit.files import Unreadable
from grader.kit.notebook import read_answer
from grader.kit.software import DECISIVE, installed_version, settings
from grader.kit.text import clean
from grader.locale.language import gettext, ngettext
from grader.marking.verdict import Verdict
from grader.options import Options
from grader.report.terminal import Terminal, device_text
from grader.values.message import verbatim

_FOLDERS = re.compile(r"(?<![\w.)\]/~])/(?:[\w.+@-]+/)+")
"""The folders of an absolute path. In `a/b/c` and in an address of the web, no slash begins one."""


@dataclass(frozen=True)
class Private:
    """What stays out of what is shown to others: names of this user and machine, each with what stands in its place."""

    names: Mapping[str, str]

    @staticmethod
    def here() -> Private:
        """The names of this user and of this machine."""
        user, machine = gettext("<user>"), gettext("<machine>")
        host = platform.node()
        users = {_account(), Path.home().name, *(os.environ.get(name, "") for name in ("LOGNAME", "USER"))}
        names = dict.fromkeys(users, user) | dict.fromkeys((host, host.partition(".")[0]), machine)
        # The long ones come first: a name may be the beginning of another.
        return Private({name: names[name] for name in sorted(names, key=len, reverse=True) if name})

    def without(self, text: str) -> str:
        """A text in which a path has lost its folders, and each name that stands there as a word is replaced."""
        text = _FOLDERS.sub("…/", text)
        for name, instead in self.names.items():
            text = re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", lambda _, said=instead: said, text)
        return text

    def lines(self, text: str) -> list[int]:
        """The numbers of the lines that hold one of them."""
        return [number for number, line in enumerate(text.splitlines(), 1) if self.without(line) != line]


def _account() -> str:
    """The name of the user who runs this; empty if the system knows none, as in some containers."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""


def report(options: Options, name: str, answer: Path | None) -> int:
    """Grade the stub of a problem, or another answer to it, and print all that is needed to see its verdict elsewhere."""
    kit, private = options.kit, Private.here()
    name = kit.resolve(name)
    if answer is None:
        allow_stubs(options, [name])
    (verdict,), faults = grade_all(options, [(name, answer and answer.absolute())])
    errors = Terminal.make(colour=options.colour, stderr=True)
    for fault in faults:
        errors.fault(fault)
    if verdict is None:
        return FAULT
    text = _text_of(answer or kit.stub(name), name)
    lines = [f"# {name}", "", *_facts(options, verdict, private)]
    lines += _part(gettext("The answer"), "python", text)
    lines += _part(gettext("The verdict"), "text", _printed(options, verdict, private))
    Terminal.make(colour=False).console.print(Text("\n".join(lines[:-1])), soft_wrap=True)
    _tell(errors, private.lines(text))
    return 0


def _text_of(path: Path, name: str) -> str:
    try:
        return clean(read_answer(path, name)[0]).rstrip()
    except Unreadable:  # the verdict says why
        return ""


def _facts(options: Options, verdict: Verdict, private: Private) -> list[str]:
    versions = ", ".join(f"{name} {installed_version(name)}" for name in ("grader", "python", *DECISIVE))
    lines = [versions, f"{platform.system()} {platform.machine()}, {options.device}"]
    lines += [private.without(f"{name}={value}") for name, value in settings().items()]
    lines += filter(None, [in_force_line(options, [verdict])])
    return [*(f"- {line}" for line in lines), ""]


def _printed(options: Options, verdict: Verdict, private: Private) -> str:
    stream = io.StringIO()
    (shown,) = shown_to_learner(options, [verdict])
    Terminal.into(stream).verdict(_without(shown, private), device=device_text(options.device))
    return "\n".join(line.rstrip() for line in private.without(stream.getvalue()).rstrip().splitlines())


def _without(verdict: Verdict, private: Private) -> Verdict:
    """A verdict in which no text that comes from running the answer holds what is private: a report breaks long words."""
    raised = verdict.raised
    return replace(
        verdict,
        file=private.without(verdict.file),
        message=verbatim(private.without(str(verdict.message))),
        printed=tuple(replace(one, text=private.without(one.text)) for one in verdict.printed),
        raised=raised and replace(raised, message=verbatim(private.without(str(raised.message)))),
    )


def _part(heading: str, kind: str, text: str) -> list[str]:
    """A block of code under a heading, between more backticks than stand together in it."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"## {heading}", "", f"{fence}{kind}", text, fence, ""]


def _tell(errors: Terminal, lines: list[int]) -> None:
    errors.to_do(gettext("Read this before you give it to others: your answer is in it, as you wrote it."))
    if lines:
        said = ngettext(
            "Line {lines} of your answer holds your name, the name of this machine or a path.",
            "Lines {lines} of your answer hold your name, the name of this machine or a path.",
            len(lines),
        )
        errors.to_do(said.format(lines=", ".join(map(str, lines))))
