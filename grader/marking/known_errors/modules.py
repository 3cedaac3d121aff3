"""Errors of modules of Flax NNX, of optimizers, and habits of Flax Linen."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError, missing_name

_LINEN = N_(
    "This is Flax Linen. In NNX, `__init__` makes the layers, and they hold their arrays: "
    "nnx.Linear(inputs, outputs, rngs=rngs), called as model(x)."
)

_SWITCH = N_("Training is no argument of a layer: model.train() and model.eval() switch dropout and batch norm.")

_SIZES = N_("A layer of NNX takes its sizes, inputs first, and keys: nnx.Linear(inputs, outputs, rngs=rngs).")

MODULES: tuple[KnownError, ...] = (
    missing_name(
        "Dense",
        N_("The layer is called nnx.Linear, and takes both sizes: nnx.Linear(inputs, outputs, rngs=rngs)."),
        {"nnx.Dense(2)(x)": "nnx.Linear(3, 2, rngs=rngs)(x)"},
    ),
    missing_name(
        "compact|nowrap",
        _LINEN,
        {
            """
            class Model(nnx.Module):
                @nnx.compact
                def __call__(self, x):
                    return nnx.Linear(3, 2)(x)
            """: """
            class Model(nnx.Module):
                def __init__(self, rngs):
                    self.layer = nnx.Linear(3, 2, rngs=rngs)
                def __call__(self, x):
                    return self.layer(x)
            Model(rngs)(x)
            """,
        },
    ),
    KnownError(
        "CallCompactUnboundModuleError",
        "",
        _LINEN,
        {
            """
            import flax.linen as nn
            nn.Dense(2)(x)
            """: "nnx.Linear(3, 2, rngs=rngs)(x)",
        },
    ),
    KnownError(
        "AttributeError",
        r"^'(?!function|tuple|dict|list|str)\w+' object has no attribute '(init|apply|bind)'",
        _LINEN,
        {
            "model.init(key, x)": "model(x)",
            "model.apply({'params': 1}, x)": "model(x)",
        },
    ),
    KnownError(
        "AttributeError",
        r"^'(?!int|PRNGKeyArray)\w+' object has no attribute 'params'",
        N_(
            "The arrays of a module are its attributes, as model.kernel[...], and all of them nnx.state(model, nnx.Param)."
        ),
        {"model.params['kernel']": "model.kernel[...], nnx.state(model, nnx.Param)['kernel']"},
    ),
    KnownError(
        "AttributeError",
        r"^'\w+' object has no attribute 'param'",
        N_("A module of NNX makes its arrays in `__init__`: self.weight = nnx.Param(jnp.ones(shape))."),
        {
            """
            class Scale(nnx.Module):
                def __call__(self, x):
                    return self.param("scale", nnx.initializers.ones, (3,)) * x
            Scale()(x)
            """: """
            class Scale(nnx.Module):
                def __init__(self):
                    self.scale = nnx.Param(jnp.ones(3))
                def __call__(self, x):
                    return self.scale * x
            Scale()(x)
            """,
        },
    ),
    KnownError(
        "AttributeError",
        r"^'\w+' object has no attribute 'make_rng'",
        N_(
            "A module of NNX keeps its streams of keys, self.rngs = rngs, and a stream gives a key when called: "
            "self.rngs.dropout()."
        ),
        {
            """
            class Noise(nnx.Module):
                def __call__(self, x):
                    return x + jax.random.normal(self.make_rng("dropout"), x.shape)
            Noise()(x)
            """: """
            class Noise(nnx.Module):
                def __init__(self, rngs):
                    self.rngs = rngs
                def __call__(self, x):
                    return x + jax.random.normal(self.rngs.dropout(), x.shape)
            Noise(rngs)(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"^\w+\(\) takes no arguments",
        N_(
            "This class has no `__init__` that takes arguments: write def __init__(self, size, rngs), and keep "
            "them in self."
        ),
        {
            """
            class Model(nnx.Module):
                size: int
            Model(size=3)
            """: """
            class Model(nnx.Module):
                def __init__(self, size):
                    self.size = size
            Model(size=3)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"unexpected keyword argument '(train|training|is_training|deterministic|use_running_average)'",
        _SWITCH,
        {
            "nnx.Dropout(0.5, rngs=rngs)(x, train=True)": """
            dropout = nnx.Dropout(0.5, rngs=rngs)
            dropout.train()
            dropout(x)
            """,
        },
    ),
    KnownError(
        "TypeError",
        r"unexpected keyword argument '(features|units|hidden_size)'|missing 1 required positional argument: "
        r"'(out_)?features'",
        _SIZES,
        {
            "nnx.Linear(features=2, rngs=rngs)": "nnx.Linear(3, 2, rngs=rngs)",
            "nnx.Linear(2, rngs=rngs)": "nnx.Linear(3, 2, rngs=rngs)",
        },
    ),
    KnownError(
        "AttributeError",
        r"^No RngStream named '(?P<stream>(?!default)\w+)'",
        N_("nnx.Rngs({stream}=key) has a stream of this name. nnx.Rngs(key) gives keys for every name."),
        {"nnx.Rngs(params=0).dropout()": "nnx.Rngs(dropout=0).dropout(), nnx.Rngs(key).dropout()"},
    ),
    KnownError(
        "AttributeError",
        r"^No RngStream named 'default'",
        N_(
            "Name the stream that gives the key, as in self.rngs.dropout(). Only nnx.Rngs(key) gives keys without a "
            "name."
        ),
        {"nnx.Rngs(dropout=0)()": "nnx.Rngs(dropout=0).dropout(), nnx.Rngs(key)()"},
    ),
    KnownError(
        "TypeError",
        r"missing 1 required keyword-only argument: 'rngs'",
        N_("A layer that draws its weights needs keys: pass them by name, as in `rngs=rngs`."),
        {"nnx.Linear(2, 3)": "nnx.Linear(2, 3, rngs=rngs)"},
    ),
    KnownError(
        "TypeError",
        r"__init__\(\) takes \d+ positional arguments",
        N_("Keys are passed by name: write rngs=rngs."),
        {"nnx.Linear(3, 1, rngs)": "nnx.Linear(3, 1, rngs=rngs)"},
        line=r"[rR]ngs",
    ),
    KnownError(
        "AttributeError",
        r"^'(?:int|[\w.]*ArrayImpl|PRNGKeyArray)' object has no attribute '(?:params|dropout)'",
        N_("rngs= takes streams of keys, and no number or key: write rngs=nnx.Rngs(seed)."),
        {"nnx.Linear(3, 1, rngs=0)": "nnx.Linear(3, 1, rngs=nnx.Rngs(seed))"},
    ),
    KnownError(
        "ValueError",
        r"no `rngs` argument was provided to Dropout",
        N_("A dropout that is on needs keys: write nnx.Dropout(rate, rngs=rngs), or turn it off with model.eval()."),
        {
            "nnx.Dropout(0.5)(x)": """
            nnx.Dropout(rate, rngs=rngs)(x)
            off = nnx.Dropout(rate)
            off.eval()
            off(x)
            """,
        },
    ),
    KnownError(
        "Exception",
        "^Cannot mutate RngCount from (a )?different trace level",
        N_(
            "A draw changes its stream of keys. A layer that draws is an argument of the function, and the "
            "transform one of Flax: "
            "nnx.jit, nnx.grad, nnx.scan, nnx.vmap. Under nnx.vmap, @nnx.split_rngs(splits=n) gives each row "
            "its own keys."
        ),
        {
            "jax.vmap(lambda x: dropout(x))(x)": """
            @nnx.split_rngs(splits=2)
            @nnx.vmap(in_axes=(0, 0))
            def dropped(dropout, row):
                return dropout(row)
            dropped(dropout, x)
            """,
            "jax.lax.scan(lambda carry, row: (carry, dropout(row)), 0.0, x)": """
            @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=(nnx.Carry, 0))
            def dropped(dropout, row):
                return dropout, dropout(row)
            dropped(dropout, x)
            """,
        },
    ),
    KnownError(
        "Exception",
        "^Cannot (extract graph node|mutate .*) from (a )?different trace level",
        N_(
            "A function may change only modules that are its arguments, an optimizer too, and only under a "
            "transform of Flax: write "
            "nnx.jit, nnx.grad or nnx.scan, and hand each module over. jax.jit would lose the changes."
        ),
        {
            """
            @nnx.jit
            def step(model, x):
                gradients = nnx.grad(lambda model: model(x).sum())(model)
                optimizer.update(model, gradients)
            step(model, x)
            """: """
            @nnx.jit
            def step(model, optimizer, x):
                gradients = nnx.grad(lambda model: model(x).sum())(model)
                optimizer.update(model, gradients)
            step(model, optimizer, x)
            """,
            """
            @jax.jit
            def step(x):
                return nnx.grad(lambda model: model(x).sum())(model)
            step(x)
            """: """
            @nnx.jit
            def step(model, x):
                return nnx.grad(lambda model: model(x).sum())(model)
            step(model, x)
            """,
        },
    ),
    KnownError(
        "ValueError",
        "Static attributes should not contain data values",
        N_("A module keeps a list of modules or arrays in nnx.List([...])."),
        {
            """
            class Stack(nnx.Module):
                def __init__(self, rngs):
                    self.layers = [nnx.Linear(3, 3, rngs=rngs) for _ in range(2)]
            Stack(rngs)
            """: """
            class Stack(nnx.Module):
                def __init__(self, rngs):
                    self.layers = nnx.List([nnx.Linear(3, 3, rngs=rngs) for _ in range(2)])
            Stack(rngs)
            """,
        },
    ),
    KnownError(
        "ValueError",
        "^No `decode` argument was provided",
        N_("Attention without a cache is made with nnx.MultiHeadAttention(..., decode=False)."),
        {
            "nnx.MultiHeadAttention(1, 3, rngs=rngs)(x)": "nnx.MultiHeadAttention(1, 3, rngs=rngs, decode=False)(x)",
        },
    ),
    KnownError(
        "TypeError",
        r"^Missing required argument `wrt`",
        N_("Say which variables are trained: nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)."),
        {"nnx.Optimizer(model, optax.sgd(0.1))": "nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)"},
    ),
    KnownError(
        "TypeError",
        r"^Missing required argument `grads`",
        N_("An optimizer of NNX takes the model, and then the gradients: optimizer.update(model, gradients)."),
        {"optimizer.update(grads)": "optimizer.update(model, grads)"},
    ),
    KnownError(
        "Exception",
        r"requires the current value of parameters|update_fn\(\) missing 1 required positional argument: 'state'",
        N_(
            "Optax takes gradients, state and parameters: updates, state = optimizer.update(gradients, state, "
            "parameters)."
        ),
        {
            "adamw = optax.adamw(1e-3); adamw.update({'w': x}, adamw.init({'w': x}))": (
                "adamw = optax.adamw(1e-3); adamw.update({'w': x}, adamw.init({'w': x}), {'w': x})"
            ),
            "sgd = optax.sgd(1e-3); sgd.update({'w': x})": "sgd = optax.sgd(1e-3); sgd.update({'w': x}, "
            "sgd.init({'w': x}), {'w': x})",
        },
    ),
)
