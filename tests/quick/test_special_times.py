"""The times of certify table special: ratios of one run, of every function, in every format."""

import csv
import io
from dataclasses import replace

import pytest
import torch

from certify.report.special import FORMATS, TIMES, special_data
from certify.studies.special import times as special_times
from certify.studies.special.subjects import SUBJECTS
from certify.studies.special.times import OURS, Span, inputs, times
from certify.studies.tables.table_special import SpecialTable
from certify.training.threads import one_thread


@pytest.fixture(scope="module")
def found():
    return tuple(times(elements=500, repeats=1))


def test_every_function_beside_its_libraries_and_their_kernels(found):
    wanted = {(subject.title, name) for subject in SUBJECTS for name in (OURS, *subject.libraries, *subject.kernels)}
    assert {(time.function, time.package) for time in found} == wanted
    assert all(0 < time.value.least <= time.value.median <= time.value.most for time in found)
    assert all(time.ratio == 1 for time in found if time.package == OURS)
    assert all(time.both for time in found if time.package == OURS)
    assert not any(time.both for time in found if time.package.startswith("scipy"))


def test_the_ratio_is_that_of_ours_to_the_library(monkeypatch):
    """A library that is three times as fast."""
    spans = {OURS: Span(30.0, 30.0, 30.0), "scipy": Span(10.0, 10.0, 10.0)}
    subject = replace(SUBJECTS[0], libraries={"scipy": torch.special.log_ndtr}, kernels={})
    monkeypatch.setattr(special_times, "SUBJECTS", (subject,))
    monkeypatch.setattr(special_times, "_rounds", lambda runs, repeats, elements: {name: spans[name] for name in runs})
    ours, library = times()
    assert (ours.ratio, library.ratio) == (1, 3)


def test_one_thread_and_back():
    before = torch.get_num_threads()
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.title)
def test_inputs_are_where_the_function_bends(subject):
    x = inputs(subject, 1000)
    assert x.dtype == torch.float64
    assert x.min() < subject.centre < x.max()
    assert torch.equal(x, inputs(subject, 1000))


def test_the_times_are_in_every_format(found):
    table = SpecialTable((), found)
    for render in FORMATS.values():
        text = render(table)
        assert TIMES[-1] in text
    rows = list(csv.reader(io.StringIO(FORMATS["csv"](table))))
    assert len([row for row in rows if row and row[0] == "special, times"]) == len(found)
    assert len(special_data(table)["times"]) == len(found)
