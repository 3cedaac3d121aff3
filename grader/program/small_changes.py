"""What people take for what: operations, axes and operands, for the mutants of `audit`, for repairs and for practice."""

from __future__ import annotations

OTHERS: dict[str, tuple[str, ...]] = {
    **{"sin": ("cos",), "cos": ("sin",), "add": ("sub",), "sub": ("add",), "mul": ("div",), "div": ("mul",)},
    **{"max": ("min",), "min": ("max",), "floor": ("ceil",), "ceil": ("floor",), "pow": ("mul",), "eq": ("ne",)},
    **{"ne": ("eq",), "and": ("or",), "or": ("and",), "lt": ("le", "gt"), "le": ("lt", "ge"), "gt": ("ge", "lt")},
    **{"ge": ("gt", "le"), "exp": ("exp2",), "expm1": ("exp",), "log1p": ("log",), "argmax": ("argmin",)},
    **{"argmin": ("argmax",), "reduce_sum": ("reduce_max",), "reduce_min": ("reduce_max",), "cumprod": ("cumsum",)},
    **{"reduce_and": ("reduce_or",), "reduce_or": ("reduce_and",), "reduce_prod": ("reduce_sum",), "sqrt": ("rsqrt",)},
    **{"rsqrt": ("sqrt",), "tanh": ("logistic",), "logistic": ("tanh",), "erf": ("tanh",)},
    **{"device_psum": ("device_pmax",), "device_pmax": ("device_psum",), "device_pmin": ("device_pmax",)},
}
"""The operations that may stand in the place of one."""

DROPPED = frozenset(
    (
        *("neg", "abs", "sqrt", "rsqrt", "exp", "log", "floor", "ceil", "round", "tanh", "logistic", "square", "sign"),
        *("not", "integer_pow", "transpose", "rev", "cumsum", "cumprod", "cummax", "cummin", "erf", "sort"),
        *("device_psum", "device_pmax", "device_pmin", "device_ppermute"),
    )
)
"""Operations that may be forgotten: what they are given takes their place."""

EXCHANGED = frozenset(("sub", "div", "pow", "rem", "atan2"))
"""Operations of two operands that may be exchanged."""

AXES = {
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "argmax", "argmin"), "axes"),
    **dict.fromkeys(("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"), "axis"),
    **dict.fromkeys(("iota", "concatenate", "sort"), "dimension"),
    "broadcast_in_dim": "broadcast_dimensions",
}
"""The parameter that holds the axis of an operation, or a list of one or more."""
