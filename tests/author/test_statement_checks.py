"""What is found in the texts of a problem without running them, with the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.author import statement_checks as checks
from grader.author.finding import Finding
from grader.author.statement_checks import ProblemText
from grader.kit.kit import Kit
from grader.marking.facts import ProgramRequirements
from grader.marking.requirements import CONTRACTS, Contract
from tests.author import toys

NAME = "distance_decay"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(toys.make(tmp_path))


def statement_with(kit: Kit, old: str, new: str) -> list[Finding]:
    assert old in toys.STATEMENT
    kit.statement(NAME).write_text(toys.STATEMENT.replace(old, new))
    return list(checks.check_statement(kit, NAME))


def stub_with(kit: Kit, old: str, new: str) -> list[Finding]:
    assert old in toys.STUB
    kit.stub(NAME).write_text(toys.STUB.replace(old, new))
    return list(checks.check_stub(kit, NAME, ("seed", "T")))


def test_a_sound_problem_has_no_finding(kit: Kit) -> None:
    assert [*checks.gaps(kit, NAME), *checks.check_statement(kit, NAME)] == []
    assert list(checks.check_stub(kit, NAME, ("seed", "T"))) == []


def test_a_page_knows_the_line_of_a_piece_of_text() -> None:
    page = ProblemText("README.md", "one\ntwo\ntwo three\n")
    assert (page.line("one"), page.line("two"), page.line("three"), page.line("four")) == (1, 2, 3, 0)


def test_a_missing_file_is_a_finding_in_place_of_its_text(kit: Kit) -> None:
    kit.statement(NAME).unlink()
    found = checks.problem_text(kit, kit.statement(NAME))
    assert isinstance(found, Finding)
    assert (found.check, found.place) == ("missing", "problems/distance_decay/README.md")
    assert list(checks.check_statement(kit, NAME)) == [found]
    assert checks.readable_text(kit, kit.statement(NAME)).section("The task") == ""


def test_a_section_is_read_even_below_front_matter_that_is_wrong(kit: Kit) -> None:
    statement_with(kit, "difficulty: easy", "difficulty: mild")
    read = checks.readable_text(kit, kit.statement(NAME))
    assert read.section("The task") == "1. Take differences, square them, and weigh the inputs."
    assert read.section("Another") == ""


@pytest.mark.parametrize(
    ("gap", "message"),
    [
        ("TODO: say more.", "a gap is left: say more"),
        ("# TODO", "a gap is left"),
        ("1. `TODO: a step`", "a gap is left: a step"),
    ],
)
def test_a_gap_is_found_with_what_it_asks_for(gap: str, message: str, kit: Kit) -> None:
    kit.answer(NAME).write_text(f"{toys.ANSWER}\n# {gap}\n")
    (found,) = checks.gaps(kit, NAME)
    assert (found.check, found.file, found.message) == ("gap", "solutions/distance_decay/answer.py", message)
    assert found.line == len(toys.ANSWER.splitlines()) + 2


@pytest.mark.parametrize(
    "link",
    [
        "https://example.org/a",
        "mailto:somebody@example.org",
        "#hints",
        "README.md#hints",
        "stub%2Epy",
        '<stub.py> "its title"',
    ],
)
def test_links_elsewhere_to_sections_and_to_files_are_left_alone(link: str, kit: Kit) -> None:
    assert statement_with(kit, "(README.md)", f"({link})") == []


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (r"$\frac{1}{2$", "was expecting '}'"),
        (r"$\frac{1}$", 'arguments of macro "frac"'),
        (r"$$\softmax(x)$$", "the macro \\softmax is not known"),
    ],
)
def test_a_formula_that_no_terminal_can_show_is_found(formula: str, said: str, kit: Kit) -> None:
    (found,) = statement_with(kit, "[the same lesson](README.md)", f"that is\n{formula}")
    assert found.check == "formula"
    assert said in found.message
    assert formula in kit.statement(NAME).read_text().splitlines()[found.line - 1]
    assert statement_with(kit, "[the same lesson](README.md)", f"`{formula}`") == []


def test_a_link_in_code_is_none(kit: Kit) -> None:
    assert statement_with(kit, "[the same lesson](README.md)", "`[the same lesson](nowhere.md)`") == []


def test_a_picture_that_is_not_there_is_found(kit: Kit) -> None:
    (found,) = statement_with(kit, "[the same lesson](README.md)", "\n  ![heights](img/heights.png)")
    assert found.check == "link"
    assert "'img/heights.png'" in found.message
    assert "![heights]" in kit.statement(NAME).read_text().splitlines()[found.line - 1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(seed, T)", "(seed, T, n=1)"),
        ("(seed, T)", "(seed, *T)"),
        ("(seed, T)", "(T, seed)"),
        ("(seed, T)", "(seed, T, **more)"),
        ("(seed, T)", "(seed, T, *, width=4)"),
    ],
)
def test_a_stub_has_the_signature_of_the_reference(old: str, new: str, kit: Kit) -> None:
    (found,) = stub_with(kit, old, new)
    assert (found.check, found.message) == (
        "signature",
        "its signature is not the worked answer's: write `def distance_decay(seed, T):`",
    )


def test_a_stub_is_not_filled_in_and_is_python(kit: Kit) -> None:
    (solved,) = stub_with(kit, "raise NotImplementedError", "return x")
    (broken,) = stub_with(kit, "def distance_decay", "def distance decay")
    (nameless,) = stub_with(kit, "def distance_decay", "def another")
    assert [one.check for one in (solved, broken, nameless)] == ["stub"] * 3
    assert "should end with `raise NotImplementedError`" in solved.message
    assert broken.message.startswith("not Python")
    assert nameless.message == "there is no function 'distance_decay': begin it with `def distance_decay(seed, T):`"


@pytest.mark.parametrize("contract", CONTRACTS.values(), ids=list(CONTRACTS))
def test_the_task_must_say_what_a_contract_asks_for(contract: Contract, kit: Kit) -> None:
    found = list(checks.check_task(kit, NAME, contract, ProgramRequirements()))
    assert len(found) == len(contract.stated) >= 1
    line = toys.STATEMENT.splitlines().index("## The task") + 1
    assert {(one.check, one.line) for one in found} == {("statement", line)}
    for one, words in zip(found, contract.stated, strict=True):
        assert one.message.endswith(f"say so in the section 'The task', with the words `{words}`")
    statement_with(kit, "1. Take differences", f"1. {', '.join(contract.stated)}. Take differences")
    assert list(checks.check_task(kit, NAME, contract, ProgramRequirements())) == []


def test_a_contract_on_keys_says_that_a_key_is_not_followed_through_numpy() -> None:
    assert "NumPy" in CONTRACTS["keys"].stated


def test_the_task_must_say_what_is_asked_of_the_program(kit: Kit) -> None:
    asked = ProgramRequirements(needs=("scan",), grows="no", size="T")
    said = [one.message.rpartition("the words ")[2] for one in checks.check_task(kit, NAME, CONTRACTS["grad"], asked)]
    assert said == ["`derivative`", "`jax.grad`", "`jax.lax.scan`", "`grow`"]
