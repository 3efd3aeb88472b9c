"""What the realizations cost: the protocol of Table 7 and its neighbours, with torch and NumPy alone.

``python -m certify.bench --device cuda -o FILE`` is all that a machine with a GPU needs beside the source tree.
"""

from certify.bench.bare import prepare

prepare()
