"""One sentence of advice for the errors that people often meet in JAX, and for those that habits of PyTorch make there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from grader.locale.language import N_
from grader.marking.verdict import Cause, Described, Frame, Raised
from grader.values.message import NO_MESSAGE, Message, message, verbatim

_OF_JAX_NN = "(?P<function>softmax|log_softmax|relu|gelu|sigmoid|silu|one_hot|logsumexp)"


class KnownError(NamedTuple):
    """An error: its class or a base class, a pattern in its message, advice whose fields are the named groups of that
    pattern, and a pattern in the learner's line that raised it. Of entries for one message, those with a line come first.

    `in_cells` is the advice for an answer from a notebook, if that is other advice.
    """

    error: str
    message: str
    advice: str
    line: str = ""
    in_cells: str = ""


KNOWN_ERRORS: tuple[KnownError, ...] = (
    KnownError(
        "TypeError",
        r"JAX arrays are immutable|object does not support item assignment",
        N_("JAX arrays cannot be changed in place: build the new array with x = x.at[i].set(value)."),
    ),
    KnownError(
        "ValueError",
        "^Zero-dimensional arrays cannot be concatenated",
        N_("jnp.concatenate takes one list of arrays: jnp.concatenate([a, b]). A number has no axis: use `x[None]`."),
    ),
    KnownError(
        "TypeError",
        "^Only scalar arrays can be converted to Python scalars",
        N_("A function of `math`, float() or int() takes one number: for an array, use the function in jax.numpy."),
    ),
    KnownError(
        "TracerArrayConversionError",
        "",
        N_("NumPy cannot take a value that JAX is tracing: use the function of the same name in jax.numpy."),
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_(
            "`while` needs a Python value, and this one is traced: loop with jax.lax.while_loop, or with "
            "jax.lax.fori_loop if the number of steps is known."
        ),
        line=r"^\s*while\b",
    ),
    KnownError(
        "TracerBoolConversionError",
        "",
        N_("`if` and `while` need a Python value, and this one is traced: choose with jnp.where or jax.lax.cond."),
    ),
    KnownError(
        "TracerIntegerConversionError",
        "",
        N_("A traced value cannot be a Python index or size: compute sizes from the arguments, not from arrays."),
    ),
    KnownError(
        "NonConcreteBooleanIndexError",
        "",
        N_(
            "The shape of x[mask] depends on values, which are not known while JAX traces: use jnp.where(mask, x, "
            "other)."
        ),
    ),
    KnownError(
        "ConcretizationTypeError",
        r"arose with the `(?:float|int|bool|complex)` function",
        N_(
            "float(), int() and bool() need a Python value, and this one is traced: leave the call out, and compute "
            "with the array."
        ),
    ),
    KnownError(
        "ConcretizationTypeError",
        "",
        N_(
            "A size, or which values there are, must be known before any number: compute sizes from the arguments, or "
            "keep the whole shape and choose with jnp.where."
        ),
    ),
    KnownError(
        "UnexpectedTracerError",
        "",
        N_(
            "A traced value is used outside of the function that JAX traced: return it, or pass it on as an argument. "
            "The rules of a jax.custom_vjp, too, get all values as arguments or residuals."
        ),
    ),
    KnownError(
        "TypeError",
        r"indices must be integers|Indexer must have integer|cannot be interpreted as an integer"
        r"|Shapes must be 1D sequences of concrete values of integer type|must be an integer|slice indices must be",
        N_("An index, a size or a shape has to be an int: divide with //, or convert with int()."),
    ),
    KnownError(
        "IndexError",
        r"must be static integers|Array slice indices must have static",
        N_(
            "The length of a slice must be known before any number: keep the whole shape, and hide the rest with "
            "jnp.where."
        ),
    ),
    KnownError(
        "IndexError",
        r"only integers, slices",
        N_("An index has to be an int: divide with //, or convert with int()."),
    ),
    KnownError(
        "Exception",
        r"[Ii]ncompatible shapes for broadcasting|got incompatible shapes|could not be broadcast",
        N_(
            "Shapes broadcast from the right, and each pair of sizes must be equal or hold a 1. Compare the two "
            "shapes: is there an axis too many, or does x[:, None] add the one that is missing?"
        ),
    ),
    KnownError(
        "ValueError",
        r"truth value of an array with more than one element is ambiguous",
        N_(
            "`if`, `and`, `or` and `not` need one value, and this is an array: choose with jnp.where, combine with &, "
            "| and ~."
        ),
    ),
    KnownError(
        "TypeError",
        r"dot_general requires contracting dimensions to have the same shape",
        N_(
            "In a @ b the last axis of a must be as long as the second last of b: print both shapes. "
            "Is a slice empty, or an axis in another place?"
        ),
    ),
    KnownError(
        "TypeError",
        "cannot reshape array",
        N_("A causal mask is made from an array with one number for each position: nnx.make_causal_mask(jnp.ones(T))."),
        line=r"\bmake_causal_mask\b",
    ),
    KnownError(
        "TypeError",
        "cannot reshape array",
        N_("A reshape keeps the number of values: multiply out both shapes and compare."),
        line="reshape",
    ),
    KnownError(
        "TypeError",
        "cannot reshape array",
        N_(
            "A function that this line calls reshapes an array: compare the shapes that it gets with those that it "
            "takes."
        ),
    ),
    KnownError(
        "TypeError",
        r"requires ndarray or scalar arguments|not a valid JAX type|is not a valid JAX array type",
        N_("jax.numpy takes arrays and numbers, not lists: wrap the list in jnp.array(...)."),
    ),
    KnownError(
        "TypeError",
        r"JAX encountered invalid PRNG key|unexpected PRNG key type|must be a key",
        N_(
            "jax.random takes a key first: make one with jax.random.key(seed). A stream of nnx.Rngs gives one when it "
            "is called."
        ),
    ),
    KnownError(
        "TypeError",
        r"^Expected a callable value, got|^[^\n]* is not a callable object",
        N_(
            "A transform such as jax.grad takes a function, and here it got a value: write jax.grad(loss)(x), not "
            "jax.grad(loss(x))."
        ),
    ),
    KnownError(
        "TypeError",
        r"^'([\w.]*\.)?(\w*Tracer|ArrayImpl|ndarray|float\d*|int\d*)' object is not callable",
        N_(
            "An array or a number is called here as if it were a function: is a `*` missing before the bracket, or are "
            "two arguments exchanged?"
        ),
    ),
    KnownError(
        "TypeError",
        r"^'[A-Z](?!oneType')\w*' object is not callable",
        N_("Python runs the method `__call__` of an object that is called: does its class have a method of that name?"),
    ),
    KnownError(
        "TypeError",
        r"^scan body output must be a pair",
        N_("The body of a scan returns two things: the new carry, and what this step adds to the output, or None."),
    ),
    KnownError(
        "TypeError",
        r"^scan body function carry input and carry output must have the same pytree structure",
        N_("The body of a scan returns two things: the new carry, built like the first one, and an output or None."),
    ),
    KnownError(
        "TypeError",
        r"^(scan|while_loop|fori_loop) body function carry input and carry output must have",
        N_(
            "The carry of a loop keeps its shape and dtype in every step: begin with one that has them, as in "
            "jnp.zeros(shape)."
        ),
    ),
    KnownError(
        "TypeError",
        r"^(cond|switch) branches must have equal output types",
        N_(
            "All branches return the same shapes and dtypes: compare what each returns. `1` is an int, and `1.0` a "
            "float."
        ),
    ),
    KnownError(
        "ValueError",
        r"^(scan|vmap) got (values with|inconsistent sizes for)",
        N_("All arrays that are mapped or scanned over have the same length along the axis that is taken apart."),
    ),
    KnownError(
        "TypeError",
        "^Custom VJP bwd rule .*must produce an output with the same container",
        N_(
            "The backward rule returns a tuple with one gradient for each argument of the function. For one argument "
            "it is `return (g,)`."
        ),
    ),
    KnownError(
        "TypeError",
        "^Custom VJP fwd rule .*must produce a pair",
        N_("The forward rule returns two things: the output, and what the backward rule needs, or None."),
    ),
    KnownError(
        "ValueError",
        "^Only interpret mode is supported on CPU",
        N_("A CPU does not run a kernel of Pallas as it is: write pl.pallas_call(..., interpret=True)."),
    ),
    KnownError(
        "TypeError",
        "^Gradient only defined for scalar-output functions",
        N_("jax.grad differentiates one number: let the function return the sum or the mean."),
    ),
    KnownError(
        "AttributeError",
        r"^No RngStream named '(?P<stream>\w+)'",
        N_("nnx.Rngs({stream}=key) has a stream of this name. nnx.Rngs(key) gives keys for every name."),
    ),
    KnownError(
        "TypeError",
        r"missing 1 required keyword-only argument: 'rngs'",
        N_("A layer that draws its weights needs keys: pass them by name, as in `rngs=rngs`."),
    ),
    KnownError(
        "Exception",
        "^Cannot (extract graph node|mutate .*) from (a )?different trace level",
        N_(
            "A function that JAX transforms may change only modules that are its arguments: hand it each of them, an "
            "optimizer too."
        ),
    ),
    KnownError(
        "ValueError",
        "^pytree structure error",
        N_(
            "Two trees should have the same structure, but they differ. For nnx.Optimizer: the filters of wrt= and of the "
            "gradient should pick the same variables."
        ),
    ),
    KnownError(
        "ValueError",
        "Static attributes should not contain data values",
        N_("A module keeps a list of modules or arrays in nnx.List([...])."),
    ),
    KnownError(
        "TypeError",
        r"^xor does not accept dtype|for \^:|bitwise_xor. not supported",
        N_("`^` is exclusive or in Python: a power is written `**`."),
    ),
    KnownError(
        "TypeError",
        r"Cannot interpret '\d+' as a data type|data type '?\d+'? not understood",
        N_("A shape is one tuple: write jnp.ones((rows, columns)), with two pairs of brackets."),
    ),
    KnownError(
        "AttributeError",
        rf"^module 'jax(?:\.numpy)?' has no attribute '{_OF_JAX_NN}'",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
    ),
    KnownError(
        "NameError",
        rf"^name '{_OF_JAX_NN}' is not defined",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
    ),
    KnownError(
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
    KnownError(
        "NameError",
        r"^name 'jnp' is not defined",
        N_("Add `import jax.numpy as jnp` at the top of the file."),
        in_cells=N_("Add `import jax.numpy as jnp` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'math' is not defined",
        N_("Add `import math` at the top of the file."),
        in_cells=N_("Add `import math` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'jax' is not defined",
        N_("Add `import jax` at the top of the file."),
        in_cells=N_("Add `import jax` in a cell of the notebook."),
    ),
    KnownError(
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
    KnownError(
        "NameError",
        "^name 'nn' is not defined",
        N_("Functions such as softmax are in JAX: add `from jax import nn` at the top of the file."),
        line=r"\bnn\.[a-z]",
        in_cells=N_("Functions such as softmax are in JAX: add `from jax import nn` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'nn' is not defined",
        N_("Add `from jax import nn` at the top of the file for functions, `from flax import nnx` for layers."),
        in_cells=N_(
            "Add `from jax import nn` in a cell of the notebook for functions, `from flax import nnx` for layers."
        ),
    ),
    KnownError(
        "NameError",
        r"^name 'nnx' is not defined",
        N_("Add `from flax import nnx` at the top of the file."),
        in_cells=N_("Add `from flax import nnx` in a cell of the notebook."),
    ),
    KnownError(
        "SyntaxError",
        "'return' outside function",
        N_("This line stands outside of the function: indent all lines of the function by four spaces."),
    ),
    KnownError(
        "SyntaxError",
        "invalid (decimal|imaginary) literal",
        N_(
            "A number is followed by something that cannot follow it: write `2 * k` for `2k`, and `-` for a pasted "
            "dash."
        ),
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[−–—‐‑]'",
        N_("A sign that is not a minus was pasted, perhaps from a web page: type the minus key, `-`."),
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[“”„«»″]'",
        N_('A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `"`.'),
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[‘’‚′]'",
        N_("A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `'`."),
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[×·∙]'",
        N_("A sign that is not an asterisk was pasted, perhaps from a web page: type the asterisk, `*`."),
    ),
    KnownError(
        "SyntaxError",
        r"^invalid (non-printable )?character",
        N_(
            "A character that only looks right was pasted, perhaps from a web page: type the quote, minus or space "
            "again."
        ),
    ),
    KnownError(
        "TypeError",
        r"unexpected keyword argument '(dim|keepdim)'",
        N_("In JAX these arguments are called `axis` and `keepdims`."),
    ),
    KnownError(
        "ZeroDivisionError",
        "",
        N_("Which number is zero here: a length, a count, or a difference of two equal numbers?"),
    ),
    KnownError("RecursionError", "", N_("The function calls itself without an end: which call should be the last?")),
    KnownError("SystemExit", "", N_("An answer returns its value: take out the call that exits.")),
    KnownError(
        "TabError",
        "",
        N_("The line begins with a tab where others begin with spaces: write four spaces in place of each tab."),
    ),
    KnownError(
        "IndentationError",
        "",
        N_("Every line of one block begins at the same column: compare this line with the one above."),
    ),
    KnownError(
        "ModuleNotFoundError",
        r"^(import of |No module named ')(problems|solutions)\b",
        N_("An answer is one file, and can import no other file of the kit: copy what you need into it."),
    ),
    KnownError(
        "ImportError",
        "attempted relative import",
        N_("An answer is one file, and can import no other file of the kit: copy what you need into it."),
    ),
    KnownError("ModuleNotFoundError", "", N_("An answer may import jax, flax, optax, numpy and the standard library.")),
)


def _method(names: str, advice: str) -> KnownError:
    """Advice for a method, or one of several, that arrays have in PyTorch alone."""
    return KnownError(
        "AttributeError", rf"(?:ArrayImpl|Tracer|ndarray)\b[^\n]* has no attribute '?(?P<method>{names})\b", advice
    )


def _function(names: str, advice: str) -> KnownError:
    """Advice for a name that a module of JAX, Flax or Optax does not have."""
    return KnownError(
        "AttributeError", rf"^[Mm]odule '?(?:jax|flax|optax)[\w.]*'? has no attribute '({names})'", advice
    )


_LIBRARY = N_(
    "An answer is written in JAX: use jax.numpy for torch, jax.nn for torch.nn.functional, flax.nnx for torch.nn."
)

_ONE_LIST = N_("jnp.concatenate, stack, vstack and hstack take one list of arrays: jnp.vstack([a, b]).")

_DRAWS = N_(
    "Random numbers are in jax.random, and take a key: jax.random.normal(jax.random.key(seed), (rows, columns))."
)

_GRADIENT = N_(
    "JAX differentiates functions: jax.grad(loss)(x) gives the gradient by x, nnx.grad(loss)(model) by a module."
)

_AXIS = N_("Add an axis with x[None], x[:, None] or jnp.expand_dims(x, axis).")
_RESHAPE = N_("In JAX, view does not reshape: write x.reshape(rows, columns), or x.reshape(-1) for one axis.")

_LAST_AXES = N_(
    "transpose takes all axes in their new order: to exchange the last two, write jnp.swapaxes(x, -2, -1) or x.mT."
)

TORCH_HABITS: tuple[KnownError, ...] = (
    KnownError("NameError", r"^name 'torch' is not defined", _LIBRARY),
    KnownError("NameError", r"^name 'F' is not defined", _LIBRARY, line=r"\bF\.[a-z]"),
    KnownError("ModuleNotFoundError", r"^(import of |No module named ')torch\b", _LIBRARY),
    _function("cat", N_("The function is called jnp.concatenate: jnp.concatenate([a, b], axis=0).")),
    _function("randn?|randint|randperm|random|manual_seed|randn?_like", _DRAWS),
    _function("as_tensor|from_numpy|[tT]ensor", N_("An array is made with jnp.array([1.0, 2.0]).")),
    _function("unsqueeze", _AXIS),
    _function("bmm|mm", N_("Matrices, and stacks of them, are multiplied with a @ b.")),
    _function("clamp", N_("The function is called jnp.clip: jnp.clip(x, low, high).")),
    _function("no_grad", N_("Leave it out: JAX computes no gradient that jax.grad or nnx.grad does not ask for.")),
    _function("Parameter", N_("A module keeps an array that is trained as nnx.Param(array).")),
    _function("ModuleList", N_("A module keeps a list of modules in nnx.List([...]).")),
    _function("Embedding", N_("The layer is called nnx.Embed: nnx.Embed(count, size, rngs=rngs).")),
    _function(
        "functional|ReLU|GELU|SiLU|Sigmoid|Tanh|Softmax",
        N_("In Flax these are functions and no layers: write nnx.relu(x), nnx.gelu(x) or nnx.softmax(x)."),
    ),
    _function(
        "optim",
        N_("Optimizers are in optax, and nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param) keeps their state."),
    ),
    _method("numpy|cpu|cuda|contiguous", N_("Leave out .{method}(): jax.numpy takes the array as it is.")),
    _method("to", N_("Leave .to(device) out. To change the dtype, write x.astype(jnp.float32).")),
    _method("detach", N_("A gradient is stopped with jax.lax.stop_gradient(x). Without gradients, use x as it is.")),
    _method(
        "float|double|half|long|int|bool|type",
        N_("An array is converted with x.astype(jnp.float32) or x.astype(jnp.int32)."),
    ),
    _method("unsqueeze", _AXIS),
    _method("permute", N_("All axes get a new order with x.transpose(0, 2, 1) or jnp.transpose(x, (0, 2, 1)).")),
    _method("t", N_("Rows and columns are exchanged with x.T.")),
    _method("expand|expand_as", N_("An array is spread with jnp.broadcast_to(x, shape).")),
    _method("masked_fill", N_("Values are chosen with jnp.where(mask, value, x).")),
    _method("chunk", N_("An array is taken apart with jnp.split(x, parts, axis=-1).")),
    _method("clamp", N_("Values are limited with jnp.clip(x, low, high).")),
    _method("bmm|mm|matmul", N_("Matrices, and stacks of them, are multiplied with a @ b.")),
    _method("backward|grad|requires_grad_?", _GRADIENT),
    _method("norm", N_("The length of a vector is jnp.linalg.norm(x).")),
    _method(
        "softmax|log_softmax|relu|sigmoid|logsumexp", N_("This is a function and no method: write jax.nn.{method}(x).")
    ),
    _method(
        "exp|log|sin|cos|tanh|sqrt|abs|square|tril|triu", N_("This is a function and no method: write jnp.{method}(x).")
    ),
    _method(
        "(?:add|sub|mul|div|copy|fill|zero|clamp)_",
        N_("JAX arrays cannot be changed in place: compute a new one, as in x = x + 1 or x = x.at[i].set(value)."),
    ),
    KnownError("Exception", r"data type|`type` argument|Type must be", _RESHAPE, line=r"\.view\("),
    KnownError(
        "Exception", r"isn't a permutation|axes don't match|positional arguments", _LAST_AXES, line=r"transpose\("
    ),
    KnownError("TypeError", r"dot_general requires contracting", _LAST_AXES, line=r"transpose\((?:\w+, )?-2"),
    KnownError(
        "TypeError",
        r"object is not callable",
        N_(
            "x.size and x.shape have no brackets in JAX: x.size is the number of all values, x.shape[0] the size of an "
            "axis."
        ),
        line=r"\.(size|shape)\(",
    ),
    KnownError(
        "TypeError",
        r"object is not callable",
        N_(
            "An optimizer takes a step with optimizer.update(model, grads), where grads are those of "
            "nnx.grad(loss)(model)."
        ),
        line=r"\bopt\w*\.step\(",
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?zero_grad\b",
        N_("Leave zero_grad() out: each call of nnx.grad gives new gradients."),
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?forward\b",
        N_("A module is called as model(x), which runs its method `__call__`."),
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?(?:parameters|named_parameters|state_dict)\b",
        N_("The trained arrays of a module are nnx.state(model, nnx.Param)."),
    ),
    KnownError(
        "AttributeError",
        r"^'Linear\w*' object has no attribute 'weight'",
        N_("The matrix of nnx.Linear is `kernel`, of shape (inputs, outputs): a weight of PyTorch is its transpose."),
    ),
    KnownError(
        "AttributeError",
        r"^'\w*Norm' object has no attribute 'weight'",
        N_("The factors of a normalisation are its `scale`."),
    ),
    KnownError(
        "AttributeError", r"^'Embed' object has no attribute 'weight'", N_("The table of nnx.Embed is `embedding`.")
    ),
    KnownError(
        "TypeError",
        r"^Missing required argument `wrt`",
        N_("Say which variables are trained: nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)."),
    ),
    KnownError(
        "TypeError",
        r"__init__\(\) takes \d+ positional arguments",
        N_("Keys are passed by name: write rngs=rngs."),
        line=r"[rR]ngs",
    ),
    KnownError(
        "AttributeError",
        r"^'(?:int|[\w.]*ArrayImpl|PRNGKeyArray)' object has no attribute '(?:params|dropout)'",
        N_("rngs= takes streams of keys, and no number or key: write rngs=nnx.Rngs(seed)."),
    ),
    KnownError(
        "ValueError",
        r"no `rngs` argument was provided to Dropout",
        N_("A dropout that is on needs keys: write nnx.Dropout(rate, rngs=rngs), or turn it off with model.eval()."),
    ),
    KnownError(
        "AttributeError",
        r"^No RngStream named 'default'",
        N_(
            "Name the stream that gives the key, as in self.rngs.dropout(). Only nnx.Rngs(key) gives keys without a "
            "name."
        ),
    ),
    KnownError("TypeError", r"unexpected keyword argument 'lr'", N_("Optax calls it learning_rate: optax.adam(1e-3).")),
    KnownError(
        "Exception",
        r"dtype argument|data type|scalar index|valid JAX",
        _ONE_LIST,
        line=r"\b(concatenate|[vhd]?stack|column_stack)\(",
    ),
    KnownError(
        "TypeError",
        r"Cannot interpret 'True' as a data type",
        N_("Pass it by name: jnp.sum(x, axis=-1, keepdims=True)."),
    ),
    KnownError(
        "ConcretizationTypeError",
        r"\b(?P<method>item|tolist)\(\) method",
        N_(
            ".{method}() gives Python numbers, and a traced value has none yet: leave .{method}() out, and compute with the "
            "array."
        ),
    ),
)

CAUSES = {
    Cause.NO_FUNCTION: message("there is no function {name} in the file"),
    Cause.OTHER_FUNCTIONS: message("there is no function {name} in the file; it has {functions}"),
    Cause.NO_CALL: message("{name} is not a function: its type is {type}"),
    Cause.OTHER_PARAMETERS: message("{name} is called as {call}, and cannot take that: {error}"),
    Cause.INDESCRIBABLE: message("(it cannot be described)"),
    Cause.NO_MESSAGE: message("(its message cannot be shown: {error})"),
    Cause.NO_TEXT: message("(its message is not a string)"),
}
"""What is said of each cause, with the details as fields."""


def raised_from(described: Described) -> Raised:
    """An exception that the answer's process describes, with one sentence of advice."""
    frames = described.frames
    line = _marked(frames[-1], described.lineage) if frames else ""
    told = advice_for(described.lineage, described.message, line)
    if described.cause is None:
        return Raised(described.kind, verbatim(first_lines(described.message)), frames, told)
    details = {name: first_lines(said) for name, said in described.details.items()}
    return Raised(described.kind, CAUSES[described.cause].with_fields(**details), frames, told)


