"""All realizations in PyTorch. Importing this imports python-flint, through the ladder's coefficients; each file alone need not."""

from __future__ import annotations

from certify.realizations.tensor.bound_average import BoundAverage
from certify.realizations.tensor.closed_form import ClosedForm
from certify.realizations.tensor.consistent import Consistent
from certify.realizations.tensor.consistent_autograd import ConsistentByAutograd
from certify.realizations.tensor.cusf import Cusf
from certify.realizations.tensor.log_miller import LogMiller
from certify.realizations.tensor.original import Original
from certify.realizations.tensor.protocol import TensorRealization
from certify.realizations.tensor.public import PublicOriginal
from certify.realizations.tensor.structured import StructuredClosedForm

REALIZATIONS: tuple[type[TensorRealization], ...] = (
    PublicOriginal,
    Original,
    ConsistentByAutograd,
    Consistent,
    LogMiller,
    Cusf,
    BoundAverage,
    ClosedForm,
    StructuredClosedForm,
)
"""Each is made from an order, as in ``Original(63)``, which is a whole number for those of the recurrence."""
