"""Corrupted keys, saved oracles, progress files and frames are refused, or can be used without an error."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import math
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader import cli
from grader.kit import progress
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.state import take_warnings
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.marking.excerpt import arguments_text, excerpt
from grader.marking.verdict import CaseResult, Frame, Raised, Status, Verdict
from grader.oracle import answer_key, documents
from grader.oracle.oracle import Oracle
from grader.oracle.store import SavedOracle
from grader.values import frames
from grader.values.arrays import Answered
from grader.values.decode import Malformed
from grader.values.message import verbatim
from tests.author import toys
from tests.conftest import Command
from tests.marking.evidence import Confirming

NAME = "distance_decay"

# Every run tries the same examples, so that no run fails by chance. To search for new ones, raise `max_examples`.
FEW = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
MANY = settings(FEW, max_examples=600)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([2**70, "\ud800", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@dataclass(frozen=True)
class Keyed:
    """A kit with a key in place of its solutions; the bytes of its key, and of the oracle saved by the kit that made it."""

    kit: Kit
    key: bytes
    oracle: bytes


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Keyed:
    root = tmp_path_factory.mktemp("fuzz")
    whole = toys.make(root / "whole")
    assert Command(whole)("release", str(root / "exported")).returncode == 0
    (whole / toys.STUB_FILE).write_text(toys.ANSWER.replace("/ 4", "/ 2"))
    assert Command(whole)(NAME).returncode == 1
    (oracle,) = (whole / ".grader/oracles").glob("*.oracle")
    kit = Kit(root / "exported")
    return Keyed(kit, kit.key(NAME).read_bytes(), oracle.read_bytes())


def with_other_bytes(data: bytes, draw: Any) -> bytes:
    """The data with some bytes changed, removed or inserted."""
    changed = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        # Most bytes that no checksum covers are at the beginning and the end.
        start = draw(
            st.integers(0, len(changed)) | st.integers(0, 12) | st.integers(max(0, len(changed) - 9), len(changed))
        )
        length = draw(st.integers(0, 8))
        changed[start : start + length] = draw(st.binary(max_size=8) | st.binary(min_size=length, max_size=length))
    return bytes(changed)


def places(data: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value in a document."""
    yield here
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, inner in items:
        yield from places(inner, (*here, name))


