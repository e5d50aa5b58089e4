"""Times the programs of tests/bench/programs with one thread and with two: times.py --help

A round runs every case once, so that the times contain the machine's drift. A run beside which other processes were busy,
or the hypervisor took the CPUs away, is repeated, and so is a round after which other hardware threads used the cores. The
program ends with status 1, and writes nothing, where that does not help.
"""

import argparse
import datetime
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

TRIES = 3  # of a disturbed run
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


class Timer:
    def __init__(self, programs, cpus):
        self.programs, self.cpus, self.repeated = programs, cpus, 0

    def environment(self, threads):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "GLIBC_", "MALLOC_"))}
        places = ",".join(f"{{{cpu}}}" for cpu in self.cpus[:threads])
        return kept | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true", "OMP_PLACES": places}

    def run(self, case, threads):
        """(seconds of the process, seconds of its marked region, what disturbed)"""
        with tempfile.TemporaryDirectory() as folder:
            environment = self.environment(threads) | {"GABLE_MARKER_FILE": folder + "/regions"}
            before = cpu_times()
            done = subprocess.run([self.programs / case[0], *case[1:]], env=environment, capture_output=True, text=True)
            after = cpu_times()
            if done.returncode != 0:
                sys.exit(f"{' '.join(case)}: status {done.returncode}: {done.stdout}{done.stderr}")
            regions = json.loads(next(pathlib.Path(folder).iterdir()).read_text())["regions"]
        inside = next(region["seconds"] for region in regions if region["name"] == case[0])
        return after[0] - before[0], inside, disturbance(before, after)

    def quiet_run(self, case, threads):
        for _ in range(TRIES):
            seconds, inside, disturbed = self.run(case, threads)
            if not disturbed:
                return seconds, inside
            self.repeated += 1
        raise Disturbed(f"{' '.join(case)}: {disturbed}")


def crowded_now(gable, most):
    """The share of a brief measurement in L1 during which other hardware threads used the cores, in percent."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([gable, "measure", folder, "--preset", "quick", "--quiet", "--only", "cluster=0,level=L1,op=load"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return state.crowded_percent(state.samples_of(pathlib.Path(folder)), most)


def rounds_of(timer, cases, count, is_crowded):
    """`count` rounds: the times of each (case, threads)."""
    rounds = []
    for tried in range(2 * count):
        if len(rounds) == count:
            break
        print(f"round {len(rounds) + 1} of {count}", file=sys.stderr)
        times = {(case, threads): timer.quiet_run(case, threads) for case in cases for threads in (1, 2)}
        if is_crowded():
            timer.repeated += len(times)
        else:
            rounds.append(times)
    if len(rounds) < count:
        raise Disturbed(f"other hardware threads used the cores after {tried + 1 - len(rounds)} of {tried + 1} rounds")
    return rounds


def three(name, values):
    return {name: round(statistics.median(values), 6), f"{name}_min": round(min(values), 6),
            f"{name}_max": round(max(values), 6)}


def record(rounds, timer, compiler, flags, started):
    lines = []
    for case, threads in rounds[0]:
        seconds, inside = zip(*(times[case, threads] for times in rounds))
        lines.append({"program": case[0], "arguments": list(case[1:]), "threads": threads, "runs": len(rounds),
                      **three("seconds", seconds), **three("region_seconds", inside)})
    head = {"schema": 1, "compiler": compiler, "flags": flags, "cpus": timer.cpus, "started": started,
            "repeated_runs": timer.repeated}
    text = json.dumps(head)[:-1] + ',\n"programs":[\n' + ",\n".join(map(json.dumps, lines)) + "\n]}\n"
    return text


def main():
    parser = argparse.ArgumentParser(description="times programs with one thread and with two")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="folder of the compiled programs")
    parser.add_argument("--cases", type=pathlib.Path, required=True, help="a program and its arguments a line")
    parser.add_argument("--machine", type=pathlib.Path, required=True, help="folder that gable measured")
    parser.add_argument("--gable", required=True)
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
    most = state.most_adds(state.samples_of(arguments.machine))
    timer = Timer(arguments.programs, cpus)
    started = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        rounds = rounds_of(timer, cases, arguments.runs,
                           lambda: crowded_now(arguments.gable, most) >= state.CROWDED_PERCENT)
    except Disturbed as error:
        sys.exit(f"disturbed: {error}")
    arguments.output.write_text(record(rounds, timer, arguments.compiler, arguments.flags, started))


if __name__ == "__main__":
    main()
