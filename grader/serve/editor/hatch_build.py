"""Builds the editor into a wheel. Where npm or the network is missing, the wheel has none, and the page has a text box."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class EditorHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a clone: `serve` builds it at its first start
            return
        path = Path(self.root) / "grader" / "serve" / "editor_bundle.py"
        spec = spec_from_file_location("editor_bundle", path)
        assert spec is not None
        assert spec.loader is not None
        bundle = module_from_spec(spec)
        spec.loader.exec_module(bundle)
        try:
            if not bundle.is_current():
                bundle.build()
        except bundle.NotBuilt as error:
            self.app.display_warning(f"The editor was not built, and the page of `serve` has a text box: {error}")
