"""Certificates: made, written, read, and held against the claim whose id they carry.

A certificate file is the JSON of one of the classes of ``certify.claims.formats``, on one line. Its digest protects against
accidents and never stands in for a check; ``jq -cjS 'del(.digest)' FILE | sha256sum`` computes it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

import msgspec

from certify.checker.checker import LEMMAS, Established, Refused, digest, unique
from certify.claims.claim import Claim
from certify.claims.formats import FORMATS, AnyCertificate, AnyTheorem, check, format_of_data, format_of_theorem
from certify.claims.text import one_line
from certify.exact.rounding.difference import Bisection, Difference, DifferenceCertificate
from certify.exact.rounding.theorem import Rounding, RoundingCertificate, Tiling
from certify.exact.theorem import Certificate, Proof, Theorem

Sealed = TypeVar("Sealed", bound=AnyCertificate)


class NotACertificate(ValueError):
    """The bytes are not the JSON of a certificate."""


def certify_theorem(claim_id: str, theorem: Theorem, proof: Proof) -> Certificate:
    """The certificate of a theorem with its proof, under a claim's id; it names the lemmas that the rules used cite."""
    rules = dict.fromkeys(step.evidence.__struct_config__.tag for step in proof.steps)
    lemmas = tuple(LEMMAS[rule] for rule in rules if rule in LEMMAS)
    return sealed(Certificate(claim=claim_id, theorem=theorem, proof=proof, lemmas=lemmas, digest=""))


def certify_rounding(claim_id: str, theorem: Rounding, proof: Tiling) -> RoundingCertificate:
    """The certificate of a rounding theorem with its proof, under a claim's id."""
    return sealed(RoundingCertificate(claim=claim_id, theorem=theorem, proof=proof, lemmas=tuple(cited(theorem)), digest=""))


def certify_difference(claim_id: str, theorem: Difference, proof: Bisection) -> DifferenceCertificate:
    """The certificate of a rounding theorem for differences of the potential, under a claim's id."""
    return sealed(DifferenceCertificate(claim=claim_id, theorem=theorem, proof=proof, lemmas=(), digest=""))


def sealed(draft: Sealed) -> Sealed:
    """The certificate with its digest."""
    return msgspec.structs.replace(draft, digest=digest(msgspec.to_builtins(draft)))


def encode(certificate: AnyCertificate) -> bytes:
    """The content of a certificate file."""
    return msgspec.json.encode(certificate) + b"\n"


def decode(content: bytes) -> dict[str, Any]:
    """The plain data of a certificate file. Raises NotACertificate; whether the certificate holds is not looked at."""
    try:
        data = json.loads(content.decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        raise NotACertificate("not JSON in UTF-8, or a field is given twice") from None
    if not isinstance(data, dict) or format_of_data(data) is None:
        families = " or ".join(repr(each.family) for each in FORMATS)
        raise NotACertificate(f'not a certificate: no "format" that begins with {families}')
    return data


def replay(data: Mapping[str, Any], claim: Claim, constants: Mapping[str, Fraction] | None = None) -> Established:
    """Have the checker re-establish a certificate, and hold its theorem against the claim's.

    Raises Refused where the checker refuses, where the certificate carries another id, and where it is a certificate of
    another theorem, box or constant than ``claim.formal(constants)``.
    """
    established = check(data)
    hold(data, claim, constants)
    return established


def hold(data: Mapping[str, Any], claim: Claim, constants: Mapping[str, Fraction] | None = None) -> None:
    """Hold a certificate that the checker has accepted against a claim. Raises Refused as ``replay`` does."""
    if data["claim"] != claim.id:
        raise Refused(f"a certificate of {data['claim']}, not of {claim.id}")
    try:
        theorem = claim.formal(constants)
    except Exception as error:
        raise Refused(f"claim {claim.id} cannot state its theorem: {one_line(error)}") from None
    if theorem is None:
        raise Refused(f"claim {claim.id} declares no formal theorem with which a certificate could be compared")
    difference = _difference(data["theorem"], theorem)
    if difference:
        raise Refused(f"a valid certificate, but of another theorem than {claim.id} states: {difference}")


def spell_out(theorem: AnyTheorem) -> list[str]:
    """A theorem in the checker's words: domain and definitions, then the statements."""
    return format_of_theorem(theorem).spell(msgspec.to_builtins(theorem))


def cited(theorem: AnyTheorem) -> list[str]:
    """The lemmas that a proof of such a theorem cites."""
    return format_of_theorem(theorem).cited(theorem)


def _difference(found: Any, theorem: AnyTheorem) -> str | None:
    """Where the definitions of a certificate differ from the claim's."""
    try:
        stated = msgspec.convert(found, type(theorem))
    except msgspec.ValidationError as error:
        return f"not a theorem of the claim's format: {error}"
    for part in type(theorem).__struct_fields__:
        if getattr(stated, part) != getattr(theorem, part):
            return f"its {part} differ" if part.endswith("s") else f"its {part!r} differs"
    return None
