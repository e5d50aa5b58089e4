"""samples.py FILE [--rounds N] [--status WORD] [--note WORD] [--pages SIZE]: checks a samples.jsonl.

Every line is JSON, and no (cell, round) is there twice with status ok. With --rounds every cell has that many rounds,
ok or invalid; with --status every sample has that status; with --note some sample has a note with that word in it."""

import argparse
import collections
import json

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--rounds", type=int)
parser.add_argument("--status")
parser.add_argument("--note")
parser.add_argument("--ok-pages")
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
if arguments.rounds:
    for cell, seen in rounds.items():
        assert seen == set(range(arguments.rounds)), (cell, seen)
if arguments.status:
    for sample in samples:
        assert sample["status"] == arguments.status, (sample["status"], sample["reason"])
if arguments.note:
    notes = [note for sample in samples for note in sample["notes"]]
    assert any(arguments.note in note for note in notes), notes
if arguments.ok_pages:
    assert any(s["status"] == "ok" and s["asked"]["pages"] == arguments.ok_pages for s in samples), "none of these pages"
