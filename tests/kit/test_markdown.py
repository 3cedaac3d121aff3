"""The structure of Markdown is read as Markdown: code holds no headings and no links, and every line number is right."""

from __future__ import annotations

import sys
import threading

import mdurl._decode
import mdurl._encode

from grader.kit import markup

TEXT = """# Title

## First

See [one](one.md),
![two](img/two.png "A title") and `[code](code.md)`.

```python
## not a heading
print("[no](link.md)")
```

> ## quoted

## Last ##

| a | b |
|---|---|
| [three](three.md) | |

1. Look
   twice.
2. Look
   - here,
   - there.

[ref]: ref.md#part
See [ref].
"""


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(TEXT.splitlines(), start=1) if text in line)


def test_sections_are_the_headings_of_the_second_level_outside_code_and_quotes() -> None:
    found = markup.sections(TEXT)
    assert list(found) == ["First", "Last"]
    assert found["First"].text.startswith("See [one]")
    assert found["First"].text.endswith("> ## quoted")
    lines = TEXT.split("\n")
    assert lines[found["First"].start] == "## First"
    assert found["First"].end == found["Last"].start == line_with("## Last") - 1
    assert found["Last"].end == len(lines)


def test_a_text_without_headings_has_no_sections() -> None:
    assert markup.sections("") == markup.sections("one\n\ntwo\n") == {}


def test_a_fence_has_its_language_its_line_and_its_code() -> None:
    (fence,) = markup.fences(TEXT)
    assert (fence.language, fence.line) == ("python", line_with("```python"))
    assert fence.code == '## not a heading\nprint("[no](link.md)")\n'


def test_a_fence_may_hold_a_shorter_one_and_say_more_than_its_language() -> None:
    (fence,) = markup.fences("````text title=x\n```python\n```\n````\n")
    assert (fence.language, fence.code) == ("text", "```python\n```\n")


def test_each_numbered_item_is_one_line() -> None:
    assert markup.numbered(TEXT) == ["Look twice.", "Look - here, - there."]
    assert markup.numbered("- one\n- two\n") == []


def test_a_numbered_item_with_code_keeps_its_lines() -> None:
    text = "1. Look:\n\n   ```python\n   def f():\n       return 1\n   ```\n2. Look\n   twice.\n"
    assert markup.numbered(text) == ["Look:\n\n```python\ndef f():\n    return 1\n```", "Look twice."]


def test_links_and_images_are_found_with_their_lines_and_code_has_none() -> None:
    assert list(markup.links(TEXT)) == [
        (line_with("[one]"), "one.md"),
        (line_with("![two]"), "img/two.png"),
        (line_with("[three]"), "three.md"),
        (line_with("See [ref]"), "ref.md#part"),
    ]


def test_formulas_are_found_with_their_lines_and_code_has_none() -> None:
    text = "A $a$ and\n`$b$` and $c$.\n\n$$\nd\n$$ $e$\n\n```\n$f$\n```\n- $g$\n"
    assert list(markup.formulas(text)) == [(1, "a"), (2, "c"), (4, "\nd\n"), (6, "e"), (11, "g")]


def test_threads_may_read_their_first_links_at_the_same_time() -> None:
    """mdurl hands out its tables before they are filled."""
    interval = sys.getswitchinterval()
    failed: list[BaseException] = []
    sys.setswitchinterval(1e-6)

    def read() -> None:
        try:
            markup.markdown_parser().parse("[ä](https://example.org/ä%20z) <https://example.org/ä%20z>")
        except IndexError as error:
            failed.append(error)

    try:
        for _ in range(20):
            mdurl._encode.encode_cache.clear()
            mdurl._decode.decode_cache.clear()
            markup._prepare.cache_clear()  # pyright: ignore[reportPrivateUsage]
            threads = [threading.Thread(target=read) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failed == []
