"""How outcomes look: a glyph that fills with strength, beside the word; colour only repeats what both say."""

from __future__ import annotations

from certify.claims.verdict import Outcome

GLYPHS = {
    Outcome.PROVED: "●",
    Outcome.ENCLOSED: "◕",
    Outcome.SAMPLED: "◑",
    Outcome.MEASURED: "◔",
    Outcome.NOT_RUN: "○",
    Outcome.UNDECIDED: "?",
    Outcome.ERROR: "!",
    Outcome.REFUTED: "✕",
}
MEANINGS = {
    Outcome.PROVED: "for every point of the domain; the independent checker replayed the certificate",
    Outcome.ENCLOSED: "rigorous at the points named",
    Outcome.SAMPLED: "no counterexample among the points tried",
    Outcome.MEASURED: "a measurement on this machine",
    Outcome.NOT_RUN: "not checked in this run; neutral",
    Outcome.UNDECIDED: "neither shown nor refuted; never a success",
    Outcome.ERROR: "the check itself failed",
    Outcome.REFUTED: "false, with a witness",
}
WEAKEST_FIRST = (
    Outcome.REFUTED,
    Outcome.ERROR,
    Outcome.UNDECIDED,
    Outcome.MEASURED,
    Outcome.SAMPLED,
    Outcome.ENCLOSED,
    Outcome.PROVED,
    Outcome.NOT_RUN,
)
