"""A run that may leave a folder with its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from certify.claims.constants import rational
from certify.claims.executors import connect
from certify.claims.files import write_atomically
from certify.claims.folder import opened
from certify.claims.provenance import cores
from certify.claims.record import Report
from certify.claims.registry import load
from certify.claims.runner import Pool
from certify.claims.session import Audience, Request, Watcher
from certify.claims.session import run as check_claims
from certify.claims.settings import check_settings
from certify.report.junit import junit
from certify.report.markdown import markdown

PAGE = "report.html"


def _page(report: Report) -> str:
    from certify.report.html.page import page

    return page(report)


def _complete_page(report: Report, jobs: int, watcher: Watcher) -> str:
    from certify.report.complete import complete_page

    return complete_page(report, jobs, watcher)


RENDERINGS = {"report.md": markdown, PAGE: _page, "junit.xml": junit}


def run(
    *selectors: str,
    output_dir: str | None = None,
    constants: Mapping[str, int | str | Fraction] | None = None,
    force: bool = False,
    jobs: int | None = None,
    profile: str = "quick",
    seed: int = 0,
    command: str = "certify.run",
    pool: Pool | None = None,
    executor: str | None = None,
    watchers: Iterable[Watcher] = (),
) -> Report:
    """Check the claims that the selectors name: ids, globs, files ``claims.py`` or ``claims.py::id``; none means all but,
    in the quick profile, the long ones.

    ``constants`` override those of every selected claim. With ``output_dir``, ``report.json``, ``report.md``,
    ``report.html``, ``junit.xml`` and ``certificates/`` are left there; proofs of an earlier run in that folder are kept if they still
    stand, unless ``force``. The page is written with the claims alone, and once more with the tables, figures, margins and errata that
    belong to them, which are made on this machine; KeyboardInterrupt meanwhile leaves it as it was. ``pool(jobs)`` makes the executor
    that carries the claims; by default spawned processes do. ``executor`` is the address of one on other machines, such as
    dask://HOST:PORT. Raises BadInput (a ValueError) for what cannot be served, NothingSelected where nothing matches.
    """
    exact = {name: rational(name, value) for name, value in (constants or {}).items()}
    processes = jobs if jobs and executor is None else cores()
    if executor is not None:
        pool, workers = connect(executor)
        jobs = jobs or workers
    request = Request(exact, profile, seed, jobs, command, pool, named=bool(selectors))
    selection = load(selectors).select(selectors)
    check_settings((entry.claim for entry in selection if entry.trace is None), exact)
    if output_dir is None:
        return check_claims(selection, request, watchers)
    with opened(output_dir, RENDERINGS) as folder:
        audience = Audience([folder, *watchers])
        report = check_claims(selection, request, [audience], {} if force else folder.stored())
        if report.complete:
            write_atomically(folder.path / PAGE, _complete_page(report, processes, audience))
        return report
