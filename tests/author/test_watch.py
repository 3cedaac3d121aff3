"""What `audit --watch` promises: every save of a problem audits that problem again."""

from __future__ import annotations

import sys
from pathlib import Path

import pexpect
import pytest

from tests.author import toys


@pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a pseudo-terminal")
def test_a_save_audits_its_problem_again_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    kit = toys.make(toys.make(tmp_path), "other_decay")
    child = pexpect.spawn(
        sys.executable, ["-m", "grader", "audit", "--watch", "--no-color"], cwd=str(kit), encoding="utf-8", timeout=60
    )
    child.expect("2 of 2 sound")
    child.expect("Watching problems/ and solutions/")
    statement = kit / "problems/other_decay/README.md"
    statement.write_text(statement.read_text().replace("0.7788", "0.7789"))
    child.expect(r"problems/other_decay/README\.md:\d+\S*: example: .* where '0.7789' is shown")
    statement.write_text(statement.read_text().replace("0.7789", "0.7788"))
    child.expect(r"other_decay\S*   \S*sound")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus in (0, 130)
