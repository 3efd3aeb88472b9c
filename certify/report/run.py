"""A run that may leave a folder with its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from certify.claims.constants import rational
from certify.claims.executors import connect
from certify.claims.folder import opened
from certify.claims.record import Report
from certify.claims.registry import load
from certify.claims.runner import Pool
from certify.claims.session import Request, Watcher
from certify.claims.session import run as check_claims
from certify.claims.settings import check_settings
from certify.report.junit import junit
from certify.report.markdown import markdown


def _page(report: Report) -> str:
    from certify.report.html.page import page

    return page(report)


RENDERINGS = {"report.md": markdown, "report.html": _page, "junit.xml": junit}


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
    stand, unless ``force``. ``pool(jobs)`` makes the executor that carries the work; by default spawned processes do.
    ``executor`` is the address of one on other machines, such as dask://HOST:PORT. Raises BadInput (a ValueError) for what
    cannot be served, NothingSelected where nothing matches.
    """
    exact = {name: rational(name, value) for name, value in (constants or {}).items()}
    if executor is not None:
        pool, workers = connect(executor)
        jobs = jobs or workers
    request = Request(exact, profile, seed, jobs, command, pool, named=bool(selectors))
    selection = load(selectors).select(selectors)
    check_settings((entry.claim for entry in selection if entry.trace is None), exact)
    if output_dir is None:
        return check_claims(selection, request, watchers)
    with opened(output_dir, RENDERINGS) as folder:
        return check_claims(selection, request, [folder, *watchers], {} if force else folder.stored())
