"""Which tools there are, and what each says of certificates."""

from __future__ import annotations

from collections.abc import Iterable

from certify.claims.certificate import decode
from certify.claims.checking import Checked
from certify.claims.exits import BadInput
from certify.claims.files import read
from certify.studies.opinions import gappa, sollya
from certify.studies.opinions.opinion import Opinion, ask

TOOLS = {"gappa": gappa.question, "sollya": sollya.question}


def tools(names: str) -> list[str]:
    """The tools in a list with commas. Raises BadInput for one that is not known."""
    wanted = list(dict.fromkeys(filter(None, (name.strip() for name in names.split(",")))))
    for name in wanted or [names]:
        if name not in TOOLS:
            raise BadInput(f"--with {name!r}: {', '.join(TOOLS)} are known")
    return wanted


def opinions(results: Iterable[Checked], names: Iterable[str]) -> list[Opinion]:
    """What the tools say of the certificates that were accepted; those that raise no question of theirs are passed over."""
    accepted = [(result.claim, decode(read(result.path))) for result in results if result.accepted]
    questions = [(name, claim, TOOLS[name](data)) for name in names for claim, data in accepted]
    return [ask(name, question, claim) for name, claim, question in questions if question is not None]
