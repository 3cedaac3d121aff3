"""What a published site has: addresses that lead to its own pages, a list of them that parses, a picture for previews."""

from __future__ import annotations

import struct
from urllib import robotparser
from xml.etree import ElementTree

import pytest

from grader.kit.statement import TRACKS
from grader.page import published
from grader.page.published import HEIGHT, WIDTH, address, for_robots, preview
from grader.page.words import ENGLISH

BASE = "https://example.org/jax/"
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def test_the_first_page_has_the_address_of_its_folder_and_others_that_of_their_file() -> None:
    assert address(BASE, "index.html", "en") == BASE
    assert address(BASE, "index.html", "es") == f"{BASE}es/"
    assert address(BASE, "lessons/rope.html", "es") == f"{BASE}es/lessons/rope.html"
    assert address(BASE, "lessons/ñ.html", "en") == f"{BASE}lessons/%C3%B1.html"


def test_the_sitemap_lists_each_page_in_each_language_with_all_its_languages() -> None:
    whole = ElementTree.fromstring(for_robots(BASE, ["index.html", "tracks/1.html"], ["en", "es"])["sitemap.xml"])
    assert whole.tag == f"{{{NAMES['s']}}}urlset"
    listed = {
        url.findtext("s:loc", namespaces=NAMES): {
            link.attrib["hreflang"]: link.attrib["href"] for link in url.findall("x:link[@rel='alternate']", NAMES)
        }
        for url in whole
    }
    start = {"en": BASE, "es": f"{BASE}es/"}
    track = {"en": f"{BASE}tracks/1.html", "es": f"{BASE}es/tracks/1.html"}
    assert listed == {address: same for same in (start, track) for address in same.values()}


def test_a_site_in_one_language_names_no_other() -> None:
    assert b"hreflang" not in for_robots(BASE, ["index.html"], ["en"])["sitemap.xml"]


def test_robots_may_read_all_and_are_told_of_the_sitemap() -> None:
    parser = robotparser.RobotFileParser()
    parser.parse(for_robots(BASE, ["index.html"], ["en"])["robots.txt"].decode().splitlines())
    assert parser.can_fetch("any", f"{BASE}lessons/rope.html")
    assert parser.site_maps() == [f"{BASE}sitemap.xml"]


@pytest.mark.parametrize("tracks", [TRACKS, ["one"], [f"{at} {'long ' * 30}" for at in range(20)]])
def test_the_picture_is_a_png_of_the_size_that_previews_have(tracks: list[str]) -> None:
    made = preview(ENGLISH, tracks)
    assert made.startswith(b"\x89PNG")
    assert struct.unpack(">II", made[16:24]) == (WIDTH, HEIGHT)


def test_words_of_a_kit_are_text_in_the_picture_and_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr("vl_convert.svg_to_png", lambda svg: drawn.append(svg) or b"")
    published.preview(ENGLISH, ["<image href='x'/> & more"])
    (text,) = (each.text for each in ElementTree.fromstring(drawn[0]).iter() if "more" in (each.text or ""))
    assert text == "<image href='x'/> & more"
