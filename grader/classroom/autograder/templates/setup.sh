#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: it brings a Python of its own, for that of the image is too old.
# With GRADER_PYTHON, the Python of that path is used, which must have all of requirements.txt: nothing is installed then.
set -euo pipefail

root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"

if [ -z "${GRADER_PYTHON:-}" ]; then
    if command -v apt-get >/dev/null; then
        apt-get update
        DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends python3-venv ca-certificates
    fi
    python3 -m venv "$root/uv"
    "$root/uv/bin/pip" install --quiet uv
    export UV_PYTHON_INSTALL_DIR="$root/python"
    "$root/uv/bin/uv" venv --python "$(cat "$source/python-version")" "$root/venv"
    "$root/uv/bin/uv" pip install --python "$root/venv/bin/python" --requirement "$source/requirements.txt"
fi

chmod +x "$source/run_autograder"
echo "Python: $("${GRADER_PYTHON:-$root/venv/bin/python}" --version)"
