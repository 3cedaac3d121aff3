"""The JSON Schemas are strict and valid, use the words of the code, and are the source of the tables in json.md."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from grader.author.finding import Audited
from grader.classroom import report as class_report
from grader.classroom import row as states
from grader.classroom.exports import verdicts
from grader.classroom.exports import verdicts as class_json
from grader.classroom.exports.sheet import Sheet
from grader.classroom.submission import Unread
from grader.commands.running import check
from grader.marking.verdict import (
    CaseResult,
    Diagnosis,
    Excerpt,
    Frame,
    Insight,
    Named,
    Raised,
    Run,
    Status,
    ValueBlock,
    Verdict,
)
from grader.options import FEEDBACK
from grader.report import as_json
from grader.report import audit as audit_report
from grader.report.feedback import limited
from grader.sandbox.confine import TIERS
from grader.values.message import verbatim
from grader.values.places import PlaceKind, Relation
from tests.classroom.test_clusters import sample
from tests.conftest import ROOT, document, validator
from tests.marking.places import place
from tests.report.test_audit import AUDITED

SCHEMAS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "grader/schemas").iterdir()}
GUIDE = ROOT / "grader" / "guides" / "json.md"
WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "array": "list", "null": "null"}

VERDICT = Verdict(
    "toy",
    Status.WRONG,
    verbatim("Right on 0 of 2 cases."),
    file="a.py",
    diagnosis=Diagnosis((Named("one", verbatim("Why."), verbatim("Hint?")),), (("two",),), explained=True),
    cases=(CaseResult({"seed": 0, "n": 3}, False, float("inf"), 1e-6), CaseResult({"seed": 0}, False, None, None)),
    where=(
        place(
            *(3, 4, 3, 9, "    a = x * 2"),
            step="7:4:mul:0:0",
            name="a",
            rounds=3,
            shape=(2, 9),
            block=ValueBlock(((0.5, float("-inf")),), ((float("nan"), 1.0),), "real", "[0, 3:5]", 2),
            relation=Relation.TWICE,
        ),
        place(5, 0, 6, 1, "f(", ")", kind=PlaceKind.HIDDEN, operation="exp", case=1, inner=True, shape=(), block=None),
    ),
    excerpt=Excerpt(verbatim("row 0"), (verbatim("column 0"),), (0.5,), (float("nan"),), (True,)),
    insights=(Insight("not-traceable", verbatim("It does not trace.")),),
    raised=Raised("ValueError", verbatim("no"), (Frame(3, "f", "raise"),), verbatim("Advice.")),
    run=Run(confinement="A"),
)
UNEXPLAINED = replace(VERDICT, diagnosis=replace(VERDICT.diagnosis, explained=False), sample=sample(0.5))
REPORT = class_report.report_of(
    "week1.gradebook",
    [
        states.Row(
            *("ana", "toy", "ana/toy.py", "0a", "", states.VERDICT, UNEXPLAINED),
            before=replace(VERDICT, status=Status.CRASH),
        ),
        states.Row(
            "cy", "toy", "cy/toy.py", "0c", "", states.VERDICT, replace(UNEXPLAINED, sample=sample(0.5 + 30e-6))
        ),
        states.Row("ben", "toy", "ben/toy.py", "0b", "", states.DUE, None, late=True),
    ],
    class_report.ReportInput(
        lambda digest: "x = 1\n", lambda problem, name: f"python -m grader class pitfall week1 {problem} {name}"
    ),
)
SHEET = Sheet(
    [
        states.Row("ana", "toy", "ana/toy.py", "0a", "2026-11-23T10:00:00+00:00", states.VERDICT, VERDICT, late=True),
        states.Row("ben", "toy", "ben/toy.py", "0b", "", states.DUE, None, team="T1"),
    ]
)
SAMPLES = {
    "class-verdicts-1": document(verdicts.verdicts(SHEET)),
    "class-report-1": document(class_report.report_document(REPORT)),
    "verdict-2": document(as_json.document([VERDICT], "cpu", "full")),
    "audit-2": document(audit_report.audit_document([AUDITED, Audited("broken")], "cpu")),
    "class-1": document(
        class_json.class_document(
            "week1.gradebook",
            [
                states.Row(
                    *("ana", "toy", "ana/toy.py", "0a", "", states.VERDICT, VERDICT),
                    before=replace(VERDICT, status=Status.CRASH),
                ),
                states.Row("ben", "toy", "ben/toy.py", "0b", "2026-11-23T10:00:00+00:00", states.DUE, None),
            ],
            [Unread("ben/rope.txt", "its name is that of no problem.")],
            [("cy", "toy")],
        )
    ),
}


def resolved(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """A schema with its reference, or its one alternative that is not null, in its place. One of another document stays."""
    if "oneOf" in schema:
        schema = {**schema, **schema["oneOf"][0]}
    if not schema.get("$ref", "#").startswith("#"):
        return schema
    return {**root["$defs"][schema["$ref"].rpartition("/")[2]], **schema} if "$ref" in schema else schema


def properties(schema: dict[str, Any], root: dict[str, Any], before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property with its path, as in `verdicts[].cases[].error`."""
    for name, of_property in schema["properties"].items():
        found = resolved(of_property, root)
        yield before + name, found
        inner = resolved(found["items"], root) if "items" in found else found
        if "properties" in inner:
            yield from properties(inner, root, f"{before}{name}{'[]' if 'items' in found else ''}.")


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(inner)


