"""The numerical realizations in PyTorch: one a file, all of them ``TensorRealization``; nothing here needs python-flint."""
