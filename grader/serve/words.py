"""Every word of the page that `serve` adds to that of the site."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from grader.locale.language import N_, gettext
from grader.page.words import translated


@dataclass(frozen=True)
class ServeScriptWords:
    """What the script of the page says. `{n}` and the like are put in there."""

    saved: str = N_("Saved")
    unsaved: str = N_("Not saved")
    not_saved: str = N_("Not saved: {why}")
    grading: str = N_("Grading {n} s, {phase}")
    running: str = N_("Running {n} s")
    practising: str = N_("Looking at the exercise {n} s")
    begin: str = N_("Begin")
    exercise: str = N_("The text of the exercise")
    grade_exercise: str = N_("Grade the exercise")
    practising_stopped: str = N_("The look at the exercise was stopped.")
    tracing: str = N_("Tracing {n} s")
    grading_stopped: str = N_(
        "The grading was stopped, by Stop or by the grading of another lesson. Save again to grade."
    )
    running_stopped: str = N_("The run was stopped.")
    tracing_stopped: str = N_("The trace was stopped.")
    old: str = N_("This verdict is about another text than the one here.")
    verdict: str = N_("{status}. {says}")
    gone: str = N_(
        "The grader does not answer. If it has ended, start it again (python -m grader serve) and open the address that it "
        "shows. What you type is kept in this browser."
    )
    again: str = N_("Ask again")
    changed: str = N_(
        "The file was changed elsewhere, and so was the text here. The text that you do not take is kept beside it."
    )
    choose: str = N_("choose one of the two texts")
    unreadable: str = N_("The file cannot be shown: {why}")
    take: str = N_("Take the file")
    keep: str = N_("Keep mine")
    taken: str = N_("Your text is kept in {file}.")
    kept: str = N_("The other text is kept in {file}.")
    drafted: str = N_("There is a text from {time} that was not saved.")
    drafted_here: str = N_("There is a text in this browser that was not saved.")
    use: str = N_("Use it")
    drop: str = N_("Drop it")
    was_reset: str = N_("The stub is as shipped again. Your text is kept in {file}.")
    as_shipped: str = N_("The stub is as shipped.")
    reset_asked: str = N_("Put the shipped stub back? Your text is kept beside it.")
    reset_now: str = N_("Put it back")
    cancel: str = N_("Cancel")
    formatted: str = N_("The text is formatted already.")
    hint: str = N_("Hint {n} of {all}")
    more: str = N_("Take a hint")
    first_of: str = N_("Take one hint at a time, and try again after each. Hints left: {all}.")
    spoils: str = N_("You have not solved this problem yet. Show the worked answer all the same?")
    show: str = N_("Show it")
    next: str = N_("Next: {title}")
    leads: str = N_("Leads to")
    track_done: str = N_("You have solved the whole of Track {track}. You have learned:")
    passed: str = N_("passed")
    failed: str = N_("failed")
    nothing_printed: str = N_("Your answer printed nothing.")
    solved: str = N_("solved")
    progress: str = N_("{solved} of {all} solved")
    finished: str = N_("Track finished: {solved} of {all} solved")
    figures: str = N_("The figures of this lesson cannot be drawn: {why}")
    picture: str = N_("The picture cannot be drawn: {why}")


EDITOR = (
    *(N_("yours"), N_("needed"), N_("Find"), N_("Replace"), N_("next"), N_("previous"), N_("all"), N_("match case")),
    *(N_("by word"), N_("regexp"), N_("replace"), N_("replace all"), N_("close"), N_("current match"), N_("on line")),
    *(N_("replaced $ matches"), N_("replaced match on line $"), N_("Go to line"), N_("go"), N_("folded code")),
    *(N_("unfold"), N_("Fold line"), N_("Unfold line"), N_("Folded lines"), N_("Unfolded lines"), N_("to")),
    *(N_("Diagnostics"), N_("No diagnostics"), N_("Completions"), N_("Selection deleted"), N_("Control character")),
)
"""What the editor says: its own words, and those of CodeMirror."""


@dataclass(frozen=True)
class ServeWords:
    """The words of the templates."""

    views: str = N_("What is shown")
    lesson: str = N_("Lesson")
    code: str = N_("Code")
    result: str = N_("Result")
    to_code: str = N_("Skip to the code")
    to_result: str = N_("Skip to the result")
    border_lesson: str = N_("Border between the lesson and the code")
    border_panel: str = N_("Border between the code and the result")
    answer: str = N_("Your answer")
    editor: str = N_("The text of {file}")
    grade: str = N_("Save and grade")
    stop: str = N_("Stop")
    reset: str = N_("Reset")
    hint: str = N_("Hint")
    format: str = N_("Format")
    settings: str = N_("Settings")
    size: str = N_("Size of the code, in pixels")
    editor_keys: str = N_("Keys of the editor")
    usual_keys: str = N_("usual")
    plain: str = N_("Plain text box")
    again: str = N_("Find this kit again after a restart of the grader")
    shortcuts: str = N_("Keyboard shortcuts")
    close: str = N_("Close")
    own_editor: str = N_("You may also change this file in your own editor. This page follows it:")
    solution: str = N_("Worked answer")
    worked: str = N_("The worked answer")
    difference: str = N_("From yours to the worked answer")
    lines_alike: str = N_("… {n} lines are the same")
    same: str = N_("Yours and the worked answer are the same.")
    verdict: str = N_("Verdict")
    run: str = N_("Run")
    trace: str = N_("Trace")
    cases: str = N_("Cases")
    picture: str = N_("Picture")
    output: str = N_("Output")
    practice: str = N_("Practise")
    practice_shows: str = N_(
        "Find one mistake that is put into your right answer. You see which numbers are wrong, and hints if you ask."
    )
    give_up: str = N_("Give up")
    as_given: str = N_("As it was given")
    begin_worked: str = N_("With the worked answer")
    first: str = N_("Fill in the code, then save and grade it. The verdict comes here.")
    usual_value: str = N_("as in case 1")
    trace_shows: str = N_("It shows what each line makes on the smallest case that fails, or on a small one.")
    no_cases: str = N_("The cases come here with the first verdict.")
    no_picture: str = N_("There is no picture now. A grading that ends wrong may draw one, and so may a run.")
    go_on: str = N_("Go on with {lesson}")
    faulty: str = N_("Lessons with a fault of the kit")
    needs_script: str = N_("This page needs JavaScript.")

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The keys that the page has, each with what it does."""
        return [
            ("Ctrl+S", self.grade),
            ("Ctrl+Enter", self.run),
            ("Alt+T", self.trace),
            ("Alt+H", self.hint),
            ("Shift+Alt+F", self.format),
            ("Ctrl+F", gettext("Search in the code")),
            ("Ctrl+Space", gettext("Complete a name")),
            ("Ctrl+/", gettext("Make a comment of the line")),
            ("Ctrl+Alt+G", gettext("Go to line")),
            ("F8", gettext("Go to the next mark")),
            ("Tab", gettext("Indent the line")),
            ("Esc, Tab", gettext("Leave the editor")),
            ("/", gettext("Search the lessons")),
            ("?", self.shortcuts),
        ]

    def for_script(self) -> dict[str, Any]:
        """What the script says, as a document; what its editor says, by the English words."""
        return asdict(translated(ServeScriptWords())) | {"editor": {text: gettext(text) for text in EDITOR}}


def serve_words() -> ServeWords:
    """The words in the language that is spoken."""
    return translated(ServeWords())
