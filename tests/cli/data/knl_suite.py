"""Writes traces of two programs with 64 threads, in which every thread loads its own pages again and again. In `table` one
thread has touched all pages; in `stream` every thread has touched its own, and computes between its loads.
knl_suite.py FOLDER"""

import pathlib
import struct
import sys

THREADS, PAGES, LOOPS, LINE = 64, 320, 3, 64
BARRIER, WAIT, WAKE_ALL = 77, 1, 4


def records(first_touches, instructions):
    def load(thread, address):
        return struct.pack("<QII", address, thread, instructions << 22 | LINE << 1)

    for thread in range(THREADS):
        yield load(thread, thread * LINE)
    for turn in range(1 + LOOPS):
        for page in range(PAGES):
            for thread in range(THREADS):
                yield load(0 if turn == 0 and first_touches else thread, (1 + thread * PAGES + page) * 4096)
        for thread in range(THREADS):
            yield struct.pack("<QII", BARRIER, thread, (WAKE_ALL if thread == THREADS - 1 else WAIT) << 22)


for name, *shape in (("table", True, 3), ("stream", False, 8)):
    (pathlib.Path(sys.argv[1]) / f"{name}.trace").write_bytes(b"GABLETR2" + b"".join(records(*shape)))
