"""Training under different realizations of one loss: matched data, host and updates, controlled forks, and the comparison of arms.

    from certify.training.settings import Settings
    from certify.training.forks import fork
    fork(Settings(steps=42))                # same start, same batches, one rule a branch: gaps and distances

``certify train`` runs many seeds and survives being killed (``session``).
"""
