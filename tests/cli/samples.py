"""samples.py FILE [--complete] [--note WORD]: checks a samples.jsonl.

Every line is JSON, and no (cell, round) is there twice with status ok. With --complete every cell was visited, ok or
invalid, in every round from 0 to its last, and at least in the two after which slow variants are dropped; with --note some
sample has a note with that word in it."""

import argparse
import collections
import json

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--complete", action="store_true")
parser.add_argument("--note")
arguments = parser.parse_args()

samples = [json.loads(line) for line in open(arguments.file)]
assert samples, "no samples"
times = collections.Counter()
rounds = collections.defaultdict(set)
for sample in samples:
    cell = json.dumps(sample["asked"], sort_keys=True)
    assert sample["status"] in ("ok", "skipped", "invalid")
    assert (sample["status"] == "ok") == (sample["reason"] == ""), sample["reason"]
    if sample["status"] == "ok":
        times[cell, sample["round"]] += 1
    if sample["status"] != "skipped":
        rounds[cell].add(sample["round"])
assert not times or max(times.values()) == 1, "a visit that was ok was made twice"
if arguments.complete:
    for cell, seen in rounds.items():
        assert {0, 1} <= seen, (cell, seen)  # later rounds may leave out what is clearly slower
if arguments.note:
    notes = [note for sample in samples for note in sample["notes"]]
    assert any(arguments.note in json.dumps(note) for note in notes), notes
