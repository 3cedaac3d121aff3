"""`picture`: what is drawn of which case, what is withheld, and the files that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.commands.picture import PictureRequest, draw
from grader.kit.kit import Kit, KitError
from grader.options import Options, Policy
from tests.commands.test_trace import HALF
from tests.conftest import FLAGSHIP, Command

pytestmark = pytest.mark.slow  # the real command, in a kit of its own


def asked(**named: object) -> PictureRequest:
    return PictureRequest(**{"name": FLAGSHIP, "case": None, "answer": None, "of": None, **named})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def half(grader: Command) -> Path:
    file = grader.kit / "picture_half.py"
    file.write_text(HALF)
    return file


@pytest.mark.slow
def test_a_wrong_answer_is_drawn_beside_what_is_due(grader: Command, half: Path, tmp_path: Path) -> None:
    done = grader("picture", FLAGSHIP, "--answer", str(half), "--case", "1")
    assert (done.returncode, done.stderr) == (0, f" Kit: {grader.kit}\n")
    assert "case 1 of 8\n" in done.stdout
    assert "position down, dim across, at T=3, d_model=4" in done.stdout
    assert "4 of the 12 values drawn are wrong: those with + (too large) or - (too small)" in done.stdout
    assert "along position, for each dim" in done.stdout
    assert "\x1b[" not in done.stdout
    svg = tmp_path / "one.svg"
    written = grader("picture", FLAGSHIP, "--answer", str(half), "--of", "yours", "--case", "1", "-o", str(svg))
    assert (written.returncode, written.stdout.split()[0]) == (0, "Written:")
    assert ">position<" in svg.read_text()
    assert ">expected<" not in svg.read_text()


def test_what_is_expected_needs_no_answer(grader: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert draw(Options(Kit(grader.kit)), asked(of="expected")) == 0
    shown = capsys.readouterr().out
    assert "expected" in shown
    assert "yours" not in shown
    assert "wrong" not in shown


def test_a_stub_that_is_not_filled_in_says_how_to_see_what_is_due(
    grader: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert draw(Options(Kit(grader.kit)), asked()) == 1
    assert f"picture {FLAGSHIP} --of expected" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
@pytest.mark.parametrize("level", ["diagnosis", "verdict"])
def test_where_expected_values_are_withheld_only_the_answer_is_drawn(
    grader: Command, half: Path, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = Options(Kit(grader.kit), policy=Policy(feedback=level))
    for of in ("expected", "difference"):
        with pytest.raises(KitError, match=f"--feedback {level}"):
            draw(options, asked(of=of, answer=half))
    assert draw(options, asked(answer=half, case=1)) == 0
    shown = capsys.readouterr().out
    assert "yours" in shown
    assert not any(word in shown for word in ("expected", "difference", "wrong", "^"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError(seed)", "It raises ValueError"),
        ("return 3", "does not give the 3x4 real numbers"),
        ("import numpy as np; return np.zeros(7, np.float32)", "does not give the 3x4 real numbers"),
        ("import numpy as np; return np.zeros(12, np.complex64)", "does not give the 3x4 real numbers"),
    ],
)
def test_an_answer_without_values_says_why(
    grader: Command, tmp_path: Path, body: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.py"
    file.write_text(f"def {FLAGSHIP}(seed, T, d_model):\n    {body}\n")
    assert draw(Options(Kit(grader.kit)), asked(answer=file, case=1, of="yours")) == 1
    assert said in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_values_of_another_number_are_not_drawn_and_the_reader_is_told(
    grader: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    file = grader.kit / "picture_short.py"
    file.write_text(
        HALF
        + "\n\nwhole = sinusoidal_pos\n\ndef sinusoidal_pos(seed, T, d_model):\n    return whole(seed, T, d_model)[:-1]\n"
    )
    assert draw(Options(Kit(grader.kit)), asked(answer=file, case=1)) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert (
        "Your values are not drawn: the answer does not give the 3x4 real numbers that are expected at T=3, d_model=4."
        in shown
    )
    assert "expected" in shown
    assert "yours" not in shown


@pytest.mark.parametrize(("name", "said"), [("there.png", "is there already"), ("new.pdf", "with .svg or .png")])
def test_a_file_that_may_not_be_written_is_refused_first(name: str, said: str, grader: Command, tmp_path: Path) -> None:
    there = tmp_path / "there.png"
    there.write_bytes(b"kept")
    with pytest.raises(KitError, match=said):
        draw(Options(Kit(grader.kit)), asked(of="expected", out=tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == ["there.png"]
    assert there.read_bytes() == b"kept"


def test_there_is_no_such_case(grader: Command) -> None:
    with pytest.raises(KitError, match="the cases are 1 to 8"):
        draw(Options(Kit(grader.kit)), asked(of="expected", case=9))


@pytest.mark.slow
def test_a_problem_without_a_picture_says_what_shows_its_values(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    reference = kit.answer(FLAGSHIP)
    lines = reference.read_text().splitlines(keepends=True)
    reference.write_text("".join(line for line in lines if not line.lstrip().startswith("picture=")))
    with pytest.raises(KitError, match=f"{FLAGSHIP} has no picture. To see its values line by line: .* trace"):
        draw(Options(kit), asked(of="expected"))
