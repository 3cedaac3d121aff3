"""`python -m tests.classroom --students 200 --seed 7 DIR`: a class to grade, its roster, and the truth about each answer."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from grader.kit.kit import Kit
from tests.classroom.made import FOLDER, ROSTER, TRUTH, make
from tests.conftest import ROOT


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    if asked.folder.exists() and (not asked.folder.is_dir() or any(asked.folder.iterdir())):
        print(f"{asked.folder} is not an empty folder: give another one.", file=sys.stderr)
        return 2
    items = make(Kit(ROOT), asked.students, asked.seed, asked.folder)
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(item.kind for item in items).items()))
    print(f"{asked.folder / FOLDER}: {len(items)} things from {asked.students} students: {kinds}.")
    print(f"Its roster is {asked.folder / ROSTER}, and what each thing is stands in {asked.folder / TRUTH}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
