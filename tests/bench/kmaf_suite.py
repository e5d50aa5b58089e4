#!/usr/bin/env python3
"""Traces NAS, LULESH and programs of Debian with OpenMP or threads into a folder, for `gable kmaf replay`.

    tests/bench/kmaf_suite.py --npb NPB3.0-omp-C --npb NPB3.3-OMP --lulesh LULESH --out SUITE
        [--programs bt,cg,…,lulesh,x264,…] [--class S] [--threads 16,64] [--most 16000000] [--build BUILD]

NPB3.0-omp-C is the NAS Parallel Benchmarks in C with OpenMP (github.com/benchmark-subsetting/NPB3.0-omp-C), NPB3.3-OMP
those in Fortran (github.com/matthiasdiener/nas), which have UA and DC too; the first folder with a program is taken.
LULESH is version 2.0 (github.com/LLNL/LULESH). The folders are only read: the sources are copied to SUITE/source and
compiled there. x264, vips and fasttreeMP (packages x264, libvips-tools, fasttree) take part if they are installed; their
inputs are made in SUITE/source/inputs. Each trace is SUITE/PROGRAM-THREADS.trace; one that is there is kept, so an
interrupted call continues. A program whose own check fails is named, and its trace is kept.
"""

import argparse
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys

NPB = ["bt", "cg", "dc", "ep", "ft", "is", "lu", "mg", "sp", "ua"]
FLAGS = {"CFLAGS": "-O2 -fopenmp -fcommon -w", "CLINKFLAGS": "-fopenmp", "C_LIB": "-lm", "F77": "gfortran",
         "FFLAGS": "-O2 -fopenmp -std=legacy -w", "FLINKFLAGS": "-fopenmp"}
DEBIAN = {"x264": "x264 --threads {threads} --preset faster --input-res 352x288 --fps 25 -o out.264 in.yuv",
          "vips": "vips gaussblur in.ppm out.v 4 --vips-concurrency={threads}", "fasttreeMP": "fasttreeMP -nt in.fa"}
BURSTS = "65536/1048576"  # of programs whose threads start late: see gable kmaf trace --help


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
    return [next((folder / "bin").glob(f"{program}.{size}*"))]


def build_lulesh(source, folder, program, size):
    copied(source, folder)
    binary = folder / program
    sources = sorted(path.name for path in folder.glob("lulesh*.cc"))
    if not binary.exists():
        call(["g++", "-DUSE_MPI=0", "-O2", "-fopenmp", "-w", *sources, "-o", binary.name], folder, folder / "build.log")
    return [binary, "-s", {"S": "12", "W": "20"}.get(size, "30"), "-i", "20"]


def make_inputs(folder):
    """A video of 12 frames with moving discs, a picture of 1024 x 1024 pixels, and 60 related sequences of 300 bases."""
    if (folder / "in.fa").exists():  # it is written last
        return
    folder.mkdir(exist_ok=True)
    noise = random.Random(1)
    with open(folder / "in.yuv", "wb") as video:
        for frame in range(12):
            discs = [(40 + 25 * disc + (3 + disc) * frame, 60 + 20 * disc, 15 + 3 * disc) for disc in range(6)]
            video.write(bytes(200 if any(math.hypot(x - a, y - b) < r for a, b, r in discs) else (x + y) % 128
                              for y in range(288) for x in range(352)))
            video.write(bytes([128]) * (352 * 288 // 2))
    (folder / "in.ppm").write_bytes(b"P6 1024 1024 255\n" + noise.randbytes(3 * 1024 * 1024))
    ancestor = noise.choices("ACGT", k=300)
    with open(folder / "in.fa", "w") as sequences:
        for number in range(60):
            ancestor = [noise.choice("ACGT") if noise.random() < 0.03 else base for base in ancestor]
            print(f">s{number}", "".join(ancestor), sep="\n", file=sequences)


def ready(program, folders, source, size):
    """The folder that the program runs in, and its command for a number of threads."""
    if program in DEBIAN:
        make_inputs(source / "inputs")
        return source / "inputs", lambda threads: [word.format(threads=threads) for word in DEBIAN[program].split()]
    folder = source / program
    build = build_lulesh if program == "lulesh" else build_npb
    command = build(folders[program], folder, program, size)
    return folder, lambda threads: command


def trace(command, threads, folder, output):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    with open(output.with_suffix(".log"), "w") as log:
        status = subprocess.run(command, env=environment, cwd=folder, stdout=log, stderr=log, check=False).returncode
    text = output.with_suffix(".log").read_text(errors="replace")
    if not output.exists():
        sys.exit(f"kmaf_suite: no {output}: exit status {status}: {text[-500:]}")
    if status != 0 or "UNSUCCESSFUL" in text:
        say(f"kmaf_suite: {output.name} is kept, but the program failed (exit status {status}); see {output.with_suffix('.log')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npb", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--lulesh", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--programs", help="default: all that are given or installed")
    parser.add_argument("--class", dest="size", default="S", choices=["S", "W", "A"])
    parser.add_argument("--threads", default="16,64")
    parser.add_argument("--most", type=int, default=16_000_000, help="accesses of a trace, 16 bytes each")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build")
    given = parser.parse_args()
    folders = {program: folder for folder in reversed(given.npb) for program in NPB if (folder / program.upper()).is_dir()}
    if given.lulesh:
        folders["lulesh"] = given.lulesh
    known = [*folders, *filter(shutil.which, DEBIAN)]
    programs = given.programs.split(",") if given.programs else known
    if not programs or not set(programs) <= set(known):
        sys.exit(f"kmaf_suite: --programs {given.programs}: known here: {', '.join(known) or 'none'}")
    source = given.out.resolve() / "source"
    source.mkdir(parents=True, exist_ok=True)
    for program in programs:
        folder, command = ready(program, folders, source, given.size)
        for threads in map(int, given.threads.split(",")):
            output = given.out.resolve() / f"{program}-{threads}.trace"
            if not output.exists():
                say(f"kmaf_suite: {output.name}")
                bursts = ["--bursts", BURSTS] if program in [*DEBIAN, "dc"] else []
                trace([given.build.resolve() / "gable", "kmaf", "trace", "-o", output, "--max-accesses", str(given.most), *bursts,
                       "--", *command(threads)], threads, folder, output)


if __name__ == "__main__":
    main()
