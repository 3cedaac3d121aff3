"""Answer keys: what a kit needs to grade without its solutions. Also the export of a kit that has keys in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from importlib import resources
from pathlib import Path
from string import Template

import numpy as np

from grader.kit import shipped_kit, statement
from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError, in_order, order_faults
from grader.kit.output import check_new
from grader.kit.problem_error import ProblemError
from grader.kit.software import OLDEST
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.diagnosis import LARGEST_SET
from grader.marking.facts import Truth
from grader.oracle import documents, store
from grader.oracle.answer_key import is_current, text_mark
from grader.oracle.connection import has_layers
from grader.oracle.draws import Sample
from grader.oracle.oracle import sample
from grader.oracle.store import Mark, SavedOracle
from grader.session import Session
from grader.values.arrays import Expected

README = "README.md"
"""The file at the top of an exported kit that tells learners what to do with it."""

MOST_BYTES_OF_STEPS = 1 << 17
"""The most bytes of the steps that a key holds of one program. It holds those of the smallest cases."""


def make(session: Session, name: str, samples: dict[bool, Sample], *, places: bool = True) -> bytes:
    """The answer key of one problem: what is expected, what exchanged keys give, and every set of up to three pitfalls.

    The largest sets are many and rarely asked for, so the key holds them on two cases only: the screening case and the one
    that distinguishes best what the screening case leaves alike. All other sets are held on all cases. The steps of the
    reference are held on the smallest cases.

    Args:
        samples: the samples of draws with layers and without, as far as they are drawn: one of each serves all keys.
        places: whether it holds those steps. Without them, it tells no place of a mistake.

    Raises:
        ProblemError: for a fault of the problem, or if its reference is missing.
    """
    kit = session.kit
    source = session.oracle(name)
    if not source.computes:
        raise ProblemError(f"{kit.shown(kit.answer(name))}: there is no such file, and a key is made from it")
    try:
        first = source.screening_case
        oracle = SavedOracle(source.facts(), source.truth(), first)
        for of_value in ((False, True) if oracle.facts.wrt else (False,)) if places else ():
            oracle.steps[of_value] = source.steps_for_key(of_value=of_value, most=MOST_BYTES_OF_STEPS)
        for size in range(LARGEST_SET):
            oracle.confirmed |= source.sets_for_key(size, range(len(oracle.facts.cases)))
        second = second_case(oracle.truth, oracle.confirmed.values(), first)
        oracle.few = tuple(sorted({first, second}))
        oracle.confirmed |= source.sets_for_key(LARGEST_SET, oracle.few)
        # Paths of this machine mean nothing on another, and are private.
        oracle.origin = replace(source.origin(), files={})
        texts = text_mark(kit.statement(name)), text_mark(kit.answer(name), *kit.words_in_all_languages(name))
        layers = has_layers(kit.answer(name))
        if layers not in samples:
            samples[layers] = sample(session.launcher, layers)
        made_from = store.fingerprint(kit.answer(name), session.device)
        mark = Mark(*texts, made_from, samples[layers])
        return store.to_bytes(oracle, mark)
    finally:
        source.close()  # each process of a reference takes memory


def without_places(data: bytes) -> bytes:
    """The key of these bytes, as `make` makes it without places."""
    oracle, mark = documents.from_bytes(data, documents.LARGEST_KEY)
    return store.to_bytes(replace(oracle, steps={}), mark)


def second_case(truth: Truth, sets: Iterable[Sequence[Expected | None]], first: int) -> int:
    """The case that distinguishes the most of these sets, after the case `first`; the last one if several do so equally."""
    listed = list(sets)

    def labels(case: int) -> list[tuple[int, bytes]]:
        """A label for each set. Two sets have the same if their values round to the same multiples of the tolerance."""
        step = MOST_TOLERANCES_WITH_PROGRAM * truth.expected[case].largest_tolerance or 1.0
        found = [outputs[case] for outputs in listed]
        with np.errstate(all="ignore"):
            return [
                (output.size, (np.rint(output.values / step) + 0.0).tobytes()) for output in found if output is not None
            ]

    screened = labels(first)
    cases = range(len(truth.expected))
    return max(cases, key=lambda case: (len(set(zip(screened, labels(case), strict=True))), case != first, case))


def write(session: Session, name: str, target: Kit, samples: dict[bool, Sample], *, places: bool) -> bool:
    """Whether a problem's key was made (see `make`) and written into a kit: one from the same files and software stays."""
    if is_current(session.kit, name, session.device, target.key(name), places=places):
        return False
    write_atomically(target.key(name), make(session, name, samples, places=places))
    return True


