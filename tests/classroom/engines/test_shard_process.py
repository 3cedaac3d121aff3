"""The real process of a shard: a line as soon as each verdict is known, and an end of all when its input ends."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.plan import PlannedAnswer, policy_text
from grader.classroom.row import Identity
from grader.classroom.shard import shard_document
from grader.kit.kit import Kit
from grader.kit.progress import fingerprint_of_problem
from grader.options import Limits, Options, Policy
from tests.author import toys
from tests.cli.test_class import left_in
from tests.conftest import Command, clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers")

NAME = "distance_decay"
LOOP = "def distance_decay(seed, T):\n    for _ in iter(int, 1): pass\n"


@pytest.fixture
def kit(tmp_path: Path) -> Command:
    return Command(toys.make(tmp_path / "kit"))


def shard_of(kit: Command, *texts: str) -> str:
    options = Options(Kit(kit.kit), limits=Limits(30.0), policy=Policy("best", 7))
    fingerprint = fingerprint_of_problem(options.kit, NAME, "cpu")
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    identities = [Identity(digest, NAME, fingerprint, policy_text(options)) for digest in digests]
    return shard_document(
        "one", [PlannedAnswer(identity, text) for identity, text in zip(identities, texts, strict=True)]
    )


def start(kit: Command) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "grader.classroom.engines.shard_process"], cwd=kit.kit, env=clean_environment(),
        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def lines(text: str) -> list[Any]:
    return [json.loads(one) for one in text.splitlines()]


@pytest.mark.slow
def test_a_verdict_comes_while_others_run_and_the_end_of_the_input_ends_all(kit: Command) -> None:
    process = start(kit)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{shard_of(kit, LOOP, toys.ANSWER)}\n")
    process.stdin.flush()
    head, first = (json.loads(process.stdout.readline()) for _ in range(2))
    assert (head["schema"], head["id"]) == ("grader/shard-result/3", "one")
    assert head["confinement"] in ("A", "B")
    assert (first["problem"], first["verdict"]["status"], first["fault"]) == (NAME, "correct", "")
    process.stdin.close()
    assert process.wait(20) == 3
    assert left_in(kit.kit) == []
    for pipe in (process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()


def test_a_kit_that_judges_otherwise_refuses_in_one_line(kit: Command) -> None:
    shard = shard_of(kit, toys.ANSWER)
    reference = kit.kit / "solutions" / NAME / "answer.py"
    reference.write_text(reference.read_text().replace("4.0", "3.0"))
    process = start(kit)
    out, errors = process.communicate(f"{shard}\n", timeout=60)
    assert (process.returncode, out, len(errors.splitlines())) == (2, "", 1)
    assert "judged otherwise here" in errors
