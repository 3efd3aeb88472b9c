"""Corrupted certificates: what the provers wrote, changed in one place and sealed again, is refused or proves the same theorem."""

import copy
import importlib
import json
import pkgutil
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import proofs
from certify.checker import checker
from certify.checker.checker import RULES, Established, Refused, check, digest
from certify.claims.certificate import decode, encode, replay
from certify.claims.claim import Claim
from certify.exact.theorem import Theorem

WORK = 5_000_000  # units of the checker's work for the corruptions of a claim, so that large certificates get fewer

HEAVY = ("ratio.pointwise", "ratio.pointwise.1", "ratio.pointwise.2")  # the others of the family have the same prover


def families() -> dict[str, Claim]:
    """The first claim of each family, such as ladder.0, ladder.1, …, whose members have the same prover, if it has such a certificate."""
    found: dict[str, Claim] = {}
    for module in pkgutil.walk_packages(proofs.__path__, "proofs."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, Claim) and value.id not in HEAVY and isinstance(value.formal(), Theorem):
                found.setdefault(re.sub(r"[.\d]+$", "", value.id), value)
    return {claim.id: claim for claim in found.values()}


CLAIMS = families()


@cache
def certificate(id: str) -> dict:
    return decode(encode(CLAIMS[id].prove().certificate))


def sealed(data: dict) -> dict:
    return {**data, "digest": digest(data)}


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def at(data: Any, path: tuple) -> Any:
    for key in path:
        data = data[key]
    return data


def put(data: dict, path: tuple, value: Any) -> dict:
    data = copy.deepcopy(data)
    at(data, path[:-1])[path[-1]] = value
    return data


def corruptions(value: Any) -> Iterator[Any]:
    """Values that differ from this one in one respect."""
    match value:
        case int(n):
            yield from (n + 1, n - 1, -n - 1)
        case str(text):
            for match in re.finditer(r"\d+|\*\*|[-+*/]|>=?|(?<![a-z])[a-z](?![a-z])", text):
                swapped = {"+": "-", "-": "+", "*": "/", "/": "*", "**": "*", ">": ">=", ">=": ">"}.get(match[0])
                other = swapped or (str(int(match[0]) + 1) if match[0].isdigit() else "1")
                yield text[: match.start()] + other + text[match.end() :]
            yield from (other for other in RULES if text in RULES and other != text)
        case list(items):
            for k in range(len(items)):
                yield items[:k] + items[k + 1 :]
                yield [*items[:k], items[k], *items[k:]]
                if items[k : k + 1] != items[k + 1 : k + 2]:
                    yield items[:k] + items[k + 1 : k + 2] + items[k : k + 1] + items[k + 2 :]
        case dict(fields):
            for key in fields:
                yield {name: part for name, part in fields.items() if name != key}
                yield {f"{name}_" if name == key else name: part for name, part in fields.items()}


def mutants(data: dict) -> list[tuple[tuple, Any]]:
    """All places with their corruptions; of the many numbers of a polynomial a few."""
    paths = [path for path in places(data) if path and path[0] != "digest"]
    tables = [path for path in paths if "polynomials" in path]
    kept = random.Random(1).sample(tables, min(12, len(tables)))
    return [(path, other) for path in paths if path not in tables or path in kept for other in corruptions(at(data, path))]


@pytest.mark.parametrize("id", CLAIMS)
def test_a_corrupted_certificate_is_refused_or_proves_the_same(id):
    claim, data = CLAIMS[id], certificate(id)
    established = replay(data, claim)
    spent = checker.MAX_WORK - checker.LEFT[0]
    chosen = mutants(data)
    chosen = random.Random(id).sample(chosen, min(len(chosen), 150, max(1, WORK // spent)))
    refused = 0
    for path, value in chosen:
        mutant = sealed(put(data, path, value))
        try:
            found = replay(mutant, claim)
        except Refused:
            refused += 1
            continue
        assert mutant["theorem"] == data["theorem"], path
        assert found == established, path
    assert refused > len(chosen) / 2


@pytest.mark.parametrize("id", ["identity.derivative", "ratio.increasing", "ratio.relative", "recurrence.parity", "score.cubic"])
def test_a_theorem_changed_together_with_its_proof_is_not_the_claims(id):
    """Every constant of the theorem, changed wherever it stands."""
    claim, data = CLAIMS[id], certificate(id)
    text = json.dumps(data)
    for constant in sorted(set(re.findall(r"\d+", json.dumps(data["theorem"]))))[:8]:
        mutant = json.loads(re.sub(rf"(?<=[ (*/+\[\"-]){constant}(?=[ )*/+,\]\"-])", str(int(constant) + 1), text))
        if mutant["theorem"] != data["theorem"]:
            with pytest.raises(Refused):
                replay(sealed(mutant), claim)


def test_a_bound_below_the_best_constant_is_refused():
    data = certificate("ratio.cubic")
    mutant = json.loads(json.dumps(data).replace("1/nu**3", "1/20/nu**3"))
    with pytest.raises(Refused, match="is not the form given"):
        check(sealed(mutant))


# Any JSON whatever ---------------------------------------------------------------------------------------------------

SMALL = ["concentration.limits", "identity.riccati", "ratio.increasing", "ratio.zero", "recurrence.parity", "recurrence.product"]
TEXTS = ["", "0", "1", "x", "x**2", "1/0", "x +", "(0, oo)", "[0, 1]", "u > 0", "sqrt(x)", "sup(x)", "evaluation", "\n", "é"]
STRINGS = st.sampled_from(TEXTS)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.just(5000).map(lambda n: 10**n) | st.floats() | STRINGS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS | st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(id=st.sampled_from(SMALL), seed=st.randoms(use_true_random=False), values=st.lists(VALUES, min_size=1, max_size=3))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
def test_anything_put_anywhere_is_refused_or_established(id, seed, values):
    mutant = copy.deepcopy(certificate(id))
    for value in values:
        path = seed.choice([path for path in places(mutant) if path])
        mutant = put(mutant, path, value)
    outcome(mutant)
    try:
        mutant = sealed(mutant)
    except (ValueError, AttributeError, TypeError):
        return
    outcome(mutant)


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_any_value_is_refused(value):
    with pytest.raises(Refused):
        check(value)


def outcome(data: Any) -> Established | None:
    try:
        return check(data)
    except Refused:
        return None
