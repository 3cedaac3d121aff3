"""The files of a translation to begin with: the English texts, under the headings of the language and with their hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from grader.author.translation_checks import sections
from grader.kit import statement, translation
from grader.kit.files import read_text
from grader.kit.kit import Kit
from grader.kit.shipped_stub import shipped
from grader.locale.language import gettext, speaking


def files_of(kit: Kit, name: str, language: str) -> dict[Path, str]:
    """What the files of a translation hold at first, by their paths.

    Raises:
        ProblemError: if the English statement cannot be read.
    """
    front, body = statement.parts(kit.statement(name))
    with speaking(language):
        headings = {one.heading: gettext(one.heading) for one in sections(body)}
    said = f"{front.get('title', '')}\n{front.get('aim', '')}"
    head = [f"{field}: {json.dumps(front[field], ensure_ascii=False)}" for field in ("title", "aim") if field in front]
    lines = ["---", *head, f'en: "{translation.digest(said)}"', "---", ""]
    files = {kit.statement(name): "\n".join(lines) + "\n" + _marked(body, headings)}
    if kit.words(name).is_file():
        files[kit.words(name)] = _marked(read_text(kit.words(name)))
    if (stub := shipped(kit, name)) is not None:
        files[kit.stub(name)] = stub
    return {translation.path(path, language): text for path, text in files.items()}


def _marked(text: str, headings: Mapping[str, str] | None = None) -> str:
    """A text with the hash of each section below its heading, which may be translated."""
    lines = text.split("\n")
    for one in reversed(sections(text)):
        heading = (headings or {}).get(one.heading, one.heading)
        lines[one.line - 1 : one.line] = [f"## {heading}", translation.mark(one.text)]
    return "\n".join(lines)
