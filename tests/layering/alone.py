#!/usr/bin/env python3
"""alone.py BUILD [--all]: sources and headers compile by themselves, which unity builds (GABLE_UNITY) do not show. Without --all: those
changed since the previous commit, and those that include them; at most FEW, spread evenly. No code is generated."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from changes import changed, spread

FEW = 24
tree = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv[1]).resolve()
everything = "--all" in sys.argv[2:]


def commands():
    """The compile command of each source without unity builds: file to words."""
    folder = build / "alone"
    cached = (build / "CMakeCache.txt").read_text()
    same = re.findall(r"^(CMAKE_(?:CXX|C)_COMPILER:\w+=.*)$", cached, re.M)
    configure = ["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DGABLE_UNITY=OFF", "-DGABLE_TESTS=ON"]
    subprocess.run([*configure, *(f"-D{setting}" for setting in same)], check=True, stdout=subprocess.DEVNULL)
    found = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.suffix == ".cpp" and path.is_relative_to(tree):
            words = shlex.split(entry["command"])
            at = words.index("-o")
            kept = [word for word in words[:at] if "ccache" not in word]
            found.setdefault(str(path.relative_to(tree)), [*kept, "-O0", "-fsyntax-only"])
    return found


def first_include(path):
    match = re.search(r'^#include "(.*)"', (tree / path).read_text(), re.M)
    return match and match[1]


def to_check(sources):
    """Sources and headers, without headers that a source checks by including them first."""
    own = {first_include(path) for path in sources}
    headers = [str(path.relative_to(tree)) for top in sorted({path.split("/")[0] for path in sources})
               for path in sorted((tree / top).rglob("*.hpp"))]
    return sorted([*sources, *(path for path in headers if path not in own)])


def concerned(paths):
    touched = changed(tree)
    if touched is None:
        return paths
    includes = re.compile(r'^#include "(.*)"', re.M)
    return [path for path in paths
            if path in touched or touched.intersection(includes.findall((tree / path).read_text()))]


def fault(path, words):
    """The compiler's output; empty if it reports nothing."""
    text = "" if path.endswith(".cpp") else f'#include "{path}"\n'
    what = ["-x", "c++", "-"] if text else [tree / path]
    result = subprocess.run([*words, *what], cwd=tree, input=text, capture_output=True, text=True)
    return result.stderr if result.returncode else ""


known = commands()
chosen = to_check(known)
if not everything:
    chosen = spread(concerned(chosen), FEW)
like = {path.split("/")[0]: words for path, words in known.items()}  # headers compile as their folder's sources do
tests = {path.rsplit("/", 1)[0]: words for path, words in known.items()}
wanted = [(path, known.get(path) or tests.get(path.rsplit("/", 1)[0]) or like[path.split("/")[0]]) for path in chosen]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [(path, said) for (path, _), said in zip(wanted, pool.map(lambda each: fault(*each), wanted)) if said]
for path, said in faults:
    print(f"{path} does not compile by itself:\n{said}")
print(f"{len(wanted) - len(faults)} of {len(wanted)} files compile by themselves")
sys.exit(bool(faults))