def plan_export(kit: Kit, names: Sequence[str], target: Path, *, force: bool = False) -> dict[str, bytes]:
    """The files of an exported kit without its keys, by their paths in it. This checks the export, and writes nothing.

    The target may hold a part of the same export: one that was stopped goes on.

    Args:
        force: whether the target may hold anything else, which may be overwritten.

    Raises:
        KitError: if the target holds anything else and `force` is not set, or lies inside the kit's own problems or
            solutions; if a stub is filled in and the shipped one is not known; or if a problem comes after others that are
            left out.
        ProblemError: if `after` of a statement names an unknown problem, or contains a cycle; or if a file cannot be handed
            out (see `shipped_kit.read_handed_out`).
    """
    if any(target.resolve().is_relative_to(kit.root / folder) for folder in ("problems", "solutions")):
        raise KitError(f"{str(target)!r} lies within the kit's own problems: name a folder outside of them.")
    if left_out := _left_out(kit, names):
        whole = kit.command("release", str(target), *sorted({*names, *left_out}))
        raise KitError(
            f"The kit would leave out what comes before its problems: {', '.join(left_out)}. Release all: {whole}"
        )
    files: dict[Path, bytes] = {}
    for name in names:
        files |= {**shipped_kit.handed_out_files(kit, name), kit.stub(name): shipped_kit.handed_out_stub(kit, name)}
    planned = {README: _readme(kit, names), **{kit.shown(path): data for path, data in files.items()}}
    if not (target.is_dir() and _is_part_of_export(planned, {kit.shown(kit.key(name)) for name in names}, target)):
        check_new(target, force=force, folder=True)
    return planned


def _readme(kit: Kit, names: Sequence[str]) -> bytes:
    """What a learner has to know of an exported kit: its exercises in order, how to install, begin, and hand in."""
    read = {name: statement.read(kit.statement(name)) for name in names}
    ordered = in_order(
        {name: lesson.after for name, lesson in read.items()}, {name: lesson.track for name, lesson in read.items()}
    )
    rows = [
        f"| [{name}](problems/{name}/README.md) | {read[name].title} | {', '.join(read[name].after) or '-'} |"
        for name in ordered
    ]
    table = "\n".join(("| exercise | lesson | comes after |", "|---|---|---|", *rows))
    text = (resources.files("grader.author") / "templates" / "kit.md.template").read_text(encoding="utf-8")
    told = {"table": table, "first": ordered[0], "python": OLDEST["python"].rpartition(".")[0]}
    return Template(text).substitute(told).encode()


def _left_out(kit: Kit, names: Sequence[str]) -> list[str]:
    """The problems that come before those named, near or far, and are not named, sorted.

    Raises:
        ProblemError: if `after` names an unknown problem, or contains a cycle.
    """
    after: dict[str, Sequence[str]] = {}
    waiting = list(names)
    while waiting:
        if (name := waiting.pop()) not in after:
            after[name] = statement.read(kit.statement(name)).after
            waiting += [earlier for earlier in after[name] if earlier in kit.names]
    for fault in order_faults(after).values():
        raise ProblemError(fault)
    return sorted(set(after) - set(names))


def _is_part_of_export(planned: Mapping[str, bytes], keys: Set[str], target: Path) -> bool:
    """Whether the target holds nothing but keys and files that the export would write, with the same bytes."""
    folders = {parent for path in (*planned, *keys) for parent in Path(path).parents}

    def known(path: Path) -> bool:
        inside = path.relative_to(target)
        if path.is_dir():
            return inside in folders and not path.is_symlink()
        return not path.is_symlink() and (str(inside) in keys or path.read_bytes() == planned.get(str(inside)))

    return all(map(known, target.rglob("*")))
