"""`python -m tests.classroom --students 200 --seed 7 DIR`: a class to grade, its roster, and the truth about each answer."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from grader.kit.kit import Kit, KitError
from tests.classroom.made import FOLDER, LAYOUTS, MIXED, PROBLEMS, ROSTER, TRUTH, chosen, make
from tests.conftest import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--students", type=int, default=200, metavar="N")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--problems", default=str(PROBLEMS), metavar="N|NAME[,NAME]...", help=f"how many, or which [{PROBLEMS}]"
    )
    parser.add_argument("--layout", choices=LAYOUTS, help="of all students [else those that mix, in turn]")
    asked = parser.parse_args()
    kit = Kit(ROOT)
    if asked.students < 1:
        parser.error("--students: at least one.")
    try:
        problems = _problems(kit, asked.problems, asked.seed)
    except KitError as error:
        parser.error(f"--problems: {error}")
    if asked.folder.exists() and (not asked.folder.is_dir() or any(asked.folder.iterdir())):
        print(f"{asked.folder} is not an empty folder: give another one.", file=sys.stderr)
        return 2
    items = make(kit, asked.students, asked.seed, asked.folder, problems, (asked.layout,) if asked.layout else MIXED)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(item.kind for item in items).items()))
    print(f"{asked.folder / FOLDER}: {len(items)} things from {asked.students} students: {kinds}.")
    print(f"To grade it: {kit.command('class', 'grade', str(asked.folder / FOLDER), *problems)}")
    print(f"Its roster is {asked.folder / ROSTER}, and what each thing is stands in {asked.folder / TRUTH}.")
    return 0


def _problems(kit: Kit, asked: str, seed: int) -> list[str]:
    """The problems that `--problems` names, or as many as it says.

    Raises:
        KitError: where the kit has no such problem, or not so many.
    """
    if not asked.isdecimal():
        return list(dict.fromkeys(kit.resolve(name.strip()) for name in asked.split(",")))
    if not 1 <= int(asked) <= len(kit.names):
        raise KitError(f"from 1 to {len(kit.names)}, which are all of this kit.")
    return chosen(kit, int(asked), seed)


if __name__ == "__main__":
    sys.exit(main())
