"""The errors that people often meet in JAX, each with one sentence of advice."""

from __future__ import annotations

from typing import NamedTuple

from grader.locale.language import N_

_OF_JAX_NN = "(?P<function>softmax|log_softmax|relu|gelu|sigmoid|silu|one_hot|logsumexp)"


class Known(NamedTuple):
    """An error: its class or a base class, a pattern in its message, advice whose fields are the named groups of that
    pattern, and a pattern in the learner's line that raised it. Of entries for one message, those with a line come first.

    `in_cells` is the advice for an answer from a notebook, if that is other advice.
    """

    error: str
    message: str
    advice: str
    line: str = ""
    in_cells: str = ""


ADVICE: tuple[Known, ...] = (
    Known(
        "TypeError",
        r"JAX arrays are immutable|object does not support item assignment",
        N_("JAX arrays cannot be changed in place: build the new array with x = x.at[i].set(value)."),
    ),
    Known(
        "ValueError",
        "^Zero-dimensional arrays cannot be concatenated",
        N_("jnp.concatenate takes one list of arrays: jnp.concatenate([a, b]). A number has no axis: use `x[None]`."),
    ),
    Known(
        "TypeError",
        "^Only scalar arrays can be converted to Python scalars",
        N_("A function of `math`, float() or int() takes one number: for an array, use the function in jax.numpy."),
    ),
    Known(
        "TracerArrayConversionError",
        "",
        N_("NumPy cannot take a value that JAX is tracing: use the function of the same name in jax.numpy."),
    ),
    Known(
        "TracerBoolConversionError",
        "",
        N_(
            "`while` needs a Python value, and this one is traced: loop with jax.lax.while_loop, or with "
            "jax.lax.fori_loop if the number of steps is known."
        ),
        line=r"^\s*while\b",
    ),
    Known(
        "TracerBoolConversionError",
        "",
        N_("`if` and `while` need a Python value, and this one is traced: choose with jnp.where or jax.lax.cond."),
    ),
    Known(
        "TracerIntegerConversionError",
        "",
        N_("A traced value cannot be a Python index or size: compute sizes from the arguments, not from arrays."),
    ),
    Known(
        "NonConcreteBooleanIndexError",
        "",
        N_(
            "The shape of x[mask] depends on values, which are not known while JAX traces: use jnp.where(mask, x, "
            "other)."
        ),
    ),
    Known(
        "ConcretizationTypeError",
        r"arose with the `(?:float|int|bool|complex)` function",
        N_(
            "float(), int() and bool() need a Python value, and this one is traced: leave the call out, and compute "
            "with the array."
        ),
    ),
    Known(
        "ConcretizationTypeError",
        "",
        N_(
            "A size, or which values there are, must be known before any number: compute sizes from the arguments, or "
            "keep the whole shape and choose with jnp.where."
        ),
    ),
    Known(
        "UnexpectedTracerError",
        "",
        N_(
            "A traced value is used outside of the function that JAX traced: return it, or pass it on as an argument. "
            "The rules of a jax.custom_vjp, too, get all values as arguments or residuals."
        ),
    ),
    Known(
        "TypeError",
        r"indices must be integers|Indexer must have integer|cannot be interpreted as an integer"
        r"|Shapes must be 1D sequences of concrete values of integer type|must be an integer|slice indices must be",
        N_("An index, a size or a shape has to be an int: divide with //, or convert with int()."),
    ),
    Known(
        "IndexError",
        r"must be static integers|Array slice indices must have static",
        N_(
            "The length of a slice must be known before any number: keep the whole shape, and hide the rest with "
            "jnp.where."
        ),
    ),
    Known(
        "IndexError",
        r"only integers, slices",
        N_("An index has to be an int: divide with //, or convert with int()."),
    ),
    Known(
        "Exception",
        r"[Ii]ncompatible shapes for broadcasting|got incompatible shapes|could not be broadcast",
        N_(
            "Shapes broadcast from the right, and each pair of sizes must be equal or hold a 1. Compare the two "
            "shapes: is there an axis too many, or does x[:, None] add the one that is missing?"
        ),
    ),
    Known(
        "ValueError",
        r"truth value of an array with more than one element is ambiguous",
        N_(
            "`if`, `and`, `or` and `not` need one value, and this is an array: choose with jnp.where, combine with &, "
            "| and ~."
        ),
    ),
    Known(
        "TypeError",
        r"dot_general requires contracting dimensions to have the same shape",
        N_(
            "In a @ b the last axis of a must be as long as the second last of b: print both shapes. "
            "Is a slice empty, or an axis in another place?"
        ),
    ),
    Known(
        "TypeError",
        "cannot reshape array",
        N_("A causal mask is made from an array with one number for each position: nnx.make_causal_mask(jnp.ones(T))."),
        line=r"\bmake_causal_mask\b",
    ),
    Known(
        "TypeError",
        "cannot reshape array",
        N_("A reshape keeps the number of values: multiply out both shapes and compare."),
        line="reshape",
    ),
    Known(
        "TypeError",
        "cannot reshape array",
        N_(
            "A function that this line calls reshapes an array: compare the shapes that it gets with those that it "
            "takes."
        ),
    ),
    Known(
        "TypeError",
        r"requires ndarray or scalar arguments|not a valid JAX type|is not a valid JAX array type",
        N_("jax.numpy takes arrays and numbers, not lists: wrap the list in jnp.array(...)."),
    ),
    Known(
        "TypeError",
        r"JAX encountered invalid PRNG key|unexpected PRNG key type|must be a key",
        N_(
            "jax.random takes a key first: make one with jax.random.key(seed). A stream of nnx.Rngs gives one when it "
            "is called."
        ),
    ),
    Known(
        "TypeError",
        r"^Expected a callable value, got|^[^\n]* is not a callable object",
        N_(
            "A transform such as jax.grad takes a function, and here it got a value: write jax.grad(loss)(x), not "
            "jax.grad(loss(x))."
        ),
    ),
    Known(
        "TypeError",
        r"^'([\w.]*\.)?(\w*Tracer|ArrayImpl|ndarray|float\d*|int\d*)' object is not callable",
        N_(
            "An array or a number is called here as if it were a function: is a `*` missing before the bracket, or are "
            "two arguments exchanged?"
        ),
    ),
    Known(
        "TypeError",
        r"^'[A-Z](?!oneType')\w*' object is not callable",
        N_("Python runs the method `__call__` of an object that is called: does its class have a method of that name?"),
    ),
    Known(
        "TypeError",
        r"^scan body output must be a pair",
        N_("The body of a scan returns two things: the new carry, and what this step adds to the output, or None."),
    ),
    Known(
        "TypeError",
        r"^scan body function carry input and carry output must have the same pytree structure",
        N_("The body of a scan returns two things: the new carry, built like the first one, and an output or None."),
    ),
    Known(
        "TypeError",
        r"^(scan|while_loop|fori_loop) body function carry input and carry output must have",
        N_(
            "The carry of a loop keeps its shape and dtype in every step: begin with one that has them, as in "
            "jnp.zeros(shape)."
        ),
    ),
    Known(
        "TypeError",
        r"^(cond|switch) branches must have equal output types",
        N_(
            "All branches return the same shapes and dtypes: compare what each returns. `1` is an int, and `1.0` a "
            "float."
        ),
    ),
    Known(
        "ValueError",
        r"^(scan|vmap) got (values with|inconsistent sizes for)",
        N_("All arrays that are mapped or scanned over have the same length along the axis that is taken apart."),
    ),
    Known(
        "TypeError",
        "^Custom VJP bwd rule .*must produce an output with the same container",
        N_(
            "The backward rule returns a tuple with one gradient for each argument of the function. For one argument "
            "it is `return (g,)`."
        ),
    ),
    Known(
        "TypeError",
        "^Custom VJP fwd rule .*must produce a pair",
        N_("The forward rule returns two things: the output, and what the backward rule needs, or None."),
    ),
    Known(
        "ValueError",
        "^Only interpret mode is supported on CPU",
        N_("A CPU does not run a kernel of Pallas as it is: write pl.pallas_call(..., interpret=True)."),
    ),
    Known(
        "TypeError",
        "^Gradient only defined for scalar-output functions",
        N_("jax.grad differentiates one number: let the function return the sum or the mean."),
    ),
    Known(
        "AttributeError",
        r"^No RngStream named '(?P<stream>\w+)'",
        N_("nnx.Rngs({stream}=key) has a stream of this name. nnx.Rngs(key) gives keys for every name."),
    ),
    Known(
        "TypeError",
        r"missing 1 required keyword-only argument: 'rngs'",
        N_("A layer that draws its weights needs keys: pass them by name, as in `rngs=rngs`."),
    ),
    Known(
        "Exception",
        "^Cannot (extract graph node|mutate .*) from (a )?different trace level",
        N_(
            "A function that JAX transforms may change only modules that are its arguments: hand it each of them, an "
            "optimizer too."
        ),
    ),
    Known(
        "ValueError",
        "^pytree structure error",
        N_(
            "Two trees should have the same structure, but they differ. For nnx.Optimizer: the filters of wrt= and of the "
            "gradient should pick the same variables."
        ),
    ),
    Known(
        "ValueError",
        "Static attributes should not contain data values",
        N_("A module keeps a list of modules or arrays in nnx.List([...])."),
    ),
    Known(
        "TypeError",
        r"^xor does not accept dtype|for \^:|bitwise_xor. not supported",
        N_("`^` is exclusive or in Python: a power is written `**`."),
    ),
    Known(
        "TypeError",
        r"Cannot interpret '\d+' as a data type|data type '?\d+'? not understood",
        N_("A shape is one tuple: write jnp.ones((rows, columns)), with two pairs of brackets."),
    ),
    Known(
        "AttributeError",
        rf"^module 'jax(?:\.numpy)?' has no attribute '{_OF_JAX_NN}'",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
    ),
    Known(
        "NameError",
        rf"^name '{_OF_JAX_NN}' is not defined",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
    ),
    Known(
        "NameError",
        r"^name 'np' is not defined",
        N_(
            "Write `jnp`, or add `import numpy as np` at the top of the file: NumPy computes in float64, so end with "
            "`.astype(np.float32)` then."
        ),
        in_cells=N_(
            "Write `jnp`, or add `import numpy as np` in a cell of the notebook: NumPy computes in float64, "
            "so end with `.astype(np.float32)` then."
        ),
    ),
    Known(
        "NameError",
        r"^name 'jnp' is not defined",
        N_("Add `import jax.numpy as jnp` at the top of the file."),
        in_cells=N_("Add `import jax.numpy as jnp` in a cell of the notebook."),
    ),
    Known(
        "NameError",
        r"^name 'math' is not defined",
        N_("Add `import math` at the top of the file."),
        in_cells=N_("Add `import math` in a cell of the notebook."),
    ),
    Known(
        "NameError",
        r"^name 'jax' is not defined",
        N_("Add `import jax` at the top of the file."),
        in_cells=N_("Add `import jax` in a cell of the notebook."),
    ),
    Known(
        "NameError",
        "^name 'nn' is not defined",
        N_(
            "Layers are in Flax: add `from flax import nnx` at the top of the file, and write `nnx.` in place of `nn.`."
        ),
        line=r"\bnn\.[A-Z]",
        in_cells=N_(
            "Layers are in Flax: add `from flax import nnx` in a cell of the notebook, and write `nnx.` in "
            "place of `nn.`."
        ),
    ),
    Known(
        "NameError",
        "^name 'nn' is not defined",
        N_("Functions such as softmax are in JAX: add `from jax import nn` at the top of the file."),
        line=r"\bnn\.[a-z]",
        in_cells=N_("Functions such as softmax are in JAX: add `from jax import nn` in a cell of the notebook."),
    ),
    Known(
        "NameError",
        r"^name 'nn' is not defined",
        N_("Add `from jax import nn` at the top of the file for functions, `from flax import nnx` for layers."),
        in_cells=N_(
            "Add `from jax import nn` in a cell of the notebook for functions, `from flax import nnx` for layers."
        ),
    ),
    Known(
        "NameError",
        r"^name 'nnx' is not defined",
        N_("Add `from flax import nnx` at the top of the file."),
        in_cells=N_("Add `from flax import nnx` in a cell of the notebook."),
    ),
    Known(
        "SyntaxError",
        "'return' outside function",
        N_("This line stands outside of the function: indent all lines of the function by four spaces."),
    ),
    Known(
        "SyntaxError",
        "invalid (decimal|imaginary) literal",
        N_(
            "A number is followed by something that cannot follow it: write `2 * k` for `2k`, and `-` for a pasted "
            "dash."
        ),
    ),
    Known(
        "SyntaxError",
        "^invalid character '[−–—‐‑]'",
        N_("A sign that is not a minus was pasted, perhaps from a web page: type the minus key, `-`."),
    ),
    Known(
        "SyntaxError",
        "^invalid character '[“”„«»″]'",
        N_('A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `"`.'),
    ),
    Known(
        "SyntaxError",
        "^invalid character '[‘’‚′]'",
        N_("A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `'`."),
    ),
    Known(
        "SyntaxError",
        "^invalid character '[×·∙]'",
        N_("A sign that is not an asterisk was pasted, perhaps from a web page: type the asterisk, `*`."),
    ),
    Known(
        "SyntaxError",
        r"^invalid (non-printable )?character",
        N_(
            "A character that only looks right was pasted, perhaps from a web page: type the quote, minus or space "
            "again."
        ),
    ),
    Known(
        "TypeError",
        r"unexpected keyword argument '(dim|keepdim)'",
        N_("In JAX these arguments are called `axis` and `keepdims`."),
    ),
    Known(
        "ZeroDivisionError",
        "",
        N_("Which number is zero here: a length, a count, or a difference of two equal numbers?"),
    ),
    Known("RecursionError", "", N_("The function calls itself without an end: which call should be the last?")),
    Known("SystemExit", "", N_("An answer returns its value: take out the call that exits.")),
    Known(
        "TabError",
        "",
        N_("The line begins with a tab where others begin with spaces: write four spaces in place of each tab."),
    ),
    Known(
        "IndentationError",
        "",
        N_("Every line of one block begins at the same column: compare this line with the one above."),
    ),
    Known(
        "ModuleNotFoundError",
        r"^(import of |No module named ')(problems|solutions)\b",
        N_("An answer is one file, and can import no other file of the kit: copy what you need into it."),
    ),
    Known(
        "ImportError",
        "attempted relative import",
        N_("An answer is one file, and can import no other file of the kit: copy what you need into it."),
    ),
    Known("ModuleNotFoundError", "", N_("An answer may import jax, flax, optax, numpy and the standard library.")),
)
