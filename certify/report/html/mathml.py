"""LaTeX of claims as HTML: formulas as MathML, in pieces between which a line may break, words as words.

The converter's output is taken apart again, so that nothing but elements and attributes named here reaches the page. What it cannot
convert stands there as LaTeX, marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree as Tree

from markupsafe import Markup, escape

TOKEN = re.compile(r"\\(?:[a-zA-Z]+|.)|.", re.DOTALL)
SPACES = {"\\ ", "\\quad", "\\qquad"}
RELATIONS = {"\\le", "\\ge", "\\Rightarrow", "\\iff", "=", "<", ">"}
OPENING, CLOSING = {"{", "\\left", "\\begin"}, {"}", "\\right", "\\end"}
LONG = 36
"""Characters of LaTeX from which a formula may break before its relations, and a part of it after its signs."""

OPERATOR = re.compile(r"\\operatorname\{([A-Za-z]+)\}|\\(arg)(?![A-Za-z])")
ALPHABET = re.compile(r"\\(math[a-z]+)\s+([A-Za-z])")
ESCAPED = re.compile(r"\\([{}_#%&$ ])")
ELEMENTS = re.compile(r"math|m(row|i|o|n|text|space|su[bp]|subsup|under|over|underover|frac|sqrt|root|style|padded|table|tr|td)")
ATTRIBUTES = {"accent", "columnalign", "displaystyle", "fence", "form", "linethickness", "lspace", "mathvariant", "maxsize", "minsize"} | {
    "rspace",
    "scriptlevel",
    "stretchy",
    "width",
}
SCRIPTED = {"msup", "msub", "msubsup", "munder", "munderover"}
ROWS = {"math", "mrow", "mstyle", "msqrt", "mtd", "mpadded"}
BARS = {"|", "‖"}
PRIMES = {"′", "″", "‴"}
THIN, WIDE = "0.167em", "0.278em"
TRAILING = "]),;:."


class NotConverted(ValueError):
    """LaTeX that the converter does not know."""


@cache
def html(latex: str) -> Markup:
    """Words and formulas; ``<code class="latex">`` for what cannot be converted."""
    try:
        return Markup().join(_piece(kind, text) for kind, text in _tied(pieces(latex)))
    except NotConverted:
        return Markup('<code class="latex">{}</code>').format(latex)


def _tied(found: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Brackets and marks that follow words directly belong to them, so that no line begins with one."""
    before = ""
    for kind, text in found:
        rest = text.lstrip(TRAILING) if (before, kind) == ("words", "math") else text
        if rest != text:
            yield "words", text[: len(text) - len(rest)]
        if rest.strip() or kind != "math":
            yield kind, rest
        before = kind


def pieces(latex: str) -> Iterator[tuple[str, str]]:
    """("words" | "math" | "space", text): formulas end at spaces and words outside braces."""
    for kind, text in _runs(latex):
        if kind != "math":
            yield kind, text
        elif text.strip():
            yield from _parts(text)


def _runs(latex: str) -> Iterator[tuple[str, str]]:
    """Words, spaces, and the formulas between them."""
    found, depth, tokens = "", 0, TOKEN.findall(latex)
    position = 0
    while position < len(tokens):
        token, end = tokens[position], position
        words = token == "\\text" and tokens[position + 1 : position + 2] == ["{"] and not found.rstrip().endswith(("_", "^"))
        if depth == 0 and (words or token in SPACES):
            end = _closing(tokens, position + 1) if words else position
            yield "math", found
            yield ("words", "".join(tokens[position + 2 : end])) if words else ("space", "")
            found = ""
        else:
            found += token
        depth += (token in OPENING) - (token in CLOSING)
        position = end + 1
    yield "math", found


def _closing(tokens: list[str], opening: int) -> int:
    """The place of the brace that closes the one at ``opening``."""
    depth = 0
    for place in range(opening, len(tokens)):
        depth += (tokens[place] == "{") - (tokens[place] == "}")
        if depth == 0:
            return place
    raise NotConverted("a brace is not closed")


