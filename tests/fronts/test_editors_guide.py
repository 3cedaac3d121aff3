"""What the guides give to editors and assistants can be read by them, and works where the editor is here."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from grader.cli import app
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, ROOT, Command, clean_environment

BLOCKS = {
    (guide, number): (kind, text)
    for guide in ("editors", "assistant")
    for number, (kind, text) in enumerate(
        re.findall(
            r"^```(\w+)\n(.*?)^```",
            (ROOT / "grader" / "guides" / f"{guide}.md").read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        )
    )
}
STORY = """
local file, wrong, right = unpack({ %s })
local function lines(text) return vim.split(text, '\\n') end
vim.cmd('filetype on')
vim.cmd('edit ' .. file)
local function save(text) vim.api.nvim_buf_set_lines(0, 0, -1, false, lines(text)); vim.cmd('silent write') end
assert(vim.wait(30000, function()
  for _, client in pairs(vim.lsp.buf_get_clients(0)) do if client.initialized then return true end end
end, 20))
save(wrong)
assert(vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20))
for _, one in ipairs(vim.diagnostic.get(0)) do
  local line = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
  print(string.format('MARKED %%d %%s %%s\\n', one.lnum + 1, one.code, line:sub(one.col + 1, one.end_col)))
end
save(right)
assert(vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 20))
print('NOTHING IS MARKED')
vim.cmd('qall!')
"""
"""What Neovim does after the lines of the guide: it opens a stub, and saves a wrong answer and a right one."""


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block[0]}-{block[1]}")
def test_what_a_guide_gives_to_a_program_is_in_its_form_and_names_a_command(block: tuple[str, int]) -> None:
    kind, text = BLOCKS[block]
    if kind == "json":
        json.loads(text)
    elif kind == "toml":
        tomllib.loads(text)
    for command in re.findall(r"-m['\", ]+grader['\", ]+(\w+)", text):
        assert command in app.commands


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_the_lines_for_neovim_mark_a_save(own_kit: Command, tmp_path: Path) -> None:
    (lines,) = (text for kind, text in BLOCKS.values() if kind == "lua")
    texts = ", ".join(f"[==[{text}]==]" for text in (f"problems/{FLAGSHIP}/stub.py", HALF.rstrip(), RIGHT.rstrip()))
    (tmp_path / "story.lua").write_text(lines.replace("'python', '-m'", f"'{sys.executable}', '-m'") + STORY % texts)
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-S", str(tmp_path / "story.lua")],
        cwd=own_kit.kit,
        env={**clean_environment(), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = done.stdout + done.stderr
    assert "MARKED 9 half-exponent -pairs / d_model" in said, said
    assert "NOTHING IS MARKED" in said, said
