"""The page holds what the report holds, loads nothing, and no text of a student is more than text in it."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.page.render import SIGNS, page
from grader.classroom.report import OUTCOMES, ClassReport, report_of
from tests.classroom.exports.rows import row, verdict_of
from tests.classroom.page.browser import CHROMIUM, browser
from tests.classroom.reported import EVIL, fill
from tests.classroom.reported import report as reported

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Read(HTMLParser):
    """The elements of a page, and its tables by caption. Fails where elements do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"th", "td"} & set(self.open):
            self.tables[-1][-1][-1] += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def rows(self, first: str, *others: str) -> list[list[str]]:
        """The rows of the table with these heads."""
        return next(one[1:] for one in self.tables if [first, *others] == [head.strip() for head in one[0]])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ClassReport:
    return reported(fill(tmp_path_factory.mktemp("page") / "week1.gradebook"))


@pytest.fixture(scope="module")
def html(report: ClassReport) -> str:
    return page(report)


def test_the_numbers_are_those_of_the_report(html: str, report: ClassReport) -> None:
    read, (rope,) = Read(html), report.problems
    shown = [name for name in SIGNS if name in ("correct", "wrong") or rope.outcomes[name]]
    assert read.rows("problem", *(f"{SIGNS[name]} {name}" for name in shown), "answers") == [
        ["rope", *(str(rope.outcomes[name]) for name in shown), str(rope.answers)]
    ]
    assert read.rows("mistake", "answers", "alone", "with others") == [
        [one.name, str(one.count), str(one.alone), str(one.together)] for one in rope.mistakes
    ]
    assert read.rows("problem", "from", "to", "why", "answers") == [
        [one.problem, one.before, one.now, one.why, str(one.count)] for one in report.moved
    ]
    helped = read.rows("student", "not right yet", "answers", "attempted", "unattempted")
    assert [row[1:] for row in helped] == [
        [str(one.count), str(one.answers), ", ".join(one.not_right), ", ".join(one.unattempted)] for one in report.help
    ]
    assert [row[:3] for row in read.rows("T", "caught", "alone", "remark")] == [
        [str(one.args["T"]), str(one.caught), str(one.alone)] for one in rope.cases
    ]


def test_every_group_is_there_with_its_case_its_place_and_its_command(html: str, report: ClassReport) -> None:
    for group in report.problems[0].groups:
        assert not group.command or group.command in html
        assert not group.args or ", ".join(f"{name}={value}" for name, value in group.args.items()) in html
    assert "Line 2. With the values needed here, the case is right." in html
    assert "    return &lt;x&gt;&lt;U+001B&gt;" in html


def test_no_text_of_a_student_is_more_than_text(html: str) -> None:
    read = Read(html)
    assert len(read.of("script")) == len(read.of("style")) == len(read.of("title")) == 1
    assert read.of("img") == []
    assert not [name for _, given in read.elements for name in given if name.startswith("on") or name == "style"]
    assert not re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", html)
    assert "{{ 7 * 7 }}" in html
    assert "&lt;U+001B&gt;[31m" in html


def test_it_loads_nothing_and_its_policy_allows_its_own_style_and_script_alone(html: str) -> None:
    read = Read(html)
    assert not {tag for tag, _ in read.elements} & {"link", "img", "iframe", "object", "form", "base"}
    assert all((one["href"] or "").startswith("#") for one in read.of("a"))
    assert not re.search(r"\burl\(|@import|\bfetch\b", html)
    policy = read.of("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    allowed = dict(part.split(maxsplit=1) for part in (policy["content"] or "").split("; "))
    assert allowed["default-src"] == "'none'"
    for tag, name in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert allowed[name] == f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_tables_have_captions_and_heads_and_links_lead_somewhere(html: str) -> None:
    read = Read(html)
    assert len(read.of("caption")) == len(read.of("table"))
    assert all(one.get("scope") in ("col", "row") for one in read.of("th"))
    ids = [given["id"] for _, given in read.elements if "id" in given]
    assert len(set(ids)) == len(ids)
    assert {f"#{one}" for one in ids} >= {one["href"] for one in read.of("a")}
    assert read.of("html") == [{"lang": "en"}]


def test_every_outcome_has_a_sign_of_its_own() -> None:
    assert list(SIGNS) == list(OUTCOMES)
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_an_empty_gradebook_and_one_where_all_is_right_have_a_page() -> None:
    for rows in ([], [row("ana", verdict_of())]):
        text = page(report_of("x", rows))
        assert len(Read(text).of("h1")) == 1
    assert "Nobody, of those whose answers are graded." in text


SHOWN = "[...document.querySelectorAll('table')].map(t => [...t.tBodies[0].rows].map(r => r.cells[0].textContent))"
ACTIVE = "document.activeElement.textContent"


@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium here")
def test_in_a_browser_it_sorts_by_keyboard_loads_nothing_and_prints(
    html: str, tmp_path: Path, report: ClassReport
) -> None:
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    with browser() as shown:
        shown.open(tmp_path / "page.html")
        assert shown.value("document.title") == f"Class report: {report.gradebook}"
        students: list[str] = [one.student for one in report.help if one.student != EVIL]
        before = shown.value(SHOWN)
        assert [one for one in before[1] if "<" not in one] == students
        for _ in range(40):
            shown.press("Tab", 9)
            if shown.value(ACTIVE) == "student":
                break
        for order in ("ascending", "descending"):
            shown.press("Enter", 13, "\r")
            rows = [one for one in shown.value(SHOWN)[1] if "<" not in one]
            assert rows == sorted(students, reverse=order == "descending")
            head = shown.value("document.activeElement.closest('th').getAttribute('aria-sort')")
            assert head == order
        _looks(shown)
        assert shown.printed().startswith(b"%PDF")
        loaded = [
            one["params"]["request"]["url"] for one in shown.events if one["method"] == "Network.requestWillBeSent"
        ]
        assert set(loaded) == {(tmp_path / "page.html").as_uri()}
        told = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded")
        assert [one for one in shown.events if one["method"] in told] == []


def _looks(shown: Any) -> None:
    """Light, dark and print have paper and ink of their own, far enough apart to read."""
    papers: list[str] = []
    for kind, scheme in (("", "light"), ("", "dark"), ("print", "dark")):
        shown.media(kind, scheme)
        colours = "(s => [s.backgroundColor, s.color])(getComputedStyle(document.documentElement))"
        paper, ink = shown.value(colours)
        papers.append(paper)
        parts = [f"getComputedStyle(document.querySelector('{one}')).color" for one in (".bad", ".good", ".faint", "a")]
        for colour in (ink, *map(shown.value, parts)):
            assert _contrast(paper, colour) >= 4.5, (kind, scheme, colour)
    assert papers[0] != papers[1]
    assert papers[2] == papers[0]
    assert shown.value("getComputedStyle(document.querySelector('nav')).display") == "none"


def _contrast(one: str, other: str) -> float:
    """The ratio of luminances, as WCAG defines it."""

    def luminance(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
