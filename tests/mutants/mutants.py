#!/usr/bin/env python3
"""mutants.py BUILD [--count N] [--seed S] [FILE...]: changes one place of a source at a time and runs the tests of its
folder, which must fail.

Operators, comparisons, constants and whole statements of model/, bench/, kmaf/ and points/ are changed. BUILD must be
configured with -DGABLE_UNITY=OFF and built, so that a mutant compiles one file; the changes are made in a copy of the tree
beside BUILD. Survivors are printed as FILE:LINE with the change: they want a test, or the code is not needed. A mutant that
does not compile, or leaves the program as it was, does not count.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["model", "bench", "kmaf", "points"]
SLOW = "-Simulator*:*Referee*:*Itself*"  # that take longer than what they tell about one line
SWAPS = [("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
         ("+", "-"), ("-", "+"), ("*", "/"), ("/", "*"), ("++", "--"), ("true", "false"), ("false", "true"),
         ("min", "max"), ("max", "min")]


def code_of(line):
    """The line without comments and texts, which stay as blanks."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: " " * len(text[0]), line)
    return re.sub(r"//.*", "", line)


def mutants_of(path):
    """(line number, the line before, the line after) for every place that can be changed."""
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = code_of(line)
        if re.match(r"\s*(#|///?|template|using|namespace|}|public|private|static_assert)", line) or not code.strip():
            continue
        for old, new in SWAPS:
            pattern = rf"\b{old}\b" if old.isalpha() else rf"(?<=\s){re.escape(old)}(?=\s)"
            for place in re.finditer(pattern, code):
                found.append((number, line, line[:place.start()] + new + line[place.end():]))
        for place in re.finditer(r"(?<![\w.])\d+(\.\d+)?(?![\w.])", code):
            value = place[0]
            changed = str(int(value) + 1) if value.isdigit() else str(float(value) * 1.5)
            found.append((number, line, line[:place.start()] + changed + line[place.end():]))
        if re.match(r"\s+[\w.\->\[\]()]+(\(.*\)| [-+*|&]?= .*|\+\+|--);\s*$", code) and "return" not in code:
            found.append((number, line, re.match(r"\s*", line)[0] + ";"))
    return found


def copy_tree(to):
    to.mkdir(parents=True, exist_ok=True)
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, to / name
        if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


def prepare(copy, options):
    subprocess.run(["cmake", "-S", copy, "-B", copy / "build", "-G", "Ninja", "-DGABLE_UNITY=OFF", "-DCMAKE_BUILD_TYPE=None",
                    "-DCMAKE_CXX_FLAGS=-O0", *options], check=True, stdout=subprocess.DEVNULL)


def build(copy, target):
    return subprocess.run(["ninja", "-C", copy / "build", target], capture_output=True, text=True)


def killed_by_tests(copy, target, seconds):
    """Whether a test fails, crashes or does not end."""
    try:
        done = subprocess.run([copy / "build" / target, "--gtest_brief=1", f"--gtest_filter={SLOW}"], cwd=copy / "build",
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path, help="a folder for the copy and its build")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="after which tests count as hanging")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")
    copy = arguments.build.resolve()
    copy_tree(copy)
    prepare(copy, [])
    files = [pathlib.Path(name) for name in arguments.files] or sorted(
        path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.cpp"))
    everything = [(path, *mutant) for path in files for mutant in mutants_of(ROOT / path)]
    rng = random.Random(arguments.seed)
    chosen = rng.sample(everything, min(arguments.count, len(everything)))
    chosen.sort(key=lambda mutant: (str(mutant[0]), mutant[1]))
    killed, survivors, useless = 0, [], 0
    for target in sorted({f"test_{path.parts[0]}" for path, *_ in chosen}):
        whole = build(copy, target)
        if whole.returncode != 0 or killed_by_tests(copy, target, arguments.seconds):
            sys.exit(f"{target} does not pass without a mutant: {whole.stdout[-2000:]}")
    for path, number, before, after in chosen:
        target, original = f"test_{path.parts[0]}", (ROOT / path).read_text()
        lines = original.splitlines(keepends=True)
        lines[number - 1] = after + "\n"
        (copy / path).write_text("".join(lines))
        if build(copy, target).returncode != 0:
            useless += 1
        elif killed_by_tests(copy, target, arguments.seconds):
            killed += 1
        else:
            survivors.append(f"{path}:{number}: {before.strip()}  ->  {after.strip()}")
            print("survives:", survivors[-1], flush=True)
        (copy / path).write_text(original)
    tried = killed + len(survivors)
    print(f"{len(everything)} possible, {tried} tried, {killed} killed, {len(survivors)} survive; {useless} do not compile")


main()
