"""The answer in a notebook, and what it needs from other cells."""

from __future__ import annotations

import pytest

from grader.kit.cells import cells_of
from grader.kit.files import LARGEST_ANSWER, Unreadable
from grader.kit.notebook import Extract, NoAnswer, Notebook, answer_in
from grader.values.message import NO_MESSAGE
from tests.kit.test_cells import notebook

ROPE = "def rope(x):\n    return x"


def missing(extract: Extract) -> tuple[str, ...]:
    """The names that an answer needs and that no import, definition or assignment gives."""
    return tuple(sorted({**extract.origin.outside, **extract.origin.unknown}))


def text(*cells: object) -> str:
    return answer_in(notebook(*cells), "rope").text


def tagged(tag: str, source: str) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {"tags": [tag]}, "source": source}


def test_an_answer_with_what_it_needs_and_where_each_line_stood() -> None:
    extract = answer_in(
        notebook(
            {"cell_type": "markdown", "source": "# Homework"},
            "%matplotlib inline\nimport jax.numpy as jnp\nimport matplotlib.pyplot as plt",
            "BASE = 10000.0\nplot = plt.figure()",
            "@jit\ndef rope(x):\n    return half(x) * BASE",
            "from jax import jit\ndef half(x):\n    return jnp.sin(x)",
            "print(rope(3))",
        ),
        "rope",
    )
    assert extract.text.splitlines() == [
        "import jax.numpy as jnp",
        "BASE = 10000.0",
        "from jax import jit",
        "@jit",
        "def rope(x):",
        "    return half(x) * BASE",
        "def half(x):",
        "    return jnp.sin(x)",
    ]
    assert extract.origin.places == ((1, 2), (2, 1), (4, 1), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3))
    assert missing(extract) == ()


def test_the_last_definition_counts() -> None:
    assert text("def rope(x):\n    return 1", "def rope(x):\n    return 2") == "def rope(x):\n    return 2\n"
    assert text(ROPE + " + y", "y = 1", "y = 2") == ROPE + " + y\ny = 2\n"


def test_a_tag_wins() -> None:
    assert text(tagged("answer:rope", ROPE), "def rope(x):\n    return 2") == ROPE + "\n"


def test_a_tag_without_the_function_is_told() -> None:
    with pytest.raises(NoAnswer, match="cell 1 has the tag answer:rope, and does not define rope"):
        text(tagged("answer:rope", "x = 1"), ROPE)


def test_a_function_that_is_wrapped_later_keeps_both() -> None:
    assert text("import jax", ROPE, "rope = jax.jit(rope)") == f"import jax\n{ROPE}\nrope = jax.jit(rope)\n"


def test_a_helper_that_runs_before_the_last_import_has_the_import_before_it() -> None:
    cells = (
        "import jax.numpy as jnp\ndef side():\n    return jnp.sqrt(4)\ndef mask():\n    return jnp.ones(side())\nM = mask()",
        f"import jax.numpy as jnp\n{ROPE} * jnp.sum(M)",
        "import jax.numpy as jnp\ndef other():\n    return jnp.pi",
    )
    assert text(*cells) == f"{cells[0]}\n{ROPE} * jnp.sum(M)\nimport jax.numpy as jnp\n"


def test_a_helper_that_calls_the_answer_brings_no_other_definition_of_it() -> None:
    first, second = "def rope(x):\n    return T", "def rope(x):\n    return 2"
    helper = "def make():\n    return rope\nT = make()"
    assert text(helper, tagged("answer:rope", first), second) == f"{helper}\n{first}\n"


def test_changes_in_place_are_kept() -> None:
    cells = ("table = {}", "table['a'] = 1", ROPE + " + table['a'] + n", "n = 1\nn += 1")
    assert text(*cells) == f"table = {{}}\ntable['a'] = 1\n{ROPE} + table['a'] + n\nn = 1\nn += 1\n"


def test_statements_on_one_line_stay_together() -> None:
    assert text("a = 1; b = 2", ROPE + " + b") == f"a = 1; b = 2\n{ROPE} + b\n"


def test_a_choice_of_imports_is_taken_whole() -> None:
    choice = "try:\n    import numpy as np\nexcept ImportError:\n    np = None"
    assert text(choice, ROPE + " + np.pi") == f"{choice}\n{ROPE} + np.pi\n"


def test_names_that_nothing_gives_are_missing() -> None:
    extract = answer_in(notebook("for i in range(3):\n    table = [i]", ROPE + " + table + nowhere + len('')"), "rope")
    assert missing(extract) == ("nowhere", "table")


