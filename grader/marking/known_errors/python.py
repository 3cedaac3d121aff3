"""Errors of Python itself: names, imports, syntax, and what an answer may do."""

from __future__ import annotations

from grader.locale.language import N_
from grader.marking.known_errors.entry import KnownError

OF_JAX_NN = "(?P<function>softmax|log_softmax|relu|gelu|sigmoid|silu|one_hot|logsumexp)"

_ONE_FILE = N_("An answer is one file, and can import no other file of the kit: copy what you need into it.")

PYTHON: tuple[KnownError, ...] = (
    KnownError(
        "TypeError",
        r"^'[A-Z](?!oneType')\w*' object is not callable",
        N_("Python runs the method `__call__` of an object that is called: does its class have a method of that name?"),
        {
            """
            class Model(nnx.Module):
                def forward(self, x):
                    return x
            Model()(x)
            """: """
            class Model(nnx.Module):
                def __call__(self, x):
                    return x
            Model()(x)
            """,
        },
    ),
    KnownError(
        "AttributeError",
        rf"^module 'jax(?:\.numpy)?' has no attribute '{OF_JAX_NN}'",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
        {"jnp.softmax(x)": "jax.nn.softmax(x)", "jax.softmax(x)": "jax.nn.softmax(x)"},
    ),
    KnownError(
        "AttributeError",
        r"^module 'jax' has no attribute '(?P<function>stop_gradient|scan|while_loop|fori_loop|cond|switch|top_k|psum)'",
        N_("This function is in jax.lax: write `jax.lax.{function}`."),
        {"jax.stop_gradient(x)": "jax.lax.stop_gradient(x)"},
    ),
    KnownError(
        "AttributeError",
        r"^module 'jax' has no attribute "
        r"'(?P<function>tree_map|tree_leaves|tree_flatten|tree_unflatten|tree_structure)'",
        N_("Functions on trees are in jax.tree: jax.tree.map, jax.tree.leaves, jax.tree.flatten."),
        {"jax.tree_map(jnp.sin, [x])": "jax.tree.map(jnp.sin, [x])"},
    ),
    KnownError(
        "NameError",
        rf"^name '{OF_JAX_NN}' is not defined",
        N_("This function is in jax.nn: write `jax.nn.{function}`."),
        {"softmax(x)": "jax.nn.softmax(x)", "one_hot(3, 4)": "jax.nn.one_hot(3, 4)"},
    ),
    KnownError(
        "NameError",
        r"^name 'np' is not defined",
        N_(
            "Write `jnp`, or add `import numpy as np` at the top of the file: NumPy computes in float64, so end with "
            "`.astype(np.float32)` then."
        ),
        {"del np; np.ones(3)": "import numpy as np; np.ones(3).astype(np.float32)"},
        in_cells=N_(
            "Write `jnp`, or add `import numpy as np` in a cell of the notebook: NumPy computes in float64, "
            "so end with `.astype(np.float32)` then."
        ),
    ),
    KnownError(
        "NameError",
        r"^name 'jnp' is not defined",
        N_("Add `import jax.numpy as jnp` at the top of the file."),
        {"del jnp; jnp.ones(3)": "import jax.numpy as jnp; jnp.ones(3)"},
        in_cells=N_("Add `import jax.numpy as jnp` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'math' is not defined",
        N_("Add `import math` at the top of the file."),
        {"del math; math.pi": "import math; math.pi"},
        in_cells=N_("Add `import math` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'jax' is not defined",
        N_("Add `import jax` at the top of the file."),
        {"del jax; jax.nn.relu(x)": "import jax; jax.nn.relu(x)"},
        in_cells=N_("Add `import jax` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        "^name 'nn' is not defined",
        N_(
            "Layers are in Flax: add `from flax import nnx` at the top of the file, and write `nnx.` in place of `nn.`."
        ),
        {
            """
            class Model(nn.Module):
                pass
            """: """
            from flax import nnx
            class Model(nnx.Module):
                pass
            """,
            "nn.Linear(3, 2, rngs=rngs)(x)": "from flax import nnx; nnx.Linear(3, 2, rngs=rngs)(x)",
        },
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
        {"nn.softmax(x)": "from jax import nn; nn.softmax(x)"},
        line=r"\bnn\.[a-z]",
        in_cells=N_("Functions such as softmax are in JAX: add `from jax import nn` in a cell of the notebook."),
    ),
    KnownError(
        "NameError",
        r"^name 'nn' is not defined",
        N_("Add `from jax import nn` at the top of the file for functions, `from flax import nnx` for layers."),
        {"softmax = nn": "from jax import nn; from flax import nnx; softmax = nn.softmax"},
        in_cells=N_(
            "Add `from jax import nn` in a cell of the notebook for functions, `from flax import nnx` for layers."
        ),
    ),
    KnownError(
        "NameError",
        r"^name 'nnx' is not defined",
        N_("Add `from flax import nnx` at the top of the file."),
        {"del nnx; nnx.relu(x)": "from flax import nnx; nnx.relu(x)"},
        in_cells=N_("Add `from flax import nnx` in a cell of the notebook."),
    ),
    KnownError(
        "SyntaxError",
        "'return' outside function",
        N_("This line stands outside of the function: indent all lines of the function by four spaces."),
        {
            """
            def double(x):
                y = 2 * x
            return y
            """: """
            def double(x):
                y = 2 * x
                return y
            """,
        },
    ),
    KnownError(
        "SyntaxError",
        "invalid (decimal|imaginary) literal",
        N_(
            "A number is followed by something that cannot follow it: write `2 * k` for `2k`, and `-` for a pasted "
            "dash."
        ),
        {"k = 2; 2k": "k = 2; 2 * k", "1e–5": "1e-5"},
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[−–—‐‑]'",
        N_("A sign that is not a minus was pasted, perhaps from a web page: type the minus key, `-`."),
        {"3 − 2": "3 - 2"},
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[“”„«»″]'",
        N_('A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `"`.'),
        {"x = “a”": 'x = "a"'},
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[‘’‚′]'",
        N_("A sign that is not a quote was pasted, perhaps from a web page: type the straight quote, `'`."),
        {"x = ‘a’": "x = 'a'"},
    ),
    KnownError(
        "SyntaxError",
        "^invalid character '[×·∙]'",
        N_("A sign that is not an asterisk was pasted, perhaps from a web page: type the asterisk, `*`."),
        {"3 × 2": "3 * 2"},
    ),
    KnownError(
        "SyntaxError",
        r"^invalid (non-printable )?character",
        N_(
            "A character that only looks right was pasted, perhaps from a web page: type the quote, minus or space "
            "again."
        ),
        {"x =\u00a02": "x = 2"},
    ),
    KnownError(
        "ZeroDivisionError",
        "",
        N_("Which number is zero here: a length, a count, or a difference of two equal numbers?"),
        {"1 / len([])": "1 / max(len([]), 1)"},
    ),
    KnownError(
        "RecursionError",
        "",
        N_("The function calls itself without an end: which call should be the last?"),
        {
            """
            def factorial(n):
                return n * factorial(n - 1)
            factorial(3)
            """: """
            def factorial(n):
                return n * factorial(n - 1) if n > 1 else 1
            factorial(3)
            """,
        },
    ),
    KnownError(
        "SystemExit",
        "",
        N_("An answer returns its value: take out the call that exits."),
        {"import sys; sys.exit()": "x"},
    ),
    KnownError(
        "TabError",
        "",
        N_("The line begins with a tab where others begin with spaces: write four spaces in place of each tab."),
        {"if 1:\n        x = 1\n\ty = 2": "if 1:\n    x = 1\n    y = 2"},
    ),
    KnownError(
        "IndentationError",
        "",
        N_("Every line of one block begins at the same column: compare this line with the one above."),
        {"if 1:\n  x = 1\n   y = 2": "if 1:\n    x = 1\n    y = 2"},
    ),
    KnownError(
        "ModuleNotFoundError",
        r"^(import of |No module named ')(problems|solutions)\b",
        _ONE_FILE,
        {"import solutions.no_such_lesson": "rope = lambda x: x"},
    ),
    KnownError(
        "ImportError",
        "attempted relative import",
        _ONE_FILE,
        {"from ..rope.stub import rope": "rope = lambda x: x", "from . import stub": "rope = lambda x: x"},
    ),
    KnownError(
        "ModuleNotFoundError",
        "",
        N_("An answer may import jax, flax, optax, numpy and the standard library."),
        {"import pandas_of_another_name": "import itertools"},
    ),
)
