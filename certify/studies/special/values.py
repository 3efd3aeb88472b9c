"""The functions of ``certify.special`` and their derivatives by Arb, from library functions of another kind than ours."""

from __future__ import annotations

from flint import arb, fmpq


def log_ndtr(x: arb) -> tuple[arb, ...]:
    below = (-x / arb(2).sqrt()).erfc() / 2
    slope = _density(x) / below
    return below.log(), slope, -slope * (x + slope)


def hazard(x: arb) -> tuple[arb, ...]:
    value = _density(x) / ((x / arb(2).sqrt()).erfc() / 2)
    return value, value * (value - x)


def erfcx(x: arb) -> tuple[arb, ...]:
    value = (x * x).exp() * x.erfc()
    slope = 2 * x * value - 2 / arb.pi().sqrt()
    return value, slope, 2 * value + 2 * x * slope


def _density(x: arb) -> arb:
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def bessel_k_ratio(nu: int, x: arb) -> tuple[arb, ...]:
    value = x.bessel_k(arb(nu + 1), scaled=True) / x.bessel_k(arb(nu), scaled=True)
    return value, value * value - (2 * nu + 1) / x * value - 1


def log_bessel_k(nu: int, x: arb) -> tuple[arb, ...]:
    ratio, slope = bessel_k_ratio(nu, x)
    return x.bessel_k(arb(nu), scaled=True).log() - x, nu / x - ratio, -slope - nu / x**2


def gamma_hazard(a: fmpq, x: arb) -> tuple[arb, ...]:
    value = x ** (arb(a) - 1) * (-x).exp() / arb.gamma_upper(x, arb(a))
    return value, value * (value - 1 + (a - 1) / x)


def watson(p: int, kappa: arb) -> tuple[arb, ...]:
    b = arb(p) / 2
    value = kappa.hypgeom_1f1(arb(3) / 2, b + 1) / kappa.hypgeom_1f1(arb(1) / 2, b) / p
    return value, 1 / (2 * kappa) - (b / kappa - 1) * value - value * value


def log_kummer(p: int, kappa: arb) -> tuple[arb, ...]:
    return kappa.hypgeom_1f1(arb(1) / 2, arb(p) / 2).log(), *watson(p, kappa)
