"""What happens to numbers when a program is evaluated again: nothing, rounding noise, or the noise of its constants."""

from __future__ import annotations

import hashlib
from typing import Any, Protocol

import numpy as np

from grader.values.arrays import UNIT_ROUNDOFF, Array

DIGITS = 6
"""A float32 with at most this many significant decimal digits means that decimal: 0.999, 1e-5, 10000.0."""

HALVES = {"float16": 2.0**-11, "bfloat16": 2.0**-8}
"""Unit roundoff of the dtypes of 16 bits."""

FEW_BITS = 12
"""A float32 with at most this many significant binary digits means that number, as 2**-20 does."""

BITS = 4
"""A literal of 16 bits with at most this many significant binary digits means that number: 0.125, 10, -0.75."""


class Arithmetic(Protocol):
    """What happens to a literal, to a constant, and to a result that float32 would have rounded."""

    def literal(self, value: Array, unit: float = UNIT_ROUNDOFF) -> Array:
        """The value of a literal of the program, whose dtype has this unit roundoff."""
        ...

    def constant(self, value: Array) -> Array:
        """The values of a float32 array that the program holds, as float64."""
        ...

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        """The result of an operation; `magnitude` is the sum of the absolute terms if the operation is a sum."""
        ...

    @property
    def exact(self) -> bool:
        """Whether no result is rounded, so that magnitudes need not be computed."""
        ...


class Exact:
    """Float64 throughout: the expected values."""

    exact = True

    def literal(self, value: Array, unit: float = UNIT_ROUNDOFF) -> Array:
        return value

    def constant(self, value: Array) -> Array:
        return value

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        return value


class Noisy:
    """Float64, each inexact result multiplied by `1 + unit*z`, z uniform in [-1, 1] (Monte Carlo arithmetic; Parker 1997).

    The noise of a sum or a dot product is relative to the sum of its absolute terms, so cancellation does not hide it.
    """

    exact = False

    def __init__(self, seed: int, unit: float = UNIT_ROUNDOFF) -> None:
        self._random = np.random.default_rng(seed)
        self._unit = unit

    def literal(self, value: Array, unit: float = UNIT_ROUNDOFF) -> Array:
        representable = value == value.astype(np.float32)
        return value if bool(np.all(representable)) else self.rounded(value, None)

    def constant(self, value: Array) -> Array:
        return value

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        noise = self._unit * (2.0 * self._random.random(np.shape(value)) - 1.0)  # faster than `uniform`
        if magnitude is None:
            return value * (1.0 + noise)
        return np.where(np.isfinite(magnitude), value + magnitude * noise, value)


class RepeatedNoise(Noisy):
    """The same noise for the same result: programs that share operations can share what these give.

    The error of a device is a function of what it computes as well.
    """

    def __init__(self, seed: int, unit: float = UNIT_ROUNDOFF) -> None:
        super().__init__(seed, unit)
        self._by_value = _ByValue(seed)

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        self._random = self._by_value.random(value)
        return super().rounded(value, magnitude)


class _ByValue:
    """Random numbers that are a function of a seed and of a value."""

    def __init__(self, seed: int) -> None:
        self._seed = seed.to_bytes(8, "little")
        self._bits = np.random.PCG64(0)
        self._start = self._bits.state
        self._generator = np.random.Generator(self._bits)

    def random(self, value: Array) -> np.random.Generator:
        digest = hashlib.blake2b(np.asarray(value).tobytes(), digest_size=16, key=self._seed).digest()
        state = {**self._start["state"], "state": int.from_bytes(digest, "little")}
        self._bits.state = {**self._start, "state": state}  # pyright: ignore[reportAttributeAccessIssue]
        return self._generator


class NoisyConstants:
    """Exact operations on constants that are as uncertain as float32 makes them.

    A constant of at most `DIGITS` significant digits means that decimal. Any other was rounded to float32 before: it gets a
    uniform error of up to one unit roundoff, the same wherever it stands.
    """

    exact = True

    def __init__(self, seed: int) -> None:
        self._by_value = _ByValue(seed)

    def literal(self, value: Array, unit: float = UNIT_ROUNDOFF) -> Array:
        if unit > UNIT_ROUNDOFF:
            return value if has_few_bits(value, BITS) else self._noisy(value, unit)
        return value if _is_decimal(value) or bool(value == value.astype(np.float32)) else self._noisy(value)

    def constant(self, value: Array) -> Array:
        return np.where(short := is_short(value), _decimal(value), value if short.all() else self._noisy(value))

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        return value

    def _noisy(self, value: Array, unit: float = UNIT_ROUNDOFF) -> Array:
        return value * (1.0 + unit * self._by_value.random(value).uniform(-1.0, 1.0, np.shape(value)))


def _decimal(value: Array) -> Array:
    """The nearest decimals of `DIGITS` significant digits."""
    with np.errstate(all="ignore"):
        exponent = np.floor(np.log10(np.where(value == 0, 1.0, np.abs(value)))) - (DIGITS - 1)
        scale = 10.0 ** np.abs(exponent)
        # Dividing by a power of ten is exact where multiplying by its inverse is not.
        rounded = np.where(exponent < 0, np.rint(value * scale) / scale, np.rint(value / scale) * scale)
        return np.where(np.isfinite(value), rounded, value)


def is_short(value: Array) -> Array:
    """Which numbers are the float32 of such a decimal."""
    with np.errstate(all="ignore"):
        return (_decimal(value).astype(np.float32) == value.astype(np.float32)) | ~np.isfinite(value)


def has_few_bits(value: Array | np.floating[Any], bits: int) -> bool:
    """Whether one number has at most `bits` significant binary digits. A number that is not finite has."""
    scaled = np.frexp(value)[0] * 2.0**bits
    return bool(scaled == np.rint(scaled)) or not np.isfinite(value)


def _is_decimal(value: Array) -> bool:
    """Whether one number, the shortest decimal of a float32, has few digits."""
    digits = repr(float(value)).split("e")[0].replace("-", "").replace(".", "").strip("0")
    return not np.isfinite(value) or len(digits) <= DIGITS


def to_bfloat16(value: Array) -> Array:
    """The nearest numbers of 16 bits, as float32."""
    import ml_dtypes  # here and not above: few programs hold such numbers

    return value.astype(ml_dtypes.bfloat16).astype(np.float32)


def quiet() -> np.errstate:
    """No warnings of NumPy: a division by zero shows in the values."""
    return np.errstate(all="ignore")
