# status: error
# says: PermissionError|FileNotFoundError
# tiers as root: A B
# Opens the memory of the process that judges, or of the one that forks, to write numbers of its own into it.
# Root reads and writes everybody's memory: at tier C nothing keeps it out.
import os


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def sinusoidal_pos(seed, T, d_model):
    template = os.getppid()
    refused = []
    for pid in (template, parent_of(template)):
        try:
            os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR))
        except PermissionError as error:
            refused.append(error)
    if len(refused) == 2:
        raise refused[0]
