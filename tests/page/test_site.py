"""The whole kit as a site: every link leads somewhere, all is loaded from the site, and every page can be read aloud."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import pytest
from markupsafe import escape

from grader.commands.site import lessons_of
from grader.kit.kit import Kit
from grader.locale.language import speaking
from grader.page import body
from grader.page.published import folder_of
from grader.page.site import Writer, files_of
from grader.page.words import ENGLISH, page_words
from tests.conftest import PROBLEMS, ROOT
from tests.page.reading import Read

pytestmark = pytest.mark.slow  # the site of all lessons is made

LESSONS = tuple(f"lessons/{name}.html" for name in sorted(PROBLEMS))
PAGES = ("index.html", *(f"tracks/{number}.html" for number in range(1, 7)), *LESSONS)
BASE = "https://example.org/jax/"
MOST = 3_000_000
"""The most bytes of the whole site."""


@cache
def site() -> dict[str, bytes]:
    return files_of(lessons_of(Kit(ROOT), [], ENGLISH), ENGLISH)


@cache
def read(path: str) -> Read:
    return Read(site()[path].decode())


@cache
def published() -> dict[str, bytes]:
    """A site of three lessons in two tracks, in both languages, that knows where it will be on the web."""
    files: dict[str, bytes] = {}
    for language in ("en", "es"):
        with speaking(language):
            words = page_words()
            lessons = lessons_of(Kit(ROOT), ["first_arrays", "rope", "sinusoidal_pos"], words)
            made = files_of(lessons, words, languages=["en", "es"], base=BASE)
        files |= {f"{folder_of(language)}{path}": data for path, data in made.items()}
    return files


def target(page: str, link: str) -> tuple[str, str]:
    """The file that a link leads to, and the id in it."""
    parts = urlsplit(link)
    if not parts.path:
        return page, parts.fragment
    at: list[str] = []
    for one in (PurePosixPath(page).parent / parts.path).parts:
        at = at[:-1] if one == ".." else [*at, one]
    return "/".join(at), parts.fragment


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for one in read(page).of("a"):
        link = one["href"] or ""
        if link.startswith(("https://", "http://")):
            continue
        path, fragment = target(page, link)
        assert path in site(), link
        assert not fragment or fragment in read(path).ids, link


def test_every_link_of_a_site_in_two_languages_leads_somewhere() -> None:
    pages = {path: Read(data.decode()) for path, data in published().items() if path.endswith(".html")}
    assert len(pages) == 2 * (1 + 2 + 3)
    for page, shown in pages.items():
        for one in shown.of("a"):
            link = one["href"] or ""
            path, fragment = (page, "") if link.startswith("https://") else target(page, link)
            assert path in published(), (page, link)
            assert not fragment or fragment in pages[path].ids, (page, link)


def test_a_published_page_says_where_it_is_and_what_a_preview_shows() -> None:
    for page in [path for path in published() if path.endswith(".html")]:
        shown = Read(published()[page].decode())
        address = BASE + page.removesuffix("index.html")
        assert [one["href"] for one in shown.of("link") if one["rel"] == "canonical"] == [address]
        others = {one["hreflang"]: one["href"] for one in shown.of("link") if one["rel"] == "alternate"}
        assert address in others.values()
        tags = {
            one.get("property") or one.get("name"): one["content"] or "" for one in shown.of("meta") if "content" in one
        }
        assert tags["og:url"] == address
        assert tags["og:description"] == tags["description"]
        assert all(tags[name] for name in ("og:title", "og:site_name", "og:locale", "twitter:card"))
        for link in (*others.values(), tags["og:image"]):
            path = (link or "").removeprefix(BASE)
            assert (f"{path}index.html" if path in ("", "es/") else path) in published(), link
    text = published()["lessons/rope.html"].decode()
    assert 'name="description" content="After this lesson you can turn queries and keys by their positions' in text


@pytest.mark.parametrize("page", PAGES)
def test_without_its_address_a_page_has_a_description_and_nothing_else_for_the_web(page: str) -> None:
    (described,) = [one["content"] or "" for one in read(page).of("meta") if one.get("name") == "description"]
    assert len(described) > 20
    assert "`" not in described
    text = site()[page].decode()
    assert not re.search(r"canonical|og:|twitter:", text.partition("</head>")[0])
    assert not {"robots.txt", "sitemap.xml", "assets/preview.png"} & {*site()}


@pytest.mark.nightly
def test_the_page_of_a_track_lists_what_each_of_its_lessons_teaches_and_how_long_they_take() -> None:
    lessons = [one for one in lessons_of(Kit(ROOT), [], ENGLISH) if one.track.startswith("4 ")]
    text = site()["tracks/4.html"].decode()
    for one in lessons:
        assert f'<a href="../lessons/{one.name}.html">{escape(one.title)}</a>' in text
        assert str(body.fragment(one.aim, ENGLISH)) in text
        assert f"{one.minutes} min" in text
        page = site()[f"lessons/{one.name}.html"].decode()
        assert '<a href="../tracks/4.html">Track 4 Flax NNX</a>' in page
    hours, minutes = divmod(sum(one.minutes for one in lessons), 60)
    assert f"Lessons: {len(lessons)}, about {hours} h {minutes} min".replace(" 0 min", "") in text
    assert '<svg width="' in text
    assert re.findall(r'rel="(?:prev|next)" href="([^"]+)"', text) == ["../tracks/3.html", "../tracks/5.html"]


def test_minutes_that_one_lesson_does_not_say_are_not_added_up() -> None:
    lessons = lessons_of(Kit(ROOT), ["first_arrays", "first_jit"], ENGLISH)
    some = files_of([replace(lessons[0], minutes=0, aim=""), lessons[1]], ENGLISH)["tracks/1.html"].decode()
    assert "Lessons: 2</p>" in some
    assert f"easy, {lessons[1].minutes} min" in some
    none = files_of([replace(one, aim="") for one in lessons], ENGLISH)["tracks/1.html"].decode()
    assert ENGLISH.stands_below in some
    assert ENGLISH.stands_below not in none


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_its_own_files_alone(page: str) -> None:
    shown = read(page)
    assert not {name for name, _ in shown.elements} & {"iframe", "object", "embed", "form", "base", "video", "audio"}
    loaded = [one.get("src") for name in ("script", "img") for one in shown.of(name)]
    loaded += [one["href"] for one in shown.of("link") if one["href"] != "data:,"]
    for link in loaded:
        assert target(page, link or "")[0] in site(), link
    assert not [given for _, given in shown.elements if any(name.startswith("on") for name in given)]
    (policy,) = [one["content"] or "" for one in shown.of("meta") if "http-equiv" in one]
    assert policy.startswith("default-src 'none'; script-src 'self' file:;")
    assert "http" not in policy


def test_styles_and_scripts_of_our_own_name_no_address() -> None:
    for path in ("assets/style.css", "assets/page.js", "assets/theme.js"):
        assert not re.search(r"\burl\(|@import|https?://|\bfetch\b|XMLHttpRequest", site()[path].decode()), path


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_read_aloud_and_walked_by_keyboard(page: str) -> None:
    shown = read(page)
    assert shown.of("html") == [{"lang": "en", "dir": "ltr"}]
    assert len(shown.of("main")) == len(shown.of("h1")) == len(shown.of("title")) == 1
    assert all(after <= before + 1 for before, after in zip(shown.headings, shown.headings[1:], strict=False))
    assert len(set(shown.ids)) == len(shown.ids)
    skip = shown.of("a")[0]
    assert (skip["class"], skip["href"]) == ("skip", "#text")
    assert "text" in shown.ids
    for nav in shown.of("nav"):
        assert nav.get("aria-label") or nav.get("aria-labelledby") in shown.ids
    for section in shown.of("section"):
        assert section["aria-labelledby"] in shown.ids
    assert all(one.get("alt") for one in shown.of("img"))


def test_lessons_follow_each_other_and_every_one_is_found_from_the_first_page() -> None:
    links = [target("index.html", one["href"] or "")[0] for one in read("index.html").of("a")]
    assert set(PAGES) - set(links) == set()
    followed, page = [], links[links.index("lessons/first_arrays.html")]
    while page:
        followed.append(page)
        behind = [one["href"] or "" for one in read(page).of("a") if one.get("rel") == "next"]
        page = target(page, behind[0])[0] if behind else ""
    assert sorted(followed) == sorted(LESSONS)


def test_the_first_page_leads_a_newcomer_to_the_first_track_and_has_its_figures_last() -> None:
    shown = read("index.html")
    links = [one["href"] for one in shown.of("a") if one["href"] not in ("#text", "index.html")]
    assert links[0] == "lessons/first_arrays.html"
    assert "New to JAX? Begin with Track 1 First steps in JAX: <a" in site()["index.html"].decode()
    assert links[1:7] == [f"#track-{number}" for number in range(1, 7)]
    lessons = lessons_of(Kit(ROOT), ["first_arrays", "rope"], ENGLISH)
    sections = Read(Writer(lessons, ENGLISH).start(["rope"])).of("section")
    assert [one["aria-labelledby"] for one in sections] == ["track-1", "track-2", "figures"]


def test_the_theme_is_set_before_anything_is_drawn() -> None:
    for page in ("index.html", "lessons/rope.html"):
        (early,) = [one for one in read(page).of("script") if "defer" not in one]
        assert target(page, early["src"] or "")[0] == "assets/theme.js"


def test_it_is_small() -> None:
    assert sum(map(len, site().values())) < MOST


def test_a_lesson_that_is_left_out_is_named_and_not_linked() -> None:
    files = files_of(lessons_of(Kit(ROOT), ["compare_positions"], ENGLISH), ENGLISH)
    text = files["lessons/compare_positions.html"].decode()
    assert "<code>sinusoidal_pos</code>" in text
    assert not re.search(r'href="(\.\./)?sinusoidal_pos', text)
    assert set(files) == {
        *("index.html", "tracks/1.html", "lessons/compare_positions.html"),
        *("assets/style.css", "assets/search.js", "assets/page.js", "assets/theme.js"),
    }
