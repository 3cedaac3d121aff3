"""Mistakes that any problem can have: how they are detected, and what the learner reads about them. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.locale.language import ENGLISH, speaking
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.evidence import Evidence, Numbers
from grader.marking.excerpt import arguments_text, axis_word
from grader.marking.precision import largest
from grader.marking.verdict import Named
from grader.values.arrays import ROWS_CLOSE, Answered, Array, Expected, excess
from grader.values.message import NO_MESSAGE, Message, at_case, message, plural_message

FORMS = "not-flattened", "wrong-length", "wrong-dtype", "not-an-array"
"""Mistakes in the form of what a call returns."""


def of_form(evidence: Evidence) -> tuple[Named, ...]:
    """No array, an array that is not flat, another length, another dtype: each is said of the case that is shown.

    Where that case does not have the fault, the sentence is about the first that has it, and names its arguments.
    """
    named: dict[str, Named] = {}
    truth, judgement, failing = evidence.truth, evidence.judgement, evidence.failing
    for index in sorted(range(len(judgement.cases)), key=lambda index: index != failing):
        for fault in judgement.cases[index].faults:
            if fault not in named:
                of = _form(fault, judgement.returned[index], truth.expected[index], truth.dtypes[index])
                case = "" if index == failing else arguments_text(evidence.facts, index)
                named[fault] = replace(of, why=at_case(case, of.why))
    return tuple(named[name] for name in FORMS if name in named)


def _form(fault: str, answer: Answered, due: Expected, dtype: str) -> Named:
    if fault == "not-an-array" or answer.array is None:
        return Named(
            "not-an-array",
            _returned(answer.instead),
            _INSTEAD.get(str(answer.instead), message("What does the last line of your function return?")),
        )
    shape, size = answer.array.shape, due.values.size
    if fault == "not-flattened":
        return Named(
            "not-flattened",
            message("The array has shape {shape}. It should have shape {due}.", shape=str(shape), due=f"({size},)"),
            message("Which method lays all values of an array in one row?"),
        )
    if fault == "wrong-length":
        return Named(
            "wrong-length",
            plural_message(
                "The array holds {count} value. It should hold {due}.",
                "The array holds {count} values. It should hold {due}.",
                answer.array.size,
                due=size,
            ),
            message("Which shape should the array have before it is flattened, and which has yours?"),
        )
    why = message("The values are {dtype}. They should be {due}.", dtype=answer.dtype, due=dtype)
    if (answer.dtype, dtype) in _OF_NUMPY:
        hint = message("NumPy computes in {dtype}. End with `.astype(np.{due})`.")
    else:
        hint = message("Where does {dtype} come into the computation?")
    return Named("wrong-dtype", why, hint.with_fields(dtype=answer.dtype, due=dtype))


_INSTEAD = {
    "list": message("Return `jnp.array(...)` of the list."),
    "tuple": message("Return one array. Is there a comma at the end of the last line, or a second value?"),
    "NoneType": message("Does the last line of your function begin with `return`?"),
    **dict.fromkeys(("int", "float", "bool"), message("Return `jnp.array([...])`: an array, also for one number.")),
}
"""What to do about a value that is not an array, by the name of its type."""

_OF_NUMPY = {("float64", "float32"), ("int64", "int32"), ("complex128", "complex64")}
"""JAX computes with 32 bits here, so values of 64 bits come from NumPy."""


def _returned(kind: Message) -> Message:
    with speaking(ENGLISH):
        name = str(kind)
    if name == "NoneType":
        return message("The function returns None. It should return one array.")
    if name[:1].lower() in "aeiou":
        return message("The function returns an {type}. It should return one array.", type=kind)
    return message("The function returns a {type}. It should return one array.", type=kind)


TRANSPOSED = "transposed"


def transposed(rank: int) -> Named:
    """The mistake of exchanging the axes of an array before it is flattened."""
    if rank == 2:
        why = message("The values are in the order of the transposed array: its columns come before its rows.")
    else:
        why = message("The values are in another order: the axes of the array are exchanged.")
    return Named(TRANSPOSED, why, message("Which index should change fastest as you read the flat array?"))


def not_deterministic(why: Message) -> Named:
    """The mistake of two calls with the same arguments that differ; `why` is a sentence that says how."""
    return Named(
        "not-deterministic",
        why,
        message("What in your function could change from one call to the next: a random draw, the clock, a global?"),
    )


def only_the_cases() -> Named:
    """The mistake of an answer that is right on the listed cases, and wrong on new ones."""
    return Named(
        "only-the-cases",
        message("It is right on the listed cases, and wrong on new ones."),
        message("Which line works only for the sizes of the listed cases?"),
    )


def cut_to_integers(numbers: Numbers) -> bool:
    """Whether the values of every case are integers, and the real numbers that are due without their fractions."""
    pairs = [(flat, due.values) for flat, due in numbers.cases]
    if any(flat.dtype.kind != "i" or due.dtype.kind != "f" or flat.size != due.size for flat, due in pairs):
        return False
    near = (-1e-5, 1e-5)  # rounding may put a number on either side of an integer
    return all(bool(np.all(np.any([flat == np.trunc(due + off) for off in near], axis=0))) for flat, due in pairs)


def not_finite(numbers: Numbers) -> Named | None:
    """The remark that values are infinite or NaN where numbers are due: in the case that is shown, if it has some."""
    cases, shown = numbers.cases, numbers.evidence.failing or 0
    for index in sorted(range(len(cases)), key=lambda index: index != shown):
        flat, due = cases[index]
        if flat.size != due.values.size or flat.dtype.kind not in "fc":
            continue
        strange = ~np.isfinite(flat) & np.isfinite(due.values)
        if strange.any():
            nan = bool(np.isnan(flat[strange]).any())
            if all(case.dtype.kind in "fc" and bool(np.isnan(case).all()) for case, _ in cases):
                hint = message(
                    "Which operation has no finite result in every case: zero divided by zero, infinity minus infinity?"
                )
                named = Named("not-finite", message("Every value of every case is NaN."), hint)
            else:
                named = _strange(int(strange.sum()), flat.size, nan, here=index == shown)
            kernel = "pallas" in numbers.evidence.facts.asked.needs
            return replace(named, hint=_UNWRITTEN) if kernel and nan else named
    return None


_UNWRITTEN = message("Which part of the result does no program of the grid write, or which operation has no result?")
"""The hint on NaN from a Pallas kernel: where nobody writes, there is NaN."""


def _strange(count: int, size: int, nan: bool, *, here: bool) -> Named:
    """The remark on so many values of a case that are NaN, or infinite; `here` is whether that case is shown."""
    if nan:
        why = (
            plural_message(
                "{count} of {values} is NaN. It should be a number.",
                "{count} of {values} are NaN. They should be numbers.",
                count,
            )
            if here
            else plural_message(
                "In another case, {count} of {values} is NaN. It should be a number.",
                "In another case, {count} of {values} are NaN. They should be numbers.",
                count,
            )
        )
        hint = message(
            "Which operation has no result: zero divided by zero, zero times infinity, infinity minus infinity, the root "
            "of a negative number?"
        )
    else:
        why = (
            plural_message(
                "{count} of {values} is infinite. It should be a number.",
                "{count} of {values} are infinite. They should be numbers.",
                count,
            )
            if here
            else plural_message(
                "In another case, {count} of {values} is infinite. It should be a number.",
                "In another case, {count} of {values} are infinite. They should be numbers.",
                count,
            )
        )
        hint = message("Which operation has no finite result: a division by zero, a logarithm of zero, an overflow?")
    values = plural_message("{count} value", "{count} values", size)
    return Named("not-finite", why.with_fields(count=count, values=values), hint)


def all_zeros(numbers: Numbers) -> Named | None:
    """The mistake of zero in place of all numbers of all cases."""
    if not _one_number(numbers) or any(flat.any() for flat in numbers.values):
        return None
    return Named(
        "all-zeros",
        message("Every value of every case is zero."),
        message("Which line writes numbers into the array, and does the function return the array that holds them?"),
    )


def all_equal(numbers: Numbers) -> Named | None:
    """The mistake of one number in place of all numbers of a case."""
    telling = _one_number(numbers)
    if not telling:
        return None
    shown, several = _constants([float(np.real(flat[0])) for flat in telling])
    if several:
        why = message("In each case, all values are the same number: {numbers}, depending on the case.")
    else:
        why = message("In each case, all values are the same number: {numbers}.")
    return Named(
        "all-equal",
        why.with_fields(numbers=shown),
        message("Which step makes one number of many: a sum or a mean over all axes, an index, a broadcast?"),
    )


def _one_number(numbers: Numbers) -> list[Array]:
    """The values of the cases that show something, if the values of every case are equal; none if some are not.

    Cases of one value, and cases where the expected values are equal too, show nothing.
    """
    if any(
        flat.size != due.values.size or not _all_equal(flat) or flat.dtype.kind == "c" for flat, due in numbers.cases
    ):
        return []  # of a complex number, the real part alone is not the number
    return [flat for flat, due in numbers.cases if due.values.size > 1 and not _all_equal(due.values)]


def same_along_axis(numbers: Numbers) -> Named | None:
    """The mistake of values that do not change along an axis along which the expected ones do.

    Many sets of mistakes give such values, and none of them can be told from the others.
    """
    evidence = numbers.evidence
    axes, stacked = evidence.facts.axes, bool(evidence.parts)
    cases = [(flat, due, shape) for (flat, due), shape in zip(numbers.cases, numbers.truth.shapes, strict=True)]
    if _one_number(numbers) or any(flat.size != due.values.size or flat.dtype.kind == "c" for flat, due, _ in cases):
        return None
    for axis in range(int(stacked), min(len(shape) for _, _, shape in cases)):
        telling = [
            (flat, due, shape) for flat, due, shape in cases if shape[axis] > 1 and not _same(due.values, shape, axis)
        ]
        if len(telling) > 1 and all(_same(flat, shape, axis) for flat, _, shape in telling):
            own = axis - stacked
            if own < len(axes):
                why = message("The values do not change along axis {axis} ({name}). They should.")
            else:
                why = message("The values do not change along axis {axis}. They should.")
            return Named(
                "same-along-axis",
                why.with_fields(axis=own, name=axis_word(axes[own]) if own < len(axes) else NO_MESSAGE),
                message("Which variable should make them differ along this axis, and is it used?"),
            )
    return None


def _same(values: Array, shape: tuple[int, ...], axis: int) -> bool:
    """Whether all places of an axis hold the same finite numbers, up to the rounding of numbers that are not whole.

    Rounding is a part of each number, or of a usual one if that is larger: some values may be huge, such as a mask of -1e9.
    """
    rows = np.moveaxis(values.reshape(shape), axis, 0)
    if not np.isfinite(rows).all():
        return False
    if np.array_equal(rows, np.rint(rows)):
        return bool(np.all(rows == rows[:1]))  # whole numbers are not rounded
    largest = np.maximum(np.abs(rows).max(axis=0), np.median(np.abs(rows)) if rows.size else 0.0)
    return bool(np.all(np.abs(rows - rows[:1]) <= ROWS_CLOSE * largest))


def _all_equal(values: Array) -> bool:
    """Whether all values are one finite number."""
    return values.size == 0 or (bool(np.isfinite(values[0])) and bool((values == values[0]).all()))


PRINTED_AS_ONE = 5e-4
"""A factor that is closer to one is printed as 1."""


def _is_clear(difference: float, due: Expected) -> bool:
    return abs(difference) > 4 * MOST_TOLERANCES_WITH_PROGRAM * due.largest_tolerance


def _failing(numbers: Numbers) -> list[tuple[Array, Expected]]:
    """The cases that fail, if one number could be told from others there: it fits any value, and any two equal ones."""
    if any(
        flat.size != due.values.size or due.values.dtype.kind != "f" or flat.dtype.kind not in "fi"
        for flat, due in numbers.cases
    ):
        return []
    judged = zip(numbers.cases, numbers.evidence.judged, strict=True)
    failing = [pair for pair, case in judged if not case.passed]
    return failing if any(due.values.size > 2 for _, due in failing) else []


def constant_factor(numbers: Numbers) -> Named | None:
    """The mistake of one factor before all values of each case that fails."""
    failing, factors = _failing(numbers), list[float]()
    for flat, due in failing:
        finite = np.isfinite(due.values)
        if not np.array_equal(flat[~finite], due.values[~finite], equal_nan=True) or not due.values[finite].any():
            return None
        if (
            not np.isfinite(flat[finite]).all()
            or excess(flat, np.where(finite, 0.0, due.values), due) <= MOST_TOLERANCES_WITH_PROGRAM
        ):
            return None  # an answer that is zero everywhere has no factor to name
        factor = float(flat[finite] @ due.values[finite] / (due.values[finite] @ due.values[finite]))
        scaled = np.where(finite, factor * np.where(finite, due.values, 0.0), due.values)
        if excess(flat, scaled, due) > MOST_TOLERANCES_WITH_PROGRAM * max(1.0, abs(factor)):
            return None
        if not _is_clear((factor - 1.0) * largest(due.values), due) or abs(factor - 1.0) <= PRINTED_AS_ONE:
            return None
        factors.append(factor)
    if not factors:
        return None
    (shown, several), count = _constants(factors), len(failing)
    match (count == len(numbers.values), several):
        case (True, False):
            why = message("Every value is {factors} times what it should be.")
        case (True, True):
            why = message("Every value is {factors} times what it should be, depending on the case.")
        case (False, False):
            why = plural_message(
                "In the case that fails, every value is {factors} times what it should be.",
                "In the {count} cases that fail, every value is {factors} times what it should be.",
                count,
            )
        case _:
            why = message(
                "In the {count} cases that fail, every value is {factors} times what it should be, depending on the case."
            )
    return Named(
        "constant-factor",
        why.with_fields(count=count, factors=shown),
        message("Which scale did you apply that is not in the formula, or leave out that is?"),
        shows_expected=True,
    )


def constant_offset(numbers: Numbers) -> Named | None:
    """The mistake of one number that is added to all values of each case that fails."""
    failing, offsets = _failing(numbers), list[float]()
    for flat, due in failing:
        finite = np.isfinite(due.values)
        if not np.array_equal(flat[~finite], due.values[~finite], equal_nan=True) or not finite.any():
            return None
        if not np.isfinite(flat[finite]).all():
            return None
        offset = float(np.mean(flat[finite] - due.values[finite]))
        if excess(flat, due.values + offset, due) > MOST_TOLERANCES_WITH_PROGRAM * max(
            1.0, abs(offset)
        ) or not _is_clear(offset, due):
            return None
        offsets.append(offset)
    if not offsets:
        return None
    (shown, several), count = _constants(offsets, sign=True), len(failing)
    match (count == len(numbers.values), several):
        case (True, False):
            why = message("Every value is off by the same number: {offsets}.")
        case (True, True):
            why = message("Every value is off by the same number: {offsets}, depending on the case.")
        case (False, False):
            why = plural_message(
                "In the case that fails, every value is off by the same number: {offsets}.",
                "In the {count} cases that fail, every value is off by the same number: {offsets}.",
                count,
            )
        case _:
            why = message(
                "In the {count} cases that fail, every value is off by the same number: {offsets}, depending on the case."
            )
    return Named(
        "constant-offset",
        why.with_fields(count=count, offsets=shown),
        message("Which term did you add that is not in the formula, or leave out that is?"),
        shows_expected=True,
    )


def _constants(values: Sequence[float], *, sign: bool = False) -> tuple[str, bool]:
    """The first few of the different numbers, and whether there are several."""
    shown = list(dict.fromkeys(f"{value:+.4g}" if sign else f"{value:.4g}" for value in values))
    return ", ".join(shown[:3] + ["..."] * (len(shown) > 3)), len(shown) > 1
