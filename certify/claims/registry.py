"""Finding claims: in the packages that are shipped, and in the claim files and installed packages that the user names."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from certify.claims import installed
from certify.claims.claim import Claim
from certify.claims.exits import BadInput, NothingSelected
from certify.claims.origin import PACKAGES, SUFFIXES, Origin, file_origin, module_origin
from certify.claims.probe import refuse_if_deadly
from certify.claims.provenance import PACKAGE
from certify.claims.text import one_line
from certify.claims.toml import Malformed
from certify.claims.verdict import Reason, Verdict

GLOB = re.compile(r"[*?\[]")
DECLARES = {".py": "functions with @claim, as names of the module,", ".toml": "tables [[claim]]"}


@dataclass(frozen=True)
class Registered:
    """A claim and where it is declared.

    ``trace`` is the traceback of a module that could not be imported; ``claim`` is then a stand-in that ends in error.
    """

    claim: Claim
    origin: Origin
    trace: str | None = None


class Registry:
    """All claims by id. Raises BadInput where two claims share one."""

    def __init__(self, found: Iterable[Registered]) -> None:
        self.claims: dict[str, Registered] = {}
        for entry in found:
            other = self.claims.setdefault(entry.claim.id, entry)
            if other is not entry:
                places = f"{other.origin.name} and {entry.origin.name}"
                raise BadInput(f"two claims have the id {entry.claim.id!r}, one in each of {places}: rename one")

    def select(self, selectors: Sequence[str]) -> list[Registered]:
        """The union of what the selectors name, sorted by id; everything where there are none.

        A selector is an id, a glob over ids, a file ``claims.py`` or ``claims.toml``, or a file, ``::`` and an id or glob; the name
        of an installed package's claims stands for all of them. Raises BadInput for an unknown id, NothingSelected for a
        pattern or file that yields no claim.
        """
        chosen: set[str] = set() if selectors else set(self.claims)
        for selector in selectors:
            chosen.update(self._matches(selector))
        if not chosen:
            raise NothingSelected("no claim is declared here")
        return [self.claims[id] for id in sorted(chosen)]

    def _matches(self, selector: str) -> list[str]:
        path, pattern = split(selector)
        if path is None and pattern in installed.names():
            pattern = f"{pattern}.*"
        ids = [id for id, entry in self.claims.items() if path is None or entry.origin == file_origin(path)]
        if path is not None and not ids:
            raise NothingSelected(f"claim file {path!r} declares no claim: {DECLARES[Path(path).suffix]} are looked for")
        if not GLOB.search(pattern) and pattern not in ids:
            if hiding := self._not_imported(ids, pattern, path is not None):
                return hiding
            raise BadInput(f"unknown claim {pattern!r}{self._hint(pattern)}")
        matches = [id for id in ids if fnmatchcase(id, pattern)]
        if not matches:
            raise NothingSelected(f"no claim matches {selector!r}")
        return matches

    def _not_imported(self, ids: Sequence[str], pattern: str, within_file: bool) -> list[str]:
        """Of these, the stand-ins for the file, or for the package of that family, which may declare the claim."""
        family = pattern.partition(".")[0]
        return [id for id in ids if self.claims[id].trace and (within_file or self.claims[id].origin.family == family != "")]

    def _hint(self, id: str) -> str:
        family, _, order = id.rpartition(".")
        orders = sorted(int(known.rpartition(".")[2]) for known in self.claims if re.fullmatch(re.escape(family) + r"\.\d+", known))
        if order.isdigit() and orders:
            return f"; there is {family}.n for n = {orders[0]} to {orders[-1]}"
        within = [known for known in sorted(self.claims) if known.startswith(f"{id}.")]
        close = within or difflib.get_close_matches(id, self.claims)
        return f"; close: {', '.join(close[:5])}" if close else "; certify list shows all"


def split(selector: str) -> tuple[str | None, str]:
    """The claim file (None for the shipped claims) and the pattern over ids that a selector names."""
    path, colons, pattern = selector.partition("::")
    if path.endswith(SUFFIXES):
        return path, pattern if colons else "*"
    return None, selector


def load(selectors: Iterable[str] = ()) -> Registry:
    """The registry of the shipped claims, and of the files and installed packages among the selectors; no other code is executed."""
    selectors = list(selectors)
    files = [file_origin(path) for path, _ in map(split, selectors) if path is not None]
    origins = dict.fromkeys([*shipped(), *files, *installed.origins(pattern for path, pattern in map(split, selectors) if path is None)])
    found = [entry for origin in origins for entry in declared(origin)]
    return Registry(_numbered(_unshared(found)))


def shipped() -> Iterator[Origin]:
    """The modules of the shipped packages. Raises BadInput where another package of that name is found first."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        found, home = Path(package.__path__[0]).resolve(), PACKAGE.parent.joinpath(*name.split("."))
        if found != home:
            raise BadInput(f"the package {str(found)!r} hides {str(home)!r}: run from another folder, or with python -P")
        for module in pkgutil.walk_packages(package.__path__, f"{name}.", onerror=lambda _: None):
            yield module_origin(module.name)


def declared(origin: Origin) -> list[Registered]:
    """The claims that are module-level names of one origin; a stand-in that ends in error where its import raises.

    Raises BadInput for a file whose import would end this process, and for a TOML file that is malformed.
    """
    refuse_if_deadly(origin)
    try:
        module = origin.load()
    except (KeyboardInterrupt, Malformed):
        raise
    except BaseException as error:  # SystemExit, and whatever else its code raises
        return [Registered(_stand_in(origin, error), origin, traceback.format_exc())]
    return [Registered(value, origin) for value in vars(module).values() if isinstance(value, Claim)]


def _stand_in(origin: Origin, error: BaseException) -> Claim:
    message = f"{origin.name} cannot be imported: {one_line(error)}"
    return Claim(origin.stem, "", "", origin.name, lambda: Verdict.error(Reason.RAISED, message))


def _unshared(found: Iterable[Registered]) -> list[Registered]:
    """Each claim once, at the module that declares it rather than at one that imports it."""
    homes: dict[int, Registered] = {}
    for entry in found:
        at_home = getattr(entry.claim.prover, "__module__", None) == entry.origin.module
        if at_home or id(entry.claim) not in homes:
            homes[id(entry.claim)] = entry
    return list(homes.values())


def _numbered(found: list[Registered]) -> list[Registered]:
    """Stand-ins renamed where their id is taken: a file that cannot be imported hides no other claim."""
    taken = {entry.claim.id for entry in found if entry.trace is None}
    numbered = []
    for entry in found:
        if entry.trace is not None:
            names = (entry.claim.id + suffix for suffix in ("", *(f"_{n}" for n in range(2, len(found) + 2))))
            entry = replace(entry, claim=replace(entry.claim, id=next(name for name in names if name not in taken)))
            taken.add(entry.claim.id)
        numbered.append(entry)
    return numbered
