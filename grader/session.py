"""What all gradings of one run share: the processes and the oracles."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import shipped
from grader.locale.language import gettext
from grader.marking.attempt import Attempt
from grader.marking.facts import Truth
from grader.marking.requirements import CONTRACTS
from grader.options import BEST, Limits, Policy, Unconfined
from grader.oracle.oracle import Oracle, open_oracle
from grader.program.analysis import in_float64
from grader.run.child import TRIES, Child, Launcher, LaunchError, started
from grader.run.judge.attempt import NotConfined, attempt, draws_of, imports_of, prepare
from grader.run.judge.cores import Cores
from grader.run.judge.evaluator_client import EvaluatorClient
from grader.run.launch import launcher
from grader.run.protocol import Likely, Task, TracedPrograms
from grader.sandbox.confine import TIERS, readable
from grader.values.arrays import Answered


@dataclass
class Session:
    """One run of the grader over some answers. Threads may share it; leaving it ends every process.

    After the session is left, `notes` says what could not be saved for the next run, in one line each. `cores` shares cores
    out to the answers that run at once; without it, each may use all.
    """

    kit: Kit
    device: str = "cpu"
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    notes: list[str] = field(default_factory=list[str])
    cores: Cores | None = None
    _launchers: list[Launcher] = field(default_factory=list[Launcher])
    _oracles: dict[str, Oracle] = field(default_factory=dict[str, Oracle])
    _spare: tuple[Child, tuple[str, ...]] | None = None
    _running: list[Child] = field(default_factory=list[Child])
    _aborted: bool = False
    _highest: str = "A"
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if self._spare is not None:
                self._spare[0].close()
            for oracle in self._oracles.values():
                if note := oracle.close():
                    self.notes.append(note)
        finally:
            for open_launcher in self._launchers:
                open_launcher.close()

    def abort(self) -> None:
        """End every process at once. An answer that is running then gets the status `crash`."""
        self._aborted = True
        for open_launcher in self._launchers:
            open_launcher.close()

    def stop(self) -> None:
        """End the answers that are running. Each then gets the status `crash`; the session can run others."""
        for child in list(self._running):
            child.kill()

    def launcher(self) -> Launcher:
        """The launcher of processes. It is started when it is first needed, and again if an answer has ended it.

        Raises:
            LaunchError: if the session was aborted.
        """
        with self._lock:
            if not self._launchers or not self._launchers[-1].alive:
                if self._aborted:
                    raise LaunchError(gettext("this session has ended"))
                self._launchers.append(launcher(clean=bool(self.policy.confine)))
            return self._launchers[-1]

    def oracle(self, name: str) -> Oracle:
        """The oracle of a problem; the second call returns the same one.

        Raises:
            ProblemError: if the kit has neither a reference for the problem nor a key that fits.
        """
        with self._lock:
            if name not in self._oracles:
                self._oracles[name] = open_oracle(self.kit, name, self.device, self.launcher)
            return self._oracles[name]

    def release(self, name: str) -> None:
        """End the process of a problem's reference, and save what it computed. The next question starts another one.

        Each such process takes memory: those of all problems of a large kit would need all that there is.
        """
        with self._lock:
            oracle = self._oracles.get(name)
        if oracle is not None and (note := oracle.close()):
            self.notes.append(note)

    def prepare(self, imports: tuple[str, ...], likely: Likely | None = None) -> None:
        """Start a child before it is needed, so that the next answer with these imports is graded sooner.

        A child that an earlier call started is kept if it has these imports; else it is closed.
        """
        child = self._spare_with(imports) or self._prepared(self.launcher(), imports, likely or Likely())
        with self._lock:
            lost, self._spare = self._spare, (child, imports)
        if lost is not None:  # that of another thread
            lost[0].close()

    def get_ready(self, name: str, text: str) -> str | None:
        """Prepare for the grading of an answer like this one, while the learner thinks.

        Returns:
            a line on what could not be saved; None if nothing went wrong.

        Raises:
            NoSuchDevice, LaunchError, Unconfined: as the next grading will.
        """
        note, stub = None, None
        with contextlib.suppress(ProblemError):  # the next grading reports it
            oracle = self.oracle(name)
            oracle.truth()
            oracle.level(1)
            note = oracle.keep()
            stub = self._stub(name, oracle)
        self.prepare(imports_of(text), Likely(draws_of(text), stub))
        return note

    def _stub(self, name: str, oracle: Oracle) -> Task | None:
        """The shipped stub of a problem, if it is known. No line of an answer is taken for one of it, by its name."""
        text, facts = shipped(self.kit, name), oracle.facts()
        return Task(text.encode(), "<stub>", name, facts.parameters, facts.cases) if text else None

    def attempt(self, task: Task, traced: Callable[[TracedPrograms], None] = lambda _: None) -> Attempt:
        """Run one answer.

        Args:
            traced: is called with its programs, in a thread of its own, once they are there.

        If the template ends meanwhile, another answer may have ended it. The answer then runs once more, from a template of
        its own.
        """
        imports = imports_of(task.text)
        shared = self.launcher()
        try:
            given = self._run(self._child(shared, imports), task, traced)
        except LaunchError:
            if shared.alive or self._aborted:
                raise
        else:
            if given.failure is None or shared.alive or self._aborted:
                return given
        alone = launcher(clean=bool(self.policy.confine))
        try:
            return self._run(self._prepared(alone, imports), task, traced)
        finally:
            alone.close()

    def calls(self, task: Task, cases: Sequence[int]) -> dict[int, Answered]:
        """What plain calls of an answer give on some cases, with JAX's default options; nothing if one of them fails.

        Where a derivative is asked for, the values hold it. The answer runs once more.
        """
        chosen = tuple(task.cases[index] for index in cases)
        derivative = task.contract != "" and CONTRACTS[task.contract].derivative
        contract = task.contract if derivative else ""
        plain = replace(task, cases=chosen, contract=contract, outlined=False, as_written=True, plain=True, programs=0)
        given = self.attempt(plain)
        return dict(zip(cases, given.transformed if derivative else given.answered, strict=False))

    @contextlib.contextmanager
    def evaluator(
        self, programs: bytes | None, truth: Truth, text: str, *, of_any_size: bool = False
    ) -> Generator[EvaluatorClient | None]:
        """The evaluator of an answer's programs, which starts when something is asked; None if there is nothing to evaluate.

        Args:
            programs: as the process of the answer sent them; None if it has none.
            truth: that of the cases that the answer was called on. Without the draws of the reference, nothing is evaluated.
            text: the answer.
            of_any_size: whether its programs may give any number of values.
        """
        if programs is None or len(truth.numbers) != len(truth.expected):
            yield None
            return
        sizes = None if of_any_size else [due.size for due in truth.expected]
        with contextlib.closing(
            EvaluatorClient(
                partial(started, self.launcher, "evaluator"), programs, truth.numbers, sizes, in_float64(text)
            )
        ) as client:
            yield client

    def _run(self, child: Child, task: Task, traced: Callable[[TracedPrograms], None]) -> Attempt:
        self._running.append(child)
        try:
            return attempt(child, task, self.limits, traced)
        finally:
            self._running.remove(child)

    def _child(self, shared: Launcher, imports: tuple[str, ...]) -> Child:
        """The spare child if it is alive and has these imports, else a new one."""
        return self._spare_with(imports) or self._prepared(shared, imports)

    def _spare_with(self, imports: tuple[str, ...]) -> Child | None:
        """The spare child if it is alive and has these imports; any other is closed."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is None:
            return None
        child, has = spare
        if has == imports and not child.ended.is_set():
            return child
        child.close()
        return None

    def _prepared(self, shared: Launcher, imports: tuple[str, ...], likely: Likely | None = None) -> Child:
        """A child that waits for its task, confined as the policy asks.

        Raises:
            Unconfined: if this machine has no such tier.
            LaunchError: if the template ended meanwhile; nothing is known about the tiers then.
        """
        confine = self.policy.confine
        if not confine:
            return prepare(shared, imports, self.device, likely=likely, cores=self.cores)
        wanted = "A" if confine == BEST else confine
        root = self.kit.root.resolve()
        within = next((path for path in readable() if root.is_relative_to(Path(path).resolve())), None)
        if within is not None and wanted != "C":
            lies = gettext("The kit lies in {folder}, which every answer may read: move it out of there.")
            raise Unconfined(lies.format(folder=within))
        memory = self.limits.memory if self.device == "cpu" else 0
        refused: list[str] = []
        for tier in TIERS[TIERS.index(max(wanted, self._highest)) :]:
            try:
                child = self._confined(shared, imports, tier, memory, likely)
            except NotConfined as error:
                refused.append(str(error))
                continue
            self._highest = child.tier
            if child.tier == wanted or (confine == BEST and child.tier == "B"):
                return child
            child.close()
            refused += child.refused
            break
        why = "; ".join(dict.fromkeys(refused)) or gettext("nothing is known of why")
        raise Unconfined(
            gettext(
                "Answers cannot be confined here as asked ({confinement}): {reasons}. `--tier C` grades them in a process "
                "of their own, with limits and nothing more: only on a machine that holds nothing of worth."
            ).format(confinement=confine, reasons=why)
        )

    def _confined(
        self, shared: Launcher, imports: tuple[str, ...], tier: str, memory: int, likely: Likely | None
    ) -> Child:
        """A child at one tier. One that something outside the grader killed says nothing of the tier, and is made again.

        Raises:
            NotConfined: if the confinement failed, or the child was killed TRIES times.
            LaunchError: if the template ended meanwhile.
        """
        tries = 0
        while True:
            tries += 1
            try:
                return prepare(
                    *(shared, imports, self.device),
                    likely=likely,
                    confine=tier,
                    memory=memory,
                    cores=self.cores,
                )
            except NotConfined as error:
                if not shared.alive:
                    raise LaunchError(gettext("the process that forks has ended")) from error
                if not error.killed or tries == TRIES:
                    raise
