"""Lines to paste that show a witness again, for ``fn`` (and ``inputs``) at hand."""

from __future__ import annotations

from certify.audit.evidence import Kind
from certify.audit.verdicts import Witness


def number(x: float) -> str:
    """The shortest decimal that is this number, without a needless point."""
    return repr(float(x)).removesuffix(".0")


def reproduction(order: int, w: Witness) -> list[str]:
    """Three lines: the input, what is supplied there, and what it contradicts."""
    x = f"x = torch.tensor([{number(w.input)}], dtype=torch.{w.dtype}, requires_grad=True)"
    if w.kind is Kind.FIELD:
        return _of_field()
    if w.entry:
        return _of_many(w)
    if w.kind is Kind.UPSTREAM:
        g = f"g = torch.full_like(x, {w.note.split()[-1]})"
        return [x, g, "print(torch.autograd.grad(fn(x), x, g)[0], g * torch.autograd.grad(fn(x).sum(), x)[0])"]
    if w.kind is Kind.REPEATED:
        first = "print(torch.autograd.grad(y, x, retain_graph=True)[0])"
        return [f"{x}; y = fn(x).sum()", first, "print(torch.autograd.grad(y, x)[0])"]
    if w.kind in (Kind.BATCH, Kind.LAYOUT):
        return [x, "print(torch.autograd.grad(fn(x).sum(), x)[0])", f"# {number(w.supplied)} {w.note}, {number(w.realized)} without"]
    return _derivative(order, x, f"{w.step:.3g}" if w.step else "1e-3")


def _derivative(order: int, x: str, h: str) -> list[str]:
    supplied = 'print("supplied", torch.autograd.grad({0}(x).sum(), x)[0])'
    realized = 'h = {1}; print("realized", ({0}(x + h) - {0}(x - h)).double() / (2 * h))'
    if order == 1:
        return [x, supplied.format("fn"), realized.format("fn", h)]
    first = "d = lambda x: torch.autograd.grad(fn(x).sum(), x, create_graph=True)[0]"
    return [f"{x}; {first}", supplied.format("d"), realized.format("d", h)]


def _of_field() -> list[str]:
    return [
        "g = lambda x: torch.autograd.grad(fn(x.requires_grad_()).sum(), x)[0]; x = inputs[0].detach()  # g = fn for a bare field",
        "J = torch.stack([(g(x + 1e-4 * e) - g(x - 1e-4 * e)) / 2e-4 for e in torch.eye(x.numel()).to(x)])",
        "print(J - J.T)",
    ]


def _of_many(w: Witness) -> list[str]:
    return [
        "J = torch.autograd.functional.jacobian(fn, inputs)",
        f"print(J)  # {number(w.supplied)} for {w.entry}",
        f"# against differences of fn there, with steps of {w.step:.3g}: {number(w.realized)}",
    ]
