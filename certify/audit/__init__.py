"""The auditor: whether a supplied derivative is that of the forward that runs, and whether either is true."""
