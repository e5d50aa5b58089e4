"""grid.py SKYLAKE|KNL REPETITIONS NOISE SEED: a grid as CSV with the theta of the LARM paper's table 6, made from its equation 5."""

import random
import sys

THETA = {  # [dominating][other]
    "SKYLAKE": {"lf": {"sf": 0.966, "ls": 0.600, "ss": -0.102}, "ls": {"sf": 0.465, "lf": 0.294, "ss": 0.373},
                "sf": {"lf": 0.912, "ls": 0.067, "ss": 0.337}, "ss": {"sf": 0.059, "ls": 0.293, "lf": 0.54}},
    "KNL": {"lf": {"sf": 0.238, "ls": 0.722, "ss": 0.985}, "ls": {"sf": 0.956, "lf": 0.611, "ss": 0.564},
            "sf": {"lf": 0.183, "ls": 0.953, "ss": 0.797}, "ss": {"sf": 0.726, "ls": 0.571, "lf": 0.65}},
}
BANDWIDTH = {"ls": 35.7e9, "ss": 27.1e9, "lf": 81.3e9, "sf": 60.9e9}


def rows(theta, repetitions, noise, steps=20):
    for i in range(steps + 1):
        for j in range(steps + 1):
            load, fast = i / steps, j / steps
            q = {"ls": load * (1 - fast), "ss": (1 - load) * (1 - fast), "lf": load * fast, "sf": (1 - load) * fast}
            t = {x: 4e9 * q[x] / BANDWIDTH[x] for x in q}
            x = max(t, key=t.get)
            seconds = t[x] + sum(theta[x][y] * t[y] for y in t if y != x)
            for _ in range(repetitions):
                yield [4e9 * q[y] for y in ("ls", "ss", "lf", "sf")] + [seconds * (1 + random.gauss(0, noise))]


if __name__ == "__main__":
    random.seed(int(sys.argv[4]))
    print("load_slow_bytes,store_slow_bytes,load_fast_bytes,store_fast_bytes,seconds")
    for row in rows(THETA[sys.argv[1]], int(sys.argv[2]), float(sys.argv[3])):
        print(",".join(map(repr, row)))
