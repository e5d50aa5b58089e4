#!/usr/bin/env python3
"""Fits the parameters of model/predict/parameters.hpp to recorded times: predict_fit.py WORK...

Each WORK is a folder of predict_accuracy.py after its step --predict, whose predictions have what each function needs.
Only the "fit" programs of predict_cases.txt count. `exposed`, `core` and `per_addition` minimize the sizes of the
logarithms of predicted over measured times, so that a few programs that wait for something else do not decide. The
spreads are those with which the intervals contain 95 % of the times, beside what the intervals contain anyhow; every
program counts as much as the others. They are of predictions with the parameters that Gable has, so predict again if one
of these changes. That of predictions for another machine needs --elsewhere of predict_accuracy.py.
"""

import collections
import itertools
import json
import math
import pathlib
import re
import sys

PARAMETERS = pathlib.Path(__file__).resolve().parents[2] / "model/predict/parameters.hpp"
PER_ADDITION = float(re.search(r"per_addition = ([\d.]+)", PARAMETERS.read_text())[1])  # of the predictions


def seconds(row, exposed, core, per_addition):
    def of_core(need):
        is_any = need["what"] == "instructions"
        return need["seconds"] * (PER_ADDITION / per_addition if is_any else 1)

    total = 0
    for part in row["needs"]:
        units = [need["seconds"] for need in part["needs"] if need["group"] not in ("core", "flush", "wait", "random")]
        flush = sum(need["seconds"] for need in part["needs"] if need["group"] in ("flush", "wait"))
        units.append(sum(need["seconds"] for need in part["needs"] if need["group"] == "random"))
        units.append(flush + core * max((of_core(need) for need in part["needs"] if need["group"] == "core"), default=0))
        total += max(units) + exposed * (sum(units) - max(units))
    return total


def errors(rows, *parameters):
    return [math.log(seconds(row, *parameters) / row["truth"]) for row in rows]


def fitted(rows):
    def cost(parameters):
        return sum(abs(error) for error in errors(rows, *parameters))

    best = min(((e / 20, c / 10, a / 5) for e in range(11) for c in range(8, 21) for a in range(4, 11)), key=cost)
    for step in (0.02, 0.005):
        near = [[max(0, one + i * step) for i in range(-5, 6)] for one in best]
        best = min(itertools.product(*near), key=cost)
    return best


def quantile(weighted, part):
    """The quantile `part` of pairs of a program and a value; every program has the same weight."""
    of_program = collections.Counter(program for program, _ in weighted)
    left = part * len(of_program)
    for program, value in sorted(weighted, key=lambda pair: pair[1]):
        left -= 1 / of_program[program]
        if left <= 1e-9:
            return value
    return max(value for _, value in weighted)


def sides(row):
    """Logarithms: of measured over predicted time, of the ends of the range of possible times, and of the errors without
    the fit."""
    doubts = {doubt["what"]: (math.log(doubt["hi"]), -math.log(doubt["lo"])) for doubt in row["doubts"]}
    known = doubts.pop("what is not known")
    doubts.pop("the model")
    others = [math.hypot(*(doubt[end] for doubt in doubts.values())) for end in (0, 1)]
    return math.log(row["truth"] / row["seconds"]), known, others


def needed(row):
    """The spread of the fit that the interval needs to contain the time: (longer, shorter)"""
    error, known, others = sides(row)
    end = 0 if error > 0 else 1
    beyond = max(0, abs(error) - known[end])
    spread = math.sqrt(max(0, beyond**2 - others[end] ** 2))
    return (spread, 0) if error > 0 else (0, spread)


def width(row, spread):
    _, known, others = sides(row)
    return sum(known) + sum(math.hypot(other, spread) for other in others)


def spread_and_change(rows):
    """The spread without a change and what a change of 1 adds: the narrowest intervals that contain 95 %."""
    def fitted_for(ratio):
        shapes = [math.hypot(1, ratio * row["change_percent"] / 100) for row in rows]
        spread = quantile([(row["case"][0], max(needed(row)) / shape) for row, shape in zip(rows, shapes)], 0.95)
        return sum(width(row, spread * shape) for row, shape in zip(rows, shapes)), spread, spread * ratio

    return min(fitted_for(step / 4) for step in range(41))[1:]


def spread_beside(rows, spread, per_change, side=None):
    """The spread that these rows need beside another one, on one side of the interval or on both."""
    def more(row):
        need = max(needed(row)) if side is None else needed(row)[side(row)]
        return max(0, need**2 - spread**2 - (per_change * row["change_percent"] / 100) ** 2)

    return math.sqrt(quantile([(row["case"][0], more(row)) for row in rows], 0.95))


def main():
    fit = collections.defaultdict(list)
    for work in sys.argv[1:]:
        for kind, rows in json.loads((pathlib.Path(work) / "predictions.json").read_text()).items():
            fit[kind] += [row for row in rows if row["group"] == "fit"]
    parameters = fitted(fit["alone"])
    alone = collections.defaultdict(list)
    for row, error in zip(fit["alone"], errors(fit["alone"], *parameters)):
        alone[row["case"][0]].append(error)
    exposed, core, per_addition = parameters
    print(f"exposed {exposed:.3f}, core {core:.3f}, per_addition {per_addition:.3f}: {len(fit['alone'])} times of {len(alone)} programs")
    for name, list_of in alone.items():
        print(f"  {name}: {' '.join(f'{math.exp(error):.2f}' for error in list_of)}")
    profiles = [row for kind, rows in fit.items() if kind.startswith("alone") for row in rows]
    longer, shorter = (quantile([(row["case"][0], needed(row)[end]) for row in profiles], 0.975) for end in (0, 1))
    print(f"longer_than_profile {longer:.3f}, shorter_than_profile {shorter:.3f}")
    same, other = ([row for row in fit["moved"] if (row["from"][0] == row["threads"]) == is_same] for is_same in (True, False))
    if not same:
        sys.exit("the other spreads need times on other pages (predict_accuracy.py without --pages)")
    spread, per_change = spread_and_change(same)
    threads = spread_beside(other, spread, per_change, lambda row: 0 if row["threads"] > row["from"][0] else 1)
    print(f"spread_of_time {spread:.3f}, per_change {per_change:.3f}, spread_of_threads {threads:.3f}")
    if "out" in fit:
        print(f"spread_elsewhere {spread_beside(fit['out'] + fit['back'], 0, per_change):.3f}")


if __name__ == "__main__":
    main()
