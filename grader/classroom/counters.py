"""Ids that differ by a number alone: two students, or two attempts of one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_COUNTER = re.compile(r"(?:v|attempt|try)?[1-9][0-9]*", re.IGNORECASE)
_BETWEEN = re.compile(r"([_\-\s]+)")


def attempts_in(ids: Iterable[str]) -> tuple[str, str] | None:
    """Two ids that may be two attempts of one student; None where there are none.

    They differ by one number alone, which stands between `_`, `-` or blanks and begins with no zero, and

    - the rest is an e-mail address: `ana@x_1` and `ana@x_2`; or
    - the rest has two numbers more, as names of systems have: `101_5001_file_1` and `101_5002_file_1`; or
    - the rest is not the same for all that have a number there: beside `ana_1` and `ana_2` there is `bo_1`.

    So `student_1` and `student_2` are two students where all numbered ids are called `student`, and so are `s101` and
    `s102`, `ana1` and `ana2`, `2021-10234` and `2021-10235`: a number after a hyphen counts only where the rest has a
    letter.
    """
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    places: dict[int, set[tuple[str, ...]]] = {}
    for one in sorted(set(ids)):
        parts = _BETWEEN.split(one)
        for at in range(0, len(parts), 2):
            rest = (*parts[:at], "", *parts[at + 1 :])
            text = "".join(rest)
            sure = "_" in "".join(parts[max(at - 1, 0) : at + 2 : 2]) or any(map(str.isalpha, text))
            if _COUNTER.fullmatch(parts[at]) and sure and any(map(str.isalnum, text)):
                groups.setdefault((len(parts) - at, rest), []).append(one)
                places.setdefault(len(parts) - at, set()).add(rest)
    for (place, rest), found in groups.items():
        numbers = sum(map(str.isdigit, rest))
        if len(found) > 1 and ("@" in "".join(rest) or numbers > 1 or len(places[place]) > 1):
            return found[0], found[1]
    return None