def replaced(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of the document with another value at a place."""
    if not place:
        return value
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[place[0]] = replaced(copy[place[0]], place[1:], value)
    return copy


def with_another_value(document: Any, draw: Any) -> Any:
    document = json.loads(json.dumps(document))
    return replaced(document, draw(st.sampled_from(list(places(document)))), draw(JSON))


ARRAYS = st.sampled_from([np.float64, np.float32, np.int64, np.bool_, np.uint8]).flatmap(
    lambda dtype: hnp.arrays(dtype, st.integers(0, 12))
)


def with_another_part(data: bytes, draw: Any) -> bytes:
    """A file with a right checksum, and another value in its header or another array."""
    header, arrays = frames.unpack(data, documents.LARGEST_KEY)
    match draw(st.sampled_from(["header", "array", "elements"])):
        case "header":
            header = with_another_value(header, draw)
        case "array":
            arrays[draw(st.integers(0, len(arrays) - 1))] = draw(ARRAYS)
        case "elements":
            index = draw(st.sampled_from([index for index, array in enumerate(arrays) if array.size]))
            arrays[index] = draw(hnp.arrays(arrays[index].dtype, arrays[index].shape))
    return frames.pack(header if isinstance(header, dict) else {"header": header}, arrays)


def assert_usable(oracle: SavedOracle) -> None:
    """The oracle can judge and diagnose without an exception or a warning."""
    facts, truth = oracle.facts, oracle.truth

    class Mistakes(Confirming):
        screening_case = oracle.screening_case

        def truth(self) -> Any:
            return oracle.truth

        def level(self, size: int) -> Any:
            return oracle.levels.get(size, [])

        def confirm(self, mistake: Any) -> Any:
            return oracle.confirmed.get((mistake.names, mistake.forms), truth.expected)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for change in (0.0, 1.0):
            answered = [
                Answered(one.values + change, dtype) for one, dtype in zip(truth.expected, truth.dtypes, strict=True)
            ]
            evidence = Evidence(facts, Mistakes(), truth, answered, band=MOST_TOLERANCES_WITH_PROGRAM)
            assert (
                all(case.passed or not math.isfinite(case.error) or change for case in evidence.judged) or change == 0.0
            )
            diagnose(evidence)
            for index, (case, due) in enumerate(zip(evidence.judged, truth.expected, strict=True)):
                excerpt(case, due, truth.shapes[index], facts.axes)
                arguments_text(facts, index)


def try_oracle(data: bytes) -> None:
    try:
        oracle, _ = documents.from_bytes(data, documents.LARGEST_KEY)
    except Malformed:
        return
    assert_usable(oracle)


def try_key(kit: Kit, data: bytes) -> None:
    kit.key(NAME).write_bytes(data)
    try:
        oracle, _ = answer_key.read(kit, NAME)
    except ProblemError as error:
        refused = str(error)
    else:
        refused = ""
    assert refused.isprintable()
    if refused:
        return
    with contextlib.suppress(ProblemError):
        answer_key.opened(kit, NAME, lambda _: {})
    assert_usable(oracle)
    found = Oracle(oracle)
    for size in (1, 2, 3):
        for one in found.level(size):
            assert len(found.confirm(one)) == len(found.facts().cases)


def try_progress(kit: Kit, text: str) -> None:
    file = kit.state / "progress.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    for path in kit.state.glob("*.damaged*"):
        path.unlink()
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
        assert cli.run(["list", "--kit", str(kit.root)]) == 0
    assert NAME in out.getvalue()
    if file.exists():
        assert errors.getvalue() == ""
        progress.load(kit).save()
        progress.load(kit)
        assert take_warnings() == []
    else:
        assert len(errors.getvalue().splitlines()) == 1
        assert (kit.state / "progress.json.damaged").read_text() == text


def whole_progress() -> Any:
    raised = Raised("ValueError", verbatim("no"), (Frame(1, "toy", "raise"),), verbatim("advice"))
    verdict = Verdict(
        NAME, Status.ERROR, verbatim("Said."), cases=(CaseResult({"seed": 0}, False, 1.0, None),), raised=raised
    )
    graded = progress.KeptVerdict("1", progress.Ran("", None, 60.0, 1 << 30, 300.0), verdict)
    verdicts = {NAME: dataclasses.asdict(graded)}
    return {"format": progress.FORMAT, "verdicts": verdicts, "solved": {NAME: "2026-01-01"}, "hints": {NAME: 2}}


FRAME = frames.encode({"a": 1}, [np.arange(6.0).reshape(2, 3), np.array([True, False]), np.zeros((0, 3), np.int32)])


def try_frame(data: bytes) -> None:
    try:
        header, arrays = frames.decode(data)
    except frames.FrameError:
        return
    (length,) = struct.unpack("<I", data[4:8])
    announced = json.loads(data[8 : 8 + length])["arrays"]
    assert "arrays" not in header
    assert [list(array.shape) for array in arrays] == [one["shape"] for one in announced]
    halves = [2 if one["dtype"] == "bfloat16" else 1 for one in announced]
    sent = sum(array.nbytes // half for array, half in zip(arrays, halves, strict=True))
    assert sent == len(data) - 8 - length
    for array in arrays:
        assert array.dtype.kind != "b" or set(array.view(np.uint8).reshape(-1).tolist()) <= {0, 1}


def fuzz(name: str, keyed: Keyed, draw: Any) -> None:
    match name:
        case "oracle, bytes":
            try_oracle(with_other_bytes(keyed.oracle, draw))
        case "oracle, parts":
            try_oracle(with_another_part(keyed.oracle, draw))
        case "key, bytes":
            try_key(keyed.kit, with_other_bytes(keyed.key, draw))
        case "key, parts":
            try_key(keyed.kit, with_another_part(keyed.key, draw))
        case "progress":
            text = json.dumps(with_another_value(whole_progress(), draw))
            try_progress(keyed.kit, text if draw(st.booleans()) else text.replace("1.0", "1e999"))
        case "frame, bytes":
            try_frame(with_other_bytes(FRAME, draw))
        case "frame, header":
            arrays = with_another_value(
                [{"dtype": "bool", "shape": [1, 2]}, {"dtype": "float32", "shape": [0, 3]}], draw
            )
            head = json.dumps({"arrays": arrays}).encode()
            body = draw(st.binary(max_size=16))
            try_frame(frames.MAGIC + struct.pack("<I", len(head)) + head + body)
        case _:
            raise AssertionError(name)


KINDS = ["oracle, bytes", "oracle, parts", "key, bytes", "key, parts", "progress", "frame, bytes", "frame, header"]


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@FEW
@given(st.data())
def test_corrupted_data_is_refused_or_can_be_used(name: str, keyed: Keyed, data: st.DataObject) -> None:
    fuzz(name, keyed, data.draw)


@pytest.mark.nightly
@pytest.mark.parametrize("name", KINDS)
@MANY
@given(st.data())
def test_data_corrupted_in_many_ways_is_refused_or_can_be_used(name: str, keyed: Keyed, data: st.DataObject) -> None:
    fuzz(name, keyed, data.draw)
