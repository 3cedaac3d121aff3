"""Errors that habits of PyTorch make in JAX, and what to write there."""

from __future__ import annotations

from collections.abc import Mapping

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError, missing_name

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

_DRAWN = "jax.random.normal(jax.random.key(seed), (rows, columns))"
_WITH_AXIS = "x[None], x[:, None], jnp.expand_dims(x, axis)"
_EXCHANGED = "jnp.swapaxes(cube, -2, -1) + cube.mT"
_JOINED = ("concatenate", "stack", "vstack", "hstack")


def _method(names: str, advice: str, examples: Mapping[str, str]) -> KnownError:
    """Advice for a method, or one of several, that arrays have in PyTorch alone."""
    return KnownError(
        "AttributeError",
        rf"(?:ArrayImpl|Tracer|ndarray)\b[^\n]* has no attribute '?(?P<method>{names})\b",
        advice,
        examples,
    )


TORCH_HABITS: tuple[KnownError, ...] = (
    KnownError("NameError", r"^name 'torch' is not defined", _LIBRARY, {"torch.ones(3)": "jnp.ones(3)"}),
    KnownError(
        "NameError",
        r"^name 'F' is not defined",
        _LIBRARY,
        {"F.softmax(x, -1)": "jax.nn.softmax(x, -1)"},
        line=r"\bF\.[a-z]",
    ),
    KnownError(
        "ModuleNotFoundError",
        r"^(import of |No module named ')torch\b",
        _LIBRARY,
        {"import torch": "import jax.numpy as jnp"},
    ),
    missing_name(
        "cat",
        N_("The function is called jnp.concatenate: jnp.concatenate([a, b], axis=0)."),
        {"jnp.cat([a, b])": "jnp.concatenate([a, b], axis=0)"},
    ),
    missing_name(
        "randn?|randint|randperm|random|manual_seed|randn?_like",
        _DRAWS,
        dict.fromkeys(("jnp.rand_like(x)", "jnp.randn(2, 3)", "jnp.random.normal(3)", "jax.manual_seed(3)"), _DRAWN),
    ),
    missing_name(
        "as_tensor|from_numpy|[tT]ensor",
        N_("An array is made with jnp.array([1.0, 2.0])."),
        {"jnp.tensor([1.0])": "jnp.array([1.0, 2.0])"},
    ),
    missing_name("unsqueeze", _AXIS, {"jnp.unsqueeze(x, 0)": _WITH_AXIS}),
    missing_name(
        "bmm|mm",
        N_("Matrices, and stacks of them, are multiplied with a @ b."),
        {"jnp.bmm(cube, cube.mT)": "cube @ cube.mT"},
    ),
    missing_name(
        "clamp",
        N_("The function is called jnp.clip: jnp.clip(x, low, high)."),
        {"jnp.clamp(x, 0, 1)": "jnp.clip(x, low, high)"},
    ),
    missing_name(
        "no_grad",
        N_("Leave it out: JAX computes no gradient that jax.grad or nnx.grad does not ask for."),
        {"with jax.no_grad():\n    jnp.sum(x)": "jnp.sum(x)"},
    ),
    missing_name(
        "Parameter",
        N_("A module keeps an array that is trained as nnx.Param(array)."),
        {"nnx.Parameter(x)": "nnx.Param(x)"},
    ),
    missing_name(
        "ModuleList",
        N_("A module keeps a list of modules in nnx.List([...])."),
        {"nnx.ModuleList([model])": "nnx.List([model])"},
    ),
    missing_name(
        "Embedding",
        N_("The layer is called nnx.Embed: nnx.Embed(count, size, rngs=rngs)."),
        {"nnx.Embedding(3, 4)": "nnx.Embed(count, size, rngs=rngs)"},
    ),
    missing_name(
        "functional|ReLU|GELU|SiLU|Sigmoid|Tanh|Softmax",
        N_("In Flax these are functions and no layers: write nnx.relu(x), nnx.gelu(x) or nnx.softmax(x)."),
        {"nnx.ReLU()(x)": "nnx.relu(x), nnx.gelu(x), nnx.softmax(x)", "nnx.functional.relu(x)": "nnx.relu(x)"},
    ),
    missing_name(
        "optim",
        N_("Optimizers are in optax, and nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param) keeps their state."),
        {"nnx.optim.Adam(model)": "nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)"},
    ),
    _method(
        "numpy|cpu|cuda|contiguous",
        N_("Leave out .{method}(): jax.numpy takes the array as it is."),
        {"jnp.sum(x.numpy())": "jnp.sum(x)", "jax.jit(lambda x: x.numpy())(x)": "jax.jit(lambda x: x)(x)"},
    ),
    _method(
        "to",
        N_("Leave .to(device) out. To change the dtype, write x.astype(jnp.float32)."),
        {"x.to('cpu')": "x, x.astype(jnp.float32)"},
    ),
    _method(
        "detach",
        N_("A gradient is stopped with jax.lax.stop_gradient(x). Without gradients, use x as it is."),
        {"x.detach()": "jax.lax.stop_gradient(x)"},
    ),
    _method(
        "float|double|half|long|int|bool|type",
        N_("An array is converted with x.astype(jnp.float32) or x.astype(jnp.int32)."),
        {"x.float()": "x.astype(jnp.float32), x.astype(jnp.int32)"},
    ),
    _method("unsqueeze", _AXIS, {"x.unsqueeze(0)": _WITH_AXIS, "np.ones(3).unsqueeze(0)": _WITH_AXIS}),
    _method(
        "permute",
        N_("All axes get a new order with x.transpose(0, 2, 1) or jnp.transpose(x, (0, 2, 1))."),
        {"cube.permute(0, 2, 1)": "cube.transpose(0, 2, 1), jnp.transpose(cube, (0, 2, 1))"},
    ),
    _method("t", N_("Rows and columns are exchanged with x.T."), {"x.t()": "x.T"}),
    _method(
        "expand|expand_as",
        N_("An array is spread with jnp.broadcast_to(x, shape)."),
        {"x.expand(2, 3)": "jnp.broadcast_to(x, shape)"},
    ),
    _method(
        "masked_fill",
        N_("Values are chosen with jnp.where(mask, value, x)."),
        {"x.masked_fill(mask, 0)": "jnp.where(mask, value, x)"},
    ),
    _method(
        "chunk",
        N_("An array is taken apart with jnp.split(x, parts, axis=-1)."),
        {"x.chunk(3)": "jnp.split(x, parts, axis=-1)"},
    ),
    _method(
        "clamp", N_("Values are limited with jnp.clip(x, low, high)."), {"x.clamp(0, 1)": "jnp.clip(x, low, high)"}
    ),
    _method(
        "bmm|mm|matmul", N_("Matrices, and stacks of them, are multiplied with a @ b."), {"x.matmul(x.T)": "x @ x.T"}
    ),
    _method(
        "backward|grad|requires_grad_?",
        _GRADIENT,
        {"x.sum().backward()": "jax.grad(jnp.sum)(x), nnx.grad(loss)(model)"},
    ),
    _method("norm", N_("The length of a vector is jnp.linalg.norm(x)."), {"x.norm()": "jnp.linalg.norm(x)"}),
    _method(
        "softmax|log_softmax|relu|sigmoid|logsumexp",
        N_("This is a function and no method: write jax.nn.{method}(x)."),
        {"x.softmax(-1)": "jax.nn.softmax(x)"},
    ),
    _method(
        "exp|log|sin|cos|tanh|sqrt|abs|square|tril|triu",
        N_("This is a function and no method: write jnp.{method}(x)."),
        {"x.exp()": "jnp.exp(x)"},
    ),
    _method(
        "(?:add|sub|mul|div|copy|fill|zero|clamp)_",
        N_("JAX arrays cannot be changed in place: compute a new one, as in x = x + 1 or x = x.at[i].set(value)."),
        {"x.add_(1)": "x + 1, x.at[i].set(value)"},
    ),
    KnownError(
        "Exception",
        r"data type|`type` argument|Type must be",
        _RESHAPE,
        {
            "x.view(3, 2)": "x.reshape(3, 2), x.reshape(-1)",
            "x.view(-1)": "x.reshape(-1)",
            "jax.jit(lambda x: x.view(3, 2))(x)": "jax.jit(lambda x: x.reshape(3, 2))(x)",
            "np.ones((2, 3)).view(3, 2)": "np.ones((2, 3)).reshape(3, 2)",
        },
        line=r"\.view\(",
    ),
    KnownError(
        "Exception",
        r"isn't a permutation|axes don't match|positional arguments",
        _LAST_AXES,
        dict.fromkeys(
            ("cube.transpose(-2, -1)", "np.ones((2, 3, 4)).transpose(-2, -1)", "jnp.transpose(cube, -2, -1)"),
            _EXCHANGED,
        ),
        line=r"transpose\(",
    ),
    KnownError(
        "TypeError",
        r"dot_general requires contracting",
        _LAST_AXES,
        {"x @ x.transpose(-2, -1)": "x @ x.mT"},
        line=r"transpose\((?:\w+, )?-2",
    ),
    KnownError(
        "TypeError",
        r"object is not callable",
        N_(
            "x.size and x.shape have no brackets in JAX: x.size is the number of all values, x.shape[0] the size of an "
            "axis."
        ),
        dict.fromkeys(("x.size()", "x.size(0)", "x.shape()"), "x.size + x.shape[0]"),
        line=r"\.(size|shape)\(",
    ),
    KnownError(
        "TypeError",
        r"object is not callable",
        N_(
            "An optimizer takes a step with optimizer.update(model, grads), where grads are those of "
            "nnx.grad(loss)(model)."
        ),
        {"optimizer.step()": "optimizer.update(model, nnx.grad(loss)(model))"},
        line=r"\bopt\w*\.step\(",
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?zero_grad\b",
        N_("Leave zero_grad() out: each call of nnx.grad gives new gradients."),
        {"optimizer.zero_grad()": "nnx.grad(loss)(model)"},
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?forward\b",
        N_("A module is called as model(x), which runs its method `__call__`."),
        {"model.forward(x)": "model(x)"},
    ),
    KnownError(
        "AttributeError",
        r"has no attribute '?(?:parameters|named_parameters|state_dict)\b",
        N_("The trained arrays of a module are nnx.state(model, nnx.Param)."),
        {"model.parameters()": "nnx.state(model, nnx.Param)"},
    ),
    KnownError(
        "AttributeError",
        r"^'Linear\w*' object has no attribute 'weight'",
        N_("The matrix of nnx.Linear is `kernel`, of shape (inputs, outputs): a weight of PyTorch is its transpose."),
        {"model.weight": "model.kernel[...].T"},
    ),
    KnownError(
        "AttributeError",
        r"^'\w*Norm' object has no attribute 'weight'",
        N_("The factors of a normalisation are its `scale`."),
        {"nnx.LayerNorm(3, rngs=rngs).weight": "nnx.LayerNorm(3, rngs=rngs).scale[...]"},
    ),
    KnownError(
        "AttributeError",
        r"^'Embed' object has no attribute 'weight'",
        N_("The table of nnx.Embed is `embedding`."),
        {"nnx.Embed(3, 4, rngs=rngs).weight": "nnx.Embed(3, 4, rngs=rngs).embedding[...]"},
    ),
    KnownError(
        "TypeError",
        r"unexpected keyword argument 'lr'",
        N_("Optax calls it learning_rate: optax.adam(1e-3)."),
        {"optax.adam(lr=0.1)": "optax.adam(learning_rate=0.1), optax.adam(1e-3)"},
    ),
    KnownError(
        "Exception",
        r"dtype argument|data type|scalar index|valid JAX",
        _ONE_LIST,
        {
            **{f"jnp.{name}(a, b)": f"jnp.{name}([a, b])" for name in _JOINED},
            **{
                f"jax.jit(lambda a, b: jnp.{name}(a, b))(a, b)": f"jax.jit(lambda a, b: jnp.{name}([a, b]))(a, b)"
                for name in _JOINED
            },
        },
        line=r"\b(concatenate|[vhd]?stack|column_stack)\(",
    ),
    KnownError(
        "TypeError",
        r"Cannot interpret 'True' as a data type",
        N_("Pass it by name: jnp.sum(x, axis=-1, keepdims=True)."),
        {"jnp.sum(x, 0, True)": "jnp.sum(x, axis=-1, keepdims=True)"},
    ),
    KnownError(
        "TypeError",
        r"unexpected keyword argument '(dim|keepdim)'",
        N_("In JAX these arguments are called `axis` and `keepdims`."),
        {"jnp.sum(x, dim=0)": "jnp.sum(x, axis=0)", "x.mean(-1, keepdim=True)": "x.mean(-1, keepdims=True)"},
    ),
)
