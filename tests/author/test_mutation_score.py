"""The mutation score: which mutants the cases kill, which survive, which are explained, and what would kill them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.author.mutation_score import changeable, mutants, mutation_score
from grader.author.text_changes import explanations
from grader.oracle.expect import trace
from grader.oracle.server import load
from tests.repositories import git

TEXT = """import jax.numpy as jnp

from grader import Problem


def weighed(seed, T):
    x = jnp.cos(seed + jnp.arange(T) * 1.0)
    total = jnp.zeros(())
    for step in range(T):
        total = total + x[step]  # repeated
    return (2.0 * x**2 + total).reshape(-1)  # last
    #: doubled: 2.0 -> 4.0


problem = Problem(cases=CASES)
"""
MANY, ONE = "[(0, 2), (1, 3), (2, 5)]", "[(0, 1)]"


def write(folder: Path, cases: str = MANY, text: str = TEXT) -> Path:
    file = folder / "weighed" / "answer.py"
    file.parent.mkdir(exist_ok=True)
    file.with_name("mistakes.md").write_text(
        "## doubled\n\nIt is doubled.\n\n> Is it doubled?\n" if "#:" in text else ""
    )
    file.write_text(text.replace("CASES", cases))
    return file


def score(file: Path) -> dict[str, Any]:
    return mutation_score(load(file), str(file))


def line_of(file: Path, text: str) -> int:
    return next(number for number, line in enumerate(file.read_text().splitlines(), start=1) if text in line)


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The score of a single case of one number, from which mutants survive."""
    return score(write(tmp_path_factory.mktemp("weak"), ONE))


def test_good_cases_kill_every_mutant_that_is_not_equal(tmp_path: Path) -> None:
    document = score(write(tmp_path))
    assert document["killed"] == document["mutants"] > 10
    assert document["survivors"] == document["explained"] == document["stale"] == []


def test_a_survivor_has_a_probe_that_kills_it(weak: dict[str, Any], tmp_path: Path) -> None:
    survivors = weak["survivors"]
    assert survivors
    assert weak["mutants"] > weak["killed"]
    probes = {tuple(one["probe"]) for one in survivors}
    assert score(write(tmp_path, f"[(0, 1), {', '.join(map(str, sorted(probes)))}]"))["survivors"] == []


def test_a_survivor_is_explained_by_name_on_its_line_or_above_it(weak: dict[str, Any], tmp_path: Path) -> None:
    above, on = "    # survives dropped-integer_pow: it is one\n", "# survives power-plus-one: it stays one"
    last = next(line for line in TEXT.splitlines() if "# last" in line)
    document = score(write(tmp_path, ONE, TEXT.replace(last, above + last.replace("# last", on))))
    explained = {one["name"]: one["why"] for one in document["explained"]}
    assert explained == {"dropped-integer_pow": "it is one", "power-plus-one": "it stays one"}
    assert {one["name"] for one in document["survivors"]} == {one["name"] for one in weak["survivors"]} - {*explained}
    assert document["mutants"] == weak["mutants"] - 2


def test_an_explanation_of_a_mutant_that_is_killed_is_stale(tmp_path: Path) -> None:
    file = write(tmp_path, text=TEXT.replace("# last", "# survives sub-for-add: nobody knows"))
    assert score(file)["stale"] == [{"line": line_of(file, "survives"), "name": "sub-for-add"}]


@pytest.mark.slow
def test_a_mutant_that_a_pitfall_names_is_no_candidate(tmp_path: Path) -> None:
    def candidates(text: str) -> set[tuple[int, str]]:
        file = write(tmp_path, text=text)
        return {(line_of(file, "# last") - one["line"], one["name"]) for one in score(file)["candidates"]}

    doubled = (0, "constant-doubled")
    assert doubled not in candidates(TEXT)
    assert doubled in candidates(TEXT.replace("2.0 -> 4.0", "2.0 -> 5.0"))


def test_the_same_mutant_is_found_in_the_programs_of_all_cases(tmp_path: Path) -> None:
    file = write(tmp_path)
    problem = load(file)
    programs = [changeable(trace(problem, case).program) for case in problem.cases]
    listed = mutants(programs)
    assert {one.found.mutation.name for one in listed} >= {"sin-for-cos", "constant-doubled", "sub-for-add"}
    assert all(one.equations(program) for one in listed for program in programs)


def test_a_loop_over_a_size_is_one_mutant_that_changes_every_round(tmp_path: Path) -> None:
    file = write(tmp_path)
    problem = load(file)
    programs = [changeable(trace(problem, case).program) for case in problem.cases]
    (repeated,) = [one for one in mutants(programs) if one.place == (line_of(file, "# repeated"), "add", "sub-for-add")]
    assert [len(repeated.equations(program)) for program in programs] == [2, 3, 5]


