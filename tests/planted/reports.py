"""The report of record, and reports made of it."""

from pathlib import Path

import msgspec

from certify.claims.record import counts, weakest

RECORD = Path(__file__).resolve().parent.parent.parent / "reports" / "record"

ATTACK = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'><p id=\"injected\">{{ 7 * 7 }}"
TEXTS = ("statement", "domain", "source", "origin", "summary", "in_words", "reason", "explanation", "remedy")


def restricted(report, records):
    """The report of these claims alone."""
    return msgspec.structs.replace(report, claims=tuple(records), weakest=weakest(records), counts=counts(records))


def hostile(report):
    """A report whose every text attacks the page that shows it."""
    values = {ATTACK: ATTACK}
    proved = next(record for record in report.claims if record.evidence)
    evidence = msgspec.structs.replace(proved.evidence, digest=ATTACK, established=(ATTACK,), lemmas=(ATTACK, f"name: {ATTACK}"))
    shown = {"facts": {ATTACK: values}, "witness": values, "constants": values, "perturbed": (ATTACK,), "evidence": evidence}
    claims = (msgspec.structs.replace(proved, **dict.fromkeys(TEXTS, ATTACK), **shown),)
    run = msgspec.structs.replace(report.run, command=ATTACK)
    place = msgspec.structs.replace(report.environment, cpu=ATTACK, versions=values)
    return msgspec.structs.replace(restricted(report, claims), run=run, environment=place)