def _parts(latex: str) -> Iterator[tuple[str, str]]:
    """A long formula in parts, which begin with relations and end with commas or, where they are long, signs outside brackets and bars."""
    found, depth, barred = "", 0, False
    for token in TOKEN.findall(latex):
        barred ^= token in {"|", "\\|"}
        depth += (token in OPENING or token in "([") - (token in CLOSING or token in ")]")
        splits = depth == 0 and len(latex) > LONG
        if splits and token in RELATIONS and found.strip():
            yield "math", found
            found = ""
        found += token
        if splits and (token == "," or (token in {"+", "-"} and not barred and len(found) > 2 * LONG)):
            yield "math", found
            found = ""
    if found.strip():
        yield "math", found


def _piece(kind: str, text: str) -> Markup:
    match kind:
        case "space":
            return Markup(" ")
        case "words":
            return escape(ESCAPED.sub(r"\1", text).replace("~", "\N{NO-BREAK SPACE}"))
    tree = _converted(text)
    _tidy(tree)
    written = Tree.tostring(tree, encoding="unicode")
    if "\\" in written:
        raise NotConverted(text)
    return Markup(written)


def _converted(latex: str) -> Tree.Element:
    from latex2mathml.converter import convert

    named = OPERATOR.sub(lambda match: rf"\mathrm{{{match[1] or match[2]}}}", latex)
    braced = ALPHABET.sub(r"\\\1{\2}", named)
    try:
        tree = Tree.fromstring(convert(braced).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1))
    except Exception as error:  # the converter's own, IndexError, RecursionError, text that is no XML
        raise NotConverted(latex) from error
    return tree


def _tidy(element: Tree.Element) -> None:
    """Only what is known, names upright and in one piece, bars that know their side, space after functions."""
    if not ELEMENTS.fullmatch(element.tag):
        raise NotConverted(element.tag)
    for name in element.attrib.keys() - ATTRIBUTES:
        del element.attrib[name]
    element.text = ESCAPED.sub(r"\1", element.text or "").replace("\\|", "‖")
    _join_letters(element)
    for child in element:
        _tidy(child)
    _side_bars(element)
    _set_primes(element)
    _space_functions(element)


def _join_letters(element: Tree.Element) -> None:
    """Upright letters in a row are one name."""
    letters = [child.text or "" for child in element if child.tag == "mi" and child.get("mathvariant") == "normal"]
    if element.tag == "mrow" and len(letters) == len(element) > 1:
        name = Tree.Element("mi")
        name.text = "".join(letters)
        element[:] = [name]


def _side_bars(element: Tree.Element) -> None:
    """Bars open and close by turns."""
    opened = False
    for child in element:
        bar = child[0] if child.tag in SCRIPTED and len(child) else child
        if bar.tag == "mo" and bar.text in BARS:
            bar.attrib.update(form="postfix" if opened else "prefix", stretchy="false", lspace="0", rspace="0")
            opened = not opened


def _set_primes(element: Tree.Element) -> None:
    """Primes follow at full size what they belong to, as the glyph is raised already; colons have their space behind them."""
    for place, child in reversed(list(enumerate(element))):
        if child.tag == "mi" and child.text == ":":
            child.tag, child.attrib = "mo", {"lspace": THIN, "rspace": WIDE}
        if child.tag in ("msup", "msubsup") and child[-1].text in PRIMES:
            element[place : place + 1] = _primed(child, row=element.tag in ROWS)


def _primed(child: Tree.Element, row: bool) -> list[Tree.Element]:
    """What bears the prime, and the prime; as one element where there is no ``row`` for both."""
    base, prime = child[0], Tree.Element("mo", lspace="0", rspace="0")
    prime.text = child[-1].text
    if child.tag == "msubsup":
        base = Tree.Element("msub")
        base.extend(child[:2])
    if row:
        return [base, prime]
    both = Tree.Element("mrow")
    both.extend([base, prime])
    return [both]


def _space_functions(element: Tree.Element) -> None:
    """A thin space between log and x, none between log and (x)."""
    if element.tag not in ROWS:
        return
    children = list(element)
    for child, following in zip(children, [*children[1:], None], strict=False):
        name = child[0] if child.tag in SCRIPTED and len(child) else child
        if name.tag not in ("mi", "mo") or not (name.text or "").isalpha() or len(name.text or "") < 2:
            continue
        name.tag = "mi"
        if following is not None and following.tag != "mspace" and following.text not in {"(", "{", "[", ",", ")", "}"}:
            element.insert([*element].index(child) + 1, Tree.Element("mspace", width=THIN))
