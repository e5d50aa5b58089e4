#!/usr/bin/env python3
"""Builds NAS and LULESH with OpenMP outside the tree and traces them into a folder, for `gable kmaf replay`.

    tests/bench/kmaf_suite.py --npb NPB3.0-omp-C --lulesh LULESH --out SUITE
        [--programs bt,cg,…,lulesh] [--class S] [--threads 16,64] [--most 16000000] [--build BUILD]

NPB3.0-omp-C is the NAS Parallel Benchmarks in C with OpenMP (github.com/benchmark-subsetting/NPB3.0-omp-C), LULESH is
version 2.0 (github.com/LLNL/LULESH). The folders are only read: the sources are copied to SUITE/source. Each trace is
SUITE/PROGRAM-THREADS.trace; one that is there is kept, so an interrupted call continues. A program whose own check
fails is named, and its trace is kept.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

NPB = ["bt", "cg", "ep", "ft", "is", "lu", "mg", "sp"]
FLAGS = {"CFLAGS": "-O2 -fopenmp -fcommon -w", "CLINKFLAGS": "-fopenmp", "C_LIB": "-lm"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def call(command, folder, log):
    with open(log, "w") as output:
        if subprocess.run(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT, check=False).returncode != 0:
            sys.exit(f"kmaf_suite: {' '.join(map(str, command))} failed in {folder}: {log}")


def copied(source, folder):
    if not folder.exists():
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git"))
    return folder


def build_npb(source, folder, program, size):
    copied(source, folder)
    lines = (folder / "config/make.def.template").read_text().splitlines()
    of = [line.split("=")[0].strip() if "=" in line and not line.startswith("#") else "" for line in lines]
    lines = [f"{name} = {FLAGS[name]}" if name in FLAGS else line for name, line in zip(of, lines)]
    (folder / "config/make.def").write_text("\n".join(lines) + "\n")
    (folder / "bin").mkdir(exist_ok=True)
    call(["make", program, f"CLASS={size}"], folder, folder / f"{program}.log")
    return [folder / f"bin/{program}.{size}"]


def build_lulesh(source, folder, size):
    copied(source, folder)
    binary = folder / "lulesh2.0"
    sources = sorted(path.name for path in folder.glob("lulesh*.cc"))
    if not binary.exists():
        call(["g++", "-DUSE_MPI=0", "-O2", "-fopenmp", "-w", *sources, "-o", binary.name], folder, folder / "build.log")
    return [binary, "-s", {"S": "12", "W": "20"}.get(size, "30"), "-i", "20"]


def trace(gable, command, threads, output, most):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    tracing = [gable, "kmaf", "trace", "-o", output, "--max-accesses", str(most), "--", *command]
    with open(output.with_suffix(".log"), "w") as log:
        status = subprocess.run(tracing, env=environment, cwd=command[0].parent, stdout=log, stderr=log, check=False).returncode
    text = output.with_suffix(".log").read_text(errors="replace")
    if not output.exists():
        sys.exit(f"kmaf_suite: no {output}: exit status {status}: {text[-500:]}")
    if status != 0 or "UNSUCCESSFUL" in text:
        say(f"kmaf_suite: {output.name} is kept, but the program failed (exit status {status}); see {output.with_suffix('.log')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npb", type=pathlib.Path)
    parser.add_argument("--lulesh", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--programs", help="default: all whose sources are given")
    parser.add_argument("--class", dest="size", default="S", choices=["S", "W", "A"])
    parser.add_argument("--threads", default="16,64")
    parser.add_argument("--most", type=int, default=16_000_000, help="accesses of a trace, 16 bytes each")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build")
    given = parser.parse_args()
    known = (NPB if given.npb else []) + (["lulesh"] if given.lulesh else [])
    programs = given.programs.split(",") if given.programs else known
    if not programs or not set(programs) <= set(known):
        sys.exit(f"kmaf_suite: --programs {given.programs}: known with the given folders: {', '.join(known) or 'none'}")
    source = given.out.resolve() / "source"
    source.mkdir(parents=True, exist_ok=True)
    for program in programs:
        if program == "lulesh":
            command = build_lulesh(given.lulesh, source / "lulesh", given.size)
        else:
            command = build_npb(given.npb, source / "npb", program, given.size)
        for threads in given.threads.split(","):
            output = given.out.resolve() / f"{program}-{threads}.trace"
            if output.exists():
                continue
            say(f"kmaf_suite: {output.name}")
            trace(given.build.resolve() / "gable", command, int(threads), output, given.most)


if __name__ == "__main__":
    main()
