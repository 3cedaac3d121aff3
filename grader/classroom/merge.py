"""Gradebooks of one class that were graded apart, joined into one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grader.classroom.intake import HERE, Item
from grader.classroom.journal import Tables
from grader.classroom.plan import OFF
from grader.classroom.points import DEFAULT, points_text
from grader.classroom.row import read_verdict, standing_in_words
from grader.classroom.submission import later
from grader.kit.kit import KitError
from grader.kit.text import visible
from grader.values.decode import Malformed

Differ = Callable[[str, str, Mapping[str, Any], Mapping[str, Any]], str]

USUAL = {"points": points_text(DEFAULT)}
"""What counts where a gradebook does not have a setting."""

_OF = ("digest", "problem", "fingerprint", "policy")
"""The columns of an `Identity`."""


def merged_tables(books: Mapping[str, Tables]) -> Tables:
    """The gradebook that holds what all of these hold, by the names under which they are told.

    Where two have the same answer or the same verdict, that of the first is taken.

    Raises:
        KitError: they were graded with other inputs, another kit or other options; or they have two answers of one student
            to a problem, or two verdicts on one text.
    """
    whole: Tables = {
        "setting": _settings(books),
        "text": _once(books, "text", ("digest",)),
        "item": _items(books),
        "unread": _once(books, "unread", ("folder", "path", "why", "student", "problem")),
        "problem": _once(books, "problem", ("problem",), ("fingerprint", "policy"), _other_grading),
    }
    past, current = _outcomes(books)
    whole["outcome"] = [{**row, "id": number} for number, row in enumerate([*past, *current], 1)]
    whole |= {"told": _history(books, whole["outcome"]), "export": _once(books, "export", ("at", "path"))}
    again = {table["problem"] for tables in books.values() for table in tables["problem"] if table["again"]}
    for row in whole["problem"]:
        row |= {"since": len(past), "again": int(row["problem"] in again)}
    return whole


def _settings(books: Mapping[str, Tables]) -> list[dict[str, Any]]:
    """The settings: those that change grades are the same in all gradebooks, and of the others the first counts."""
    differ = {"fresh": _other_seed, "points": _other_points}
    for setting, said in differ.items():
        usual = [{"name": setting, "value": USUAL[setting]}] if setting in USUAL else []
        of_one = {
            name: {"setting": [row for row in tables["setting"] if row["name"] == setting] or usual}
            for name, tables in books.items()
        }
        _once(of_one, "setting", ("name",), ("value",), said)
    return _once(books, "setting", ("name",))


def _items(books: Mapping[str, Tables]) -> list[dict[str, Any]]:
    """All attempts. Of two of one student in two gradebooks, something tells which is later, or they are one text."""
    found = _once(books, "item", ("student", "problem", "folder", "path", "digest"), ("standing",), _other_standing)
    here: dict[tuple[str, str], list[tuple[str, Item]]] = {}
    for name, tables in books.items():
        for item in (Item(**row) for row in tables["item"] if row["standing"] == HERE):
            for first, known in here.get(item.of, ()):
                if first != name and known.digest != item.digest and not (later(known, item) or later(item, known)):
                    said = (
                        f"{known.student} has one answer to {known.problem} in {first} ({known.path}), and another one in "
                        f"{name} ({item.path}): only one of them can count."
                    )
                    raise KitError(visible(said))
            here.setdefault(item.of, []).append((name, item))
    return found


def _history(books: Mapping[str, Tables], outcomes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What stood, by time, with the numbers that the outcomes have now."""
    kept = {
        tuple(outcome[name] for name in _OF): outcome["id"] for outcome in outcomes if outcome["verdict"] is not None
    }
    exactly = {
        (*(outcome[name] for name in _OF), outcome["graded_at"], outcome["verdict"]): outcome["id"]
        for outcome in outcomes
    }
    found: list[dict[str, Any]] = []
    for tables in books.values():
        numbers: dict[int | None, int | None] = {None: None}
        for table in tables["outcome"]:
            identity = tuple(table[name] for name in _OF)  # of those that count on one identity, one is kept
            numbers[table["id"]] = exactly.get((*identity, table["graded_at"], table["verdict"]), kept.get(identity))
        found += [{**table, "outcome": numbers[table["outcome"]]} for table in tables["told"]]
    return [{**row, "id": number} for number, row in enumerate(sorted(found, key=lambda row: row["at"]), 1)]


