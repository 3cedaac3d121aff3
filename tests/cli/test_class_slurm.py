"""The guide's own lines for SLURM, without SLURM: an `sbatch` that runs the script once for each number of the array."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.author import toys
from tests.cli.test_class import FIRST, HEAD, SECOND, STYLES, WRONG, assert_same_outcomes, hand_in
from tests.conftest import ROOT, Command, clean_environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux confines answers"),
]

SBATCH = """#!/bin/bash
# sbatch --wait --array=1-N%M SCRIPT ARGUMENTS, as SLURM does it: each task with its variables, and its output in a file.
set -euo pipefail
[[ $1 == --wait && $2 =~ ^--array=1-([0-9]+)%[0-9]+$ ]]
last=${BASH_REMATCH[1]}
shift 2
output=$(sed -n 's/^#SBATCH --output=//p' "$1")
cores=$(sed -n 's/^#SBATCH --cpus-per-task=//p' "$1")
for ((task = 1; task <= last; task++)); do
    file=${output//%A/77}
    SLURM_ARRAY_JOB_ID=77 SLURM_JOB_ID=$((77 + task)) SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$last \\
        SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=$last SLURM_CPUS_PER_TASK=$cores SLURM_SUBMIT_DIR=$PWD \\
        bash "$@" > "${file//%a/$task}" 2>&1
done
"""


def blocks() -> tuple[str, str]:
    """What the guide says to type, and its `grade.sh`."""
    guide = (ROOT / "grader" / "guides" / "cluster.md").read_text(encoding="utf-8")
    typed, script = re.findall(r"^```sh\n(.*?)^```", guide.partition("## SLURM")[2], re.S | re.M)
    assert script.startswith("#!/bin/bash\n#SBATCH ")
    return typed, script


def test_the_lines_of_the_guide_give_the_gradebook_of_a_local_run(tmp_path: Path) -> None:
    for name in (FIRST, SECOND):
        toys.make(tmp_path / "course", name)
    kit = Command(tmp_path / "course")
    right = {f"s{number}": f"{WRONG if number % 3 else toys.ANSWER}# {number}\n" for number in range(5)}
    hand_in(kit, {**right, **STYLES, "dan": toys.STUB, "eve": f"{HEAD}    import os\n    os._exit(3)\n"})
    hand_in(kit, right, SECOND)
    # HOME is where the course is, and the commands of the environment of the kit come first in PATH.
    (bin := kit.kit / ".venv" / "bin").mkdir(parents=True)
    (bin / "activate").write_text(f'PATH="{Path(sys.executable).parent}:$PATH"\n')
    (bin / "sbatch").write_text(SBATCH)
    (bin / "sbatch").chmod(0o700)
    typed, script = blocks()
    (kit.kit / "grade.sh").write_text(script)
    assert typed.count(" --size 40\n") == 1
    environment = {
        **clean_environment(), "HOME": str(tmp_path), "PATH": f"{bin}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", typed.replace(" --size 40\n", " --size 6\n")],
        cwd=kit.kit, env=environment, capture_output=True, text=True, timeout=400,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, f" Kit: {kit.kit}\n"), done.stderr
    assert sorted(path.name for path in (kit.kit / "round1").iterdir()) == [
        f"{number}.{ending}" for number in (1, 2, 3) for ending in ("json", "jsonl")
    ]
    assert {path.name: path.read_text() for path in (kit.kit / "logs").iterdir()} == {
        f"77_{number}.txt": "" for number in (1, 2, 3)
    }
    with sqlite3.connect(kit.kit / "week1.gradebook") as database:
        ((seed,),) = database.execute("SELECT value FROM setting WHERE name = 'fresh'")
    assert kit("class", "grade", "week1", "--gradebook", "local.gradebook", "--fresh", seed).returncode == 0
    assert_same_outcomes(kit, "week1.gradebook", "local.gradebook")
    assert kit.json("class", "status", "week1.gradebook")["problems"][0]["due"] == 0
