"""What disturbed a measurement: state.py FOLDER

Reads samples.jsonl and roofs.json, and prints the machine's state in words. Exit status 1, with the reasons on standard
error, where the figures are not those of a quiet machine. Repetitions on cores that another hardware thread used do not count
where `gable measure` left them out.
"""

import collections
import json
import pathlib
import sys

CROWDED_FIGURES_PERCENT = 5  # of the figures may have visits on cores that another hardware thread used
STEAL_PERCENT = 5  # of the CPU time, as warn_if_busy in cli/measure
NEARLY = 0.92  # of the additions per cycle that an uncrowded core does, as model/records/crowding.hpp


def samples_of(folder):
    with open(folder / "samples.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def most_adds(samples):
    """Additions per cycle of an uncrowded core, by cluster."""
    most = collections.defaultdict(float)
    for sample in samples:
        cluster = sample["asked"]["cluster"]
        most[cluster] = max(most[cluster], sample.get("adds_per_cycle", 0))
    return most


def crowded_percent(samples, most):
    """The share of the repetitions during which another hardware thread used a core, in percent."""
    crowded = repetitions = 0
    for sample in samples:
        kept, dropped = len(sample["seconds"]), sample.get("crowded", 0)
        adds = sample.get("adds_per_cycle", 0)
        repetitions += kept + dropped
        crowded += dropped + (kept if 0 < adds < NEARLY * most[sample["asked"]["cluster"]] else 0)
    return 100 * crowded / repetitions if repetitions else 0


def is_crowded(figure):
    """Whether a figure has visits on crowded cores: `gable fit` leaves them out where at least three others are ok."""
    return any(remark.get("code") == "crowded_visits" for remark in figure.get("remarks", []))


def state_of(samples, roofs):
    """(words, reasons why it is not the state of a quiet machine)"""
    visits = [sample for sample in samples if sample["status"] != "skipped"]
    invalid = sum(sample["status"] == "invalid" for sample in visits)
    crowded = crowded_percent(visits, most_adds(visits))
    steal = sum(sample["steal_percent"] for sample in visits) / max(1, len(visits))
    words = f"steal {steal:.1f} %, crowded {crowded:.1f} %, {invalid} of {len(visits)} visits invalid"
    figures = [roof for part in ("roofs", "ladder") for roof in roofs[part]]
    on_crowded = 100 * sum(map(is_crowded, figures)) / max(1, len(figures))
    reasons = []
    if not visits:
        reasons.append("nothing was measured")
    if on_crowded >= CROWDED_FIGURES_PERCENT:
        reasons.append(f"other hardware threads used the cores in {crowded:.0f} % of the time, and {on_crowded:.0f} % of the "
                       "figures contain such visits")
    if steal > STEAL_PERCENT:
        reasons.append(f"the hypervisor took {steal:.0f} % of the CPU time")
    lost = collections.Counter(str(figure["reason"]) for figure in figures if figure["status"] == "invalid")
    if lost:
        reasons.append(f"{sum(lost.values())} figures have no valid visit: {lost.most_common(1)[0][0]}")
    return words, reasons


def main():
    folder = pathlib.Path(sys.argv[1])
    words, reasons = state_of(samples_of(folder), json.loads((folder / "roofs.json").read_text()))
    print(words)
    if reasons:
        sys.exit("disturbed: " + "; ".join(reasons))


if __name__ == "__main__":
    main()
