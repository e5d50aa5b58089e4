"""Checks the traces of trace.test.sh in the given folder."""

import collections
import glob
import json
import struct
import sys

work = sys.argv[1]


def csv(path):
    with open(path) as file:
        assert file.readline() == "tid,address,bytes,write,instructions\n", path
        for line in file:
            tid, address, size, write, _ = line.split(",")
            if int(size) > 0:  # no event
                yield int(tid), int(address, 0), int(size), int(write)


def binary(path):
    with open(path, "rb") as file:
        assert file.read(8) == b"GABLETR2", path
        for address, tid, what in struct.iter_unpack("<QII", file.read()):
            if what & 0x3FFFFF > 0:  # no event
                yield tid, address, (what & 0x3FFFFF) >> 1, what & 1


def counted(name):
    (path,) = glob.glob(f"{work}/{name}.counts.*.0")
    with open(path) as file:
        return [(thread["load_bytes"], thread["store_bytes"]) for thread in json.load(file)["threads"]]


def summed(accesses):
    sums = collections.defaultdict(lambda: [0, 0])
    for tid, _, size, write in accesses:
        sums[tid][write] += size
    return [tuple(sums[tid]) for tid in sorted(sums)]


def touches(accesses, base):
    return [(tid, address - base, size, write) for tid, address, size, write in accesses if base <= address < base + 64]


# In order: each thread reads element 7 - i and writes element i; the second thread runs first.
expected = [
    (tid, 8 * (i if write else 7 - i), 8, write) for tid in (1, 0) for i in range(4) for write in (0, 1)
]
base = int(open(f"{work}/order.out").read())
order = list(csv(f"{work}/order.csv"))
assert touches(order, base) == expected, touches(order, base)

# No stack accesses by default, which are most accesses of such a small program.
everything = list(csv(f"{work}/all.csv"))
stack = [address for _, address, _, _ in everything if address > 0x1F00000000]
assert stack and not [address for _, address, _, _ in order if address > 0x1F00000000]

# The bytes of all accesses equal the counted bytes, thread by thread.
assert summed(everything) == counted("all"), (summed(everything), counted("all"))
assert summed(binary(f"{work}/threads.trace")) == counted("threads")
assert len(counted("threads")) == 4

# One of seven.
some = list(csv(f"{work}/some.csv"))
assert abs(len(some) - len(everything) / 7) < 100, (len(some), len(everything))

# A pipe gives the same trace.
base = int(open(f"{work}/piped.out").read())
assert touches(csv(f"{work}/piped.csv"), base) == expected

# Three children, each with its own trace.
children = glob.glob(f"{work}/children.csv.*.0")
assert len(children) == 3, children
for path in children:
    assert {tid for tid, _, _, _ in csv(path)} == {0}, path
