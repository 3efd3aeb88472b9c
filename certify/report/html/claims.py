"""The claims of a report as the page shows them."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from certify.claims.record import ClaimRecord, Report, reproduce
from certify.claims.verdict import Outcome
from certify.report.html.grades import WEAKEST_FIRST
from certify.report.html.mathml import html

NAME = 60
"""Characters of a lemma's name."""


@dataclass(frozen=True)
class Lemma:
    """A step that no machine checks, with the claims whose proofs cite it."""

    anchor: str
    name: str
    text: str
    claims: tuple[str, ...]

    @property
    def statement(self) -> str:
        """The text without the name that it begins with."""
        return self.text.removeprefix(f"{self.name}: ")


@dataclass(frozen=True)
class ClaimView:
    """A claim; ``lemmas`` are those of its proof."""

    record: ClaimRecord
    seconds: float | None
    resumed: bool
    reproduce: str
    lemmas: tuple[Lemma, ...]

    @property
    def anchor(self) -> str:
        return f"claim-{self.record.id}"

    @property
    def family(self) -> str:
        return self.record.id.partition(".")[0]

    @property
    def statement(self) -> Markup:
        return html(self.record.statement)

    @property
    def domain(self) -> Markup:
        return html(self.record.domain)

    @property
    def time(self) -> str:
        """Seconds; nothing where it took none."""
        return "" if self.seconds is None or self.record.outcome is Outcome.NOT_RUN else f"{self.seconds:.2f}"

    @property
    def words(self) -> str:
        """What a search looks through."""
        record = self.record
        return " ".join((record.id, record.source, record.summary, record.statement)).lower()

    @property
    def facts(self) -> list[tuple[str, str]]:
        return list(flat(self.record.facts))


@dataclass(frozen=True)
class Group:
    """Claims with one outcome."""

    outcome: Outcome
    claims: tuple[ClaimView, ...]

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Why claims were not run, each with how many it kept back."""
        summaries = (view.record.summary for view in self.claims if self.outcome is Outcome.NOT_RUN)
        return Counter(summaries).most_common()


def views(report: Report, lemmas: Sequence[Lemma]) -> list[ClaimView]:
    """All claims, sorted by id."""
    resumed, seconds = set(report.run.resumed), report.run.seconds
    by_text = {lemma.text: lemma for lemma in lemmas}
    return [
        ClaimView(
            record,
            seconds.get(record.id),
            record.id in resumed,
            reproduce(record, report.run),
            tuple(by_text[text] for text in (record.evidence.lemmas if record.evidence else ())),
        )
        for record in report.claims
    ]


def groups(found: Sequence[ClaimView]) -> list[Group]:
    """By outcome, the weakest link first; claims that were not run are none, and come last."""
    return [Group(outcome, chosen) for outcome in WEAKEST_FIRST if (chosen := tuple(v for v in found if v.record.outcome is outcome))]


def lemmas(report: Report) -> list[Lemma]:
    """What the proofs cite, with most citations first."""
    citing: dict[str, list[str]] = {}
    for record in report.claims:
        for text in record.evidence.lemmas if record.evidence else ():
            citing.setdefault(text, []).append(record.id)
    ordered = sorted(citing.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [Lemma(f"lemma-{n}", *_name(text), tuple(ids)) for n, (text, ids) in enumerate(ordered, 1)]


def _name(text: str) -> tuple[str, str]:
    """What a lemma is called, as in "comparison lemma: if …", or how it begins; and the whole of it."""
    head = text.partition(":")[0]
    return (head if len(head) <= min(NAME, len(text) - 1) else f"{textwrap.shorten(text, NAME, placeholder='')} …"), text


def flat(values: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Names, dotted where they lie within one another, and values."""
    for name, value in (values or {}).items():
        if isinstance(value, Mapping):
            yield from ((f"{name}: {inner}", text) for inner, text in flat(value))
        else:
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)
