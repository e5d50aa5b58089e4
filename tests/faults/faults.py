#!/usr/bin/env python3
"""faults.py BUILD [--all N | --places] [--only TEXT]: makes single calls of gable fail: allocations, write, rename, fsync,
mmap, move_pages, perf_event_open and the start of threads (tests/faults/preload.cpp).

Each command must end with 0 and a whole result, or with 1 or 2 and a message; its files must be readable, nothing
temporary may stay, and the settings, which are files below a temporary root, must be as before. With --all, N calls of
each kind in each command fail, one a run, chosen evenly over the run with the first and last ones; else a few. With
--places, one allocation of every place fails instead, in the first command that comes there. A place is the eight calls
that led to the allocation.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

CALLS = ["new", "write", "rename", "fsync", "mmap", "move_pages", "perf_event_open", "thread"]
PAGE, SLOTS = 4096, 1 << 16  # of preload.cpp
KNOBS = ["scan_delay_ms", "scan_period_min_ms", "scan_period_max_ms", "scan_size_mb"]
ROOT = pathlib.Path(__file__).resolve().parents[2]

CELLS = ["--preset", "quick", "--quiet", "--only", "L1,op=load", "--budget", "0.3s"]
FIGURES = ["--flops", "1e9", "--load-bytes", "1e9", "--store-bytes", "0", "--seconds", "1"]


class Command:
    """A command on a folder: `start` is copied into it, `files` must be readable after it."""

    def __init__(self, name, arguments, start=None, output=None, files=()):
        self.name, self.arguments, self.start, self.output, self.files = name, arguments, start, output, files


def commands(work):
    clusters, measured = work / "two-clusters", ROOT / "machines/joe0"
    subprocess.run([sys.executable, ROOT / "tests/cli/data/two_clusters.py", clusters], check=True)
    return [
        Command("measure", ["measure", "DIR", *CELLS]),
        Command("fit", ["fit", "DIR"], clusters),
        Command("plot", ["plot", "DIR", "--format", "svg", "--cluster", "0"], measured),
        Command("point", ["point", "add", "DIR", "--name", "mine", *FIGURES], measured),
        Command("point run", ["point", "run", "DIR", "--name", "ran", "--flops", "1e9", "--load-bytes",
                              "1e9", "--store-bytes", "0", "--", "/bin/echo", "hello"]),
        Command("place", ["place", "DIR", "--bench", "bfs", "--graph", "uniform:6", "--runs", "1", "--quiet"]),
        Command("kmaf run", ["kmaf", "run", "--report", "DIR/report", "--json", "--", "/bin/sh", "-c",
                             "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo hello"], output="hello\n"),
    ]


class Faults:
    def __init__(self, build):
        self.gable, self.preload = build / "gable", build / "libfaults.so"
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="gable-test-faults-"))
        self.counts = self.work / "counts"
        self.failures, self.runs = [], 0
        self.root = self.work / "root"
        knobs = self.root / "sys/kernel/debug/sched/numa_balancing"
        self.set_files = [self.root / "proc/sys/kernel/numa_balancing", *(knobs / name for name in KNOBS)]
        for path in self.set_files:
            path.parent.mkdir(parents=True, exist_ok=True)
        (self.root / "run").mkdir()
        self.put_settings_back()
        self.before = self.settings()

    def settings(self):
        return {path.name: path.read_text() for path in self.set_files}

    def put_settings_back(self):
        for number, path in enumerate(self.set_files):
            path.write_text("0\n" if number == 0 else "1000\n")

    def run(self, command, call, number):
        folder = self.work / "folder"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(command.start, folder) if command.start else folder.mkdir()
        temporary = self.work / "tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        self.counts.write_bytes(bytes(PAGE + 8 * SLOTS + 8))
        environment = dict(os.environ, GABLE_FAULT_TRACE="1", GABLE_FAULT=f"{call}:{number}", GABLE_FAULT_COUNTS=str(self.counts),
                           LD_PRELOAD=str(self.preload), TMPDIR=str(temporary), GABLE_SYSTEM_ROOT=str(self.root))
        arguments = [word.replace("DIR", str(folder)) for word in command.arguments]
        self.runs += 1
        try:
            done = subprocess.run(["setarch", "-R", self.gable, *arguments], env=environment, capture_output=True, timeout=300,
                                  text=True, errors="replace", stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.failures.append(f"{command.name}, {call} {number}: did not end within 300 s")
            return None
        fault = self.fault_of(command, done, folder, temporary)
        if fault:
            self.failures.append(f"{command.name}, {call} {number}: {fault}; exit {done.returncode}: {done.stderr[-2000:]}")
            self.put_settings_back()
        return done

    def fault_of(self, command, done, folder, temporary):
        if done.returncode < 0 or done.returncode > 127:
            return "it crashed"
        if done.returncode not in (0, 1, 2):
            return "an exit status that has no meaning"
        if done.returncode != 0 and "gable: " not in done.stderr:
            return "an error without a message"
        if "terminate called" in done.stderr or "std::" in done.stderr:
            return "not a message for users"
        if command.output and done.returncode == 0 and done.stdout != command.output:
            return f"the program's output is {done.stdout!r}"
        left = [path for path in folder.rglob("*") if re.search(r"\.[A-Za-z0-9]{6}$|\.next$|\.lock$|\.\d+$", path.name)]
        # The next process removes what a library that may not throw let stay.
        if (left or any(temporary.iterdir())) and "gable: not enough memory" not in done.stderr:
            return f"left behind: {left or list(temporary.iterdir())}"
        for path in filter(lambda path: path.suffix != ".lock", folder.rglob("*.json*")):
            try:
                lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
                for line in lines:
                    json.loads(line)
            except ValueError as error:
                return f"{path.name} is torn: {error}"
        if self.settings() != self.before:
            return f"settings are {self.settings()} instead of {self.before}"
        return None

    def calls_of(self, command):
        done = self.run(command, "new", 0)
        if done is None or done.returncode != 0:
            self.failures.append(f"{command.name} fails without a fault: {done and done.stderr}")
            return {}
        return dict(zip(CALLS, struct.unpack("8Q", self.counts.read_bytes()[:64])))

    def has_failed(self):
        """Whether the place was reached in the last run."""
        return self.counts.read_bytes()[PAGE + 8 * SLOTS:] != bytes(8)

    def places_of(self, command):
        done = self.run(command, "place", 0)
        places = struct.unpack(f"{SLOTS}Q", self.counts.read_bytes()[PAGE:PAGE + 8 * SLOTS])
        return filter(None, places) if done is not None and done.returncode == 0 else []


def chosen(count, most, rng):
    """Numbers of calls from 1 to `count`: all, or the first, the last, and others between; one anywhere."""
    if count <= most:
        return list(range(1, count + 1))
    if most == 1:
        return [rng.randrange(1, count + 1)]
    return sorted({1, count, *rng.sample(range(1, count + 1), max(most - 2, 0))})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    tried = parser.add_mutually_exclusive_group()
    tried.add_argument("--all", type=int, default=0, metavar="N")
    tried.add_argument("--places", action="store_true")
    parser.add_argument("--only", default="", help="the commands with this in their name")
    arguments = parser.parse_args()
    faults = Faults(arguments.build.resolve())
    rng = random.Random(19)
    known = set()
    try:
        for command in commands(faults.work):
            if arguments.only not in command.name:
                continue
            if arguments.places:
                places = set(faults.places_of(command)) - known
                known |= places
                reached = sum(faults.run(command, "place", place) is not None and faults.has_failed() for place in places)
                print(f"{command.name}: {len(places)} more places, of which {reached} were reached again", flush=True)
                continue
            counts = faults.calls_of(command)
            tried = 0
            for call, count in counts.items():
                for number in chosen(count, arguments.all or 1, rng):
                    faults.run(command, call, number)
                    tried += 1
            print(f"{command.name}: {tried} faults; calls: {counts}", flush=True)
    finally:
        shutil.rmtree(faults.work)
    for failure in faults.failures:
        print("FAILED:", failure)
    print(f"{faults.runs} runs, {len(faults.failures)} failures")
    return 1 if faults.failures else 0


if __name__ == "__main__":
    sys.exit(main())
