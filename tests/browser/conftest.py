"""A headless Chromium, and pages made of the report of record; skipped, with the reason, where either is missing."""

import shutil

import pytest

from certify.claims.folder import report_in
from certify.report.html.page import page
from certify.report.html.parts import audits, bench, errata, figures, margins, paper, tables, training
from certify.report.html.supplement import Section, Supplement
from reports import RECORD, restricted

ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def whole(tmp_path_factory, report):
    """The page of all claims, as a run leaves it."""
    return written(tmp_path_factory, page(report))


@pytest.fixture(scope="session")
def small(tmp_path_factory, report):
    """A few claims of each kind, and sections of every kind."""
    firsts = {(record.id.partition(".")[0], record.outcome): record for record in report.claims}.values()
    chosen = [record for record in report.claims if record in firsts or record.id.startswith(("ratio.sharp", "softmax.", "table."))]
    few = restricted(report, chosen)
    sections = [Section(anchor, tuple(parts)) for anchor, parts in _parts(few).items()]
    return written(tmp_path_factory, page(few, Supplement(tuple(sections))))


@pytest.fixture(scope="session")
def report():
    return report_in(str(RECORD))[1]


def written(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("page") / "a page #1.html"
    file.write_text(text, encoding="utf-8")
    return file


def _parts(report):
    claims = {record.id: record.constants for record in report.claims}
    return {
        "tables": map(tables.part, ("3", "5")),
        "figures": map(figures.part, ("4", "5", "6")),
        "margins": [margins.part({"ratio.sharp": claims["ratio.sharp"]})],
        "audits": [audits.part()],
        "bench": [bench.part()],
        "training": [training.part("8")],
        "paper": [paper.part(report, whole=True)],
        "errata": [errata.part(range(3), claims.keys())],
    }


@pytest.fixture
def visit(chromium):
    """Open a file in a fresh context; everything that the page asks for or complains about is an error."""
    contexts = []

    def visit(file, fragment="", **options):
        context = chromium.new_context(**options)
        contexts.append(context)
        shown = context.new_page()
        shown.complaints, shown.requests = [], []
        shown.on("console", lambda message: shown.complaints.append(message.text))
        shown.on("pageerror", lambda error: shown.complaints.append(str(error)))
        shown.on("request", lambda request: shown.requests.append(request.url))
        shown.goto(file.as_uri() + fragment)
        return shown

    yield visit
    shown = [each for context in contexts for each in context.pages]
    try:
        assert not [text for each in shown for text in each.complaints]
        asked = [url for each in shown for url in each.requests if not url.startswith(("data:", "blob:"))]
        assert len(asked) == len(shown)  # for the page itself
    finally:
        for context in contexts:
            context.close()