def test_a_star_import_may_give_any_name() -> None:
    extract = answer_in(notebook("from jax.numpy import *", ROPE + " + sin(x)"), "rope")
    assert (extract.text.splitlines()[0], missing(extract)) == ("from jax.numpy import *", ())


def test_functions_that_call_each_other() -> None:
    cells = ("def even(n):\n    return odd(n)", "def odd(n):\n    return even(n)", ROPE + " + even(x)")
    assert text(*cells) == "\n".join(cells) + "\n"


def test_a_cell_that_is_no_python_is_taken_as_it_stands() -> None:
    broken = "def rope(x):\n    return ("
    extract = answer_in(notebook(ROPE, broken), "rope")
    assert (extract.text, extract.origin.places) == (broken + "\n", ((2, 1), (2, 2)))
    assert text(broken, ROPE) == ROPE + "\n"


@pytest.mark.parametrize(
    "cell", ["x = 1", "from solution import rope", "%%timeit\n" + ROPE, "class A:\n    def rope(x): 1"]
)
def test_no_such_function(cell: str) -> None:
    with pytest.raises(NoAnswer, match="no cell defines rope"):
        text(cell)


def test_a_function_that_is_deleted_in_the_end_is_still_the_answer() -> None:
    assert text(ROPE, "del rope") == ROPE + "\n"


def test_a_definition_in_a_loop_is_told() -> None:
    with pytest.raises(NoAnswer, match="inside a loop"):
        text("for i in a:\n    def rope(x):\n        return i")


def test_an_option_of_jax_holds_for_the_answer() -> None:
    option = "jax.config.update('jax_enable_x64', True)"
    assert text("import jax", option, "print(option)", ROPE) == f"import jax\n{option}\n{ROPE}\n"


def test_nothing_is_executed() -> None:
    assert "1 / 0" in text("y = 1 / 0", ROPE + " + y")


def test_an_answer_is_no_larger_than_an_answer_may_be() -> None:
    with pytest.raises(Unreadable, match="larger than an answer may be"):
        text(*(f"y{n} = '{'a' * (LARGEST_ANSWER // 2)}'" for n in range(3)), ROPE + " + y0 + y1 + y2")


def test_which_functions_it_defines() -> None:
    book = Notebook(
        cells_of(notebook(ROPE, "from a import mha_rope", tagged("answer:alibi", ""), "def broken(x:\n    1"))
    )
    assert book.answered(["rope", "mha_rope", "alibi", "broken", "x"]) == ["rope", "alibi", "broken"]


@pytest.mark.parametrize(
    ("made", "by"),
    [
        ("table = []\nfor i in range(3):\n    table.append(i)", "a `for` loop"),
        ("table = [0]\nwhile table[0] < 3:\n    table[0] += 1", "a `while` loop"),
        ("with open('x') as file:\n    table = file.read()", "a `with` block"),
        ("try:\n    with open('x') as file:\n        table = 1\nexcept OSError:\n    table = 2", "a `with` block"),
        ("match 1:\n    case table:\n        pass", "a `match` block"),
        ("table = await fetch()", "`await`"),
        ("if True:\n    for table in range(3):\n        pass", "a `for` loop"),
        ("table = 1\nfor table in range(3): pass", "a `for` loop"),
    ],
)
def test_a_name_that_cannot_be_taken_is_told_with_what_makes_it(made: str, by: str) -> None:
    origin = answer_in(notebook("import jax", made, "def rope(x):\n    return table"), "rope").origin
    assert str(origin.outside["table"]).startswith(
        f"`table` is made or changed outside the function, by {by} in cell 2."
    )
    assert "table" not in origin.unknown


@pytest.mark.parametrize(
    "made",
    [
        "table = 1\ntable += 1",
        "table = []\ntable.append(3)",
        "table = {}\ntable[0] = 1",
        "try:\n    table = 1\nexcept NameError:\n    table = 2",
        "if True:\n    table = 1",
        "table = 1\ndel table",
        "from a import *",
    ],
)
def test_what_can_be_taken_is_not_told_as_missing(made: str) -> None:
    extract = answer_in(notebook(made, "def rope(x):\n    return table"), "rope")
    assert missing(extract) == ()
    assert extract.text.startswith(made.partition("\ndel")[0])


def test_a_name_that_nothing_makes_is_told_as_such_with_the_cell_that_cannot_be_read() -> None:
    origin = answer_in(notebook("x = (", "def rope(x):\n    return tabel"), "rope").origin
    assert origin.outside == {}
    assert str(origin.unknown["tabel"]).startswith("No Python in this notebook gives `tabel` a value")
    assert str(origin.unknown["tabel"]).endswith("cannot read cell 1: its Python has a syntax error.")


