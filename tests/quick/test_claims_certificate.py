"""Certificates: digest, reading, comparison with the claim."""

import copy
import hashlib
import json
from fractions import Fraction

import pytest

from certify.checker.checker import Refused, digest
from certify.claims.certificate import NotACertificate, cited, decode, encode, replay, spell_out
from certify.claims.exits import BadInput
from certify.claims.registry import Registered, load
from certify.claims.settings import check_settings, parse_settings
from certify.claims.worker import Task, work


def proved(entry: Registered, **constants: Fraction) -> dict:
    content = work(Task(entry.claim.id, entry.origin, constants, "quick", 0)).certificate
    assert content is not None
    return decode(content)


@pytest.fixture(scope="module")
def claims():
    return load().claims


@pytest.fixture(scope="module")
def cubic(claims):
    return proved(claims["ratio.cubic"])


def sealed(data: dict) -> dict:
    return {**data, "digest": digest(data)}


def test_the_digest_is_that_of_sorted_compact_json(cubic):
    body = {key: value for key, value in cubic.items() if key != "digest"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert cubic["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_a_certificate_of_the_claim_is_accepted(claims, cubic):
    established = replay(cubic, claims["ratio.cubic"].claim)
    assert any("R" in line for line in established.statements)


def test_another_constant_is_refused_unless_it_is_set(claims):
    entry = claims["ratio.cubic"]
    data = proved(entry, C=Fraction(2))
    with pytest.raises(Refused, match="another theorem than ratio.cubic states: its statements differ"):
        replay(data, entry.claim)
    assert replay(data, entry.claim, {"C": Fraction(2)}).statements


def test_another_box_is_refused(claims):
    entry = claims["ratio.cubic"]
    data = proved(entry, nu_min=Fraction(2))
    with pytest.raises(Refused, match="another theorem than ratio.cubic states"):
        replay(data, entry.claim)


def test_another_claims_certificate_is_refused(claims, cubic):
    with pytest.raises(Refused, match="of ratio.cubic, not of ratio.cubic.interval"):
        replay(cubic, claims["ratio.cubic.interval"].claim)
    renamed = sealed({**cubic, "claim": "score.cubic"})
    with pytest.raises(Refused, match="another theorem than score.cubic states"):
        replay(renamed, claims["score.cubic"].claim)


def test_redefined_symbols_are_refused(claims, cubic):
    for part in ("where", "solutions", "domain"):
        altered = copy.deepcopy(cubic)
        altered["theorem"][part] = {f"{name}": entry for name, entry in altered["theorem"][part].items()}
        name = next(iter(altered["theorem"][part]))
        entry = altered["theorem"][part][name]
        altered["theorem"][part][name] = {**entry, "is": "something else"} if part == "solutions" else f"{entry} "
        with pytest.raises(Refused):
            replay(sealed(altered), claims["ratio.cubic"].claim)


@pytest.mark.parametrize("content", [b"", b"no", b"3", b"{}", b'{"format": 3}', b'{"format": "other/1"}', b"\xff\xfe"])
def test_what_is_no_certificate(content):
    with pytest.raises(NotACertificate):
        decode(content)


def test_encoding_is_one_line(claims):
    verdict = claims["identity.riccati"].claim.prove()
    assert encode(verdict.certificate).count(b"\n") == 1


def test_explanations_cite_what_the_certificates_cite(claims):
    """``cited`` is read off the statements; here it is held against the certificates of all claims that prove fast."""
    for id in ("identity.riccati", "ratio.cubic", "ratio.cubic.paper", "ratio.cubic.interval", "score.cubic"):
        assert cited(claims[id].claim.formal()) == proved(claims[id])["lemmas"], id


def test_a_theorem_in_words_is_what_the_checker_establishes(claims, cubic):
    claim = claims["ratio.cubic"].claim
    assert spell_out(claim.formal()) == replay(cubic, claim).statements


@pytest.mark.parametrize(("text", "value"), [("C=2/25", Fraction(2, 25)), ("C=0.1", Fraction(1, 10)), ("C=-1e-3", Fraction(-1, 1000))])
def test_settings_are_exact(text, value):
    assert parse_settings([text]) == {"C": value}


@pytest.mark.parametrize("text", ["C", "=1", "C=", "C=x", "C=1/0", "C=nan", "2=3", "C=1e999999999", "C=1e15000", "C=0x1"])
def test_settings_refused(text):
    with pytest.raises(BadInput) as caught:
        parse_settings([text])
    assert "\n" not in str(caught.value)


def test_settings_given_twice_or_to_claims_without_them(claims):
    with pytest.raises(BadInput, match="set twice"):
        parse_settings(["C=1", "C=2"])
    with pytest.raises(BadInput, match="claim identity.riccati has no constant 'C'"):
        check_settings([claims["ratio.cubic"].claim, claims["identity.riccati"].claim], {"C": Fraction(1)})
