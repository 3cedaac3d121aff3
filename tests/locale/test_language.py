"""The language that is spoken, and the catalogues of messages: whole, current, with the same fields and code as English."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from gettext import translation
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po
from wordfreq import zipf_frequency

from grader.locale.language import (
    DOMAIN,
    ENGLISH,
    FOLDER,
    LANGUAGES,
    NoSuchLanguage,
    gettext,
    language,
    language_of_kit,
    language_of_user,
    ngettext,
    pgettext,
    speaking,
    use_language,
)
from tests.conftest import ROOT

OTHERS = [one for one in LANGUAGES if one != ENGLISH]
FOLDERS = ("grader", "problems")
"""Where there are messages. In the second, they are those of figures."""
KEYWORDS = {**DEFAULT_KEYWORDS, "message": None, "plural_message": (1, 2), "message_in_context": ((1, "c"), 2)}
"""The functions whose arguments are messages, as the guide `translate` gives them to `pybabel extract`."""
SPANISH_WORDS = ROOT / "tests" / "glosario.txt"
"""Rare words that the Spanish may use: those of the field, and names."""
RAREST = 2.5
"""The smallest frequency of a usual word, as Zipf counts: 10 to this power in a billion words."""

_FIELD = re.compile(r"(?<!\{)\{([^{}]*)\}(?!\})")
_CODE = re.compile(r"`[^`]+`")
_WORD = re.compile(r"[^\W\d_]+")


@pytest.mark.parametrize(
    ("environment", "due"),
    [
        ({}, "en"),
        ({"LANG": "es_MX.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_ES@euro"}, "es"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "ca:es:en"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "en_US:es"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "GRADER_LANG": "es"}, "es"),
    ],
)
def test_the_language_is_that_of_the_environment(environment: dict[str, str], due: str) -> None:
    assert language_of_user(None, environment) == due


def test_the_settings_of_a_kit_come_before_the_environment_and_after_the_variable(tmp_path: Path) -> None:
    assert language_of_kit(tmp_path) == ""
    (tmp_path / "grader.toml").write_text('lang = "es"\n')
    assert language_of_user(tmp_path, {"LANG": "en_US.UTF-8"}) == "es"
    assert language_of_user(tmp_path, {"GRADER_LANG": "en"}) == "en"


@pytest.mark.parametrize(
    ("settings", "said"),
    [('lang = "xx"', "there is no language 'xx': choose one of en, es"), ("lang =", "cannot be read")],
)
def test_settings_that_name_no_language_of_the_kit_are_told_with_their_file(
    tmp_path: Path, settings: str, said: str
) -> None:
    (tmp_path / "grader.toml").write_text(settings)
    with pytest.raises(NoSuchLanguage, match=re.escape(said)) as raised:
        language_of_user(tmp_path, {})
    assert str(tmp_path / "grader.toml") in str(raised.value)


def test_english_is_the_message_itself_and_another_language_is_looked_up() -> None:
    assert (gettext("Hints"), ngettext("one", "many", 1), ngettext("one", "many", 2)) == ("Hints", "one", "many")
    with speaking("es"):
        assert (gettext("Hints"), pgettext("status", "wrong")) == ("Pistas", "incorrecta")
        assert gettext("") == ""
    assert language() == ENGLISH
    use_language("es")
    assert language() == "es"
    use_language(ENGLISH)


def catalogue(of: str) -> Catalog:
    with (FOLDER / of / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file)


def in_the_code() -> set[tuple[str | None, str | tuple[str, ...]]]:
    """The messages of the code, each with its context. The singular of a message with a plural is no message of its own."""
    methods = [("**.py", "python"), ("**.jinja", "jinja2")]
    found = [
        one for folder in FOLDERS for one in extract_from_dir(ROOT / folder, method_map=methods, keywords=KEYWORDS)
    ]
    every = {(context, message) for _, _, message, _, context in found if message}
    return every - {(context, message[0]) for context, message in every if isinstance(message, tuple)}


def messages(of: str) -> Iterator[tuple[Message, list[tuple[str, str]]]]:
    """The messages of a catalogue, each with its pairs of an English form and its translation."""
    for one in catalogue(of):
        if one.id:
            english = [one.id] if isinstance(one.id, str) else [*one.id]
            spoken = [one.string] if isinstance(one.string, str) else [*one.string]
            yield one, list(zip(english, spoken, strict=True))


@pytest.mark.parametrize("of", OTHERS)
def test_every_message_of_the_code_is_translated_and_no_other(of: str) -> None:
    translated = {(one.context, one.id) for one, pairs in messages(of) if all(text for _, text in pairs)}
    assert in_the_code() - translated == set(), "translate these: see `grader guide translate`"
    assert translated - in_the_code() == set(), "the code has these no more"
    assert [one.id for one, _ in messages(of) if one.fuzzy] == []


def test_no_message_is_looked_up_inside_a_longer_string() -> None:
    """What collects the messages does not look there in every version of Python."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inside = (
                [one for one in ast.walk(node) if isinstance(one, ast.Call)] if isinstance(node, ast.JoinedStr) else []
            )
            looked_up = [one for one in inside if isinstance(one.func, ast.Name) and one.func.id in KEYWORDS]
            assert not [one for one in looked_up if isinstance(one.args[0], ast.Constant)], (path, node.lineno)


@pytest.mark.parametrize("of", OTHERS)
def test_a_translation_has_the_fields_and_the_code_of_its_message(of: str) -> None:
    for _, pairs in messages(of):
        for english, spoken in pairs:
            fields, due = (set(_FIELD.findall(text)) - {"count"} for text in (spoken, english))
            assert fields == due, (english, spoken)
            assert Counter(_CODE.findall(english)) == Counter(_CODE.findall(spoken)), (english, spoken)
            edges = [
                (text[:1].isspace(), text[-1:].isspace(), text.rstrip()[-1:] in ".:?!") for text in (english, spoken)
            ]
            assert edges[0] == edges[1], (english, spoken)


@pytest.mark.parametrize("of", OTHERS)
def test_what_is_read_is_compiled_from_what_is_written(of: str) -> None:
    read = translation(DOMAIN, FOLDER, [of])
    for one, pairs in messages(of):
        if len(pairs) == 1:
            ((english, spoken),) = pairs
            found = read.pgettext(one.context, english) if one.context else read.gettext(english)
            assert found == spoken, "compile it: `grader guide translate`"
        else:
            (singular, due), (plural, due_of_many) = pairs
            assert [read.ngettext(singular, plural, count) for count in (1, 2)] == [due, due_of_many]


def test_the_spanish_of_the_messages_is_spelt_as_usual() -> None:
    known = set(SPANISH_WORDS.read_text(encoding="utf-8").split())
    rare = {word: text for _, pairs in messages("es") for _, text in pairs for word in _rare(text)}
    assert {word: text for word, text in rare.items() if word not in known} == {}
    assert sorted(known - rare.keys()) == [], "words of the glossary that no message has"


def _rare(text: str) -> Iterator[str]:
    prose = _FIELD.sub(" ", _CODE.sub(" ", text))
    for word in _WORD.findall(prose):
        if zipf_frequency(word, "es") < RAREST:
            yield word.lower()
