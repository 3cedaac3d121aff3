"""Formulas become MathML: every formula of every statement does, and none can be more than a formula."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from grader.kit import markup
from grader.page.body import Unconvertible, mathml
from tests.conftest import PROBLEMS, ROOT


@pytest.mark.few(15)
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_every_formula_of_a_statement_converts(name: str) -> None:
    text = (ROOT / "problems" / name / "README.md").read_text(encoding="utf-8")
    for _, tex in markup.formulas(text):
        for display in (True, False):
            made = mathml(tex, display=display)
            assert made.startswith(f'<math display="{"block" if display else "inline"}">')
            assert "\\" not in made


def test_a_formula_is_set_as_it_is_meant() -> None:
    assert mathml("10000^{2i/d}", display=False) == (
        '<math display="inline"><mrow><msup><mn>10000</mn><mrow><mn>2</mn><mi>i</mi><mo>/</mo><mi>d</mi></mrow></msup>'
        "</mrow></math>"
    )
    assert "<mi>softmax</mi>" in mathml(r"\mathrm{softmax}(x)", display=False)
    assert "<mo>&lt;</mo>" in mathml("a < b", display=False)


@pytest.mark.parametrize(
    ("tex", "why"),
    [
        (r"\frac{a", "so it stays as it is written"),
        (r"\notknown x", "notknown"),
        (r"\href{javascript:alert(1)}{x}", "href"),
        (r"\color{red}{x}", "color"),
        (r"\style{color:red}{x}", "style"),
    ],
)
def test_what_is_no_formula_is_refused(tex: str, why: str) -> None:
    with pytest.raises(Unconvertible, match=why):
        mathml(tex, display=False)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add(tag)


@pytest.mark.parametrize("tex", [r"\text{<img src=x onerror=alert(1)>}", "<script>a</script>", r"\text{&lt;b&gt;<b>}"])
def test_text_in_a_formula_is_text(tex: str) -> None:
    assert Tags(mathml(tex, display=True)).found <= {"math", "mrow", "mtext", "mo", "mi"}
