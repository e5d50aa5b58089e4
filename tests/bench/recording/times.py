"""Times the programs of tests/bench/programs with one thread and with two, on small and on huge pages: times.py --help

A round runs every case once, so that the times contain the machine's drift. A run is repeated if other processes were busy
beside it, the hypervisor took the CPUs away, or other hardware threads used the cores in much of its time. The program ends
with status 1, and writes nothing, where that does not help.
"""

import argparse
import collections
import datetime
import itertools
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import state

TRIES = 3  # of a run that this system's accounting calls disturbed
TRIES_CROWDED = 12  # of a run on crowded cores
CROWDED_PERCENT = 10  # of the probes of a run
STOLEN_CPUS = 0.05  # by the hypervisor, as `gable point run` notes it
JUDGED_SECONDS = 0.2  # the kernel's ticks are too coarse for briefer runs: accounting_seconds of bench/visit/watch.hpp


class Disturbed(Exception):
    pass


def cpu_times():
    """(wall clock, CPU seconds of all processes, CPU seconds stolen, CPU seconds of this one and its children)"""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, soft, steal = map(int, file.readline().split()[1:9])
    tick = 1 / os.sysconf("SC_CLK_TCK")
    own = sum(usage.ru_utime + usage.ru_stime
              for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    return time.monotonic(), (user + nice + system + irq + soft) * tick, steal * tick, own


def disturbance(before, after):
    """In words; empty if nothing disturbed. The limit is tolerated_others() of bench/visit/watch.cpp."""
    wall, busy, stolen, own = (b - a for a, b in zip(before, after))
    if wall < JUDGED_SECONDS:
        return ""
    others = (busy - own) / wall
    if others > max(0.3, 0.02 * os.cpu_count()):
        return f"other processes kept {others:.1f} CPUs busy"
    if stolen / wall > STOLEN_CPUS:
        return f"the hypervisor took away {stolen / wall:.2f} CPUs"
    return ""


# Seconds of the process, of its marked region, and of its CPUs in user mode and in the kernel; share of the time on crowded cores;
# what else disturbed, in words.
Run = collections.namedtuple("Run", "seconds region_seconds user_seconds kernel_seconds crowded_percent disturbed")


class Probes:
    """Of crowding.c: independent additions per cycle, which are fewer while another hardware thread uses the core."""

    def __init__(self):
        self.steps, self.count = collections.Counter(), 0  # of one percent of an addition

    def most(self):
        """What an uncrowded core does: the highest number that at least one probe in a hundred agrees on."""
        return max(step for step, seen in self.steps.items() if 100 * seen >= self.count) / 100

    def crowded_percent(self, lines):
        """Of the probes of one run, as crowding.c prints them. A run that is too brief for 20 probes has none."""
        adds = [float(line.split()[1]) for line in lines]
        self.steps.update(int(100 * each) for each in adds)
        self.count += len(adds)
        return 100 * sum(each < state.NEARLY * self.most() for each in adds) / len(adds) if len(adds) >= 20 else 0


class Timer:
    def __init__(self, programs, cpus, prober):
        self.programs, self.cpus, self.prober, self.probes, self.repeated = programs, cpus, prober, Probes(), 0

    def environment(self, threads, pages):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "GLIBC_", "MALLOC_"))}
        places = ",".join(f"{{{cpu}}}" for cpu in self.cpus[:threads])
        if pages == "2m":
            kept["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"  # madvise
        return kept | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true", "OMP_PLACES": places}

    def run(self, case, threads, pages):
        """One run of a case, as a Run."""
        with tempfile.TemporaryDirectory() as folder:
            environment = self.environment(threads, pages) | {"GABLE_MARKER_FILE": folder + "/regions"}
            before, used_before = cpu_times(), resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(folder + "/probes", "w+", encoding="ascii") as probes:
                with subprocess.Popen([self.prober, *map(str, self.cpus[:threads])], stdin=subprocess.PIPE, stdout=probes):
                    done = subprocess.run([self.programs / case[0], *case[1:]], env=environment, capture_output=True, text=True)
                    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # without the prober, which still runs
                after = cpu_times()
                probes.seek(0)
                crowded = self.probes.crowded_percent(probes.readlines())
            if done.returncode != 0:
                sys.exit(f"{' '.join(case)}: status {done.returncode}: {done.stdout}{done.stderr}")
            regions = json.loads(next(pathlib.Path(folder).glob("regions*")).read_text())["regions"]
        inside = next(region["seconds"] for region in regions if region["name"] == case[0])
        return Run(after[0] - before[0], inside, used.ru_utime - used_before.ru_utime, used.ru_stime - used_before.ru_stime, crowded,
                   disturbance(before, after))

    def kept_run(self, case, *setting):
        """The first run that nothing disturbed, or the one on the least crowded cores."""
        runs, disturbed = [], 0
        while len(runs) < TRIES_CROWDED and disturbed < TRIES:
            run = self.run(case, *setting)
            if run.disturbed:
                disturbed += 1
                why = run.disturbed
                continue
            runs.append(run)
            if run.crowded_percent <= CROWDED_PERCENT:
                break
        if not runs:
            raise Disturbed(f"{' '.join(case)}: {why}")
        self.repeated += len(runs) - 1 + disturbed
        return min(runs, key=lambda run: run.crowded_percent)


def rounds_of(timer, cases, count):
    """`count` rounds: the runs of each (case, threads, pages)."""
    keys, rounds = list(itertools.product(cases, (1, 2), ("4k", "2m"))), []
    for number in range(count):
        print(f"round {number + 1} of {count}", file=sys.stderr)
        rounds.append({key: timer.kept_run(*key) for key in keys})
    crowded = statistics.mean(run.crowded_percent for runs in rounds for run in runs.values())
    if crowded > CROWDED_PERCENT:
        raise Disturbed(f"other hardware threads used the cores in {crowded:.0f} % of the time of the programs")
    return rounds


def three(name, values):
    return {name: round(statistics.median(values), 6), f"{name}_min": round(min(values), 6),
            f"{name}_max": round(max(values), 6)}


def record(rounds, timer, compiler, flags, started):
    lines = []
    for key in rounds[0]:
        runs, (case, threads, pages) = [runs[key] for runs in rounds], key
        lines.append({"program": case[0], "arguments": list(case[1:]), "threads": threads, "pages": pages,
                      "runs": len(runs),
                      **three("seconds", [run.seconds for run in runs]),
                      **three("region_seconds", [run.region_seconds for run in runs]),
                      "user_seconds": round(statistics.median(run.user_seconds for run in runs), 6),
                      "kernel_seconds": round(statistics.median(run.kernel_seconds for run in runs), 6),
                      "crowded_percent": round(statistics.mean(run.crowded_percent for run in runs), 1)})
    head = {"schema": 1, "compiler": compiler, "flags": flags, "cpus": timer.cpus, "started": started,
            "repeated_runs": timer.repeated}
    lines = [json.dumps(line, separators=(",", ":")) for line in lines]
    return json.dumps(head)[:-1] + ',\n"programs":[\n' + ",\n".join(lines) + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description="times programs with one thread and with two, on small and on huge pages")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of the compiled programs")
    parser.add_argument("--cases", type=pathlib.Path, required=True, help="a program and its arguments a line")
    parser.add_argument("--machine", type=pathlib.Path, required=True, help="folder that gable measured")
    parser.add_argument("--prober", type=pathlib.Path, required=True, help="compiled crowding.c")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", required=True)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    cluster = json.loads((arguments.machine / "machine.json").read_text())["clusters"][0]
    cpus = [pus[0] for pus in cluster["core_pus"][:2]]
    if len(cpus) < 2:
        sys.exit("two cores are needed")
    cases = [tuple(line.split()) for line in arguments.cases.read_text().splitlines() if line and line[0] != "#"]
    timer = Timer(arguments.programs, cpus, arguments.prober)
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        rounds = rounds_of(timer, cases, arguments.runs)
    except Disturbed as error:
        sys.exit(f"disturbed: {error}")
    arguments.output.write_text(record(rounds, timer, arguments.compiler, arguments.flags, started))


if __name__ == "__main__":
    main()
