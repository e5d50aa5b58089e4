#!/usr/bin/env python3
"""How well gable predicts the times of programs: predict_accuracy.py --help

Runs the programs of predict_cases.txt (or of --cases) under `gable profile` (--profile), times them natively with one and
two threads, on small and on huge pages (--time; on a quiet machine), and compares the times with what `gable predict` says
for a measured folder of this machine (--machine): from the profile alone, and from the time with other threads or pages.
A line of cases is a group, a program in the folder --programs, in which it runs, and its arguments; {threads} stands for
their number, for programs that do not read OMP_NUM_THREADS.
--elsewhere MACHINE TIMES adds another machine, whose folder was measured and whose programs were timed there by --time:
each time is predicted from the profile alone and from the time on the other machine, in both directions. Each step keeps
its results in --work, so that they may run at different times. Times are those in user mode, because the profile does not
contain what the kernel does; of several runs the least counts, because others of the machine only make a run longer.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent


def settings(args):
    return [(threads, pages) for threads in (1, 2) for pages in args.pages]


def cases(args):
    lines = args.cases.read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return [(one[0], one[1:]) for one in words if args.group in (None, one[0])]


def name_of(case, threads, pages=None):
    """Also of a file."""
    words = (re.sub(r"[^\w.+-]+", "_", word) for word in case)
    return "-".join([*words, str(threads)] + ([pages] if pages else []))


def command(args, case, threads):
    return [args.programs / case[0], *(word.replace("{threads}", str(threads)) for word in case[1:])]


def environment(threads, pages="4k"):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "GLIBC_", "MALLOC_"))}
    if pages == "2m":
        kept["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    return kept | {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}


def profile(args):
    for _, case in cases(args):
        for threads in (1, 2):
            path = args.work / "profiles" / (name_of(case, threads) + ".profile")
            if path.exists():
                continue
            begun = path.with_suffix(".part")  # a program that is killed leaves a profile, too
            subprocess.run([args.gable, "profile", "-o", begun, "--", *command(args, case, threads)], check=True,
                           cwd=args.programs, stdout=subprocess.DEVNULL, env=environment(threads))
            begun.rename(path)


def one_run(args, case, threads, pages):
    """(seconds, seconds of CPU in user mode, in the kernel)"""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command(args, case, threads), check=True, cwd=args.programs, stdout=subprocess.DEVNULL,
                   env=environment(threads, pages))
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    user, kernel = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
    return wall, user, kernel


def time_all(args):
    """Adds the runs to those of earlier calls."""
    path = args.work / "times.json"
    times = json.loads(path.read_text()) if path.exists() else {}
    for _ in range(args.runs):
        for _, case in cases(args):
            for setting in settings(args):
                times.setdefault(name_of(case, *setting), []).append(one_run(args, case, *setting))
    path.write_text(json.dumps(times))


def user_seconds(runs):
    """The mean of the seconds in user mode of the faster half of the runs, and its interval. Other guests of the machine can
    only make a run longer. A mean is used because the kernel divides user time from its own in ticks of milliseconds."""
    faster = [run for run in runs if run[0] <= statistics.median_low(run[0] for run in runs)]
    seconds, every = ([wall * user / (user + kernel) for wall, user, kernel in some] for some in (faster, runs))
    mean = statistics.mean(seconds)
    error = 2 * statistics.stdev(seconds) / len(seconds) ** 0.5 if len(seconds) > 1 else 0
    return mean, mean - error, max(mean + error, statistics.median(every))


def timed_point(work, name, profiled, threads, times, **fields):
    """A point with the profile `profiled` of the work folder. `times`: its seconds and their interval."""
    document = json.loads((work / "profiles" / (profiled + ".profile")).read_text())
    sums = {key: sum(f[key] for f in document["functions"]) for key in ("flops", "load_bytes", "store_bytes")}
    seconds, lo, hi = times
    return {"name": name, "cluster": 0, "alone": True, "threads": threads, "counter": "profile", "seconds": seconds, "seconds_lo": lo,
            "seconds_hi": hi, "policy": "first-touch", "node_bytes": {"0": 1 << 30}, "profile": profiled + ".profile", **fields, **sums}


def point(args, case, threads, pages, runs):
    return timed_point(args.work, name_of(case, threads, pages), name_of(case, threads), threads, user_seconds(runs),
                       repetitions=len(runs), huge_pages_percent=100 if pages == "2m" else 0)


def folder_with(work, machine, name, points):
    """A copy of the machine's folder in the work folder, with these points and the profiles of the work folder."""
    folder = work / name
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run(["cp", "-r", "--no-preserve=mode", f"{machine}/.", f"{folder}/"], check=True)
    subprocess.run(["rm", "-rf", folder / "profiles"], check=True)
    os.symlink((work / "profiles").resolve(), folder / "profiles")
    (folder / "points.json").write_text(json.dumps({"schema": 1, "points": points}))
    return folder


