"""The HTML page: one file that works from disk, from data alone. All text is escaped; nothing on it asks for anything elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from certify.claims.record import Report
from certify.claims.verdict import Outcome
from certify.report.html import claims
from certify.report.html.families import families
from certify.report.html.supplement import Supplement
from certify.report.html.templates import render
from certify.report.strength import strength, weakest_ids

SHOWN = 4
"""Weakest links that are named; the others are counted."""


def page(report: Report, supplement: Supplement | None = None) -> str:
    """The page of a report: the claims alone, or with the tables, figures and all else that was computed for them."""
    lemmas = claims.lemmas(report)
    views = claims.views(report, lemmas)
    links, extra = weakest_ids(report), supplement or Supplement(())
    return render(
        "page.html",
        report=report,
        strength=strength(report),
        counts={outcome: report.counts[outcome.value] for outcome in Outcome if outcome.value in report.counts},
        weakest=links[:SHOWN],
        weaker=len(links) - SHOWN,
        groups=claims.groups(views),
        families=families(views),
        lemmas=lemmas,
        words=[view for view in views if view.record.in_words and view.record.outcome is Outcome.PROVED],
        extra=extra,
        alone=supplement is None,
        data=_embedded(report, extra),
    )


def _embedded(report: Report, supplement: Supplement) -> Markup:
    """What the downloads hold, as JSON within a script element, which no text can close."""
    data: Mapping[str, Any] = {"report": report, **supplement.data}
    text = msgspec.json.encode(data).decode()
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
