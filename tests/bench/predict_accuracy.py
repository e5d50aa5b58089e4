#!/usr/bin/env python3
"""How well gable predicts the times of programs: predict_accuracy.py --help

Runs the programs of predict_cases.txt under `gable profile` (--profile), times them natively with one and two threads,
on small and on huge pages (--time; on a quiet machine), and compares the times with what `gable predict` says for a
measured folder of this machine (--machine): from the profile alone, and from the time with other threads or pages. Each
step keeps its results in --work, so that they may run at different times. Times are those in user mode, because the
profile does not contain what the kernel does.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = [(threads, pages) for threads in (1, 2) for pages in ("4k", "2m")]


def cases(group=None):
    lines = (HERE / "predict_cases.txt").read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return [(one[0], one[1:]) for one in words if group in (None, one[0])]


def name_of(case, threads, pages=None):
    return "-".join([*case, str(threads)] + ([pages] if pages else []))


def environment(threads, pages="4k"):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "GLIBC_", "MALLOC_"))}
    if pages == "2m":
        kept["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    return kept | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}


def profile(args):
    """Threads that wait do not spin: Valgrind runs one thread at a time."""
    for _, case in cases():
        for threads in (1, 2):
            path = args.work / "profiles" / (name_of(case, threads) + ".profile")
            if path.exists():
                continue
            subprocess.run([args.gable, "profile", "-o", path, "--", args.programs / case[0], *case[1:]], check=True,
                           stdout=subprocess.DEVNULL, env=environment(threads) | {"OMP_WAIT_POLICY": "passive"})


def one_run(args, case, threads, pages):
    """(seconds in user mode, seconds of CPU in user mode, in the kernel)"""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([args.programs / case[0], *case[1:]], check=True, stdout=subprocess.DEVNULL, env=environment(threads, pages))
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    user, kernel = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return wall * user / (user + kernel), user, kernel


def time_all(args):
    times = {name_of(case, *setting): [] for _, case in cases() for setting in SETTINGS}
    for _ in range(args.runs):
        for _, case in cases():
            for setting in SETTINGS:
                times[name_of(case, *setting)].append(one_run(args, case, *setting))
    (args.work / "times.json").write_text(json.dumps(times))


def point(args, case, threads, pages, runs):
    document = json.loads((args.work / "profiles" / (name_of(case, threads) + ".profile")).read_text())
    sums = {key: sum(f[key] for f in document["functions"]) for key in ("flops", "load_bytes", "store_bytes")}
    seconds = [run[0] for run in runs]
    return {"name": name_of(case, threads, pages), "cluster": 0, "alone": True, "threads": threads, "counter": "profile",
            "seconds": statistics.median(seconds), "seconds_lo": min(seconds), "seconds_hi": max(seconds),
            "repetitions": len(seconds), "policy": "first-touch", "node_bytes": {"0": 1 << 30},
            "huge_pages_percent": 100 if pages == "2m" else 0, "profile": name_of(case, threads) + ".profile", **sums}


def prepare(args):
    """The measured folder with a point for each program and setting."""
    times = json.loads((args.work / "times.json").read_text())
    folder = args.work / "machine"
    subprocess.run(["cp", "-r", "--no-preserve=mode", f"{args.machine}/.", f"{folder}/"], check=True)
    subprocess.run(["rm", "-rf", folder / "profiles"], check=True)
    os.symlink((args.work / "profiles").resolve(), folder / "profiles")
    points = [point(args, case, *setting, times[name_of(case, *setting)]) for _, case in cases() for setting in SETTINGS]
    (folder / "points.json").write_text(json.dumps({"schema": 1, "points": points}))
    return folder, {each["name"]: each["seconds"] for each in points}


def predicted(args, *words):
    done = subprocess.run([args.gable, "predict", *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["predictions"][0]


def predict_all(args):
    folder, seconds = prepare(args)
    alone, moved = [], []
    for group, case in cases():
        for threads, pages in SETTINGS:
            name = name_of(case, threads, pages)
            row = predicted(args, "--profile", args.work / "profiles" / (name_of(case, threads) + ".profile"), folder,
                            "--pages", pages)
            alone.append({"group": group, "case": case, "threads": threads, "pages": pages, "truth": seconds[name], **row})
            for other in SETTINGS if pages == "4k" else []:  # what programs have by default
                if other == (threads, pages):
                    continue
                row = predicted(args, folder, "--point", name_of(case, *other), "--to", folder, "--threads", str(threads),
                                "--pages", pages)
                moved.append({"group": group, "case": case, "from": other, "to": (threads, pages), "truth": seconds[name], **row})
    (args.work / "predictions.json").write_text(json.dumps({"alone": alone, "moved": moved}))


def summary(rows):
    errors = [abs(row["seconds"] / row["truth"] - 1) for row in rows]
    inside = [row["seconds_lo"] <= row["truth"] <= row["seconds_hi"] for row in rows]
    widths = [row["seconds_hi"] / row["seconds_lo"] for row in rows]
    return (f"median error {100 * statistics.median(errors):.0f} %, within 20 %: {100 * statistics.mean(e <= 0.2 for e in errors):.0f} %, "
            f"in the interval: {100 * statistics.mean(inside):.0f} %, width (median) {statistics.median(widths):.2f}")


def show(args):
    kept = json.loads((args.work / "predictions.json").read_text())
    print("| program | threads | time, ms | from the profile | from another time | in the interval |\n|---|---|---|---|---|---|")
    for row in kept["alone"]:
        if row["pages"] != "4k":
            continue
        same = [m for m in kept["moved"] if m["case"] == row["case"] and tuple(m["to"]) == (row["threads"], "4k")]
        ratio = lambda r: r["seconds"] / r["truth"]
        both = [row, *same]
        held = sum(r["seconds_lo"] <= r["truth"] <= r["seconds_hi"] for r in both)
        print(f"| {' '.join(row['case'])} | {row['threads']} | {1e3 * row['truth']:.0f} | {ratio(row):.2f} | "
              f"{' '.join(f'{ratio(r):.2f}' for r in same)} | {held} of {len(both)} |")
    for group in ("fit", "test"):
        for kind, words in (("alone", "from the profile alone"), ("moved", "from a time with other threads or on huge pages")):
            print(f"\n{group} programs, {words}: {summary([r for r in kept[kind] if r['group'] == group])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("profile", "time", "predict", "show"):
        parser.add_argument("--" + name, action="store_true", help="this step; without any: all of them")
    parser.add_argument("--gable", type=pathlib.Path, default=HERE.parents[1] / "build/gable")
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="made by make -C tests/bench/programs OUT=FOLDER")
    parser.add_argument("--machine", help="measured folder of this machine")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="keeps the results of the steps")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    args.programs, args.work = args.programs.resolve(), args.work.resolve()
    (args.work / "profiles").mkdir(parents=True, exist_ok=True)
    every = not (args.profile or args.time or args.predict or args.show)
    for name, step in (("profile", profile), ("time", time_all), ("predict", predict_all), ("show", show)):
        if every or getattr(args, name):
            step(args)


if __name__ == "__main__":
    main()
