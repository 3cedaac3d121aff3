"""The file that a process of the grader's begins with: `python -P start.py MODULE ARGUMENT` runs `grader.run.MODULE`.

The package is loaded from where this file lies. So the folder that holds it, which may be the current one with submissions
in it, need not be on the import path.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location


def main() -> None:
    """Load the package, and run the `main` of the module that the first argument names."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = spec_from_file_location("grader", os.path.join(package, "__init__.py"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules["grader"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["grader"])
    from importlib import import_module

    from grader.run.search_path import leave_current_folder

    leave_current_folder()
    module = import_module(f"grader.run.{sys.argv.pop(1)}")
    module.main()


if __name__ == "__main__":
    main()
