#!/usr/bin/env python3
"""Fits the parameters of model/predict/parameters.hpp to recorded times: predict_fit.py WORK

WORK is the folder of predict_accuracy.py after its step --predict, whose predictions have what each function needs. Only
the "fit" programs of predict_cases.txt count. `exposed` and `core` minimize the sizes of the logarithms of predicted over
measured times, so that a few programs that wait for something else do not decide. The spreads are the sizes that 95 % of
these logarithms do not exceed: `spread_of_same` where the prediction is about the time under the other conditions, so that
only the times themselves differ. That of predictions for another machine needs --elsewhere of predict_accuracy.py.
"""

import collections
import json
import math
import pathlib
import sys

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
        return sum(abs(error) for error in errors(rows, *parameters))

    best = min(((e / 20, c / 10) for e in range(21) for c in range(5, 41)), key=cost)
    for step in (0.02, 0.005):
        best = min(((best[0] + i * step, best[1] + j * step) for i in range(-5, 6) for j in range(-5, 6) if best[0] + i * step >= 0),
                   key=cost)
    return best


def spread(by_program):
    """The size of the error that 95 % of the cases have at most; every program counts as much as the others."""
    weighted = sorted((abs(error), 1 / len(errors)) for errors in by_program.values() for error in errors)
    left = 0.95 * len(by_program)
    for size, weight in weighted:
        left -= weight
        if left <= 0:
            return size
    return weighted[-1][0]


def predicted(kept, *kinds, most=math.inf):
    """The logarithms of predicted over measured times of each program that fits; `most`: the change of its time."""
    by_program = collections.defaultdict(list)
    for row in (row for kind in kinds for row in kept[kind] if row["group"] == "fit" and abs(math.log(row["ratio"])) <= most):
        by_program[row["case"][0]].append(math.log(row["seconds"] / row["truth"]))
    return by_program


def main():
    kept = json.loads((pathlib.Path(sys.argv[1]) / "predictions.json").read_text())
    rows = [row for row in kept["alone"] if row["group"] == "fit"]
    exposed, core = fitted(rows)
    alone = collections.defaultdict(list)
    for row, error in zip(rows, errors(rows, exposed, core)):
        alone[row["case"][0]].append(error)
    print(f"exposed {exposed:.3f}, core {core:.3f}: {len(rows)} times of {len(alone)} programs")
    print(f"spread_of_profile {spread(alone):.3f}, spread_of_time {spread(predicted(kept, 'moved')):.3f}, "
          f"spread_of_same {spread(predicted(kept, 'moved', most=0.05)):.3f}")
    if "out" in kept:
        print(f"spread_elsewhere {spread(predicted(kept, 'out', 'back')):.3f}")
    for name, list_of in alone.items():
        print(f"  {name}: {' '.join(f'{math.exp(error):.2f}' for error in list_of)}")


if __name__ == "__main__":
    main()