LATE = """import jax.numpy as jnp

from grader import Problem


def weighed(seed, T):
    return START  # hidden


problem = Problem(cases=CASES)
"""


@pytest.mark.parametrize("cases", ["[(0, 2), (1, 3)]", "[(0, 2), (9, 3)]"])
def test_a_mutant_that_only_another_seed_shows_survives_with_that_seed(tmp_path: Path, cases: str) -> None:
    text = LATE.replace("START", "1.5 + jnp.maximum(seed + jnp.arange(T) * 0 - 5.0, 0.0)")
    survivors = {one["text"]: one["probe"] for one in score(write(tmp_path, cases, text))["survivors"]}
    assert survivors.get("5.0 + 1") == (None if "9" in cases else [6, 2])


def test_a_mutant_whose_program_the_cases_tell_needs_no_other_seed(tmp_path: Path) -> None:
    """Its values are within the tolerance on all cases, and beyond it from seed 8 on."""
    text = LATE.replace("START", "1000.0 + jnp.exp(seed - 12.0 + jnp.arange(T) * 0)")
    assert "12.0 + 1" not in {one["text"] for one in score(write(tmp_path, "[(0, 2), (1, 2)]", text))["survivors"]}


def test_what_only_an_earlier_case_tells_survives_with_that_case(tmp_path: Path) -> None:
    text = LATE.replace("START", "1.5 + jnp.maximum(seed + jnp.arange(T) * 0 - 5.0, 0.0)")
    file = write(tmp_path, "[(0, 2), (9, 3)]", text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "cases")
    write(tmp_path, "[(0, 2), (1, 3)]", text)
    assert {one["text"]: one["probe"] for one in score(file)["survivors"]}["5.0 + 1"] == [9, 3]


def test_explanations_are_read_with_their_lines() -> None:
    text = "a = 1\nb = a + 1  # survives sub-for-add: b is never read\n# survives of nothing\n"
    assert explanations(text) == {(2, "sub-for-add"): "b is never read"}


def test_the_lines_of_the_stub_have_no_mutants(tmp_path: Path) -> None:
    file = write(tmp_path)
    given = "    x = jnp.cos(seed + jnp.arange(T) * 1.0)\n    raise NotImplementedError\n"
    whole, without = (mutation_score(load(file), str(file), stub) for stub in ("", given))
    assert without["mutants"] < whole["mutants"]
    assert {one["line"] for one in without["candidates"]} == {one["line"] for one in whole["candidates"]} - {7}


ABOVE = """import jax
import jax.numpy as jnp

from grader import Problem, Real, Whole


def weighed(seed, T, limit):
    x = DRAWN
    return jnp.where(x > limit, x, 0.5)  # compared


problem = Problem(arguments={"T": Whole(), "limit": Real(-1.0, most=1.0)}, cases=CASES)
"""
NORMAL, WHOLE = "jax.random.normal(KEY, (T,))", "jax.random.randint(KEY, (T,), -1, 2).astype(jnp.float32)"


@pytest.mark.parametrize(
    ("drawn", "cases", "found"),
    [
        (NORMAL, "[(0, 3, 0.5), (1, 4, -0.5)]", [("ge-for-gt", "limit")]),
        (WHOLE, "[(0, 3, 0.5), (1, 9, -1.0)]", []),
        (f"jnp.cos({NORMAL})", "[(0, 3, 0.5), (1, 4, -0.5)]", []),
    ],
)
def test_an_argument_that_is_compared_with_inputs_is_equal_to_one_in_some_case(
    tmp_path: Path, drawn: str, cases: str, found: list[tuple[str, str]]
) -> None:
    """What is computed is no number of the inputs: whether it is equal is a matter of rounding."""
    text = ABOVE.replace("DRAWN", drawn.replace("KEY", "jax.random.key(seed)"))
    document = score(write(tmp_path, cases, text))
    assert [(one["name"], one["argument"]) for one in document["never_equal"]] == found


def test_a_probe_where_an_argument_is_equal_to_an_input_is_told(tmp_path: Path) -> None:
    text = ABOVE.replace("DRAWN", WHOLE.replace("KEY", "jax.random.key(seed)"))
    (found,) = [
        one
        for one in score(write(tmp_path, "[(0, 3, 0.5), (1, 4, -0.5)]", text))["survivors"]
        if one["name"] == "ge-for-gt"
    ]
    assert found["probe"][2] == 0.0


def test_an_argument_that_need_not_be_equal_is_explained(tmp_path: Path) -> None:
    text = ABOVE.replace("DRAWN", NORMAL.replace("KEY", "jax.random.key(seed)"))
    document = score(
        write(tmp_path, "[(0, 3, 0.5), (1, 4, -0.5)]", text.replace("# compared", "# survives ge-for-gt: why"))
    )
    assert document["never_equal"] == document["stale"] == []
    assert "ge-for-gt" in {one["name"] for one in document["explained"]}
