"""Bounds of rounding errors that hold uniformly in ν and x: the formal theorem, the prover's sweeps, and violations found by search."""
