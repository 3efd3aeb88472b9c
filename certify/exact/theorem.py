"""The formal language: what a certificate establishes, and the evidence from which a checker re-establishes it.

Expressions are strings in ordinary infix notation over declared symbols, integers, ``+ - * / **`` (positive integer exponents),
``log(u)`` and ``diff(u, v)``; they mean exact real functions, never floats. Intervals are strings such
as ``(0, oo)``, ``[10/9, oo)`` or ``(0, 1]``. Everything is plain data, so that a stranger can write a second checker; the JSON Schema of a
certificate is generated from these classes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

FORMAT = "certify.certificate/1"


class Formal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all formal data: frozen, named fields, nothing unknown accepted."""


# Statements ---------------------------------------------------------------------------------------------------------


class Identity(Formal, frozen=True, tag_field="kind", tag="identity"):
    """``left`` = ``right`` as functions, wherever both are defined."""

    left: str
    right: str


class Positive(Formal, frozen=True, tag_field="kind", tag="positive"):
    """At every point of the domain at least one of the expressions is > 0 (mostly there is just one)."""

    any_of: tuple[str, ...]


class Nonnegative(Formal, frozen=True, tag_field="kind", tag="nonnegative"):
    """At every point of the domain at least one of the expressions is ≥ 0."""

    any_of: tuple[str, ...]


class Induction(Formal, frozen=True, tag_field="kind", tag="induction"):
    """Relations between sequences.

    ``state`` gives each sequence as (first member, next member in terms of this one); the sequences go on as long as
    the expressions ``goes_on`` are > 0. At the k-th member the relations ``phases[k mod len(phases)]`` hold, each
    ``expression > 0``, ``expression >= 0`` or ``expression = 0``.
    """

    state: dict[str, tuple[str, str]]
    goes_on: tuple[str, ...]
    phases: tuple[tuple[str, ...], ...]


class OneSided(Formal, frozen=True, tag_field="kind", tag="barrier"):
    """y < function (``side`` "below") or y > function ("above") on (0, ∞), for the named solution y."""

    solution: str
    side: Literal["below", "above"]
    function: str


class Bound(Formal, frozen=True, tag_field="kind", tag="bound"):
    """|y − candidate| < radius on (0, ∞) for the named solution y of a differential equation, or for an expression y in solutions."""

    solution: str
    candidate: str
    radius: str


class DifferenceBound(Formal, frozen=True, tag_field="kind", tag="difference bound"):
    """|[Y(b) − Y(a)] − [potential(b) − potential(a)]| ≤ |majorant(b) − majorant(a)| for all a, b ≥ 0, where Y′ is the named solution."""

    solution: str
    potential: str
    majorant: str


class OscillationBound(Formal, frozen=True, tag_field="kind", tag="oscillation bound"):
    """|[Y(b) − Y(a)] − [potential(b) − potential(a)]| ≤ radius for all a, b ≥ 0, however far apart, where Y′ is the named solution."""

    solution: str
    potential: str
    radius: str


class Supremum(Formal, frozen=True, tag_field="kind", tag="supremum"):
    """``low`` ≤ symbol ≤ ``high``, rational numbers, for a symbol that ``where`` defines as a supremum."""

    symbol: str
    low: str
    high: str


Statement = Identity | Positive | Nonnegative | Induction | OneSided | Bound | DifferenceBound | OscillationBound | Supremum


class Solution(Formal, frozen=True):
    """The solution y of y′ = ``equation``(x, y) on (0, ∞) with y → 0 as x → 0 and 0 < y < ``below``.

    ``damping`` is −∂equation/∂y, for barriers that start at 0 as y does; the checker verifies it when it is needed.
    ``is_`` says which function it is and ``source`` where the three facts come from: they are cited, not checked.
    """

    variable: str
    equation: str
    below: str
    damping: str
    is_: str = msgspec.field(name="is")
    source: str


class Theorem(Formal, frozen=True):
    """Statements about symbols on a domain.

    ``domain`` gives the interval of each free symbol, outermost first. ``where`` defines further symbols, either as an
    expression, as ``sqrt(expression)``, the positive root, or as ``sup(expression, …)``, the supremum of the values of the expressions at
    all points of the domain. ``derivatives`` gives opaque functions by their derivatives: ``{"I": {"x": "J + nu/x*I"}}``.
    Statements are about solutions too: in them a solution is a number > 0, ``diff(y, x)`` what its equation says.
    """

    domain: dict[str, str]
    statements: tuple[Statement, ...]
    where: dict[str, str] = {}
    derivatives: dict[str, dict[str, str]] = {}
    solutions: dict[str, Solution] = {}


# Evidence -----------------------------------------------------------------------------------------------------------


class Evaluation(Formal, frozen=True, tag_field="rule", tag="evaluation"):
    """An identity: the checker finds the degrees and evaluates at enough rational points."""


class Bernstein(Formal, frozen=True, tag_field="rule", tag="bernstein"):
    """Positivity: ``multiplier[k]``·any_of[k] is the polynomial k; on the leaves of ``tree`` labelled k its Bernstein coefficients
    are positive (≥ 0 for nonnegativity).

    A polynomial is a nested list of integers, coefficient of u^i v^j… at [i][j]…, over the chart's variables in order, all on [0, 1];
    ``tree`` is in preorder: −1−a halves the box along axis a (lower half first), k ≥ 0 is a leaf on which polynomial k is positive.
    """

    multipliers: tuple[str, ...]
    polynomials: tuple[list, ...]
    tree: tuple[int, ...]


