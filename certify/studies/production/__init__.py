"""``certify.vmf`` as it runs, held against enclosures of what it stands for: claims ``production.*`` and ``rounding.shipped``."""
