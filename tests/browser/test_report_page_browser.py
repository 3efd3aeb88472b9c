"""The page in a real browser: nothing is asked for, everything is rendered, everything that can be clicked works."""

import csv
import itertools
import json

import msgspec
import pytest

from certify.report.html.page import page
from reports import RECORD, hostile, restricted

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

VISIBLE = ".claim:not([hidden])"


def ids(page, selector=VISIBLE):
    return page.eval_on_selector_all(selector, "all => all.map(each => each.dataset.id)")


def test_every_formula_is_rendered(visit, whole):
    page = visit(whole)
    found = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("math")], words = [...document.querySelectorAll(".statement, .maps figcaption")];
          return {
            formulas: all.length,
            empty: document.querySelector("#claims").querySelectorAll(".statement:empty").length,
            flat: all.filter((each) => each.closest(".statement")).filter((each) => !each.getBoundingClientRect().height).length,
            stray: words.map((each) => each.textContent).filter((text) => text.includes("\\\\") || text.includes("$")),
            left: document.querySelectorAll("code.latex").length,
          };
        }"""
    )
    assert found.pop("formulas") > 1000
    assert found == {"empty": 0, "flat": 0, "stray": [], "left": 0}


@pytest.mark.parametrize(("which", "widths"), [("whole", (390,)), ("small", (320, 390, 820, 1280))])
def test_no_page_is_wider_than_its_window(visit, request, which, widths):
    page = visit(request.getfixturevalue(which))
    for opened in (False, True):
        page.evaluate("open => document.querySelectorAll('details').forEach((each) => (each.open = open))", opened)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_weakest_link_comes_first(visit, small):
    page = visit(small)
    assert "measured" in page.inner_text("h1")
    outcomes = page.eval_on_selector_all(".claim", "all => all.map(each => each.dataset.outcome)")
    assert list(dict.fromkeys(outcomes)) == ["measured", "sampled", "enclosed", "proved", "not run"]


def test_claims_are_found_filtered_and_ordered(visit, small):
    page = visit(small)
    total = len(ids(page))
    assert page.inner_text("#shown") == f"{total} of {total}"
    page.fill("#search", "RATIO.sharp")
    assert ids(page) == ["ratio.sharp"]
    assert page.inner_text("#shown") == f"1 of {total}"
    page.fill("#search", "no such claim")
    assert page.is_visible("#none")
    page.click("[type=reset]")
    expect(page.locator(VISIBLE)).to_have_count(total)
    for outcome in ("measured", "sampled", "proved", "not run"):
        page.uncheck(f"[name=outcome][value='{outcome}']")
    assert set(page.eval_on_selector_all(VISIBLE, "all => all.map(each => each.dataset.outcome)")) == {"enclosed"}
    page.select_option("#family", "softmax")
    assert ids(page) == ["softmax.obstruction.pair", "softmax.obstruction.scan"]
    page.click("[type=reset]")
    page.select_option("#order", "id")
    assert ids(page) == sorted(ids(page))
    page.select_option("#order", "seconds")
    seconds = page.eval_on_selector_all(VISIBLE, "all => all.map(each => Number(each.dataset.seconds))")
    assert seconds == sorted(seconds, reverse=True)
    page.select_option("#order", "weakest")
    assert page.eval_on_selector_all(".claim", "all => all[0].dataset.outcome") == "measured"
    assert len(ids(page)) == total


def test_a_family_shows_its_claims(visit, small):
    page = visit(small)
    page.click("a[data-family=riccati]")
    expect(page.locator("#family")).to_have_value("riccati")
    assert all(id.startswith("riccati.") for id in ids(page))


def test_tables_sort_and_say_so(visit, small):
    page = visit(small)
    column = "#overview thead th:nth-child(3)"
    values = "rows => rows.map(row => Number(row.cells[2].textContent))"
    page.click(f"{column} button")
    assert page.get_attribute(column, "aria-sort") == "descending"
    found = page.eval_on_selector_all("#overview tbody tr", values)
    assert found == sorted(found, reverse=True)
    page.click(f"{column} button")
    assert page.get_attribute(column, "aria-sort") == "ascending"
    assert page.eval_on_selector_all("#overview tbody tr", values) == sorted(found)
    assert page.locator("#overview [aria-sort]").count() == 1


def test_a_permalink_opens_its_claim(visit, small):
    page = visit(small, "#claim-ratio.sharp")
    details = page.locator("[id='claim-ratio.sharp'] details")
    assert details.get_attribute("open") is not None
    assert details.locator("summary").bounding_box()["y"] < 700
    page.fill("#search", "softmax")
    page.evaluate("location.hash = '#claim-table.5'")
    expect(page.locator("[id='claim-table.5']")).to_be_visible()


def test_every_link_leads_somewhere_and_names_are_unique(visit, small):
    page = visit(small)
    broken = page.evaluate(
        """() => [...document.querySelectorAll("a[href]")].map((each) => each.getAttribute("href"))
          .filter((href) => !href.startsWith("#") || !document.getElementById(decodeURIComponent(href.slice(1))))"""
    )
    assert broken == []
    twice = page.evaluate(
        "(() => { const all = [...document.querySelectorAll('[id]')].map((e) => e.id); return all.length - new Set(all).size })()"
    )
    assert twice == 0
    lost = page.evaluate(
        """() => [...document.querySelectorAll("svg use")].map((each) => each.getAttribute("xlink:href") || each.getAttribute("href"))
          .filter((href) => !document.getElementById(href.slice(1))).length"""
    )
    assert lost == 0


def test_light_and_dark(visit, small):
    background = "getComputedStyle(document.body).backgroundColor"
    page = visit(small, color_scheme="light")
    light = page.evaluate(background)
    assert page.get_attribute("#theme", "aria-pressed") == "false"
    page.click("#theme")
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    dark = page.evaluate(background)
    assert dark != light
    assert visit(small, color_scheme="dark").evaluate(background) == dark


def test_contrast_is_enough(visit, small):
    """Of all text on what is behind it, in both schemes: 4.5 to 1."""
    page = visit(small)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        texts = page.evaluate(COLOURS)
        assert len(texts) > 7
        assert [text for text in texts if contrast(text["ink"], text["paper"]) < 4.5] == []


COLOURS = """() => {
  const paper = (each) => {
    const colour = getComputedStyle(each).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" && each.parentElement ? paper(each.parentElement) : colour;
  };
  const found = new Map();
  for (const each of document.querySelectorAll("main *, nav *, header *")) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || each.closest("svg, math") || !each.checkVisibility()) continue;
    const ink = getComputedStyle(each).color, behind = paper(each);
    found.set(ink + behind, { ink, paper: behind, text: each.textContent.slice(0, 40), tag: each.tagName + "." + each.className });
  }
  return [...found.values()];
}"""


def contrast(one, other):
    """Of WCAG 2."""
    light = sorted((luminance(one), luminance(other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_the_keyboard_suffices(visit, small):
    page = visit(small)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    summary = page.locator(".claim summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator(".claim details").first.get_attribute("open") is not None


def test_readers_of_the_screen_are_told(visit, small):
    page = visit(small)
    for landmark in ("main", "navigation", "search", "banner"):
        assert page.get_by_role(landmark).count() == 1
    assert page.locator("h1").count() == 1
    assert page.locator("table:not(:has(caption)), thead th:not([scope]), tbody th:not([scope])").count() == 0
    assert page.locator("svg:not([role=img]):not(svg svg), svg[role=img]:not([aria-label])").count() == 0
    unnamed = "input, select, button"
    names = page.eval_on_selector_all(unnamed, "all => all.map((each) => (each.labels?.[0]?.textContent || each.textContent || '').trim())")
    assert all(names)


def test_downloads_hold_the_data(visit, small):
    page = visit(small)
    report = json.loads(download(page, "report.json"))
    kept = {claim["id"] for claim in report["claims"]}
    assert report["claims"] == [claim for claim in json.loads((RECORD / "report.json").read_text())["claims"] if claim["id"] in kept]
    rows = list(csv.DictReader(download(page, "claims.csv").splitlines()))
    assert [row["claim"] for row in rows] == [claim["id"] for claim in report["claims"]]
    assert [row["statement"] for row in rows] == [claim["statement"] for claim in report["claims"]]
    assert download(page, "table-5.csv").startswith("table,row,column,computed,printed,judgement")
    assert json.loads(download(page, "figure-5.json"))["figure"] == "5"
    assert {"report", "tables", "margins", "files"} <= json.loads(download(page, "page.json")).keys()


def download(page, name):
    with page.expect_download() as found:
        page.click(f"[data-download='{name}']")
    assert found.value.suggested_filename == name
    return open(found.value.path(), encoding="utf-8", newline="").read()


def test_everything_can_be_read_without_scripts(visit, small):
    page = visit(small, java_script_enabled=False)
    assert not page.is_visible("#theme")
    assert page.is_visible(".claim summary >> nth=0")
    page.click(".claim summary >> nth=0")
    assert page.is_visible(".claim dl >> nth=0")


def test_it_prints(visit, small):
    page = visit(small, color_scheme="dark")
    page.emulate_media(media="print")
    assert not page.is_visible("nav")
    assert not page.is_visible(".tools")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_print_is_as_wide_as_paper(visit, small):
    """A4 with margins; even the widest table."""
    page = visit(small, viewport={"width": 718, "height": 1016})
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 718
    assert page.eval_on_selector_all("table, svg", "all => all.filter((each) => each.getBoundingClientRect().right > 718).length") == 0


def test_headings_are_in_order(visit, small):
    levels = visit(small).eval_on_selector_all("h1, h2, h3, h4, h5", "all => all.map((each) => Number(each.tagName[1]))")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_hostile_text_does_nothing(visit, tmp_path, report):
    file = tmp_path / "hostile.html"
    file.write_text(page(hostile(report)), encoding="utf-8")
    shown = visit(file)
    assert shown.evaluate("window.hacked") is None
    assert shown.locator("img, iframe, #injected, script").count() == 2  # the page's own scripts
    shown.click("#open")
    assert json.loads(download(shown, "report.json"))["claims"][0]["summary"].startswith("</script>")


def test_no_cell_is_a_formula_of_a_spreadsheet(visit, tmp_path, report):
    file = tmp_path / "formula.html"
    spelled = msgspec.structs.replace(report.claims[0], statement="=1+1", source='@"SUM"', summary="-1e-7")
    file.write_text(page(restricted(report, (spelled,))), encoding="utf-8")
    (row,) = csv.DictReader(download(visit(file), "claims.csv").splitlines())
    assert (row["statement"], row["source"], row["result"]) == ("'=1+1", "'@\"SUM\"", "-1e-7")