class Intervals(Formal, frozen=True, tag_field="rule", tag="intervals"):
    """Positivity by rational interval evaluation of ``multipliers[k]``·any_of[k], written as ``forms[k]``, on the leaves labelled k."""

    multipliers: tuple[str, ...]
    forms: tuple[str, ...]
    tree: tuple[int, ...]


class Combination(Formal, frozen=True, tag_field="rule", tag="combination"):
    """An inequality, or a one-sided bound, for Σ coefficient·(expression of an earlier one): pairs of a coefficient and the step's number.

    y below B is B − y > 0, y above B is y − B > 0; −1 is 1 > 0.
    """

    terms: tuple[tuple[str, int], ...]


class Cases(Formal, frozen=True, tag_field="rule", tag="cases"):
    """Positivity, from an earlier step that has other alternatives: each of them implies one of the statement's.

    For every alternative of step ``inequality``, the number of the alternative that it implies, and the sum that this one equals: pairs
    of a coefficient and the number of a fact, 0 the alternative itself, then symbol − expression ≥ 0 for every expression of every
    symbol defined as a supremum; −1 is 1 > 0.
    """

    inequality: int
    cases: tuple[tuple[int, tuple[tuple[str, int], ...]], ...]


class Attained(Formal, frozen=True, tag_field="rule", tag="supremum"):
    """The enclosure of a supremum: steps ``inequalities`` show high − expression ≥ 0, or > 0, for each of its expressions, and one of
    these is ≥ low where the chart's variables have the values ``point``. In later steps ``variable`` runs over [0, 1] as the symbol runs
    from low to high.
    """

    variable: str
    inequalities: tuple[int, ...]
    point: dict[str, str]


class Recursion(Formal, frozen=True, tag_field="rule", tag="induction"):
    """An induction: for each relation of phase 0 at the first members, and of phase k + 1 at the next members, the sum that it equals.

    A sum is pairs of a coefficient and the number of a fact: of a relation of phase k, then of ``goes_on``; −1 is 1 > 0.
    """

    first: tuple[tuple[tuple[str, int], ...], ...]
    next: tuple[tuple[tuple[tuple[str, int], ...], ...], ...]


class Barrier(Formal, frozen=True, tag_field="rule", tag="barrier"):
    """A one-sided bound: step ``inequality`` shows that the solution cannot cross the function.

    Its expressions, divided by the positive ``factors``, are the residual of the function, and optionally the escape (the
    function lies outside the solution's trivial range). ``start`` is the function's distance from 0 at x = 0. Where that is 0,
    a function above the solution is > 0 by its form or by an earlier step.
    """

    inequality: int
    factors: tuple[str, ...]
    start: str


class Enclosure(Formal, frozen=True, tag_field="rule", tag="enclosure"):
    """A two-sided bound from the numbers of two steps: y below candidate + radius, and above candidate − radius."""

    below: int
    above: int


class Integration(Formal, frozen=True, tag_field="rule", tag="integration"):
    """A difference bound: step ``bound`` bounds the derivative; by two steps that are identities, the derivatives of the potential and of
    the majorant are the candidate and the radius of that bound.
    """

    bound: int
    potential_slope: int
    majorant_slope: int


class Oscillation(Formal, frozen=True, tag_field="rule", tag="oscillation"):
    """A bound of all differences, for Y against F: step ``difference`` bounds them for F + ``rest`` with a majorant G. The steps
    ``inequalities`` show rest − l ≥ 0, h − rest ≥ 0, G − l′ ≥ 0, h′ − G ≥ 0 for some l, h, l′, h′ that do not depend on the solution's
    variable; the lengths h − l and h′ − l′ of the two ranges add up to the radius.
    """

    difference: int
    rest: str
    inequalities: tuple[int, int, int, int]


Evidence = Evaluation | Bernstein | Intervals | Combination | Cases | Attained | Recursion | Barrier | Enclosure | Integration | Oscillation


class Step(Formal, frozen=True):
    statement: Statement
    evidence: Evidence


class Map(Formal, frozen=True):
    """How a symbol runs over its whole interval as the chart's ``variable`` v does, with c = ``scale`` > 0 in earlier symbols.

    ``multiple`` c·v, v ∈ (0, 1], onto (0, c] · ``reciprocal`` c/v, v ∈ (0, 1], onto [c, ∞) ·
    ``stereographic`` c·2v/(1 − v²) and ``odds`` c·v/(1 − v), v ∈ (0, 1), onto (0, ∞) · ``itself`` v, any interval.
    """

    map: Literal["itself", "multiple", "reciprocal", "stereographic", "odds"]
    variable: str
    scale: str = "1"


class Chart(Formal, frozen=True):
    """Rational coordinates: a map for every symbol of the domain, and every square root as a rational function of symbols and variables."""

    symbols: dict[str, Map]
    roots: dict[str, str] = {}


class Proof(Formal, frozen=True):
    """Steps in order; each may use earlier ones. Every statement of the theorem must be the statement of a step."""

    chart: Chart
    steps: tuple[Step, ...]


class Certificate(Formal, frozen=True):
    """A theorem with its proof. ``digest`` is the SHA-256 of the sorted, compact JSON of everything else."""

    claim: str
    theorem: Theorem
    proof: Proof
    lemmas: tuple[str, ...]
    digest: str
    format: Literal["certify.certificate/1"] = FORMAT
