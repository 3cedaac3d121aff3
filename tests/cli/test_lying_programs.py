"""Answers that lie about their programs, graded with the real command where nobody trusts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from tests import answers
from tests.conftest import ROOT, Command, copy_kit, worked_answer

KIT = Kit(ROOT)
NAMES = [
    name
    for name in KIT.names
    if any(asks in KIT.answer(name).read_text(encoding="utf-8") for asks in ("trace=", 'contract="keys"'))
]
NAME = "scan_layers"
LOOP = """
import jax
import jax.numpy as jnp
from flax import nnx

{lie}

class Layer(nnx.Module):
    def __init__(self, d, *, rngs):
        self.linear = nnx.Linear(d, d, rngs=rngs)

    def __call__(self, x):
        return x + jnp.tanh(self.linear(x))


def scan_layers(seed, L, T, d):
    x = jax.random.normal(jax.random.key(seed), (T, d), dtype=jnp.float32)

    @nnx.split_rngs(splits=L)
    @nnx.vmap(in_axes=0, out_axes=0)
    def make(rngs):
        return Layer(d, rngs=rngs)

    kernels = nnx.state(make(nnx.Rngs(jax.random.key(seed))))["linear"]
    {more}
    for one in range(L):
        x = x + jnp.tanh(x @ kernels["kernel"][...][one] + kernels["bias"][...][one])
    return x.reshape(-1)
"""
SAYS = """
import grader.run.answer.process as process
from grader.marking.requirements import Outline

process.outlines = lambda function, cases, known, filename: [Outline(30, {"scan": 9}, (3, 3), 9)] * len(cases)
"""
LIES = {
    "a loop that tells the truth": ("", "", "trace-lacks-scan"),
    "an outline with a scan": (SAYS, "", "trace-lacks-scan"),
    "an outline with a scan, and no program": (
        f"{SAYS}\nimport grader.run.answer.tracing as programs\n\nprograms.packed = lambda traces, filename: None\n",
        "",
        "program-not-checked",
    ),
    "an outline with a scan, and programs of other numbers": (
        f"{SAYS}\nimport grader.run.answer.tracing as programs\n\nhonest = programs.encoded\n"
        "programs.encoded = lambda traces, filename: honest(traces[:1] * len(traces), filename)\n",
        "",
        "program-not-checked",
    ),
    "an outline with a scan, and of no operation": (
        SAYS.replace("Outline(30, ", "Outline(0, "),
        "",
        "trace-lacks-scan",
    ),
    "a scan beside the loop": (
        SAYS,
        "x = jax.lax.scan(lambda total, _: (total, None), x, None, length=2)[0]",
        "trace-grows",
    ),
}


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Command:
    return Command(copy_kit(tmp_path_factory.mktemp("lying"), NAME))


@pytest.fixture(scope="module")
def verdicts(kit: Command, request: pytest.FixtureRequest) -> dict[str, Any]:
    """The verdicts on the lies that this run tests, and on a right answer."""
    tested = {title for title in LIES if any(item.name.endswith(f"[{title}]") for item in request.session.items)}
    texts = {title: LOOP.format(lie=lie, more=more) for title, (lie, more, _) in LIES.items() if title in tested}
    first = answers.read(NAME, "right")[0]
    return kit.verdicts({**texts, first.title: first.text}, "--confine", name=NAME)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("title", LIES)
def test_a_loop_is_found_whatever_its_process_says_of_its_program(title: str, verdicts: dict[str, Any]) -> None:
    given = verdicts[title]
    assert given["status"] == "wrong"
    assert next(one["name"] for one in given["mistakes"]) == LIES[title][2]


@pytest.mark.slow
def test_a_right_answer_is_right_beside_them(verdicts: dict[str, Any]) -> None:
    assert verdicts[answers.read(NAME, "right")[0].title]["status"] == "correct"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "title"),
    [
        pytest.param(
            "sample_text", "Gumbel noise added, and none of it at temperature 0", id="draws that it multiplies by 0"
        ),
        pytest.param(
            "ring_attention",
            "a loop of Python, and nothing is sent after the last round",
            id="an operation that is idle on fresh inputs",
        ),
    ],
)
def test_a_right_answer_is_right_there_with(name: str, title: str, tmp_path: Path) -> None:
    text = next(one.text for one in answers.read(name, "right") if one.title == title)
    assert Command(copy_kit(tmp_path / "kit", name)).verdict(text, "--confine", name=name)["status"] == "correct"


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_all_right_answers_to_problems_that_ask_for_a_program_are_right_there(name: str, tmp_path: Path) -> None:
    texts = {one.title: one.text for one in answers.read(name, "right")}
    given = Command(copy_kit(tmp_path / "kit", name)).verdicts(texts, "--confine", name=name)
    assert {title: one["status"] for title, one in given.items()} == dict.fromkeys(texts, "correct")


KEYS = "split_keys_dropout"
TWICE = next(one.text for one in answers.read(KEYS, "wrong") if [*one.names] == ["key-reused"])
HIDES = "import grader.run.answer.contracts as contracts\n\ncontracts.reuse = lambda one, filename: None\n"
NO_PROGRAM = "import grader.run.answer.tracing as programs\n\nprograms.packed = lambda traces, filename: None\n"


@pytest.mark.slow
def test_a_key_that_is_used_twice_is_found_whatever_its_process_says(tmp_path: Path) -> None:
    texts = {"key-reused": HIDES + TWICE, "program-not-checked": HIDES + NO_PROGRAM + TWICE}
    right = answers.read(KEYS, "right")[0]
    given = Command(copy_kit(tmp_path / "kit", KEYS)).verdicts(
        {**texts, right.title: right.text}, "--confine", name=KEYS
    )
    assert {title: [one["name"] for one in given[title]["mistakes"]] for title in texts} == {
        one: [one] for one in texts
    }
    assert given[right.title]["status"] == "correct"


@pytest.mark.slow
def test_the_worked_answer_is_right_without_confinement_too(kit: Command) -> None:
    answer = worked_answer(Kit(kit.kit), NAME)
    assert kit.verdict(answer, name=NAME)["status"] == "correct"
