"""How hard the English of the lessons is: the words of a sentence, and how rare its words are.

`python -m tests.language` lists the ten longest sentences and the ten rarest words, for a person to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.kit import statement
from grader.kit.kit import Kit
from grader.kit.statement import Heading
from tests.conftest import ROOT

RAREST = 3.0
"""The least frequency of a word that nobody need explain, on the Zipf scale: once in a million words."""
CODE = "code"
"""What stands for code and for a formula."""
ENGLISH_WORDS = frozenset(
    """
    the is are was were of and with to that which your you it its this these those should than then there not each every
    when where what how from into between before after because only other same more first last both does have been can
    cannot may must if or for at by
    """.split()  # noqa: SIM905 - a list would be a screen long
)
"""Usual words of English that are no words of Spanish."""

_FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]+\$|`[^`]*`|\[`?(?=[^\]]*\]\([^)]*\))", re.DOTALL)
_TARGET = re.compile(r"`?\]\([^)]*\)")
_WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")


@dataclass(frozen=True)
class Line:
    """A line of a lesson's text, without its code and its formulas."""

    lesson: str
    text: str

    @property
    def words(self) -> list[str]:
        return [re.sub(r"['’]s?$", "", word.lower()).strip("'’-") for word in _WORD.findall(self.text)]


def lines() -> Iterator[Line]:
    """Every line of text of every lesson. Tables, code and references have no sentences."""
    kit = Kit(ROOT)
    for name in kit.names:
        for heading, section in statement.read(kit.statement(name)).sections.items():
            if heading == Heading.REFERENCES:
                continue
            for line in _FENCE.sub("", section.text).split("\n"):
                if line.strip() and not line.lstrip().startswith(("|", "#")):
                    text = _TARGET.sub("", _NO_WORDS.sub(f" {CODE} ", line))
                    yield Line(name, re.sub(r"^ *(?:[-*]|\d+\.) ", "", text).strip())


def is_rare(word: str) -> bool:
    """Whether a word is rarer than once in a million words."""
    return frequency(word) < RAREST


def frequency(word: str) -> float:
    """How frequent a word is in English, on the Zipf scale."""
    from wordfreq import zipf_frequency  # it takes a second, and most runs ask for no word

    return zipf_frequency(word, "en")


def _main() -> None:
    found = list(lines())
    for line in sorted(found, key=lambda line: -len(line.words))[:10]:
        print(f"{len(line.words)} words, {line.lesson}: {line.text}")
    where = {word: line.lesson for line in found for word in line.words if word != CODE}
    for word in sorted(where, key=frequency)[:10]:
        print(f"{frequency(word)}, {where[word]}: {word}")


def english_in(text: str) -> list[str]:
    """The English words in a Spanish text, beside those of code and of what is quoted."""
    text = re.sub(r"[\w.]+\([^()]*\)", " ", text)
    prose = re.sub(r"`[^`]*`|«[^»]*»|\"[^\"]*\"|--?\w[\w-]*|\w*[_./=(]\S*|\b\w+Error\b", " ", text)
    return [word for word in re.findall(r"[a-záéíóúñü]+", prose.lower()) if word in ENGLISH_WORDS]


if __name__ == "__main__":
    _main()
