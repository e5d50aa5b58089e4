"""kmaf_cost.py RUNS: pairs of unmanaged and managed runs from kmaf_cost.test.sh. Prints the cost of management in wall clock and CPU
time, and the cost in the manager's report. Fails beyond 1 % on average or 2 % at worst, or if results differ."""

import json
import pathlib
import sys


def percent(ratio):
    return f"{100 * (ratio - 1):.2f} %"


runs = json.loads("[" + pathlib.Path(sys.argv[1]).read_text().rstrip().rstrip(",") + "]")
costs = []
print("kernel      threads    KiB  seconds    cost  of CPU time  own account  samples/s      ignored")
for alone, managed in zip(runs[::2], runs[1::2]):
    before, after = alone["report"], managed["report"]
    assert (alone["policy"], managed["policy"]) == ("os", "kmaf")
    assert alone["checksum"] == managed["checksum"] != "", f"{alone['kernel']}: another result"
    assert after["managed"] and after["sampler"] == "hint-faults" and after["status"] == 0
    samples = after["samples"]
    assert samples["taken"] > 0 and samples["lost"] == 0
    costs.append(after["seconds"] / before["seconds"])
    print(
        f"{alone['kernel']:<11} {alone['threads']:7} {alone['kib']:6} {before['seconds']:8.3f} {percent(costs[-1]):>7} "
        f"{percent(after['cpu_seconds'] / before['cpu_seconds']):>12} {100 * after['overhead_share_of_cpu']:10.2f} % "
        f"{samples['per_second']:10.0f} {samples['passed_over']:12}"
    )
mean = sum(costs) / len(costs)
print(f"mean {percent(mean)}, most {percent(max(costs))}")
sys.exit(mean > 1.01 or max(costs) > 1.02)
