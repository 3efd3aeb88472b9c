"""The page without a browser: LaTeX and what of it is refused, hostile text, numbers, SVG, the map of margins, the command."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from flint import arb, fmpq

from certify.claims.exits import BadInput
from certify.claims.folder import encode_report, report_in
from certify.claims.registry import load
from certify.claims.session import Watcher
from certify.claims.verdict import Outcome
from certify.cli import main
from certify.exact.truth import Truth
from certify.report import complete
from certify.report.html.claims import groups, lemmas, views
from certify.report.html.families import ABOUT
from certify.report.html.mathml import html
from certify.report.html.page import page
from certify.report.html.parts import audits
from certify.report.html.parts.figures import inline
from certify.report.html.parts.margins import colour, heat_map
from certify.report.html.supplement import WORDS
from certify.report.html.words import formulas, power, scripts, short
from certify.report.pieces import Piece, pieces
from certify.report.run import run
from certify.studies import margin_map
from reports import ATTACK, RECORD, hostile, restricted


@pytest.fixture(scope="module")
def record():
    return report_in(str(RECORD))[1]


class Tags(HTMLParser):
    """Every start tag with its attributes, and the content of scripts."""

    def __init__(self, text):
        super().__init__()
        self.found, self.scripts, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self.inside = tag == "script"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.scripts.append(data)


def test_hostile_text_stays_text(record):
    text = page(hostile(record))
    parsed = Tags(text)
    assert len(parsed.scripts) == 2
    assert not [tag for tag, _ in parsed.found if tag in ("img", "iframe")]
    assert not [
        attributes for _, attributes in parsed.found if attributes.get("id") == "injected" or any(n.startswith("on") for n in attributes)
    ]
    assert json.loads(parsed.scripts[0])["report"]["claims"][0]["summary"] == ATTACK
    assert "49" not in re.sub(r"\b[0-9a-f]{40}\b|sha256:\w+|\d{3,}", "", text).split("<main")[1].split("<script")[0]


def test_the_page_asks_for_nothing(record):
    for _, attributes in Tags(page(record)).found:
        for name in ("src", "href", "xlink:href", "action"):
            assert attributes.get(name, "#").startswith(("#", "data:,"))


def test_every_statement_is_set():
    for entry in load().claims.values():
        for latex in (entry.claim.statement, entry.claim.domain):
            found = html(latex)
            assert 'class="latex"' not in found, latex
            assert "\\" not in re.sub(r"<[^>]*>", "", found), latex


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"R_\nu", "<msub><mi>R</mi><mi>ν</mi></msub>"),
        (r"\text{a <b> \_ c}", "a &lt;b&gt; _ c"),
        (r"\mathbb N", "ℕ"),
        (r"\arg\max_j", "<mi>arg</mi>"),
        (r"\operatorname{erfcx}(z)", "<mi>erfcx</mi>"),
        (r"\Bigl\{x\Bigr\}", ">{</mo>"),
        (r"\text{odd},\ x", "odd,"),
        ("", ""),
    ],
)
def test_latex_is_converted(latex, text):
    assert text in html(latex)


@pytest.mark.parametrize(
    "latex", [r"\unknown x", "{", r"\frac", r"\text{a", "a & b", r"\href{javascript:alert(1)}{x}", r"\begin{array}", "}" * 9, "{" * 5000]
)
def test_latex_that_is_none_is_shown_as_it_is(latex):
    """Or without what does not belong on the page."""
    found = html(latex)
    assert "javascript" not in found.split("<code")[0]
    assert "href" not in found.split("<code")[0]
    assert "\\" not in found.split("<code")[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.37e-12", "3.37 × 10<sup>−12</sup>"),
        ("x = 1e9, <b>", "x = 1 × 10<sup>9</sup>, &lt;b&gt;"),
        ("p = 4096", "p = 4096"),
        ("8d1e5f", "8d1e5f"),
    ],
)
def test_numbers_are_set(text, expected):
    assert power(text).replace("\N{NO-BREAK SPACE}", " ") == expected


def test_scripts_are_set():
    assert scripts("R_ν = I_{ν+1}/x^2 < a_file_name") == "R<sub>ν</sub> = I<sub>ν+1</sub>/x<sup>2</sup> &lt; a_file_name"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|R - A_R| <= 1/nu^3", "|R − A<sub>R</sub>| ≤ 1/ν<sup>3</sup>"),
        ("I_{nu+1}(x)/I_nu(x) -> 1, x in [-1, oo)", "I<sub>ν+1</sub>(x)/I<sub>ν</sub>(x) → 1, x in [−1, ∞)"),
        ("2^-9 < menu.txt, file_name, nu_min", "2<sup>−9</sup> &lt; menu.txt, file_name, ν_min"),
        ("1" + 300 * "0" + " < x", f'<abbr title="1{300 * "0"}">10<sup>300</sup></abbr> &lt; x'),
    ],
)
def test_formulas_in_ascii_are_set(text, expected):
    assert formulas(text) == expected


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("F_R'", '<msub><mi>F</mi><mi>R</mi></msub><mo lspace="0" rspace="0">′</mo>'),
        (r"\frac{f''}2", '<mfrac><mrow><mi>f</mi><mo lspace="0" rspace="0">″</mo></mrow><mn>2</mn></mfrac>'),
        ("{f'}_n", '<msub><mrow><mi>f</mi><mo lspace="0" rspace="0">′</mo></mrow><mi>n</mi></msub>'),
        ("f: x", '<mi>f</mi><mo lspace="0.167em" rspace="0.278em">:</mo><mi>x</mi>'),
    ],
)
def test_primes_follow_what_they_belong_to(latex, expected):
    assert expected in html(latex)


def test_every_family_says_what_it_is_about():
    assert {id.partition(".")[0] for id in load().claims} == set(ABOUT)


def test_every_section_has_its_words():
    assert tuple(WORDS) == complete.SECTIONS


def test_why_claims_were_not_run_is_counted(record):
    (group,) = (group for group in groups(views(record, lemmas(record))) if group.outcome is Outcome.NOT_RUN)
    assert sum(count for _, count in group.reasons) == len(group.claims) > len(group.reasons)
    for reason, count in group.reasons:
        assert f"<li>{count}: {reason}</li>" in page(record)


def test_lemmas_are_called_by_their_names(record):
    found = lemmas(record)
    named = next(lemma for lemma in found if lemma.name == "comparison lemma")
    assert named.text == f"comparison lemma: {named.statement}"
    nameless = next(lemma for lemma in found if lemma.name.endswith("…"))
    assert nameless.statement == nameless.text
    assert nameless.text.startswith(nameless.name.removesuffix(" …"))


def test_ids_of_figures_are_their_own():
    svg = '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg width="10pt" height="5pt" viewBox="0 0 10 5"><metadata>x</metadata><defs>'
    svg += '<path id="a"/></defs><use xlink:href="#a"/><g clip-path="url(#a)"/></svg>'
    found = inline(svg, "figure-1", 'a "b" <c>')
    assert found.count("figure-1-a") == 3
    assert "metadata" not in found
    assert not found.count("<?xml") + found.count("DOCTYPE")
    assert 'aria-label="a &#34;b&#34; &lt;c&gt;"' in found


def constants(id):
    return {name: str(value) for name, value in load([id]).claims[id].claim.constants.items()}


def test_margins_are_shares_of_the_proved_bounds():
    panels = margin_map.build({id: constants(id) for id in ("ratio.sharp", "ratio.pointwise", "ratio.relative", "ladder.8")})
    assert len(panels) == 4
    assert all(panel.holds is Truth.YES for panel in panels)
    sharp = next(panel for panel in panels if panel.claim == "ratio.sharp")
    most = max(Fraction(share) for row in sharp.data()["share_at_most"] for share in row)
    assert Fraction(9, 10) < most < 1
    assert heat_map(sharp.data()).svg.count("<rect") == len(sharp.nu) * len(margin_map.CONCENTRATIONS)


def test_a_bound_that_is_too_small_is_seen():
    (panel,) = margin_map.build({"ratio.sharp": {**constants("ratio.sharp"), "C": "1/24"}})
    assert panel.holds is Truth.NO


def test_both_ends_of_a_bound_are_used():
    assert margin_map._share((arb(-2), arb(1)), arb(fmpq(-1, 2))) == fmpq(1, 4)
    assert margin_map._share((arb(-2), arb(1)), arb(fmpq(1, 2))) == fmpq(1, 2)


def test_colours_are_darker_for_more():
    light = [int(colour(k / 10)[1:3], 16) for k in range(11)]
    assert light == sorted(light, reverse=True)
    assert colour(-1.0) == colour(0.0)
    assert colour(2.0) == colour(1.0)


def test_the_command_makes_a_page_of_what_the_report_has(tmp_path, capsys, record):
    claims = tuple(claim for claim in record.claims if claim.id in ("ratio.sharp", "table.3", "figure.2"))
    (tmp_path / "report.json").write_bytes(encode_report(restricted(record, claims)))
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "page.html")]) == 0
    assert capsys.readouterr().out == ""
    text = (tmp_path / "page.html").read_text()
    found = re.findall(r'<section id="(\w+)"', text)
    assert found == ["overview", "claims", "unchecked", "tables", "figures", "margins", "paper", "environment", "downloads"]
    assert 'id="figure-2"' in text
    assert 'id="figure-4"' not in text


def sections(text):
    return re.findall(r'<section id="(\w+)"', text)


def test_a_run_leaves_the_complete_page(tmp_path):
    code = f"import sys, certify; certify.run('ratio.cubic', output_dir={str(tmp_path)!r}, jobs=1)\n"
    code += "assert not {'torch', 'matplotlib', 'scipy'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    text = (tmp_path / "report.html").read_text()
    assert sections(text) == ["overview", "claims", "unchecked", "margins", "paper", "environment", "downloads"]
    items = text.split('id="paper"')[1].split("<tbody>")[1].split("</tbody>")[0]
    assert "Theorem 2" in items
    assert "not yet" not in items
    assert "The claims alone" not in text


class Log(Watcher):
    """What is made; ``at`` that part the user presses Ctrl-C."""

    def __init__(self, at=None):
        self.at, self.found = at, []

    def making(self, part):
        self.found.append(part)
        if part == self.at:
            raise KeyboardInterrupt

    def made(self, part):
        self.found.append(f"{part}, made")


def test_an_interrupt_leaves_the_page_of_the_claims(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run("ratio.sharp", output_dir=str(tmp_path), jobs=1, watchers=[Log("margins")])
    text = (tmp_path / "report.html").read_text()
    assert sections(text) == ["overview", "claims", "unchecked", "environment", "downloads"]
    assert "The claims alone" in text
    assert report_in(str(tmp_path))[1].complete
    assert {path.name for path in tmp_path.iterdir()} == {"report.json", "report.md", "report.html", "junit.xml", "certificates"}


def test_what_cannot_be_made_is_one_line(record, monkeypatch):
    """Here or in a process of its own; the other parts stand."""
    wanted = [
        Piece("tables", "table 3", 1.0, ("3",)),
        Piece("tables", "table 99", 1.0, ("99",)),
        Piece("margins", "margins", 0.1, ({"ratio.sharp": {}},)),
    ]
    monkeypatch.setattr(complete, "pieces", lambda report: wanted)
    log = Log()
    text = complete.complete_page(restricted(record, record.claims[:1]), 1, log)
    assert sorted(log.found) == sorted(f"{piece.name}{made}" for piece in wanted for made in ("", ", made"))
    lines = re.findall(r'<p class="missing">(.*)</p>', text)
    assert lines[0].startswith("<b>Table 99</b> cannot be shown: unknown table &#39;99&#39;")
    assert lines[1:] == ["<b>Margins</b> cannot be shown: KeyError: &#39;C&#39;"]
    assert 'id="table-3"' in text
    assert "Traceback" not in text


def test_a_page_has_what_belongs_to_its_claims(record):
    def wanted(*ids):
        return [piece.name for piece in pieces(restricted(record, [claim for claim in record.claims if claim.id in ids]))]

    assert wanted("softmax.obstruction") == ["paper"]
    assert wanted("table.7") == ["figure 6", "bench", "paper"]
    assert wanted("ratio.cubic", "table.5") == ["table 5", "margins", "evaluators", "paper", "errata"]
    whole = [piece.name for piece in pieces(record)]
    numbered = [name for name in whole if name[:6] in ("table ", "figure")]
    assert numbered[:7] == [*(f"table {id}" for id in ("2", "3", "4", "5", "6", "geometry")), "figure 2"]
    assert numbered[7:] == [*(f"figure {id}" for id in (*range(3, 12), "reversal", "training")), "table 1", "table 8"]
    assert whole[len(numbered) - 2 :] == ["margins", "evaluators", "audits", "bench", "table 1", "table 8", "paper", "errata"]


@pytest.mark.parametrize(
    ("digits", "shown"),
    [
        ("1" + 300 * "0", "10<sup>300</sup>"),
        ("12" + 9000 * "0", "1.2 × 10<sup>9001</sup>"),
        ("1234567890123456789012345", "≈ 1.2345679 × 10<sup>24</sup>"),
        ("1234567890123456789012345/1" + 24 * "0", "≈ 1.2345679"),
        ("7/3" + 24 * "0", "≈ 2.3333333 × 10<sup>−24</sup>"),
    ],
)
def test_numbers_of_many_digits_are_shortened(digits, shown):
    assert short(f"x = {digits}, <").replace("\N{NO-BREAK SPACE}", " ") == f'x = <abbr title="{digits}">{shown}</abbr>, &lt;'


@pytest.mark.parametrize(
    "text", ["0.13482013811808792448174017, 12", "x = 2/3", "1234567890123456789012345/00", f"1{10**6 * '0'}", "a1234567890123456789012345"]
)
def test_other_numbers_stay_as_they_are(text):
    assert short(text) == text


@pytest.mark.parametrize("content", ["", "{", "null", '{"format": "certify.report/9"}'])
def test_no_page_of_what_is_no_report(tmp_path, capsys, content):
    (tmp_path / "report.json").write_text(content)
    assert main(["report", str(tmp_path)]) == 4
    assert main(["report", str(tmp_path / "none")]) == 4
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 2
    assert "none': a run's folder with its report.json is looked for there; certify run -o DIR makes one" in err


def test_a_gallery_of_audits_is_shown():
    part = audits.part(RECORD.parent / "audit.json")
    assert len(part.data["audits"]) > 10
    assert part.body.count("incoherent") == sum(row["coherence"] == "incoherent" for row in part.data["audits"]) > 0
    assert "clips" in part.body


@pytest.mark.parametrize(
    "content", ["", "[]", '{"audits": 1}', '{"audits": [1]}', '{"audits": [{}], "clips": []}', '{"audits": []}', "\xff"]
)
def test_what_is_no_gallery_is_one_line(tmp_path, content):
    (tmp_path / "audit.json").write_text(content)
    with pytest.raises(BadInput, match="is not a gallery of audits"):
        audits.part(tmp_path / "audit.json")
    with pytest.raises(BadInput, match="cannot read"):
        audits.part(tmp_path / "none")
