"""The English of the lessons is plain: one sentence a line, short sentences, and usual words or those of the field."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.language import CODE, is_rare, lines

LONGEST_SENTENCE = 32
"""The most words of a sentence, where code and a formula are a word each."""
MEAN_SENTENCE = 14
GLOSSARY = ROOT / "tests" / "glossary.txt"
"""The rare words that a lesson may use: those of the field, and names."""

# A full stop and a capital letter. Not after an initial, as in "A. Vaswani", or an abbreviation.
_NEXT = re.compile(r"(?<![A-Z])(?<!\b(?:al|vs|no))[.?!][\"”*)]* +[\"“*(]*[A-Z]")


def test_each_line_holds_one_sentence() -> None:
    assert [(one.lesson, one.text) for one in lines() if _NEXT.search(one.text)] == []


def test_sentences_are_short() -> None:
    counts = {(one.lesson, one.text): len(one.words) for one in lines()}
    assert {key: count for key, count in counts.items() if count > LONGEST_SENTENCE} == {}
    assert sum(counts.values()) / len(counts) <= MEAN_SENTENCE


@pytest.mark.slow
def test_rare_words_are_those_of_the_field() -> None:
    rare = {word: line.lesson for line in lines() for word in line.words if word != CODE and is_rare(word)}
    known = set(GLOSSARY.read_text().split())
    assert {word: lesson for word, lesson in rare.items() if word not in known} == {}
    assert sorted(known - rare.keys()) == [], "words of the glossary that no lesson has"
