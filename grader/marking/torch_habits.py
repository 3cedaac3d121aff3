"""The errors that habits of PyTorch make in JAX, each with what is written here instead."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors import Known


def _method(names: str, advice: str) -> Known:
    """Advice for a method, or one of several, that arrays have in PyTorch alone."""
    return Known(
        "AttributeError", rf"(?:ArrayImpl|Tracer|ndarray)\b[^\n]* has no attribute '?(?P<method>{names})\b", advice
    )


def _function(names: str, advice: str) -> Known:
    """Advice for a name that a module of JAX, Flax or Optax does not have."""
    return Known("AttributeError", rf"^[Mm]odule '?(?:jax|flax|optax)[\w.]*'? has no attribute '({names})'", advice)


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

HABITS: tuple[Known, ...] = (
    Known("NameError", r"^name 'torch' is not defined", _LIBRARY),
    Known("NameError", r"^name 'F' is not defined", _LIBRARY, line=r"\bF\.[a-z]"),
    Known("ModuleNotFoundError", r"^(import of |No module named ')torch\b", _LIBRARY),
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
    Known("Exception", r"data type|`type` argument|Type must be", _RESHAPE, line=r"\.view\("),
    Known("Exception", r"isn't a permutation|axes don't match|positional arguments", _LAST_AXES, line=r"transpose\("),
    Known("TypeError", r"dot_general requires contracting", _LAST_AXES, line=r"transpose\((?:\w+, )?-2"),
    Known(
        "TypeError",
        r"object is not callable",
        N_(
            "x.size and x.shape have no brackets in JAX: x.size is the number of all values, x.shape[0] the size of an "
            "axis."
        ),
        line=r"\.(size|shape)\(",
    ),
    Known(
        "TypeError",
        r"object is not callable",
        N_(
            "An optimizer takes a step with optimizer.update(model, grads), where grads are those of "
            "nnx.grad(loss)(model)."
        ),
        line=r"\bopt\w*\.step\(",
    ),
    Known(
        "AttributeError",
        r"has no attribute '?zero_grad\b",
        N_("Leave zero_grad() out: each call of nnx.grad gives new gradients."),
    ),
    Known(
        "AttributeError",
        r"has no attribute '?forward\b",
        N_("A module is called as model(x), which runs its method `__call__`."),
    ),
    Known(
        "AttributeError",
        r"has no attribute '?(?:parameters|named_parameters|state_dict)\b",
        N_("The trained arrays of a module are nnx.state(model, nnx.Param)."),
    ),
    Known(
        "AttributeError",
        r"^'Linear\w*' object has no attribute 'weight'",
        N_("The matrix of nnx.Linear is `kernel`, of shape (inputs, outputs): a weight of PyTorch is its transpose."),
    ),
    Known(
        "AttributeError",
        r"^'\w*Norm' object has no attribute 'weight'",
        N_("The factors of a normalisation are its `scale`."),
    ),
    Known("AttributeError", r"^'Embed' object has no attribute 'weight'", N_("The table of nnx.Embed is `embedding`.")),
    Known(
        "TypeError",
        r"^Missing required argument `wrt`",
        N_("Say which variables are trained: nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)."),
    ),
    Known(
        "TypeError",
        r"__init__\(\) takes \d+ positional arguments",
        N_("Keys are passed by name: write rngs=rngs."),
        line=r"[rR]ngs",
    ),
    Known(
        "AttributeError",
        r"^'(?:int|[\w.]*ArrayImpl|PRNGKeyArray)' object has no attribute '(?:params|dropout)'",
        N_("rngs= takes streams of keys, and no number or key: write rngs=nnx.Rngs(seed)."),
    ),
    Known(
        "ValueError",
        r"no `rngs` argument was provided to Dropout",
        N_("A dropout that is on needs keys: write nnx.Dropout(rate, rngs=rngs), or turn it off with model.eval()."),
    ),
    Known(
        "AttributeError",
        r"^No RngStream named 'default'",
        N_(
            "Name the stream that gives the key, as in self.rngs.dropout(). Only nnx.Rngs(key) gives keys without a "
            "name."
        ),
    ),
    Known("TypeError", r"unexpected keyword argument 'lr'", N_("Optax calls it learning_rate: optax.adam(1e-3).")),
    Known(
        "Exception",
        r"dtype argument|data type|scalar index|valid JAX",
        _ONE_LIST,
        line=r"\b(concatenate|[vhd]?stack|column_stack)\(",
    ),
    Known(
        "TypeError",
        r"Cannot interpret 'True' as a data type",
        N_("Pass it by name: jnp.sum(x, axis=-1, keepdims=True)."),
    ),
    Known(
        "ConcretizationTypeError",
        r"\b(?P<method>item|tolist)\(\) method",
        N_(
            ".{method}() gives Python numbers, and a traced value has none yet: leave .{method}() out, and compute with the "
            "array."
        ),
    ),
)