def test_a_note_says_which_of_several_definitions_counts() -> None:
    assert str(answer_in(notebook(ROPE), "rope").origin.note) == ""
    assert (
        str(answer_in(notebook(ROPE, "x = 1", ROPE), "rope").origin.note)
        == "2 cells define rope: the last, cell 3, counts."
    )
    by_tag = answer_in(notebook(tagged("answer:rope", ROPE), ROPE), "rope")
    assert str(by_tag.origin.note) == "2 cells define rope: cell 1 has the tag answer:rope, and counts."


def test_a_class_and_a_function_in_an_if_are_taken() -> None:
    book = notebook(
        "from flax import nnx",
        "class Block(nnx.Module):\n    pass",
        "if True:\n    def rope(x):\n        return Block()",
    )
    assert answer_in(book, "rope").text.startswith(
        "from flax import nnx\nclass Block(nnx.Module):\n    pass\nif True:\n"
    )


FILED = "from __future__ import annotations\nimport jax\n\ndef rope(x):\n    return half(x)\n"


@pytest.mark.parametrize(
    "magic",
    [
        "%%writefile rope.py",
        "%%file rope.py",
        "%%writefile  /content/drive/rope.py ",
        "\n%%writefile './my files/rope.py'",
        "%%writefile -a rope.py",
    ],
)
def test_a_file_that_a_cell_writes_is_an_answer_as_it_stands(magic: str) -> None:
    extract = answer_in(notebook("x = 1", f"{magic}\n{FILED}", "half = 3"), "rope")
    head = magic.count("\n") + 1
    assert extract.text == "\n" * head + FILED + "\n"
    assert extract.origin.places == tuple((2, number) for number in range(1, head + 7))
    assert (missing(extract), extract.origin.note) == ((), NO_MESSAGE)


@pytest.mark.parametrize(
    "source",
    [
        f"%%writefile other.py\n{FILED}",
        f"%%writefile rope.txt\n{FILED}",
        f"%%writefile my rope.PY\n{FILED}",
        f"%%writefile 'rope.py\n{FILED}",
        f"%%writefile\n{FILED}",
        f"%%bash\n{FILED}",
        "%%writefile rope.py\ndef half(x): return x",
    ],
)
def test_other_files_are_no_answer(source: str) -> None:
    with pytest.raises(NoAnswer):
        text(source)
    assert text(source, ROPE) == ROPE + "\n"


def test_the_last_of_files_and_cells_counts_and_it_is_told() -> None:
    file = f"%%writefile rope.py\n{FILED}"
    one = answer_in(notebook(ROPE, file), "rope")
    assert "import jax" in one.text
    assert str(one.origin.note) == "2 cells define rope: the last, cell 2, counts."
    other = answer_in(notebook(file, ROPE), "rope")
    assert other.text == ROPE + "\n"
    assert str(other.origin.note) == "2 cells define rope: the last, cell 2, counts."
    last = answer_in(notebook(file, file + "# new", "rope(1)"), "rope")
    assert last.text.endswith("# new\n")
    assert str(last.origin.note) == "2 cells define rope: the last, cell 2, counts."
    tagged_cell = answer_in(notebook(tagged("answer:rope", file), ROPE), "rope")
    assert "import jax" in tagged_cell.text
    assert str(tagged_cell.origin.note) == "2 cells define rope: cell 1 has the tag answer:rope, and counts."


def test_what_is_added_to_a_file_is_part_of_it() -> None:
    extract = answer_in(notebook("%%writefile rope.py\nimport jax", f"%%writefile --append rope.py\n{ROPE}"), "rope")
    assert extract.text == f"\nimport jax\n\n{ROPE}\n"
    assert extract.origin.places == ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3))


def test_a_file_defines_nothing_in_the_notebook() -> None:
    extract = answer_in(notebook("%%writefile half.py\ndef half(x): return x", "def rope(x): return half(x)"), "rope")
    assert missing(extract) == ("half",)
    broken = answer_in(notebook("%%writefile half.py\ndef half(", "def rope(x): return half(x)"), "rope")
    assert "syntax error" not in str(broken.origin.unknown["half"])


def test_a_file_that_is_no_python_is_taken_as_it_stands() -> None:
    source = "%%writefile rope.py\ndef rope(x):\n    return (\n%time"
    assert text(source) == "\ndef rope(x):\n    return (\n%time\n"
    assert Notebook(cells_of(notebook(source))).answered(["rope", "half"]) == ["rope"]


def test_a_file_may_not_be_larger_than_an_answer() -> None:
    more = "%%writefile -a rope.py\n" + "x = 1\n" * (LARGEST_ANSWER // 8)
    with pytest.raises(Unreadable, match="larger than an answer may be"):
        text(f"%%writefile rope.py\n{ROPE}", more, more)
