"""Compares the output of gable place --dump with the definitions, in plain Python.

place_check.py pagerank EDGES DUMP directed|undirected DAMPING ITERATIONS
place_check.py bfs EDGES DUMP directed|undirected SOURCE
"""
import collections
import sys


def read_edges(path, directed):
    out, into = collections.defaultdict(set), collections.defaultdict(set)
    for line in open(path):
        if line.startswith("#"):
            continue
        u, v = map(int, line.split()[:2])
        for a, b in [(u, v)] if directed else [(u, v), (v, u)]:
            out[a].add(b)
            into[b].add(a)
    return sorted(set(out) | set(into)), out, into


def pagerank(vertices, out, into, damping, iterations):
    rank = {v: 1 / len(vertices) for v in vertices}
    for _ in range(iterations):
        rank = {v: (1 - damping) / len(vertices) + damping * sum(rank[u] / len(out[u]) for u in into[v])
                for v in vertices}
    return rank


def depths(vertices, out, source):
    depth = {v: -1 for v in vertices}
    depth[source] = 0
    queue = collections.deque([source])
    while queue:
        u = queue.popleft()
        for v in out[u]:
            if depth[v] < 0:
                depth[v] = depth[u] + 1
                queue.append(v)
    return depth


what, edges, dump, direction = sys.argv[1:5]
vertices, out, into = read_edges(edges, direction == "directed")
found = {int(v): float(value) for v, value in (line.split() for line in open(dump))}
if what == "pagerank":
    expected = pagerank(vertices, out, into, float(sys.argv[5]), int(sys.argv[6]))
    tolerance = 1e-5
else:
    expected = depths(vertices, out, int(sys.argv[5]))
    tolerance = 0
if sorted(found) != vertices:
    sys.exit(f"{dump}: other vertices than {edges}")
wrong = [v for v in vertices if abs(found[v] - expected[v]) > tolerance * abs(expected[v])]
if wrong:
    sys.exit(f"vertex {wrong[0]}: {found[wrong[0]]} instead of {expected[wrong[0]]}")
