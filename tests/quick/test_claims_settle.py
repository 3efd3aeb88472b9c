"""What a prover returns counts only once it has been settled."""

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from certify.claims.certificate import decode
from certify.claims.origin import file_origin
from certify.claims.record import ClaimRecord
from certify.claims.settle import Stored
from certify.claims.verdict import Outcome, Reason
from certify.claims.worker import Task, find, work

PLANTED = Path(__file__).resolve().parent.parent / "planted"


def task(file: str, id: str, **options) -> Task:
    options = {"constants": {}, "profile": "quick", "seed": 7, **options}
    return Task(f"planted.{id}", file_origin(str(PLANTED / f"{file}.py")), **options)


@pytest.mark.parametrize(
    ("id", "reason", "words"),
    [
        ("raises", Reason.RAISED, "ZeroDivisionError: first line second line"),
        ("exits", Reason.RAISED, "SystemExit: 0"),
        ("interrupts", Reason.RAISED, "KeyboardInterrupt"),
        ("true", Reason.BAD_VERDICT, "bool returned"),
        ("bare", Reason.NO_CERTIFICATE, "nothing"),
        ("formless", Reason.CERTIFICATE_REFUSED, "declares no formal theorem"),
        ("swapped", Reason.CERTIFICATE_REFUSED, "another theorem than planted.swapped states: its statements differ"),
        ("borrowed", Reason.CERTIFICATE_REFUSED, "a certificate of planted.swapped, not of planted.borrowed"),
        ("wrong", Reason.CERTIFICATE_REFUSED, "step 0"),
        ("altered", Reason.CERTIFICATE_REFUSED, "digest"),
    ],
)
def test_errors(id, reason, words):
    record = work(task("faulty", id)).record
    assert (record.outcome, record.reason, record.reached) == (Outcome.ERROR, reason.name, None)
    assert words in record.summary
    assert (record.explanation, record.remedy) == (reason.message, reason.remedy)
    assert record.evidence is None


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("empty", Reason.RAISED),
        ("foreign", Reason.RAISED),
        ("both", Reason.RAISED),
        ("turned", Reason.RAISED),
        ("pretends", Reason.BAD_VERDICT),
        ("wordless", Reason.RAISED),
        ("endless", Reason.RAISED),
    ],
)
def test_what_is_no_sound_verdict_is_an_error(id, reason):
    record = work(task("hostile", id)).record
    assert (record.outcome, record.reason, record.reached) == (Outcome.ERROR, reason.name, None)


def test_a_prover_that_changes_its_own_claim_gains_nothing():
    record = work(task("hostile", "alters")).record
    assert record.reason == Reason.CERTIFICATE_REFUSED.name
    assert "another theorem than planted.alters states" in record.summary
    assert record.statement == "x < 1"


@pytest.mark.parametrize("id", ["breaks", "refutes", "raises"])
def test_words_are_made_fit_to_print(id):
    record = work(task("hostile", id)).record
    texts = [record.statement, record.domain, record.source, record.summary, *(record.facts or record.witness or {})]
    assert all(text.isprintable() for text in texts)
    assert msgspec.json.decode(msgspec.json.encode(record), type=ClaimRecord) == record


def test_only_what_raised_has_a_traceback():
    assert "ZeroDivisionError" in (work(task("faulty", "raises")).trace or "")
    assert work(task("faulty", "true")).trace is None


def test_a_weaker_grade_is_undecided_and_says_what_was_reached():
    record = work(task("faulty", "weak")).record
    assert (record.outcome, record.reached) == (Outcome.UNDECIDED, Outcome.SAMPLED)
    assert record.reason == Reason.GRADE_MISSED.name
    assert record.facts == {"points": 3, "reason": "a fact may have any name"}


def test_a_stronger_grade_holds():
    record = work(task("honest", "enclosed")).record
    assert (record.grade, record.outcome, record.reached) == (Outcome.SAMPLED, Outcome.ENCLOSED, Outcome.ENCLOSED)


def test_refuted_undecided_and_not_run_pass_through():
    assert work(task("faulty", "false")).record.witness == {"x": "3/2"}
    assert work(task("faulty", "open")).record.box == {"x": "[0, 1/2]"}
    assert work(task("honest", "absent")).record.outcome is Outcome.NOT_RUN


def test_a_proof_is_replayed_and_recorded():
    finished = work(task("honest", "square"))
    record, evidence = finished.record, finished.record.evidence
    assert evidence is not None
    assert finished.certificate is not None
    assert evidence.digest == decode(finished.certificate)["digest"]
    assert any("(x + 3/2)**2 = x**2 + 2*(3/2)*x + (3/2)**2" in line for line in evidence.established)
    assert record.constants == {"C": "3/2"}
    assert record.perturbed == ()


def test_profile_and_seed_reach_the_provers_that_declare_them():
    facts = work(task("honest", "square", profile="full")).record.facts
    assert (facts["profile"], facts["seed"]) == ("full", 7)


def test_facts_become_exact_strings():
    facts = work(task("honest", "square")).record.facts
    assert (facts["C"], facts["large"]) == ("3/2", str(2**80))


def test_set_constants_reach_prover_and_theorem_and_are_labelled():
    record = work(task("honest", "square", constants={"C": Fraction(5)})).record
    assert record.evidence is not None
    assert any("(x + 5)**2 = x**2 + 2*(5)*x + (5)**2" in line for line in record.evidence.established)
    assert (record.perturbed, record.label) == (("C",), "planted.square [C = 5]")


def test_setting_the_claims_own_value_perturbs_nothing():
    assert work(task("honest", "square", constants={"C": Fraction(3, 2)})).record.perturbed == ()


def test_a_stored_proof_is_resumed_with_its_words():
    first = work(task("honest", "square"))
    assert first.certificate is not None
    again = work(task("honest", "square", stored=Stored(first.certificate, first.record)))
    assert again.resumed
    assert again.record == first.record
    assert again.certificate == first.certificate


def test_a_stored_proof_without_its_record_has_only_the_checkers_words():
    first = work(task("honest", "square"))
    assert first.certificate is not None
    again = work(task("honest", "square", stored=Stored(first.certificate)))
    assert again.resumed
    assert again.record.evidence == first.record.evidence
    assert again.record.facts == {}


def test_the_words_of_another_certificate_are_not_resumed():
    first, other = work(task("honest", "square")), work(task("honest", "square", constants={"C": Fraction(2)}))
    assert first.certificate is not None
    again = work(task("honest", "square", stored=Stored(first.certificate, other.record)))
    assert again.resumed
    assert (again.record.facts, again.record.evidence) == ({}, first.record.evidence)


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"format": "certify.certificate/1"}', b"\xff", b"[" * 100_000])
def test_damage_is_proved_again(damage):
    finished = work(task("honest", "square", stored=Stored(damage)))
    assert not finished.resumed
    assert finished.record.outcome is Outcome.PROVED
    assert "does not stand, proving again" in (finished.note or "")


def test_a_stored_proof_of_another_constant_is_proved_again():
    first = work(task("honest", "square", constants={"C": Fraction(2)}))
    assert first.certificate is not None
    again = work(task("honest", "square", stored=Stored(first.certificate)))
    assert not again.resumed
    assert again.record.evidence != first.record.evidence


def test_a_claim_that_is_gone_is_missed():
    with pytest.raises(LookupError, match=r"no longer declares planted.gone"):
        find(task("honest", "gone"))