def _marked(frame: Frame, lineage: Sequence[str]) -> str:
    """The part of the learner's line that raised; the whole line where that is not known."""
    if "TracerBoolConversionError" in lineage:  # Python marks the condition, and the word before it shows what to write
        return frame.text
    # Of a name that is not defined, Python marks no more than the name, and what follows shows its meaning.
    end = None if "NameError" in lineage else frame.end or None
    return frame.text[frame.start : end]


def advice_for(lineage: Sequence[str], message: str, line: str = "") -> Message:
    """One sentence for a known error; without a text for any other.

    Args:
        lineage: the names of the exception's class and its base classes.
        message: the exception's message.
        line: the part of the learner's line that raised it.
    """
    for known in (*TORCH_HABITS, *KNOWN_ERRORS):
        found = re.search(known.message, message) if known.error in lineage else None
        if found and re.search(known.line, line):
            return Message(known.advice, found.groupdict())
    return NO_MESSAGE


def in_cells(told: Message) -> Message:
    """Advice, as it is given for an answer from a notebook: that has cells and no top of its file."""
    other = (known.in_cells for known in KNOWN_ERRORS if known.in_cells and known.advice == told.text)
    return replace(told, text=next(other, told.text))


MOST_LINES, LONGEST_LINE = 8, 300