def prepare(args, machine, times, name):
    """The measured folder with a point for each program and setting, and the seconds of each point."""
    times = json.loads(pathlib.Path(times).read_text())
    points = [point(args, case, *setting, times[name_of(case, *setting)]) for _, case in cases(args) for setting in settings(args)]
    return folder_with(args.work, machine, name, points), {each["name"]: each["seconds"] for each in points}


def predicted(args, *words):
    done = subprocess.run([args.gable, "predict", *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["predictions"]


def predict_all(args):
    """Each time from the profile alone; with two threads also from the profile of one ("fewer"); from the time with other
    threads or pages; and, with --elsewhere, from the time on the other machine, there ("out") and here ("back")."""
    machines = {"alone": prepare(args, args.machine, args.work / "times.json", "machine")}
    if args.elsewhere:
        machines["alone_elsewhere"] = prepare(args, *args.elsewhere, "elsewhere")
    folders = [folder for folder, _ in machines.values()]
    kept = {kind: [] for kind in [*machines, "fewer", "moved"] + (["out", "back"] if args.elsewhere else [])}
    folder, seconds = machines["alone"]
    for group, case in cases(args):
        for threads, pages in settings(args):
            name = name_of(case, threads, pages)
            common = {"group": group, "case": case, "threads": threads, "pages": pages}
            rows = predicted(args, "--profile", args.work / "profiles" / (name_of(case, threads) + ".profile"), *folders,
                             "--threads", str(threads), "--pages", pages)  # of programs with idle threads besides too
            for (kind, (_, truth)), row in zip(machines.items(), rows):
                kept[kind].append({**common, "truth": truth[name], **row})
            if threads == 2:
                row, = predicted(args, "--profile", args.work / "profiles" / (name_of(case, 1) + ".profile"), folder,
                                 "--threads", "2", "--pages", pages)
                kept["fewer"].append({**common, "truth": seconds[name], **row})
            for other in settings(args) if pages == "4k" else []:  # what programs have by default
                if other == (threads, pages):
                    continue
                row, = predicted(args, folder, "--point", name_of(case, *other), "--to", folder, "--threads", str(threads),
                                 "--pages", pages)
                kept["moved"].append({**common, "from": other, "truth": seconds[name], **row})
            if args.elsewhere and pages == "4k":
                there, seconds_there = machines["alone_elsewhere"]
                row, = predicted(args, folder, "--point", name, "--to", there, "--pages", pages)
                kept["out"].append({**common, "truth": seconds_there[name], **row})
                row, = predicted(args, there, "--point", name, "--to", folder, "--pages", pages)
                kept["back"].append({**common, "truth": seconds[name], **row})
    (args.work / "predictions.json").write_text(json.dumps(kept))


def ratio(row):
    return row["seconds"] / row["truth"]


def holds(row):
    return row["seconds_lo"] <= row["truth"] <= row["seconds_hi"]


def width(row):
    return row["seconds_hi"] / row["seconds_lo"]


def causes(rows):
    """The median width by each part of the interval alone, the largest first."""
    parts = {}
    for row in rows:
        for doubt in row["doubts"]:
            parts.setdefault(doubt["what"], []).append(doubt["hi"] / doubt["lo"])
    medians = sorted(((statistics.median(widths), what) for what, widths in parts.items()), reverse=True)
    return ", ".join(f"{what} {value:.2f}" for value, what in medians if value > 1.005)


SUMMARY_HEAD = ("| programs | predicted | median error | within 20 % | in the interval | width (median) | at most 2 | widths by cause |\n"
                "|---|---|---|---|---|---|---|---|")


def summary(rows):
    errors = [abs(ratio(row) - 1) for row in rows]
    return (f"{100 * statistics.median(errors):.0f} % | {100 * statistics.mean(e <= 0.2 for e in errors):.0f} % | "
            f"{100 * statistics.mean(map(holds, rows)):.0f} % | {statistics.median(map(width, rows)):.2f} | "
            f"{100 * statistics.mean(width(row) <= 2 for row in rows):.0f} % | {causes(rows)}")


def needs_of(row):
    sums = {}
    for need in (need for part in row["needs"] for need in part["needs"]):
        sums[need["what"]] = sums.get(need["what"], 0) + 1e3 * need["seconds"]
    return sums


def show_needs(kept):
    """What each program needs here and there, in ms, by itself."""
    for here, there in zip(kept["alone"], kept["alone_elsewhere"]):
        before, after = needs_of(here), needs_of(there)
        largest = sorted(before | after, key=lambda what: -max(before.get(what, 0) / here["truth"], after.get(what, 0) / there["truth"]))
        print(f"{' '.join(here['case'])}, {here['threads']} threads, {here['pages']}: {1e3 * here['truth']:.0f} and "
              f"{1e3 * there['truth']:.0f} ms; "
              + ", ".join(f"{what} {before.get(what, 0):.0f} and {after.get(what, 0):.0f}" for what in largest[:6]))


def show_elsewhere(kept):
    """On small pages."""
    alone = [row for row in kept["alone_elsewhere"] if row["pages"] == "4k"]
    print("\n| program | threads | there, ms | from the profile | from here | here, ms | from there | in the interval |"
          "\n|---|---|---|---|---|---|---|---|")
    for rows in zip(alone, kept["out"], kept["back"]):
        alone, out, back = rows
        print(f"| {' '.join(alone['case'])} | {alone['threads']} | {1e3 * alone['truth']:.0f} | {ratio(alone):.2f} | "
              f"{ratio(out):.2f} | {1e3 * back['truth']:.0f} | {ratio(back):.2f} | {sum(map(holds, rows))} of 3 |")


def show(args):
    kept = json.loads((args.work / "predictions.json").read_text())
    print("| program | threads | time, ms | from the profile | from another time | in the interval |\n|---|---|---|---|---|---|")
    for row in kept["alone"]:
        if row["pages"] != "4k":
            continue
        same = [m for m in kept["moved"] if m["case"] == row["case"] and m["threads"] == row["threads"]]
        both = [row, *same]
        print(f"| {' '.join(row['case'])} | {row['threads']} | {1e3 * row['truth']:.0f} | {ratio(row):.2f} | "
              f"{' '.join(f'{ratio(r):.2f}' for r in same)} | {sum(map(holds, both))} of {len(both)} |")
    kept["pages"] = [row for row in kept["moved"] if row["from"][0] == row["threads"]]
    kept["threads"] = [row for row in kept["moved"] if row["from"][0] != row["threads"]]
    kinds = {"alone": "from the profile", "fewer": "two threads, from the profile of one", "pages": "from a time on other pages",
             "threads": "from a time with other threads"}
    if "out" in kept:
        show_elsewhere(kept)
        if args.needs:
            show_needs(kept)
        kinds |= {"alone_elsewhere": "elsewhere, from the profile", "out": "elsewhere, from the time here",
                  "back": "here, from the time elsewhere"}
    print(f"\nOn small pages:\n\n{SUMMARY_HEAD}")
    for group in sorted({row["group"] for row in kept["alone"]}):
        for kind, words in kinds.items():
            rows = [row for row in kept[kind] if row["group"] == group and row["pages"] == "4k"]
            if rows:
                print(f"| {group} | {words} | {summary(rows)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("profile", "time", "predict", "show"):
        parser.add_argument("--" + name, action="store_true", help="this step; without any: all of them")
    parser.add_argument("--gable", type=pathlib.Path, default=HERE.parents[1] / "build/gable")
    parser.add_argument("--programs", type=pathlib.Path, required=True,
                        help="made by make -C tests/bench/programs OUT=FOLDER, or by predict_others.sh")
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "predict_cases.txt")
    parser.add_argument("--pages", nargs="+", choices=("4k", "2m"), default=("4k", "2m"),
                        help="sizes of pages; without 2m for programs whose data is not all allocated by malloc")
    parser.add_argument("--machine", help="measured folder of this machine")
    parser.add_argument("--elsewhere", nargs=2, metavar=("MACHINE", "TIMES"),
                        help="measured folder of another machine, and times.json of --time there")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="keeps the results of the steps")
    parser.add_argument("--needs", action="store_true", help="with --elsewhere: also show what each program needs")
    parser.add_argument("--runs", type=int, default=3, help="of --time, which adds them to those of earlier calls")
    parser.add_argument("--group", help="these programs alone: fit, test")
    args = parser.parse_args()
    args.programs, args.work, args.gable = args.programs.resolve(), args.work.resolve(), args.gable.resolve()
    (args.work / "profiles").mkdir(parents=True, exist_ok=True)
    every = not (args.profile or args.time or args.predict or args.show)
    for name, step in (("profile", profile), ("time", time_all), ("predict", predict_all), ("show", show)):
        if every or getattr(args, name):
            step(args)


if __name__ == "__main__":
    main()
