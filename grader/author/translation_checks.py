"""Translations: the files to begin with, and checks that each section was made from the English as it is now."""

from __future__ import annotations

import ast
import difflib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.author.finding import Audited, Finding
from grader.author.statement_checks import ProblemText, problem_text
from grader.kit import markup, statement
from grader.kit.files import read_text
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.repository import committed_versions
from grader.kit.shipped_stub import shipped
from grader.locale.language import gettext, speaking
from grader.values.places import parsed

LONGEST_CHANGE = 6
"""The most lines of a change that are shown."""

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)

_DRAWN = ("grid", "flow")
"""Languages of blocks that are pictures: their words are translated."""

_FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)
_WORDS_OF_FORMULA = re.compile(r"\\text\{[^}]*\}")
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
_ITEM = re.compile(r"^ *(?:[-*]|\d+\.) ", re.MULTILINE)
_FORM = re.compile(r"^### +(.+?) *$", re.MULTILINE)
_ROW = re.compile(r"^ *\|", re.MULTILINE)


@dataclass(frozen=True)
class TranslatedSection:
    """A part of a text with a heading: its line, counted from 1, and its text without the mark."""

    heading: str
    line: int
    text: str
    mark: str = ""


def check_translation(kit: Kit, name: str, language: str) -> Audited:
    """Check the files of a problem in a language. A problem without a translated statement has no finding."""
    if not statement.translation_path(kit.statement(name), language).is_file():
        return Audited(name)
    found = (*_lesson(kit, name, language), *_mistakes(kit, name, language), *_stub(kit, name, language))
    return Audited(name, found)


def is_translated(kit: Kit, name: str, language: str) -> bool:
    """Whether a statement, its stub and, where there are some, its mistakes are there in a language."""
    files = (kit.statement(name), kit.stub(name), *([kit.words(name)] if kit.words(name).is_file() else []))
    return all(statement.translation_path(file, language).is_file() for file in files)


def _lesson(kit: Kit, name: str, language: str) -> Iterator[Finding]:
    english, spoken = kit.statement(name), statement.translation_path(kit.statement(name), language)
    shown = kit.shown(spoken)
    try:
        front, body = statement.parts(english)
        translated, spoken_body = statement.parts(spoken)
    except ProblemError as error:
        yield Finding("translation", shown, 1, str(error).removeprefix(f"{spoken}: "))
        return
    said = f"{front.get('title', '')}\n{front.get('aim', '')}"
    if translated.get("en") != statement.text_digest(said):
        message = (
            f"the English title or aim has changed since this was translated: mend both, then write "
            f"`en: {statement.text_digest(said)}`"
        )
        yield Finding("translation", shown, 1, message)
    for field in ("title", "aim"):
        if field in front and not isinstance(translated.get(field), str):
            yield Finding("translation", shown, 1, f"the front matter needs a line `{field}: ...`")
    with speaking(language):
        headings = {heading: gettext(heading) for heading in markup.sections(body)}
    yield from _sections(kit, english, spoken, sections(body), sections(spoken_body), headings)


def _mistakes(kit: Kit, name: str, language: str) -> Iterator[Finding]:
    english, spoken = kit.words(name), statement.translation_path(kit.words(name), language)
    if not english.is_file():
        return
    texts = problem_text(kit, english), problem_text(kit, spoken)
    faults = [text for text in texts if isinstance(text, Finding)]
    yield from faults
    if not faults:
        ours, theirs = (sections(text.text) for text in texts if isinstance(text, ProblemText))
        yield from _sections(kit, english, spoken, ours, theirs, {section.heading: section.heading for section in ours})


def sections(text: str) -> list[TranslatedSection]:
    """The sections of a text below `##` headings, with the marks that stand below these."""
    found: list[TranslatedSection] = []
    for heading, section in markup.sections(text).items():
        marked = statement.MARK.match(section.text)
        below = statement.without_marks(section.text)
        found.append(TranslatedSection(heading, section.start + 1, below, marked["hash"] if marked else ""))
    return found


def _sections(
    kit: Kit,
    english: Path,
    spoken: Path,
    ours: Sequence[TranslatedSection],
    theirs: Sequence[TranslatedSection],
    headings: Mapping[str, str],
) -> Iterator[Finding]:
    """Compare sections. `headings` has the heading of the translation of each English section."""
    shown = kit.shown(spoken)
    due = [headings[section.heading] for section in ours]
    if due != [section.heading for section in theirs]:
        missing = [heading for heading in due if heading not in {each.heading for each in theirs}]
        what = f"`## {missing[0]}` is missing" if missing else "the order is not that of the English sections"
        yield Finding("translation", shown, 0, f"its sections should be those of the English text: {what}")
        return
    for one, other in zip(ours, theirs, strict=True):
        # The front matter counts too, so a line is looked up in the whole file.
        line = _line(spoken, f"## {other.heading}")
        if other.mark != statement.text_digest(one.text):
            if other.mark:
                change = _changed(kit, english, one, other.mark)
                message = f"`## {one.heading}` has changed in English since this was translated{change}. Mend it"
            else:
                message = f"`## {other.heading}` has no hash of the English that it was made from. Compare it"
            message += f", then write `{statement.translation_mark(one.text)}` below its heading"
            yield Finding("stale", shown, line, message)
            continue
        for what, here, there in compared(one.text, other.text):
            only = [f"only in English: {', '.join(map(str, here))}"] if here else []
            only += [f"only here: {', '.join(map(str, there))}"] if there else []
            yield Finding("translation", shown, line, f"`## {other.heading}` has other {what}: {'; '.join(only)}")


