"""The certified mode: a torch function as a program over the reals, and theorems about its defect."""
