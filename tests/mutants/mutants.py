#!/usr/bin/env python3
"""mutants.py FOLDER [--count N] [--seed S] [--minutes M] [--quick] [--again] [FILE...]: changes one place of a source at a
time and runs the tests that belong to it, one of which must fail.

Operators, comparisons, constants and whole statements of model/, bench/, kmaf/ and points/ are changed, in a copy of the
tree in FOLDER, which is also built there. Every mutant has an order that depends on the seed and its own text alone, so
that a call continues an earlier one (FOLDER/results.tsv), also after edits elsewhere. --quick leaves out the shell tests;
--again tries again what survived. The tests of files that include the mutant's header run first, long ones for them alone.
A mutant that does not compile does not count. What survives wants a test, or is code that nobody needs.
"""

import argparse
import fnmatch
import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The test program of each folder, the shell tests that run if it passes, and what both need beside gable.
TESTS = {"model": ("test_model", r"^cli\.(fit|predict|compare|export)", []),
         "bench": ("test_bench", r"^cli\.(measure|bench|place|virt)$", ["without"]),
         "kmaf": ("test_kmaf", r"^cli\.kmaf_(replay|metrics|run)$", ["disturbed", "disturbed_static", "partners", "without"]),
         "points": ("test_points", r"^cli\.point(_run|_regions)?$", ["tests/points/programs/all", "points/valgrind/all"])}
# Tests that take longer than what they tell about one line, and seconds from which a test runs only for its own file.
LONG = 1
SLOW = ("Simulator*:*Referee*:Compare.*Itself:Replay.*Itself:Hybrid.Standard*:Compare.Agrees*:Compare.Intervals*:Compare.Finds*:"
        "Predict.Intervals*:Line.Survives*:Grid.Density*:Plan.Grows*:Plan.OfEvery*:"
        "PlanTimes.*:PageRank.Every*:Generate.The*:Replay.KmafIsGood:Replay.ResultsDoNot*:Valgrind.Spawned*")
SWAPS = [("<=", "<"), (">=", ">"), ("<", "<="), (">", ">="), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
         ("+", "-"), ("-", "+"), ("*", "/"), ("/", "*"), ("+=", "-="), ("true", "false"), ("false", "true"),
         ("min", "max"), ("max", "min")]
# A changed source may send a signal to any process: root gives it a world of its own.
OWN_PROCESSES = (["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", '"$@"; exit $?', "sh"]
                 if os.geteuid() == 0 else [])
NO_CODE = re.compile(r"\s*(#|//|template|using|namespace|}|public|private|static_assert)|.*\breserve\(")
STATEMENT = re.compile(r"\s+(if \(.*\) .*|[\w.\->\[\]()]+(\(.*\)| [-+*|&]?= .*|\+\+|--));\s*$")


def code_of(line):
    """The line with comments and texts as blanks."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)'", lambda text: " " * len(text[0]), line)
    return re.sub(r"//.*", "", line)


def mutants_of(path):
    """(identity, path, line number, line before, line after) for every place that can be changed."""
    found, seen = [], {}
    for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
        code = code_of(line)
        if NO_CODE.match(code) or not code.strip():
            continue
        after = []
        for old, new in SWAPS:
            pattern = rf"\b{old}\b" if old.isalpha() else rf"(?<=\s){re.escape(old)}(?=\s)"
            after += [line[:place.start()] + new + line[place.end():] for place in re.finditer(pattern, code)]
        for place in re.finditer(r"(?<![\w.'])\d+(\.\d+)?(?![\w.'])", code):
            value = place[0]
            changed = str(int(value) + 1) if value.isdigit() else str(float(value) * 1.5)
            after.append(line[:place.start()] + changed + line[place.end():])
        if STATEMENT.match(code) and not re.match(r"\s+return\b", code):
            after.append(re.match(r"\s*", line)[0] + ";")
        for changed in after:
            text = f"{path}\n{line}\n{changed}"
            seen[text] = seen.get(text, 0) + 1
            found.append((f"{text}\n{seen[text]}", path, number, line, changed))
    return found


@functools.cache
def near_suites(path):
    """The suites of test files that include the file's header, or else one of its folder."""
    texts = [file.read_text() for file in (ROOT / "tests" / path.parts[0]).glob("*.cpp")]
    for include in [f'#include "{path.with_suffix(".hpp")}"', f'#include "{path.parent}/']:
        names = {name for text in texts if include in text
                 for name in re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),", text, re.M)}
        if names:
            return [f"*{name}.*" for name in sorted(names)] + [f"*{name}/*" for name in sorted(names)]
    return []


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def copy_tree(to):
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            check=True, capture_output=True, text=True).stdout
    names = set(filter(None, listed.split("\0")))
    for stale in [path for folder in TESTS for path in (to / folder).rglob("*.*")]:
        if str(stale.relative_to(to)) not in names:
            stale.unlink()
    for name in names:
        source, target = ROOT / name, to / name
        if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


