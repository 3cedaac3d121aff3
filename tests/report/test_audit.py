"""Audits in a terminal and as a document: an editor can follow findings, counts add up, no text controls the terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from grader.author.finding import Audited, Finding
from grader.kit.text import counted
from grader.report.audit import CANDIDATES, audit_document, audits_table, findings, print_audit, score
from grader.report.terminal import Terminal
from tests import conftest

LINES = [f"x = {number}" for number in range(1, 11)]


def mutant(line: int, **more: str) -> dict[str, Any]:
    return {"name": "sub-for-add", "line": line, "text": "sub for add", **more}


MUTATION_SCORE = {
    "killed": 9,
    "mutants": 10,
    "equal": 2,
    "survivors": [mutant(1)],
    "explained": [mutant(2, why="it is never\x1b[2J read")],
    "candidates": [mutant(line) for line in range(1, CANDIDATES + 3)],
}
SOUND = Audited(
    "rope",
    mutation_score={**MUTATION_SCORE, "candidates": []},
    equals=((("a", "b"), ("c",), "k=1"),),
    seconds=1.25,
    sets=6,
)
BROKEN = Audited("alibi", (Finding("link", "problems/alibi/README.md", 7, "it leads\n nowhere\x1b[2J"),), seconds=0.5)


def printed(report: Any, *arguments: Any, **options: Any) -> list[str]:
    stream = io.StringIO()
    report(Terminal(Console(file=stream, width=80, highlight=False)), *arguments, **options)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_a_finding_is_one_line_that_begins_with_its_place() -> None:
    assert printed(findings, BROKEN) == [" problems/alibi/README.md:7: link: it leads nowhere"]
    whole = Finding("stub", "problems/alibi/stub.py", 0, "it is empty")
    assert printed(findings, Audited("alibi", (whole,))) == [" problems/alibi/stub.py: stub: it is empty"]


def test_an_audit_says_whether_it_is_sound_its_score_and_what_is_explained() -> None:
    lines = printed(print_audit, SOUND, every=False, lines=LINES)
    assert lines[0] == " rope   sound   1.2 s"
    text = " ".join(" ".join(lines).split())
    assert "9 of 10 killed, 90 % (2 more equal the truth). 6 sets of one and two pitfalls" in text
    assert "a + b (k=1) as c." in text
    assert "Explained, line 2: sub for add, it is never read" in text
    assert "that no pitfall names" not in text


def test_a_reference_too_broken_to_be_mutated_has_findings_alone() -> None:
    assert printed(print_audit, BROKEN, every=False, lines=LINES) == [
        " alibi   1 finding   0.5 s",
        *printed(findings, BROKEN),
    ]


@pytest.mark.parametrize("every", [False, True])
def test_the_first_candidates_are_shown_with_their_lines_and_all_on_demand(every: bool) -> None:
    audited = Audited("rope", mutation_score=MUTATION_SCORE)
    lines = printed(print_audit, audited, every=every, lines=LINES[:3])
    shown = [line for line in lines if "sub for add:" in line]
    assert len(shown) == (CANDIDATES + 2 if every else CANDIDATES)
    assert shown[2].split() == ["line", "3", "sub", "for", "add:", "x", "=", "3"]
    assert ("and 2 more: --mutants shows all" in lines[-1]) is not every


def test_a_long_line_of_a_mutant_ends_between_words_with_an_ellipsis() -> None:
    long = "    values = jnp.where(seen, scale * first_of_all, 0.0) + longest_name_of_all"
    counted = {**MUTATION_SCORE, "candidates": [mutant(1)]}
    lines = printed(print_audit, Audited("rope", mutation_score=counted), every=True, lines=[long])
    shown = " ".join(" ".join(lines).split()).partition("sub for add: ")[2]
    assert shown == "values = jnp.where(seen, scale * first_of_all, 0.0) + …"


def test_the_table_has_a_row_for_each_audit_and_counts_the_sound_ones() -> None:
    _, first, second, _, total = (line.split() for line in printed(audits_table, [SOUND, BROKEN]))
    assert first == ["rope", "sound", "9/10", "6", "1.2"]
    assert second == ["alibi", "1", "finding", "-", "0", "0.5"]
    assert total == ["1", "of", "2", "sound"]


def test_a_score_without_mutants_divides_by_nothing() -> None:
    assert "0 of 0 killed, none" in score({"killed": 0, "mutants": 0, "equal": 0})


def test_a_count_has_its_noun() -> None:
    assert [counted(number, "finding") for number in (0, 1, 2)] == ["0 findings", "1 finding", "2 findings"]


WHOLE_SCORE = {"killed": 2, "mutants": 3, "equal": 1}
LE_FOR_LT = {"line": 3, "name": "le-for-lt", "text": "lt -> le"}
FOUND = Finding("survivor", "solutions/toy/answer.py", 3, "No case kills it.")
MEASURED: dict[str, Any] = {
    **WHOLE_SCORE,
    "survivors": [{**LE_FOR_LT, "probe": [0, 1.5]}],
    "explained": [{**LE_FOR_LT, "why": "It may."}],
    "candidates": [LE_FOR_LT],
    "stale": [{"line": 4, "name": "le-for-lt"}],
}
AUDITED = Audited(
    "toy",
    (FOUND,),
    MEASURED,
    ((("one", "two"), ("one",), "first=1, second=2"),),
    seconds=0.5,
    sets=3,
    places=(("one", (7,)), ("two", ())),
)


def parsed(*audited: Audited) -> Any:
    return conftest.document(audit_document(audited, "cpu"))


def test_a_document_holds_all_that_was_found() -> None:
    (one,) = parsed(AUDITED)["audits"]
    assert (one["problem"], one["sound"], one["sets"], one["seconds"]) == ("toy", False, 3, 0.5)
    assert one["findings"] == [
        {"check": "survivor", "file": "solutions/toy/answer.py", "line": 3, "message": "No case kills it."}
    ]
    assert one["score"] == WHOLE_SCORE
    assert one["survivors"][0]["probe"] == [0, 1.5]
    assert one["explained"][0]["why"] == "It may."
    assert one["candidates"] == [LE_FOR_LT]
    assert one["places"] == [{"pitfall": "one", "lines": [7]}, {"pitfall": "two", "lines": []}]
    assert one["equals"] == [{"set": ["one", "two"], "told_as": ["one"], "forms": "first=1, second=2"}]


def test_the_pitfalls_without_a_place_are_listed() -> None:
    both = (("a", (3,)), ("b", (4, 5)))
    for places, said in (
        (both, "the place is found for 2 of 2 pitfalls."),
        ((*both, ("c", ())), "the place is found for 2 of 3 pitfalls, and not for c."),
        ((("c", ()),), "the place is found for 0 of 1 pitfall, and not for c."),
    ):
        whole = Audited("rope", mutation_score=MUTATION_SCORE, places=places)
        assert f"With the mistakes made in the worked answer, {said}" in " ".join(
            " ".join(printed(print_audit, whole, every=False, lines=[])).split()
        )


def test_a_problem_without_findings_is_sound() -> None:
    assert [one["sound"] for one in parsed(Audited("toy", (), MEASURED), AUDITED)["audits"]] == [True, False]


def test_a_reference_that_is_too_broken_has_no_score() -> None:
    (one,) = parsed(Audited("toy", (FOUND,)))["audits"]
    assert one["score"] is None
    assert [one["survivors"], one["explained"], one["candidates"], one["equals"]] == [[], [], [], []]


def test_a_document_names_platform_confinement_and_versions() -> None:
    whole = parsed()
    assert (whole["platform"], whole["confinement"], whole["audits"]) == ("cpu", "none", [])
    assert set(whole["versions"]) == {"grader", "jax", "flax"}


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_table_of_audits_has_whole_names(width: int) -> None:
    stream = io.StringIO()
    audits_table(
        Terminal(Console(file=stream, width=width)), [replace(SOUND, problem="vmap_clipped_gradients"), BROKEN]
    )
    lines = stream.getvalue().splitlines()
    assert any(line.split()[:2] == ["vmap_clipped_gradients", "sound"] for line in lines)
    assert all(len(line) <= width for line in lines)
