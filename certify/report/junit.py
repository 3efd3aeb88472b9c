"""A report as JUnit XML: refuted and undecided are failures, errors are errors, not run is skipped."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from certify.claims.record import ClaimRecord, Report
from certify.claims.verdict import Outcome

ELEMENTS = {
    Outcome.REFUTED: "failure",
    Outcome.UNDECIDED: "failure",
    Outcome.ERROR: "error",
    Outcome.NOT_RUN: "skipped",
}
UNPRINTABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """The XML text."""
    kinds = [ELEMENTS.get(record.outcome) for record in report.claims]
    suite = ElementTree.Element(
        "testsuite",
        name="certify",
        tests=str(len(kinds)),
        failures=str(kinds.count("failure")),
        errors=str(kinds.count("error")),
        skipped=str(kinds.count("skipped")),
        time=f"{sum(filter(None, report.run.seconds.values())):.3f}",
        timestamp=report.run.started.partition("+")[0],
    )
    suite.extend(_case(record, report.run.seconds[record.id]) for record in report.claims)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(record: ClaimRecord, seconds: float | None) -> ElementTree.Element:
    group, _, name = record.label.partition(".")
    case = ElementTree.Element("testcase", classname=group, name=name or group, time=f"{seconds or 0:.3f}")
    element = ELEMENTS.get(record.outcome)
    if element is not None:
        kind, text = record.reason or record.outcome.value, UNPRINTABLE.sub("\ufffd", record.summary)
        ElementTree.SubElement(case, element, type=kind, message=text).text = _detail(record)
    return case


def _detail(record: ClaimRecord) -> str:
    lines = [f"{record.explanation}; {record.remedy}"] if record.reason else []
    lines += [f"{name} = {value}" for name, value in (record.witness or record.box or {}).items()]
    return UNPRINTABLE.sub("\ufffd", "\n".join(lines))
