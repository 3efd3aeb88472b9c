"""What every numerical realization offers: a potential, through its differences, and the derivative it supplies."""

from __future__ import annotations

from typing import ClassVar, Protocol

from numpy.typing import NDArray


class Realization(Protocol):
    """A realization of Φ_ν at one order ν = ``order``.

    ``difference(a, b)`` is the realized Φ̂(b) − Φ̂(a) and ``derivative(x)`` the derivative that the realization supplies,
    whether or not that is the derivative of Φ̂. Arguments are arrays of ``dtype`` in ``domain``; both work element by
    element and return the same shape. ``regime(x)`` names the formula that is in use at each point.
    """

    name: ClassVar[str]
    dtype: ClassVar[str]
    domain: ClassVar[str]

    @property
    def order(self) -> float: ...

    def difference(self, a: NDArray, b: NDArray) -> NDArray: ...

    def derivative(self, x: NDArray) -> NDArray: ...

    def regime(self, x: NDArray) -> NDArray: ...
