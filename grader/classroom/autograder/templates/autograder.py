"""The autograder of an assignment on Classroom 50. It runs in a student's checkout, and grades by bundle.zip beside it.

With GRADER_PYTHON, the Python of that path is used, which must have all of the bundle's requirements.txt; else they are
installed first. Exit status: 0 if result.json is written; anything else is a fault, and nothing is written.
"""

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

MODULE = "grader.classroom.autograder"


def main() -> int:
    """Unpack the bundle outside of the checkout, bring what it needs, and grade."""
    here = Path(os.environ.get("CLASSROOM50_BUNDLE_DIR") or Path(__file__).resolve().parent)
    checkout = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        bundle = Path(scratch, "bundle")
        with zipfile.ZipFile(here / "bundle.zip") as packed:
            packed.extractall(bundle)
        python = os.environ.get("GRADER_PYTHON") or installed(bundle, Path(scratch, "venv"))
        environment = {**os.environ, "PYTHONPATH": str(bundle / "package"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [python, "-P", "-m", MODULE, "classroom50", str(bundle), str(checkout)]
        return subprocess.run(command, env=environment, cwd=scratch, check=False).returncode


def installed(bundle: Path, folder: Path) -> str:
    """Make an environment with all that the grader needs. Returns its Python."""
    wanted = (bundle / "python-version").read_text(encoding="utf-8").strip()
    running = ".".join(map(str, sys.version_info[:2]))
    if running != wanted:
        sys.exit(
            f"This autograder needs Python {wanted}, and this is {running}: set `python` of the runtime to {wanted}."
        )
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--requirement", str(bundle / "requirements.txt")]
    subprocess.run(pip, cwd=folder, check=True)
    return python


if __name__ == "__main__":
    sys.exit(main())
