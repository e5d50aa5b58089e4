"""compare_runs.py SAMPLES SEED: the samples of another run of the machine, in six rounds.

Every Case of SAMPLES that was ok gets six visits. Its rate differs by 0.3 % between runs and by 1 % between rounds."""

import json
import random
import sys

cases = {}
others = []
for line in open(sys.argv[1]):
    sample = json.loads(line)
    if sample["status"] == "ok":
        cases.setdefault(json.dumps(sample["asked"], sort_keys=True), sample)
    else:
        others.append(sample)
draw = random.Random(int(sys.argv[2]))
for sample in cases.values():
    run = draw.gauss(0, 0.003)
    for number in range(6):
        visit = run + draw.gauss(0, 0.01)
        seconds = [s * (1 + visit) * (1 + draw.expovariate(200)) for s in sample["seconds"]]
        print(json.dumps({**sample, "round": number, "seconds": seconds}))
for sample in others:
    print(json.dumps(sample))
