#!/usr/bin/env python3
"""How well gable predicts the times of programs on one recorded machine from those on another: predict_pairs.py --help

Profiles the cases of programs/cases.txt here (--profile; two hours), and compares the times in machines/measured with what
`gable predict` says (--predict): of each machine from the profile alone, and of each ordered pair of machines from the time
on the first, with each size of pages that was timed there and here. Cases that were not profiled are left out. --show prints the tables. A profile has no times, so one made here
serves for all of the machines. Times are those of the whole process; predictions from the profile alone are compared with
the time in user mode, where the recording has it.
"""

import argparse
import itertools
import json
import pathlib

import predict_accuracy as accuracy

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = {name: group for line in (HERE / "predict_cases.txt").read_text().splitlines() if line and line[0] != "#"
          for group, name in [line.split()[:2]]}  # fit or test


def case_of(line):
    return [line["program"], *line["arguments"]]


def pages_of(line):
    return line.get("pages", "4k")


def profile_of(line):
    return accuracy.name_of(case_of(line), line["threads"])


def path_of_profile(args, line):
    return args.work / "profiles" / (profile_of(line) + ".profile")


def profiled(args, machine):
    """The lines of its programs.json that have a profile, by the name of their points."""
    lines = json.loads((machine / "programs.json").read_text())["programs"]
    return {accuracy.name_of(case_of(line), line["threads"], pages_of(line)): line for line in lines
            if path_of_profile(args, line).exists()}


def user_share(line):
    used = line.get("user_seconds", 0) + line.get("kernel_seconds", 0)
    return line["user_seconds"] / used if used > 0 else 1


def common(line):
    return {"group": GROUPS[line["program"]], "case": case_of(line), "threads": line["threads"], "pages": pages_of(line)}


def point(work, name, line):
    cpu = {key: line[key] for key in ("user_seconds", "kernel_seconds") if key in line}
    return accuracy.timed_point(work, name, profile_of(line), line["threads"],
                                [line["seconds" + end] for end in ("", "_min", "_max")], repetitions=line["runs"],
                                huge_pages_percent=100 if pages_of(line) == "2m" else 0, **cpu)


def profile(args):
    cases = args.work / "cases.txt"
    lines = (HERE / "programs/cases.txt").read_text().splitlines()
    cases.write_text("\n".join("recorded " + line for line in lines if line and line[0] != "#") + "\n")
    accuracy.profile(argparse.Namespace(**vars(args), cases=cases, group=None))


def predict(args):
    machines = [pathlib.Path(machine) for machine in args.machines]
    times = {machine.name: profiled(args, machine) for machine in machines}
    folders = {machine.name: accuracy.folder_with(args.work, machine, machine.name, [
        point(args.work, *each) for each in times[machine.name].items()]) for machine in machines}
    kept = {"alone": [], "pairs": []}
    for there in folders:
        for line in times[there].values():
            row, = accuracy.predicted(args, "--profile", path_of_profile(args, line), folders[there], "--threads", str(line["threads"]),
                                      "--pages", pages_of(line))
            kept["alone"].append({**common(line), "there": there, "truth": line["seconds"] * user_share(line), **row})
    for here, there in itertools.permutations(folders, 2):
        for (name, before), line in itertools.product(times[here].items(), times[there].values()):
            if profile_of(before) != profile_of(line):
                continue
            row, = accuracy.predicted(args, folders[here], "--point", name, "--to", folders[there], "--pages", pages_of(line))
            kept["pairs"].append({**common(line), "here": here, "there": there, "from": pages_of(before),
                                  "before": before["seconds"], "truth": line["seconds"], **row})
    (args.work / "pairs.json").write_text(json.dumps(kept))


def show(args):
    kept = json.loads((args.work / "pairs.json").read_text())
    pairs = sorted({(row["here"], row["from"], row["there"], row["pages"]) for row in kept["pairs"]})
    rows_of = {}
    for row in kept["pairs"]:
        rows_of.setdefault((" ".join(row["case"]), row["threads"]), {})[row["here"], row["from"], row["there"], row["pages"]] = row
    heads = [f"{here} {before} to {there} {after}" for here, before, there, after in pairs]
    print("| program | threads | " + " | ".join(f"{head}, ms | predicted" for head in heads) + " |")
    print("|---|---|" + "---|---|" * len(pairs))
    for (case, threads), rows in rows_of.items():
        cells = (f"{1e3 * row['before']:.0f} to {1e3 * row['truth']:.0f} | "
                 f"{accuracy.ratio(row):.2f}{'' if accuracy.holds(row) else '*'}" for row in map(rows.get, pairs))
        print(f"| {case} | {threads} | " + " | ".join(cells) + " |")
    print(f"\n{accuracy.SUMMARY_HEAD}")
    for group in ("fit", "test"):
        for there, pages in sorted({(row["there"], row["pages"]) for row in kept["alone"]}):
            rows = [row for row in kept["alone"] if (row["group"], row["there"], row["pages"]) == (group, there, pages)]
            print(f"| {group} | {there} {pages}, from the profile | {accuracy.summary(rows)} |")
        for pair, head in zip(pairs, heads):
            rows = [rows[pair] for rows in rows_of.values() if rows[pair]["group"] == group]
            print(f"| {group} | {head}, from the time there | {accuracy.summary(rows)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("profile", "predict", "show"):
        parser.add_argument("--" + name, action="store_true", help="this step; without any: all of them")
    parser.add_argument("--gable", type=pathlib.Path, default=HERE.parents[1] / "build/gable")
    parser.add_argument("--programs", type=pathlib.Path, help="made by make -C tests/bench/programs OUT=FOLDER")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="keeps the results of the steps")
    parser.add_argument("machines", nargs="*", default=sorted((HERE.parents[1] / "machines/measured").iterdir()))
    args = parser.parse_args()
    args.work, args.gable = args.work.resolve(), args.gable.resolve()
    args.programs = args.programs and args.programs.resolve()
    (args.work / "profiles").mkdir(parents=True, exist_ok=True)
    every = not (args.profile or args.predict or args.show)
    for name, step in (("profile", profile), ("predict", predict), ("show", show)):
        if every or getattr(args, name):
            step(args)


if __name__ == "__main__":
    main()
