"""The process that judges for a notebook: it grades what it is sent, and stays warm until the notebook's process ends.

It is apart from the notebook's own process, so nothing that a cell does to NumPy, to warnings or to the grader reaches it.
It never imports JAX, and runs no answer: each one runs in a process of its own, as for the command.
"""

from __future__ import annotations

import os
import queue
import sys

from grader.locale.language import use_language
from grader.notebooks.messages import JudgeRequest, line_of_json
from grader.run.child import start_thread
from grader.values.decode import from_json
from grader.values.frames import write


def main() -> None:
    """Answer the requests on standard input, one line each, until it ends."""
    replies = os.dup(1)
    os.dup2(2, 1)  # nothing that is printed gets between the replies
    requests = queue.SimpleQueue[bytes]()
    start_thread(_read, requests)
    request = from_json(JudgeRequest, requests.get())
    from grader.run.launch import start_early

    start_early(clean=bool(request.confine))  # it imports JAX while this process imports the rest
    from grader.notebooks.grading import Warm

    warm = Warm()
    while True:
        use_language(request.language)
        write(replies, line_of_json(warm.graded(request)))
        warm.get_ready(request)
        request = from_json(JudgeRequest, requests.get())


def _read(requests: queue.SimpleQueue[bytes]) -> None:
    """Take requests as they come. At the end of the input nobody waits for a verdict, also for the one under way."""
    for data in sys.stdin.buffer:
        requests.put(data)
    os._exit(0)  # the processes of answers end with this one
