"""The dot product of one patch with all others: by the half of its row, by the half of its column, and by both."""

import altair as alt

from grader.locale.language import gettext
from grader.page.chart import choice, cursor, fixed, held, matrix, said, slider, tips
from grader.page.figure import Figure, Pick, Table, same

HEIGHT, WIDTH, D_MODEL = 10, 14, 64


def figures(reference):
    table = reference(0, HEIGHT, WIDTH, D_MODEL).reshape(HEIGHT, WIDTH, D_MODEL)
    halves = table[:, 0, : D_MODEL // 2], table[0, :, D_MODEL // 2 :]
    down, across = (half @ half.T for half in halves)
    same(down[2, 5] + across[3, 7], table[2, 3] @ table[5, 7])
    return [_image(down, across)]


def _image(down, across):
    parts = gettext("first half"), gettext("last half"), gettext("both")
    message = gettext(
        "Patch in row {y} and column {x}. Dot product with the patch one row away: {below}. One column away: {beside}. With "
        "itself: {itself}"
    )
    product = "(part == 1 ? 0 : down[y][{y}]) + (part == 0 ? 0 : across[x][{x}])"
    near = {"below": ("abs(y - 1)", "x"), "beside": ("y", "abs(x - 1)"), "itself": ("y", "x")}
    told = {name: fixed(product.format(y=y, x=x), 2) for name, (y, x) in near.items()}
    cells = matrix(
        HEIGHT, WIDTH, gettext("row y"), gettext("column x"), product=product.format(y="datum.row", x="datum.column")
    )
    colours = alt.Scale(
        domain=alt.ExprRef(f"part == 2 ? [{D_MODEL // 4}, {D_MODEL // 2}] : [{D_MODEL // 8}, {D_MODEL // 4}]"),
        range="ramp",
    )
    cells = cells.mark_rect(aria=False).encode(
        color=alt.Color("product:Q", title=gettext("dot product"), scale=colours),
        tooltip=tips(2, row=gettext("row y"), column=gettext("column x"), product=gettext("dot product")),
    )
    return Figure(
        gettext("What is near in the image"),
        (cells + cursor("y", "x", 300))
        .properties(width="container", height=300)
        .add_params(
            choice("part", gettext("dimensions"), [0, 1, 2], 2, parts),
            slider("y", gettext("row y"), 4, HEIGHT - 1),
            slider("x", gettext("column x"), 5, WIDTH - 1),
            *held(down=down, across=across),
            said(message, y="y", x="x", **told),
        ),
        gettext(
            "The dot product of the framed patch with every patch of the image. By the first half, a whole row of patches is"
            " alike. By the last half, a whole column is. Both halves together make a cross whose middle is the patch "
            "itself, so what is near up and down counts as much as what is near left and right."
        ),
        Table(
            f"d_model = {D_MODEL}",
            [gettext("rows or columns away"), gettext("one half"), gettext("the other half"), gettext("both")],
            [[away, down[0, away], across[0, 0], down[0, away] + across[0, 0]] for away in (0, 1, 2, 3, 5, 9)],
        ),
        reads="said",
        pick=Pick("click", {"y": "row", "x": "column"}),
    )
