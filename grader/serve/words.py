"""Every word of the page that `serve` adds to that of the site."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class InBrowser:
    """What the script of the page says. `{n}` and the like are put in there."""

    saved: str = "Saved"
    unsaved: str = "Not saved"
    not_saved: str = "Not saved: {why}"
    grading: str = "Grading {n} s, {phase}"
    stopped: str = "The grading was stopped. Save again to grade."
    old: str = "This verdict is about another text than the one here."
    verdict: str = "{status}. {says}"
    ended: str = "The grader has ended. Start it again: python -m grader serve. What you type is kept in this browser."
    restarted: str = (
        "The grader was started again: open the address that its terminal shows. It offers what you did not save here."
    )
    changed: str = (
        "The file was changed elsewhere, and so was the text here. The text that you do not take is kept beside it."
    )
    choose: str = "choose one of the two texts"
    unreadable: str = "The file cannot be shown: {why}"
    take: str = "Take the file"
    keep: str = "Keep mine"
    taken: str = "Your text is kept in {file}."
    kept: str = "The other text is kept in {file}."
    drafted: str = "There is a text from {time} that was not saved."
    drafted_here: str = "There is a text in this browser that was not saved."
    use: str = "Use it"
    drop: str = "Drop it"
    was_reset: str = "The stub is as shipped again. Your text is kept in {file}."
    as_shipped: str = "The stub is as shipped."
    reset_asked: str = "Put the shipped stub back? Your text is kept beside it."
    reset_now: str = "Put it back"
    cancel: str = "Cancel"
    hint: str = "Hint {n} of {all}"
    more: str = "Take a hint"
    first_of: str = "Take one hint at a time, and try again after each. Hints left: {all}."
    spoils: str = "You have not solved this problem yet. Show the worked answer all the same?"
    show: str = "Show it"
    solution: str = "The worked answer"
    compare: str = "Compare with the worked answer"
    next: str = "Next: {title}"
    solved: str = "solved"
    figures: str = "The figures of this lesson cannot be drawn: {why}"
    picture: str = "The picture cannot be drawn: {why}"


@dataclass(frozen=True)
class Words:
    """The words of the templates."""

    lesson: str = "Lesson"
    code: str = "Code"
    to_code: str = "Skip to the code"
    answer: str = "Your answer"
    editor: str = "The text of {file}"
    grade: str = "Save and grade"
    stop: str = "Stop"
    reset: str = "Reset"
    plain: str = "Plain text box"
    keys: str = "Ctrl+S saves and grades. Tab indents; Escape and then Tab leaves the editor."
    own_editor: str = "You may also change this file in your own editor. This page follows it:"
    worked: str = "The worked answer"
    difference: str = "From yours to the worked answer"
    same: str = "Yours and the worked answer are the same."
    verdict: str = "Verdict"
    progress: str = "{solved} of {all} solved"
    go_on: str = "Go on with {lesson}"
    faulty: str = "Lessons with a fault of the kit"
    needs_script: str = "This page needs JavaScript."

    def for_script(self) -> dict[str, Any]:
        """What the script says, as a document."""
        return asdict(InBrowser())


ENGLISH = Words()
