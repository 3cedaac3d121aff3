"""Confinement: a refused step leads to the next lower tier, and an honest answer works at every tier."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from grader.run.python import environment
from grader.sandbox import confine
from grader.sandbox.confine import TIERS
from tests import answers, as_ordinary
from tests.answers import Written
from tests.cli.test_hostile import HONEST, tiers
from tests.conftest import FLAGSHIP, ROOT, Command, copy_kit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the tiers are Linux's"),
]

every_user = pytest.mark.parametrize("user", as_ordinary.users())

SCRIPT = """
import json, os, sys
from grader.sandbox import confine, landlock, seccomp
system = seccomp

def refuse(*arguments):
    raise OSError(1, "Operation not permitted")

for step in sys.argv[2].split():
    module, name = step.split(".")
    setattr({"landlock": landlock, "seccomp": seccomp, "system": system}[module], name, refuse)
try:
    done = confine.confine(sys.argv[1], 1 << 30)
    said = [done.tier, done.refused]
except confine.RefusedConfinement as error:
    said = ["", [str(error)]]
print(json.dumps([*said, sorted(os.environ)]))
"""


def confined(user: str, wanted: str, missing: str = "", **variables: str) -> tuple[str, list[str], list[str]]:
    """Confine a process in which some steps fail. Returns its tier, what was refused, and its variables' names."""
    done = subprocess.run(
        as_ordinary.command(user, [sys.executable, "-c", SCRIPT, wanted, missing]),
        env={**environment(clean=True), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    tier, refused, names = json.loads(done.stdout)
    return tier, refused, names


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("missing", "tier", "refused"),
    [
        ("system.unshare", "B", ["namespaces: Operation not permitted"]),
        (
            "system.unshare landlock.version",
            "C",
            ["namespaces: Operation not permitted", "Landlock: Operation not permitted"],
        ),
        ("system.mount", "", ["namespaces: Operation not permitted"]),
        ("seccomp.restrict_system_calls system.unshare", "", ["seccomp: Operation not permitted"]),
    ],
)
@every_user
def test_a_refused_step_is_reported_and_leads_to_the_next_lower_tier(
    missing: str, tier: str, refused: list[str], user: str
) -> None:
    if "landlock.version" not in missing and "B" not in tiers(user):
        pytest.skip("this machine has no tier B")
    got, said, _ = confined(user, "A", missing)
    assert (got, said) == (tier, refused)


@every_user
def test_a_confined_process_is_as_confined_as_it_was_asked_for(user: str) -> None:
    assert [confined(user, tier)[0] for tier in tiers(user)] == tiers(user)


@every_user
def test_a_confined_process_has_only_harmless_variables(user: str) -> None:
    for tier in tiers(user):
        _, _, names = confined(user, tier, SECRET_TOKEN="abc", AWS_KEY="def", HOME="/root")
        assert not {"SECRET_TOKEN", "AWS_KEY", "HOME", "PATH", "PYTHONPATH"} & set(names)


def test_processes_of_a_confined_run_do_not_inherit_secrets() -> None:
    os.environ["GRADER_TEST_SECRET"], os.environ["JAX_COMPILATION_CACHE_DIR"] = "abc", "/tmp/cache"
    try:
        clean = environment(clean=True)
    finally:
        del os.environ["GRADER_TEST_SECRET"], os.environ["JAX_COMPILATION_CACHE_DIR"]
    assert "GRADER_TEST_SECRET" not in clean
    assert "JAX_COMPILATION_CACHE_DIR" not in clean


def test_the_kit_is_not_in_a_folder_that_answers_may_read() -> None:
    readable = confine.readable()
    assert not any(ROOT.is_relative_to(path) for path in readable)
    assert not any((ROOT / "solutions").is_relative_to(path) for path in readable)


@pytest.fixture(scope="module")
def command_of() -> Iterator[Callable[[str], Command]]:
    """The command on a kit of each user, run as that user."""
    with contextlib.ExitStack() as stack:

        @cache
        def of(user: str) -> Command:
            kit = copy_kit(stack.enter_context(as_ordinary.folder(user)) / "kit", FLAGSHIP)
            as_ordinary.give(kit, user)
            return Command(kit, user)

        yield of


def refused(command: Command, tier: str, styles: Sequence[Written]) -> list[str]:
    """The titles of the right answers to the flagship that are not right at a tier."""
    folder = command.kit / f"honest{tier}"
    folder.mkdir(exist_ok=True)
    titles: dict[str, str] = {}
    for number, one in enumerate(styles):
        (folder / f"{number}.py").write_text(one.text)
        titles[f"{number}.py"] = one.title
    options = [part for name in titles for part in ("--answer", str(folder / name))]
    document = command.json("check", FLAGSHIP, f"--tier={tier}", *options)
    assert document["confinement"] == tier
    return [titles[Path(one["file"]).name] for one in document["verdicts"] if one["status"] != "correct"]


@pytest.mark.few(0, 1)
@every_user
@pytest.mark.parametrize("tier", TIERS)
def test_honest_answers_in_some_styles_are_not_refused(
    tier: str, user: str, command_of: Callable[[str], Command]
) -> None:
    if tier not in tiers(user):
        pytest.skip(f"this machine has no tier {tier}")
    assert refused(command_of(user), tier, answers.read(FLAGSHIP, "right")[::12]) == []


@pytest.mark.nightly
def test_no_honest_answer_is_refused_where_a_class_is_graded(command_of: Callable[[str], Command]) -> None:
    user = as_ordinary.main_user()
    assert refused(command_of(user), tiers(user)[0], answers.read(FLAGSHIP, "right")) == []


PURE = """
import collections, contextlib, dataclasses, decimal, fractions, functools, heapq, itertools, json, math, operator
import random, re, statistics, string, textwrap, threading, time, typing, concurrent.futures
import flax, jax, numpy as np, optax
from flax import nnx
"""


@pytest.mark.slow
def test_the_pure_parts_of_the_library_can_be_imported_and_threads_work(shared_kit: Path) -> None:
    pooled = """
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda p: row(p, d_model), range(T)))
    assert nnx.Linear(2, 3, rngs=nnx.Rngs(0))(np.ones((1, 2))).shape == (1, 3)
    return np.concatenate(rows).astype(np.float32)
"""
    text = (
        f"{PURE}\ndef row(p, d_model):\n    angle = p / 10000.0 ** (np.arange(0, d_model, 2) / d_model)\n"
        "    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(-1)\n\n"
        f"def sinusoidal_pos(seed, T, d_model):{pooled}"
    )
    for tier in tiers():
        verdict = Command(shared_kit).verdict(text, f"--tier={tier}")
        assert verdict["status"] == "correct", (tier, verdict["message"], verdict.get("raised"))
        assert verdict["confinement"] == tier


@pytest.mark.slow
def test_doctor_says_the_tier(grader: Command) -> None:
    said = re.search(r"confinement +tier ([ABC])", grader("doctor").stdout)
    assert said is not None
    assert said[1] == tiers()[0]


def test_a_gpu_is_not_confined(grader: Command) -> None:
    done = grader("check", FLAGSHIP, "--confine", "--device", "gpu")
    assert done.returncode == 2
    assert "disposable machine" in done.stderr


def test_confine_does_not_take_the_problem_as_its_value(shared_kit: Path) -> None:
    file = shared_kit / "named.py"
    file.write_text(HONEST)
    done = Command(shared_kit)("check", "--answer", str(file), "--confine", FLAGSHIP)
    assert done.returncode == 0, done.stderr
    assert f"Confined: tier {tiers()[0]}." in done.stdout
