"""The versions that the kit was proven with are written in one place, and fit the requirements and this machine."""

from __future__ import annotations

import sys
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from grader.kit import software
from grader.kit.software import ABSENT, NEWEST, OLDEST, installed_version
from tests.conftest import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OLDEST_PYTHON = sys.version_info[:2] == (3, 11)


def test_the_oldest_end_is_the_oldest_that_may_be_installed() -> None:
    required = {one.name: one.specifier for one in map(Requirement, PROJECT["dependencies"])}
    for name in ("jax", "flax"):
        assert str(required[name]) == f">={OLDEST[name]}"
    assert OLDEST["python"] in SpecifierSet(PROJECT["requires-python"])
    assert PROJECT["requires-python"] == ">=" + ".".join(OLDEST["python"].split(".")[:2])


@pytest.mark.parametrize("name", ["jax", "flax"])
def test_these_tests_run_with_an_end_that_is_written_down(name: str) -> None:
    here = Version(installed_version(name))
    if here > Version(NEWEST[name]):
        pytest.skip(f"{name} {here} is new: once everything passes with it, write it into grader/kit/software.py")
    assert str(here) == (OLDEST if OLDEST_PYTHON else NEWEST)[name]


def test_the_newest_is_newer() -> None:
    assert all(Version(NEWEST[name]) > Version(OLDEST[name]) for name in OLDEST)
    assert set(OLDEST) == set(NEWEST)


def test_what_is_newer_than_proven_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "NEWEST", {"python": "3.11.0", "jax": "0.9.9", "flax": "99"})
    assert software.is_newer() == [f"python {installed_version('python')}", f"jax {installed_version('jax')}"]


def test_what_is_not_installed_is_not_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert installed_version("no-such-distribution") == ABSENT
    monkeypatch.setattr(software, "NEWEST", {"no-such-distribution": "1.0"})
    assert software.is_newer() == []
