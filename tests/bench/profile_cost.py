#!/usr/bin/env python3
"""profile_cost.py BUILD PROGRAMS [CASE...]: what counting and profiling cost, as multiples of a program's user CPU time.

PROGRAMS: the folder of `make -C tests/bench/programs OUT=PROGRAMS`. Each program runs with one thread: by itself, counted
(`gable point run --counter valgrind`, without its observed run) and profiled (`gable profile`), by turns. Of each the run
with the least user CPU time of three counts, since other processes on the machine only add to it. Prints a table in Markdown.
CASE: as in CASES, such as "cg 32 800"; all if there is none."""
import os
import subprocess
import sys
import tempfile

CASES = """
triad 16000 50000
triad 2000000 100
stencil 64 1500
cg 32 800
hash_join 14 23
matmul naive 600 1
matmul blocked 600 1
dgemm 512 2
transpose 500 1000
nbody 1000 60
radix_sort 16 500
fft 14 800
lbm 100 96 500
tree_search 14 8000000
histogram 23 10 30
chase 13 15000000
"""


def user_seconds(command):
    """User CPU time of the command and of all its children."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}: {said.decode()}")
    return usage.ru_utime


def measure(gable, programs, case, folder):
    command = [os.path.join(programs, case[0]), *case[1:]]
    count = [gable, "point", "run", folder, "--name", "x", "--counter", "valgrind", "--repetitions", "1", "--", *command]
    profile = [gable, "profile", "-o", os.path.join(folder, "x.profile"), "--", *command]
    times = [[user_seconds(each) for each in (command, count, profile)] for _ in range(3)]
    alone, counted, profiled = (min(column) for column in zip(*times))
    print(f"| `{' '.join(case)}` | {alone:.2f} | {(counted - alone) / alone:.0f} | {profiled / alone:.0f} |", flush=True)


def main():
    build, programs, *cases = sys.argv[1:]
    gable = os.path.join(build, "gable")
    os.environ["OMP_NUM_THREADS"] = "1"
    print("| program | s | counted | profile |\n|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "machine.json"), "wb") as machine:
            subprocess.run([gable, "machine", "--json"], stdout=machine, check=True)
        for case in cases or CASES.strip().split("\n"):
            measure(gable, programs, case.split(), folder)


main()
