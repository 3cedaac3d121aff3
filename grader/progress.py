"""What the learner has done so far: last verdicts, solved problems, hints taken. Kept in the kit's `.grader/`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from grader.files import write_atomically
from grader.kit import Kit

FORMAT = 1


@dataclass
class Progress:
    """Per problem: the last verdict with the fingerprint of what was graded, when it was first solved, hints shown."""

    path: Path
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    solved: dict[str, str] = field(default_factory=dict[str, str])
    hints: dict[str, int] = field(default_factory=dict[str, int])

    def current(self, name: str, fingerprint: str) -> dict[str, Any] | None:
        """The last verdict, if nothing that it depends on has changed since."""
        kept = self.verdicts.get(name)
        return kept["verdict"] if kept and kept["fingerprint"] == fingerprint else None

    def save(self) -> None:
        """Raises OSError where the kit cannot be written."""
        data = {"format": FORMAT, "verdicts": self.verdicts, "solved": self.solved, "hints": self.hints}
        write_atomically(self.path, json.dumps(data, indent=1, allow_nan=False).encode())


def load(kit: Kit) -> Progress:
    """The progress in a kit; a damaged file is set aside under another name, not lost."""
    path = kit.state / "progress.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}")
        return Progress(path, dict(data["verdicts"]), dict(data["solved"]), dict(data["hints"]))
    except (FileNotFoundError, NotADirectoryError):
        return Progress(path)
    except (ValueError, KeyError, TypeError):
        path.replace(path.with_suffix(".damaged.json"))
        return Progress(path)


def fingerprint(kit: Kit, name: str, device: str) -> str:
    """Of all that a verdict depends on: the answer, the reference or key, the versions, the device."""
    digest = hashlib.sha256(f"{version('grader')} {version('jax')} {version('flax')} {device}".encode())
    for path in (kit.stub(name), kit.reference(name), kit.key(name), *sorted((kit.root / "solutions").glob("*.py"))):
        data = path.read_bytes() if path.is_file() else b"-"
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]
