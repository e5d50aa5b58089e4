#!/usr/bin/env python3
"""Fits the parameters of model/predict/parameters.hpp to recorded times: predict_fit.py WORK

WORK is the folder of predict_accuracy.py after its step --predict, whose predictions have what each function needs. Only
the "fit" programs of predict_cases.txt count. `exposed` and `core` minimize the squares of the logarithms of predicted over
measured times; the spreads are half of a 95 % interval (Student's t) of a program that is not among them, with as many
independent errors as there are programs, because the cases of a program share theirs.
"""

import collections
import json
import math
import pathlib
import statistics
import sys

# Two-sided 95 % of Student's t.
T_95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23}


def seconds(row, exposed, core):
    total = 0
    for part in row["needs"]:
        units = [need["seconds"] for need in part["needs"] if need["group"] not in ("core", "flush")]
        flush = sum(need["seconds"] for need in part["needs"] if need["group"] == "flush")
        units.append(flush + core * max((need["seconds"] for need in part["needs"] if need["group"] == "core"), default=0))
        total += max(units) + exposed * (sum(units) - max(units))
    return total


def errors(rows, exposed, core):
    return [math.log(seconds(row, exposed, core) / row["truth"]) for row in rows]


def fitted(rows):
    def cost(parameters):
        return sum(error**2 for error in errors(rows, *parameters))

    best = min(((e / 20, c / 10) for e in range(21) for c in range(5, 41)), key=cost)
    for step in (0.02, 0.005):
        best = min(((best[0] + i * step, best[1] + j * step) for i in range(-5, 6) for j in range(-5, 6) if best[0] + i * step >= 0),
                   key=cost)
    return best


def spread(by_program, parameters):
    """Half of the 95 % interval of one more program's error: root of the mean square of each program, and t of what is free."""
    squares = [statistics.mean(e**2 for e in errors) for errors in by_program.values()]
    free = max(1, len(squares) - parameters)
    return T_95.get(free, 2.2) * math.sqrt(sum(squares) / free)


def main():
    kept = json.loads((pathlib.Path(sys.argv[1]) / "predictions.json").read_text())
    rows = [row for row in kept["alone"] if row["group"] == "fit"]
    exposed, core = fitted(rows)
    alone, moved = collections.defaultdict(list), collections.defaultdict(list)
    for row, error in zip(rows, errors(rows, exposed, core)):
        alone[row["case"][0]].append(error)
    for row in kept["moved"]:
        if row["group"] == "fit":
            moved[row["case"][0]].append(math.log(row["seconds"] / row["truth"]))
    print(f"exposed {exposed:.3f}, core {core:.3f}: {len(rows)} times of {len(alone)} programs")
    print(f"spread_of_profile {spread(alone, 2):.3f}, spread_of_time {spread(moved, 0):.3f}")
    for name, list_of in alone.items():
        print(f"  {name}: {' '.join(f'{math.exp(error):.2f}' for error in list_of)}")


if __name__ == "__main__":
    main()