def _line(path: Path, heading: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return lines.index(heading) + 1 if heading in lines else 0


def compared(english: str, spoken: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """What is not the same in both: what it is, and the items that only one of them has."""
    ours, theirs = _parts(english), _parts(spoken)
    for what in ours:
        only, other = Counter(ours[what]) - Counter(theirs[what]), Counter(theirs[what]) - Counter(ours[what])
        if only or other:
            yield what, [*only.elements()], [*other.elements()]


def _parts(text: str) -> dict[str, list[str]]:
    blocks = [(match[2], match[3]) for match in _FENCE.finditer(text)]
    prose = _FENCE.sub("", text)
    formulas = [_WORDS_OF_FORMULA.sub("", "".join(formula.split())) for formula in _FORMULA.findall(prose)]
    prose = _FORMULA.sub("", prose)
    code = _CODE.findall(prose)
    plain = _LINK.sub("]", _CODE.sub("", prose))
    drawn = ["/".join(str(line.count("|")) for line in block.splitlines()) for kind, block in blocks if kind in _DRAWN]
    return {
        "blocks of code": [f"{kind}\n{block}" for kind, block in blocks if kind not in _DRAWN],
        "rows or cells of pictures": drawn,
        "formulas": formulas,
        "code": code,
        "links": _LINK.findall(prose),
        "numbers": _NUMBER.findall(_ITEM.sub("", plain)),
        "numbers of items": [str(len(_ITEM.findall(plain)))],
        "numbers of rows": [str(len(_ROW.findall(plain)))],
        "names of forms": _FORM.findall(prose),
    }


def _changed(kit: Kit, english: Path, now: TranslatedSection, mark: str) -> str:
    """What has changed since a section had a hash, as the end of a sentence; empty if git does not know."""
    earlier = (section for text in committed_versions(kit.root, kit.shown(english)) for section in sections(text))
    same = (section.text for section in earlier if section.heading == now.heading)
    before = next((text for text in same if statement.text_digest(text) == mark), None)
    if before is None:
        return ""
    lines = difflib.ndiff(before.splitlines(), now.text.splitlines())
    changed = [line for line in lines if line[:2] in ("- ", "+ ") and line[2:].strip()]
    more = f" (and {len(changed) - LONGEST_CHANGE} more lines)" if len(changed) > LONGEST_CHANGE else ""
    return f": {' / '.join(changed[:LONGEST_CHANGE])}{more}"


def _stub(kit: Kit, name: str, language: str) -> Iterator[Finding]:
    spoken = statement.translation_path(kit.stub(name), language)
    text = problem_text(kit, spoken)
    if isinstance(text, Finding):
        yield text
        return
    english = shipped(kit, name)
    if english is None:
        return
    try:
        same = _code(english) == _code(text.text)
    except SyntaxError as error:
        yield Finding("translation", text.shown, error.lineno or 0, f"it is not Python: {error.msg}")
        return
    if not same:
        yield Finding(
            "translation", text.shown, 0, "its code should be that of stub.py, but for docstrings and comments"
        )


def _code(text: str) -> str:
    """The code of a text without its docstrings."""
    tree = parsed(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def translation_files(kit: Kit, name: str, language: str) -> dict[Path, str]:
    """What a translation holds at first, by paths. Raises ProblemError if the English statement cannot be read."""
    front, body = statement.parts(kit.statement(name))
    with speaking(language):
        headings = {section.heading: gettext(section.heading) for section in sections(body)}
    said = f"{front.get('title', '')}\n{front.get('aim', '')}"
    head = [f"{field}: {json.dumps(front[field], ensure_ascii=False)}" for field in ("title", "aim") if field in front]
    lines = ["---", *head, f'en: "{statement.text_digest(said)}"', "---", ""]
    files = {kit.statement(name): "\n".join(lines) + "\n" + _marked(body, headings)}
    if kit.words(name).is_file():
        files[kit.words(name)] = _marked(read_text(kit.words(name)))
    if (stub := shipped(kit, name)) is not None:
        files[kit.stub(name)] = stub
    return {statement.translation_path(path, language): text for path, text in files.items()}


def _marked(text: str, headings: Mapping[str, str] | None = None) -> str:
    """A text with the hash of each section below its heading, which may be translated."""
    lines = text.split("\n")
    for section in reversed(sections(text)):
        heading = (headings or {}).get(section.heading, section.heading)
        lines[section.line - 1 : section.line] = [f"## {heading}", statement.translation_mark(section.text)]
    return "\n".join(lines)
