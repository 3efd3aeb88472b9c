"""Certificates of the Riccati prover, corrupted: each part that carries the proof is missed when it is changed."""

import json

import pytest

from certify.checker.checker import Refused, check, digest
from certify.claims.certificate import encode
from certify.claims.registry import load

CLAIMS = load().claims
CERTIFICATES = {
    id: json.loads(encode(CLAIMS[id].claim.prove().certificate)) for id in ("riccati.hazard", "riccati.gamma", "riccati.watson")
}


def signed(data):
    return {**data, "digest": digest(data)}


def changed(id, change):
    data = json.loads(json.dumps(CERTIFICATES[id]))
    change(data)
    return signed(data)


def solution(data):
    (found,) = data["theorem"]["solutions"].values()
    return found


def first(data, rule):
    return next(step for step in data["proof"]["steps"] if step["evidence"]["rule"] == rule)


CHANGES = {
    "equation": lambda data: solution(data).update(equation=solution(data)["equation"] + " + 1"),
    "wall": lambda data: first(data, "barrier")["statement"].update(function=first(data, "barrier")["statement"]["function"] + " + 1"),
    "side": lambda data: first(data, "barrier")["statement"].update(
        side={"above": "below", "below": "above"}[first(data, "barrier")["statement"]["side"]]
    ),
    "start": lambda data: first(data, "barrier")["evidence"].update(start="1/7"),
    "factor": lambda data: first(data, "barrier")["evidence"].update(factors=["2"]),
    "chart": lambda data: next(reversed(data["proof"]["chart"]["symbols"].values())).update(scale="2"),
    "statement": lambda data: data["theorem"]["statements"][0].update(any_of=["0 - 1"]),
}


@pytest.mark.parametrize("id", sorted(CERTIFICATES))
def test_the_certificate_itself_is_accepted(id):
    assert check(signed(CERTIFICATES[id]))


@pytest.mark.parametrize("id", sorted(CERTIFICATES))
@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_change_is_refused(id, change):
    with pytest.raises(Refused):
        check(changed(id, CHANGES[change]))


def test_a_start_at_zero_needs_its_damping():
    with pytest.raises(Refused, match="damping"):
        check(changed("riccati.hazard", lambda data: solution(data).update(damping="1")))