def _other_points(first: str, other: str, known: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    return (
        f"{first} was graded with other --points than {other}, and they say which attempt counts: grade the class of one of "
        "them again with those of the other."
    )


def _other_seed(first: str, other: str, known: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    first_seed, other_seed = (
        "without fresh inputs" if setting["value"] == OFF else f"with the seed {setting['value']}"
        for setting in (known, row)
    )
    option = "--no-fresh" if known["value"] == OFF else f"--seed {known['value']}"
    again = f"to join them, grade the class of {other} again with {option}."
    return f"{first} was graded {first_seed}, and {other} {other_seed}: {again}"


def _other_standing(first: str, other: str, known: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    return (
        f"{known['path']} of {known['source']} does not stand in {first} as it does in {other} ({known['standing']}, and "
        f"{row['standing']}): give {known['source']} to `class grade` again for both of them."
    )


def _other_grading(first: str, other: str, known: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    if known["fingerprint"] != row["fingerprint"]:
        why = "with another kit or another version: use the same for both"
    else:
        first_policy, other_policy = _policy(first, known), _policy(other, row)
        named = [
            f"{name} {first_policy.get(name)} and {other_policy.get(name)}"
            for name in first_policy | other_policy
            if first_policy.get(name) != other_policy.get(name)
        ]
        why = f"in another way ({', '.join(named)}): use the same options for both"
    return f"{known['problem']} was graded in {first} and in {other} {why}, and grade one of them again."


def _policy(book: str, row: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {**json.loads(row["policy"])}
    except (ValueError, TypeError):
        raise KitError(f"{book}: the options of {visible(row['problem'])} are none that this grader wrote.") from None


def _told(book: str, row: Mapping[str, Any]) -> str:
    try:
        return standing_in_words(read_verdict(row["verdict"]))
    except Malformed:
        text = visible(f"{row['problem']}, the text {row['digest'][:12]}")
        raise KitError(f"{book}: the verdict on {text} is none that this grader wrote.") from None


def _once(
    books: Mapping[str, Tables], table: str, key: Sequence[str], same: Sequence[str] = (), differ: Differ | None = None
) -> list[dict[str, Any]]:
    """The rows of a table, one for each key.

    Args:
        same: the columns in which two rows of one key must agree.
        differ: makes the line to raise where they do not, from the names of two gradebooks and a row of each.
    """
    found: dict[tuple[Any, ...], tuple[str, dict[str, Any]]] = {}
    for name, tables in books.items():
        for row in tables[table]:
            first, known = found.setdefault(tuple(row[column] for column in key), (name, row))
            if differ and any(known[column] != row[column] for column in same):
                raise KitError(visible(differ(first, name, known, row)))
    return [dict(row) for _, row in found.values()]


def _outcomes(books: Mapping[str, Tables]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The outcomes that count no longer, and those that count: of the verdicts on one text, the first."""
    past: list[dict[str, Any]] = []
    current: list[dict[str, Any]] = []
    verdicts: dict[tuple[Any, ...], tuple[str, str]] = {}
    for name, tables in books.items():
        since = {table["problem"]: table["since"] for table in tables["problem"]}
        # The last verdict on a text is the one that counts.
        for row in reversed(tables["outcome"]):
            of = tuple(row[column] for column in _OF)
            if row["id"] <= since.get(row["problem"], 0):
                past.append(row)
            elif row["verdict"] is None:
                current.append(row)
            else:
                told = _told(name, row)
                first, known = verdicts.setdefault(of, (name, told))
                if told != known and first != name:
                    raise KitError(
                        f"{row['problem']}, the text {row['digest'][:12]}: {known} in {first}, and {told} in {name}. Either "
                        "this answer does not always do the same, or one of the machines is at fault: grade it again."
                    )
                if first == name:
                    current.append(row)
    return past[::-1], current[::-1]
