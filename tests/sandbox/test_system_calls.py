"""System calls that Python does not offer: they do what they say, and a failure raises OSError with the reason."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.sandbox import seccomp
from tests.sandbox import in_own_thread

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the calls are Linux's")


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: seccomp.syscall(3 if seccomp.machine() == "x86_64" else 57, 9999), "Bad file descriptor"),
        (lambda: seccomp.prctl(9999, 0), "Invalid argument"),
        (lambda: seccomp.prctl(seccomp.PR_SET_SECCOMP, 9999, None), "Invalid argument"),
        (lambda: seccomp.unshare(1), "Invalid argument"),
        (lambda: seccomp.mount("none", "/no/such/folder", "tmpfs", 0), "No such file|not permitted"),
    ],
    ids=["close", "prctl", "prctl with a pointer", "unshare", "mount"],
)
def test_a_call_that_fails_says_why(call: Callable[[], object], reason: str) -> None:
    with pytest.raises(OSError, match=reason):
        call()


@pytest.mark.parametrize(
    ("name", "kernels"), [("x86_64", "x86_64"), ("AMD64", "x86_64"), ("arm64", "aarch64"), ("riscv64", "riscv64")]
)
def test_an_architecture_has_the_kernels_name(name: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: name)
    assert seccomp.machine() == kernels


def test_a_setting_of_a_thread_is_set() -> None:
    def no_new_privileges() -> str:
        seccomp.prctl(seccomp.PR_SET_NO_NEW_PRIVS, 1)
        return status("NoNewPrivs")

    assert in_own_thread(no_new_privileges) == "1"


@pytest.mark.parametrize("machine", ["here", "riscv64"])
def test_no_capability_is_left(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if machine != "here":
        monkeypatch.setattr(seccomp, "machine", lambda: machine)

    def dropped() -> list[str]:
        seccomp.drop_capabilities()
        return [status(name) for name in ("CapEff", "CapPrm", "CapInh")]

    assert in_own_thread(dropped) == ["0" * 16] * 3


def status(name: str) -> str:
    """A line of what the kernel says of this thread."""
    found = re.search(rf"^{name}:\s+(\w+)$", Path("/proc/thread-self/status").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]
