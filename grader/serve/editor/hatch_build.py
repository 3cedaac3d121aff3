"""What goes into a wheel beside the package: the editor, which is built for it, and the lessons, without anybody's answers.

Where npm or the network is missing, the wheel has no editor, and the page has a text box.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from grader.kit.kit import Kit

_REFUSED = (
    "{stub} is filled in, and neither git nor .grader/ knows the stub as it was shipped: your answer would be installed as "
    "a part of the lesson. Move the file away, put the shipped one in its place, and install again. Or install with "
    "`pip install -e .`, which copies no lesson."
)


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling, in an environment that has nothing but hatchling: it may import what needs no other package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a clone: its lessons are used where they lie, and `serve` builds the editor
            return
        sys.path.insert(0, self.root)
        try:
            self._lessons(build_data)
            if self.target_name == "wheel":
                self._editor()
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._bare_stubs.cleanup()

    def _lessons(self, build_data: dict[str, Any]) -> None:
        """Take the files of every lesson, and in place of a stub that is filled in the stub as it was shipped."""
        from grader.kit.kit import EDITOR_TASKS, SHARE, Kit
        from grader.kit.shipped_stub import shipped

        kit = Kit(Path(self.root))
        key, folder = ("shared_data", f"{SHARE}/") if self.target_name == "wheel" else ("force_include", "")

        def include(path: Path, place: Path) -> None:
            build_data[key][str(path)] = f"{folder}{kit.shown(place)}"

        if self.target_name == "wheel":
            include(kit.root / "solutions", kit.root / "solutions")
            include(kit.root / EDITOR_TASKS, kit.root / EDITOR_TASKS)
        self._bare_stubs = tempfile.TemporaryDirectory(prefix="grader-")
        for name in kit.names:
            stub, text = kit.stub(name), shipped(kit, name)
            if text is not None:
                bare = Path(self._bare_stubs.name, f"{name}.py")
                bare.write_bytes(text.encode())
                include(bare, stub)
            elif stub.exists():
                self.app.abort(_REFUSED.format(stub=kit.shown(stub)))
            if self.target_name == "wheel":  # a source distribution has them already
                for path in _beside_the_stub(kit, name):
                    include(path, path)

    def _editor(self) -> None:
        from grader.serve import editor_bundle

        try:
            if not editor_bundle.is_current():
                editor_bundle.build()
        except editor_bundle.NotBuilt as error:
            self.app.display_warning(f"The editor was not built, and the page of `serve` has a text box: {error}")


def _beside_the_stub(kit: Kit, name: str) -> Iterator[Path]:
    """The files of a lesson but its stub: those that every lesson may have, and those that a statement links to.

    All else in its folder is a learner's: notes, notebooks, texts that `reset` moved.
    """
    from grader.kit.kit import is_bare

    stub, folder = kit.stub(name), kit.stub(name).parent
    statements = [*folder.glob("README*.md")]
    linked = "".join(path.read_text("utf-8") for path in statements)
    for path in filter(Path.is_file, folder.rglob("*")):
        if path in (*statements, kit.figure(name), kit.key(name)):
            yield path
        elif path.match("stub.[a-z][a-z].py"):
            if is_bare(path.read_text("utf-8"), name):
                yield path
        elif path != stub and f"]({path.relative_to(folder).as_posix()}" in linked:
            yield path
