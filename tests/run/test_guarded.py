"""No other process of the same ordinary user can open the memory of the judge, the template or an oracle's child."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests import as_ordinary
from tests.conftest import clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the guard of memory is Linux's")

JUDGES = """
import json, os, subprocess, sys, time
import psutil
from grader.run.launch import launcher

OTHER = '''
import json, os, sys

opened = []
for name, pid in json.loads(sys.argv[1]).items():
    for file in ("mem", "environ", "fd/0"):
        try:
            os.close(os.open(f"/proc/{pid}/{file}", os.O_RDWR if file == "mem" else os.O_RDONLY))
            opened.append(f"{name}/{file}")
        except PermissionError:
            pass
print(json.dumps(opened))
'''

started = launcher(clean=True)
oracle, answer = started.start("oracle"), started.start("answer")
pids = {"judge": os.getpid(), "oracle": oracle.pid, "answer": answer.pid}
if (parent := psutil.Process(oracle.pid).ppid()) != os.getpid():
    pids["template"] = parent
for _ in range(100):  # a child guards its memory, or opens it, only once it has started
    done = subprocess.run([sys.executable, "-c", OTHER, json.dumps(pids)], capture_output=True, text=True, check=True)
    opened = json.loads(done.stdout)
    if len(opened) == 3 and all(one.startswith("answer/") for one in opened):
        break
    time.sleep(0.1)
started.close()
print(json.dumps([sorted(pids), opened]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("start", ["fork", "spawn"])
@pytest.mark.parametrize("user", as_ordinary.users()[:1])  # root may open the memory of every process
def test_the_memory_of_processes_that_judge_is_closed_to_their_own_user(start: str, user: str) -> None:
    command = as_ordinary.command(user, [sys.executable, "-c", JUDGES])
    environment = {**clean_environment(), "GRADER_START": start}
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names, opened = json.loads(done.stdout)
    assert names == (["answer", "judge", "oracle", "template"] if start == "fork" else ["answer", "judge", "oracle"])
    # The memory of an answer's process stays open, because its own user measures it. The guard closes the other processes.
    assert opened == ["answer/mem", "answer/environ", "answer/fd/0"]