def by_path(name: str) -> dict[str, dict[str, Any]]:
    return dict(properties(SCHEMAS[name], SCHEMAS[name]))


def test_every_document_of_the_package_has_its_schema() -> None:
    written = {
        f"{kind}-{version}"
        for _, kind, version in (
            schema.split("/")
            for schema in (
                *(module.SCHEMA for module in (as_json, audit_report, class_report, verdicts)),
                verdicts.SCHEMA_OF_CLASS,
            )
        )
    }
    assert written == SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_itself_and_explains_every_property(name: str) -> None:
    schema = SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert all(len(found["description"]) > 10 for found in by_path(name).values())


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_object_may_have_a_property_more_or_less(name: str) -> None:
    whole = SAMPLES[name]
    for index, one in enumerate(objects(whole)):
        if set(one) <= {"seed", "n"}:  # arguments have the names that the problem gives them
            continue
        changed = copy.deepcopy(whole)
        list(objects(changed))[index]["more"] = 1
        assert not validator(name).is_valid(changed), one
        for key in one.keys() - {"language"}:  # documents of earlier versions have none
            changed = copy.deepcopy(whole)
            del list(objects(changed))[index][key]
            assert not validator(name).is_valid(changed), (one, key)


def test_the_words_of_the_schema_are_those_of_the_code() -> None:
    verdict = by_path("verdict-2")
    assert verdict["verdicts[].status"]["enum"] == [status.value for status in Status]
    outcomes = by_path("class-1")["answers[].outcome"]["enum"]
    assert outcomes == list(class_json.OUTCOMES)
    assert list(SCHEMAS["class-report-1"]["$defs"]["outcomes"]["required"]) == outcomes
    assert by_path("class-1")["answers[].before.outcome"]["enum"] == outcomes[: len(Status)]
    of_class = by_path("class-verdicts-1")
    assert of_class["students[].answers[].outcome"]["enum"] == outcomes
    assert verdict["feedback"]["enum"] == of_class["feedback"]["enum"] == list(FEEDBACK)
    assert verdict["confinement"]["enum"] == [*TIERS, "none", None]
    (device,) = (option for option in check.params if option.name == "device")
    assert verdict["platform"]["enum"] == by_path("audit-2")["platform"]["enum"] == list(device.type.choices)  # type: ignore[attr-defined]


def test_what_a_level_of_feedback_hides_is_null() -> None:
    (row,) = document(as_json.document([limited(VERDICT, "verdict")], "cpu", "verdict"))["verdicts"]
    hidden = {name for name, value in row.items() if value is None}
    assert hidden == {
        *("pitfalls", "mistakes", "alternatives", "explained", "where", "cases", "excerpt", "insights"),
        *("raised", "stopped_at", "output"),
    }


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_guide_explains_every_field_as_the_schema_does(name: str, pytestconfig: pytest.Config) -> None:
    begin = f"<!-- {name}: written by `pytest --bless tests/test_schemas.py` -->\n"
    before, rest = GUIDE.read_text(encoding="utf-8").split(begin)
    shown, after = rest.split("<!-- end -->", 1)
    if pytestconfig.getoption("bless"):
        GUIDE.write_text(f"{before}{begin}{tables(name)}<!-- end -->{after}", encoding="utf-8")
        shown = tables(name)
    assert shown == tables(name)


def test_the_program_in_the_guide_validates_a_document_and_refuses_a_false_one() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    for name, whole in SAMPLES.items():
        run(program, whole)
        with pytest.raises(jsonschema.ValidationError, match="more"):
            run(program, {**whole, "more": name})


def run(program: str, read: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.StringIO(json.dumps(read)))
        exec(program, {})


def tables(name: str) -> str:
    """The fields of a document in Markdown: a table for each kind of object, the outermost first."""
    rows: dict[str, list[str]] = {}
    for path, found in by_path(name).items():
        place, _, field = path.rpartition(".")
        rows.setdefault(place, []).append(f"| `{field}` | {kind(found)} | {found['description']} |")
    lines: list[str] = []
    for place, listed in rows.items():
        title = f"**`{place}`**" if place else "**The document**"
        lines += ["", title, "", "| field | value | meaning |", "|---|---|---|", *listed]
    return "\n".join([*lines, "", ""])


def kind(found: dict[str, Any]) -> str:
    """What a value may be, in words."""
    if "const" in found:
        return f"`{found['const']}`"
    if "enum" in found:
        return ", ".join("null" if one is None else f"`{one}`" for one in found["enum"])
    if "anyOf" in found:
        return "; ".join(kind(one) for one in found["anyOf"])
    if "oneOf" in found:
        return "object or null"
    if "items" in found:
        return "list or null" if "null" in found["type"] else "list"
    named = found["type"] if isinstance(found["type"], list) else [found["type"]]
    return " or ".join(WORDS.get(one, one) for one in named)
