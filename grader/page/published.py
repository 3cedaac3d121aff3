"""What a site needs on the web: absolute addresses, what search engines read, the picture that goes with a shared link."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from textwrap import shorten, wrap
from urllib.parse import quote
from xml.etree import ElementTree

from markupsafe import Markup

from grader.locale.language import ENGLISH
from grader.page.words import PageWords

START = "index.html"
PREVIEW = "assets/preview.png"


def folder_of(language: str) -> str:
    """The folder of a language in the site: English stands at the top."""
    return "" if language == ENGLISH else f"{language}/"


def address(base: str, path: str, language: str) -> str:
    """The absolute address of a file of the site; of the first page, that of its folder.

    Args:
        base: the address of the site, with a slash at its end.
        path: of the file in the folder of the language.
    """
    return f"{base}{folder_of(language)}{'' if path == START else quote(path)}"


def for_robots(base: str, pages: Sequence[str], languages: Sequence[str]) -> dict[str, bytes]:
    """The files that search engines read, by path: the list of all pages, and where it is.

    Args:
        base: the address of the site, with a slash at its end.
        pages: their paths in the folder of a language; each is there in all languages.
    """
    robots = f"User-agent: *\nAllow: /\nSitemap: {base}sitemap.xml\n"
    return {"sitemap.xml": _sitemap(base, pages, languages), "robots.txt": robots.encode()}


_SITEMAP, _XHTML = "http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.w3.org/1999/xhtml"


def _sitemap(base: str, pages: Sequence[str], languages: Sequence[str]) -> bytes:
    whole = ElementTree.Element("urlset", {"xmlns": _SITEMAP, "xmlns:xhtml": _XHTML})
    for page in pages:
        for language in languages:
            url = ElementTree.SubElement(whole, "url")
            ElementTree.SubElement(url, "loc").text = address(base, page, language)
            for other in languages if len(languages) > 1 else ():
                to = {"rel": "alternate", "hreflang": other, "href": address(base, page, other)}
                ElementTree.SubElement(url, "xhtml:link", to)
    ElementTree.indent(whole, " ")
    return ElementTree.tostring(whole, encoding="utf-8", xml_declaration=True)


WIDTH, HEIGHT, MARGIN = 1200, 630, 70
"""The size of the picture, in pixels, as previews show it whole."""

SQUARE, ROWS, LETTERS = 20, 6, 62

MOST_TRACKS, LETTERS_OF_TRACK = 8, 32
"""So many tracks have room in two columns, each with so many letters."""


def preview(words: PageWords, tracks: Sequence[str]) -> bytes:
    """The picture of the site as PNG: its name, what it is for, its tracks, and a table of sines below."""
    import vl_convert

    svg = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" '
        'font-family="sans-serif"><rect width="{0}" height="{1}" fill="#14171c"/>\n{2}{3}</svg>'
    ).format(WIDTH, HEIGHT, Markup().join(_texts(words, tracks)), Markup().join(_squares()))
    return vl_convert.svg_to_png(str(svg))


def _texts(words: PageWords, tracks: Sequence[str]) -> Iterator[Markup]:
    line = Markup('<text x="{}" y="{}" font-size="{}" fill="{}">{}</text>\n')
    yield line.format(MARGIN, 130, 64, "#e3e8ee", words.site)
    intro = wrap(words.intro, LETTERS)
    for at, text in enumerate(intro):
        yield line.format(MARGIN, 190 + 40 * at, 30, "#acb6c2", text)
    top, rows = 190 + 40 * len(intro) + 40, math.ceil(min(len(tracks), MOST_TRACKS) / 2)
    for at, name in enumerate(tracks[:MOST_TRACKS]):
        x, y = (MARGIN, WIDTH // 2)[at // rows], top + 48 * (at % rows)
        yield line.format(x, y, 30, "#8cbdff", shorten(name, LETTERS_OF_TRACK, placeholder=" …"))


def _squares() -> Iterator[Markup]:
    """The table that encodes positions, as squares: a row for each sine."""
    square = Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="#8cbdff" fill-opacity="{:.2f}"/>\n')
    for row in range(ROWS):
        for column in range(WIDTH // SQUARE):
            high = (1 + math.sin(column / 4 ** (row / 2))) / 2
            x, y = column * SQUARE, HEIGHT - (row + 1) * SQUARE
            yield square.format(x, y, SQUARE - 1, SQUARE - 1, 0.1 + 0.7 * high)
