"""Formulas of statements: what is wrong with one, and that nothing is wrong with those of the kit."""

from __future__ import annotations

import pytest

from grader.kit import markup
from grader.kit.kit import Kit
from tests.conftest import ROOT

KIT = Kit(ROOT)


@pytest.mark.parametrize("name", KIT.names)
def test_no_formula_of_the_kit_has_a_fault(name: str) -> None:
    found = list(markup.formulas(KIT.statement(name).read_text(encoding="utf-8")))
    assert [(line, tex, said) for line, tex in found if (said := markup.fault_of_formula(tex))] == []


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\frac{a}{b", "was expecting '}'"),
        (r"a^{b}c}", "mismatching closing brace"),
        (r"\frac{a}", 'macro "frac"'),
        (r"\begin{cases} a", r"was expecting \end{cases}"),
        (r"\foo x", r"\foo is not known, so only its name is shown"),
        (r"x + {\sqrt\frac{a}{b}}", r"\frac and its arguments need braces around them, so it stays as it is written"),
    ],
)
def test_a_fault_is_told(tex: str, said: str) -> None:
    assert said in markup.fault_of_formula(tex)


@pytest.mark.parametrize(
    "tex",
    [
        r"\omega_k^2",
        r"\left( x \right)",
        r"\operatorname{softmax}(x)",
        r"\begin{cases} a \\ b \end{cases}",
        r"a\,b\quad",
    ],
)
def test_what_a_terminal_shows_is_no_fault(tex: str) -> None:
    assert markup.fault_of_formula(tex) == ""