_BEFORE_THE_CAUSE = re.compile(r"(?<!options):$|\bdiffer\.$")
"""The end of a line after which JAX leaves a line empty and then tells the cause."""

_NAMES_A_BRANCH = re.compile(r"(true_fun|false_fun|branch ?\d+) is .* at ")


def first_lines(message: str, most: int = 3) -> str:
    """The first lines of a message, at most `most`: messages of JAX continue with links and long advice.

    Three are told where the cause stands behind an empty line, and up to `MOST_LINES` where a sentence goes on in lines of
    its own. A sentence that is cut ends with an ellipsis.
    """
    head: list[str] = []
    behind = False
    for line in (line.rstrip() for line in message.strip().splitlines()):
        if line.startswith("See http"):
            break
        ended = not head or head[-1].endswith((".", "!", "?", "...", ":"))
        if not line:
            behind = behind or (bool(head) and _BEFORE_THE_CAUSE.search(head[-1]) is not None)
            if not behind:
                break
        elif not (behind and _NAMES_A_BRANCH.match(line)):
            goes_on = not ended and (line[0].isspace() or line[0].islower()) and len(head) < MOST_LINES
            if len(head) >= (max(most, 3) if behind else most) and not goes_on:
                head[-1] += "" if ended else " ..."
                break
            head.append(line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 3] + "...")
    return "\n".join(head)
