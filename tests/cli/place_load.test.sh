#!/usr/bin/env bash
# Reading a text list takes at most twice the memory of the resulting rows, plus the memory for a small list.
source "$(dirname "$0")/expect.sh"
needs python3

[ -z "$sanitizer" ] || { echo "skipped: a sanitizer takes memory of its own"; exit 77; }

mkdir "$work/m"
python3 - "$gable" "$work" <<'PY' || fail "memory"
import os, random, re, subprocess, sys
gable, work = sys.argv[1:]
dice = random.Random(5)

def peak(edges, vertices, apart, *options):
    """Peak resident bytes of reading a random list whose names are `apart`, and of its rows. Ends before anything is laid out: no such source."""
    path = f"{work}/{edges}-{vertices}-{apart}.txt"
    if not os.path.exists(path):
        with open(path, "w") as file:
            for begin in range(0, edges, 100000):
                count = min(100000, edges - begin)
                ends = iter(dice.choices(range(vertices), k=2 * count))
                file.write("".join(f"{a * apart} {b * apart}\n" for a, b in zip(ends, ends)))
    done = subprocess.Popen([gable, "place", f"{work}/m", "--bench", "bfs", "--graph", path, "--source", "99999999999", *options],
                            stderr=subprocess.PIPE, text=True)
    said = done.stderr.read()
    _, status, usage = os.wait4(done.pid, 0)
    assert "no such vertex" in said, said
    return usage.ru_maxrss * 1024, float(re.search(r"; ([\d.]+) MiB", said)[1]) * 2 ** 20

for option in "--undirected", "--directed":
    small, _ = peak(1000, 300, 1, option)
    for vertices, apart in (200000, 1), (1000000, 1), (200000, 5000000007):
        large, rows = peak(4000000, vertices, apart, option)
        print(f"{option[2:]}, {4000000 // vertices} edges a vertex, names {apart} apart: {(large - small) / rows:.2f} times the rows")
        assert large - small <= 2 * rows + (8 << 20), (small, large, rows)  # blocks of text, huge pages' ends
PY
finish