class Copy:
    """The copy of the tree, its build how long each test program took without a mutant, and its long tests."""

    def __init__(self, folder):
        self.tree = folder / "tree"
        self.build_folder = self.tree / "build"
        self.usual = {}
        self.long = {}
        copy_tree(self.tree)
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build_folder, "-G", "Ninja", "-DGABLE_UNITY=OFF",
                        "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0"], check=True, stdout=subprocess.DEVNULL)

    def build(self, *targets):
        return subprocess.run(["ninja", "-j1", "-C", self.build_folder, *targets], capture_output=True, text=True)

    def calls(self, test, path):
        """The shell tests, or the tests of a program: first those of files that include the header, last their long ones."""
        if test.startswith("^"):
            return [["ctest", "--test-dir", self.build_folder, "-R", test, "-LE", "slow", "--stop-on-failure"]]
        near, long = near_suites(path), self.long.get(test, [])
        own = [name for name in long if any(fnmatch.fnmatch(name, suite) for suite in near)]
        filters = [":".join(near) + "-", f"*-{':'.join(near)}:", ":".join(own) + "-"]
        filters = [each + ":".join([SLOW, *long]) for each in filters[:2]] + [f"{filters[2]}{SLOW}"]
        filters = filters[0 if near else 1:3 if own else 2]
        return [[self.build_folder / test, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={each}"] for each in filters]

    def failed(self, test, path):
        """The test that fails twice, crashes, or takes ten times as long as usual; "" if there is none."""
        for call in self.calls(test, path):
            for attempt in range(2):  # on a busy machine, once is no proof
                try:
                    done = subprocess.run([*OWN_PROCESSES, *call], cwd=self.build_folder, stdout=subprocess.PIPE, text=True,
                                          errors="replace", stderr=subprocess.DEVNULL, timeout=10 * self.usual[test] + 10)
                except subprocess.TimeoutExpired:
                    return f"{test} in time"
                if done.returncode == 0:
                    break
                if attempt == 1:
                    names = re.findall(r"FAILED  \] ([\w/]+\.[\w/]+)|\d+ - (\S+) \(", done.stdout)
                    return f"{test} {''.join(names[0]) if names else 'crash'}"
        return ""

    def measure(self, test, targets, path):
        built = self.build(*targets)
        if built.returncode != 0:
            sys.exit(f"{test} does not compile without a mutant:\n{built.stdout[-3000:]}")
        self.usual[test] = 600
        if not test.startswith("^"):
            times = self.build_folder / f"{test}.times.json"  # those of an earlier call will do
            if not times.exists():
                subprocess.run([*OWN_PROCESSES, self.build_folder / test, "--gtest_brief=1", f"--gtest_filter=*-{SLOW}",
                                f"--gtest_output=json:{times}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            took = sorted((float(case["time"][:-1]), f"{suite['name']}.{case['name']}")
                          for suite in json.loads(times.read_text())["testsuites"] for case in suite["testsuite"])
            self.long[test] = [name for seconds, name in took if seconds > LONG]
        before = time.monotonic()
        if failed := self.failed(test, path):
            sys.exit(f"{test} does not pass without a mutant: {failed}")
        self.usual[test] = time.monotonic() - before

    def answer(self, mutant, quick):
        """What becomes of it: "useless", "survives", or the test that killed it."""
        _, path, number, _, after = mutant
        program, shell, needs = TESTS[path.parts[0]]
        original = (self.tree / path).read_text()
        lines = original.splitlines(keepends=True)
        lines[number - 1] = after + "\n"
        try:
            for test, target in [(program, program), (shell, "gable")][:1 if quick else 2]:
                if test not in self.usual:
                    (self.tree / path).write_text(original)
                    self.measure(test, [target, *needs], path)
                (self.tree / path).write_text("".join(lines))
                if self.build(target).returncode != 0:
                    return "useless"
                if failed := self.failed(test, path):
                    return failed
            return "survives"
        finally:
            (self.tree / path).write_text(original)


def print_table(chosen, results):
    print(f"{'folder':8} {'tried':>6} {'killed':>7} {'survive':>8} {'killed':>7}")
    for folder in [*TESTS, ""]:
        of = [results[mutant[0]] for mutant in chosen if mutant[0] in results and str(mutant[1]).startswith(folder)]
        tried = [result for result in of if result != "useless"]
        killed = len([result for result in tried if result != "survives"])
        share = f"{100 * killed / len(tried):.0f} %" if tried else "-"
        print(f"{folder or 'all':8} {len(tried):6} {killed:7} {len(tried) - killed:8} {share:>7}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200, help="mutants that compile")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--quick", action="store_true", help="without shell tests")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    os.environ.update({"LC_ALL": "C"})
    other = "aarch64" if platform.machine() == "x86_64" else "x86"
    files = arguments.files or sorted(path.relative_to(ROOT) for folder in TESTS for path in (ROOT / folder).rglob("*.cpp")
                                      if other not in path.parts)
    every = [(hashed(mutant[0]), *mutant[1:]) for path in files for mutant in mutants_of(path)]
    every.sort(key=lambda mutant: hashed(f"{arguments.seed} {mutant[0]}"))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    record = arguments.folder.resolve() / "results.tsv"
    results = dict(line.split("\t")[:2] for line in record.read_text().splitlines()) if record.exists() else {}
    copy, chosen, until = Copy(arguments.folder.resolve()), [], time.monotonic() + 60 * arguments.minutes
    for mutant in every:
        name, path, number, before, after = mutant
        known = results.get(name)
        if known is None or (known == "survives" and arguments.again):
            if time.monotonic() > until:
                break
            results[name] = copy.answer(mutant, arguments.quick)
            what = f"{path}:{number}: {before.strip()}  ->  {after.strip()}"
            with record.open("a") as file:
                file.write(f"{name}\t{results[name]}\t{what}\n")
            print(f"{results[name]}\t{what}", flush=True)
        if results[name] != "useless":
            chosen.append(mutant)
        if len(chosen) == arguments.count:
            break
    print(f"{len(every)} places; the first {len(chosen)} of seed {arguments.seed}:")
    for name, path, number, before, after in chosen:
        if results[name] == "survives":
            print(f"survives: {path}:{number}: {before.strip()}  ->  {after.strip()}")
    print_table(chosen, results)


main()
