"""The script that every process of the grader starts with: `python -P start.py MODULE ARGUMENT` runs `grader.run.MODULE`.

A module with a dot in its name, such as `notebooks.judge`, is one of another package of the grader.

It loads the package from the folder of this file. So the parent of that folder need not be on the import path: it may be the
current folder, which may hold submissions.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location


def main() -> None:
    """Load the package, and call `main` of the module that the first argument names."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = spec_from_file_location("grader", os.path.join(package, "__init__.py"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules["grader"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["grader"])
    from importlib import import_module

    from grader.run.search_path import leave_current_folder

    leave_current_folder()
    name = sys.argv.pop(1)
    module = import_module(f"grader.{name}" if "." in name else f"grader.run.{name}")
    module.main()
    # Nobody should wait until the interpreter has freed all that JAX holds, which takes 40 ms.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
