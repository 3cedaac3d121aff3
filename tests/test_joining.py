"""What GitHub reads of this repository: the forms for issues, the workflows, and the container. Each names what is there."""

from __future__ import annotations

import json
import re
import shlex
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml

from grader.__main__ import OLDEST
from grader.kit import software
from grader.kit.kit import SECTIONS
from grader.serve.command import PORTS
from tests.conftest import ROOT, Command

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (ROOT / ".github" / "workflows").glob("*.yml")}
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
DOCKERFILE = (ROOT / ".devcontainer" / "Dockerfile").read_text()
OFFICIAL = {
    *("actions/checkout", "actions/setup-python"),
    *("actions/configure-pages", "actions/upload-pages-artifact", "actions/deploy-pages"),
}

NEEDED = {
    "markdown": {"value"}, "input": {"label"}, "textarea": {"label"},
    "dropdown": {"label", "options"}, "checkboxes": {"label", "options"},
}  # fmt: skip
"""The attributes that GitHub asks for, by the type of an element of a form."""


def test_there_is_a_form_for_a_verdict_a_problem_and_a_translation() -> None:
    assert [path.stem for path in FORMS] == ["new-problem", "translation", "wrong-verdict"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_has_what_github_asks_of_it(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= form.keys() <= {"name", "description", "body", "title", "labels"}
    body = form["body"]
    for element in body:
        assert NEEDED[element["type"]] <= element["attributes"].keys(), element
        assert element.keys() <= {"type", "id", "attributes", "validations"}
        for option in element["attributes"].get("options", []):
            assert isinstance(option, dict if element["type"] == "checkboxes" else str), option
    asked = [element for element in body if element["type"] != "markdown"]
    for unique in ([one["id"] for one in asked], [one["attributes"]["label"] for one in asked]):
        assert len(unique) == len({*unique}) > 0


def steps(workflow: str) -> list[dict[str, Any]]:
    return [*chain.from_iterable(job["steps"] for job in WORKFLOWS[workflow]["jobs"].values())]


def commands(workflow: str) -> list[str]:
    """The lines that the steps of a workflow run."""
    return [line for step in steps(workflow) for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("workflow", ["tests", "site"])
def test_a_workflow_takes_official_actions_alone_and_may_write_to_the_pages_alone(workflow: str) -> None:
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert {name.partition("@")[0] for name in used} <= OFFICIAL
    assert all(re.fullmatch(r"v\d+", name.partition("@")[2]) for name in used)
    whole = WORKFLOWS[workflow]
    given = [whole["permissions"], *(job.get("permissions", {}) for job in whole["jobs"].values())]
    assert {name for one in given for name, level in one.items() if level == "write"} <= {"pages", "id-token"}
    assert not any("${{" in line for line in commands(workflow)), "what others name reaches a shell as a variable alone"


def test_the_tests_run_on_linux_and_macos_with_the_oldest_and_the_newest_python() -> None:
    matrix = WORKFLOWS["tests"]["jobs"]["tests"]["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos"}
    assert matrix["python"] == [".".join(map(str, OLDEST)), software.NEWEST["python"].rpartition(".")[0]]


def test_the_tests_are_those_of_the_readme_and_of_a_run_before_a_change_lands() -> None:
    readme, *rest = commands("tests")
    pattern = r"^python3 -m venv "
    assert readme == f"""bash -euo pipefail -c "$(grep -E '{pattern}' README.md)\""""
    assert len(re.findall(pattern, (ROOT / "README.md").read_text(), re.MULTILINE)) == 2
    before_landing = (ROOT / ".ci" / "run").read_text() + (ROOT / ".ci" / "environment").read_text()
    assert [line for line in rest if line not in before_landing] == []


@pytest.mark.parametrize("workflow", ["tests", "site"])
def test_each_command_of_the_grader_in_a_workflow_is_there_with_its_options(workflow: str) -> None:
    known = [name for names in SECTIONS.values() for name in names]
    for line in commands(workflow):
        words = shlex.split(line)
        if "grader" in words:
            name, *given = words[words.index("grader") + 1 :]
            assert name in known
            shown = Command(ROOT)(name, "--help").stdout
            assert all(option in shown for option in given if option.startswith("--")), line


def test_the_container_forwards_the_port_of_the_window_and_runs_as_the_user_of_its_dockerfile() -> None:
    assert CONTAINER["forwardPorts"] == [PORTS[0]]
    assert (ROOT / ".devcontainer" / CONTAINER["build"]["dockerfile"]).is_file()
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == [CONTAINER["remoteUser"]]
    assert CONTAINER["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"] == "/".join(
        [*re.findall(r"^ENV VIRTUAL_ENV=(.*)$", DOCKERFILE, re.MULTILINE), "bin/python"]
    )
    installed = f"python:{software.NEWEST['python'].rpartition('.')[0]}-slim"
    assert re.findall(r"^FROM (.*)$", DOCKERFILE, re.MULTILINE) == [installed]
