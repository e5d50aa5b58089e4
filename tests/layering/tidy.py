#!/usr/bin/env python3
"""tidy.py BUILD [--all]: clang-tidy finds nothing in C++ (.clang-tidy). Without --all: in the sources that changed since the previous commit, and
those of changed headers; at most FEW, spread evenly. With --all: in every group of sources that BUILD compiles, with its headers."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from changes import changed, spread

FEW = 8
VERSION = "19"  # other versions check other things
tree = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv[1]).resolve()


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def tool():
    for name in (f"clang-tidy-{VERSION}", "clang-tidy"):
        try:
            said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
        except FileNotFoundError:
            continue
        if f"version {VERSION}." in said:
            return name
    return skip(f"clang-tidy {VERSION} is missing (package clang-tidy-{VERSION})")


def options(command):
    """What of a compiler's command Clang needs."""
    words = shlex.split(command)
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    kept = words[first:words.index("-o")]
    while "--param" in kept:  # GCC's
        at = kept.index("--param")
        del kept[at:at + 2]
    return [*kept, "-Wno-error", "-Wno-unknown-warning-option"]


def commands():
    """The options of each group, and of each source in one: file to words."""
    groups, sources = {}, {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.suffix not in {".cpp", ".cxx"}:  # Clang lacks options and headers of GCC that the C sources need
            continue
        words = options(entry["command"])
        groups[str(path)] = words
        sources.setdefault(str(path), words)
        if "Unity" in path.parts:
            for source in re.findall(r'#include "(.*)"', path.read_text()):
                sources.setdefault(source, words)
    return groups, sources


def to_check(sources):
    touched = changed(tree)
    if touched is None:
        skip("git does not know what changed")
    of_headers = {str(pathlib.Path(path).with_suffix(".cpp")) for path in touched if path.endswith(".hpp")}
    wanted = [str(tree / path) for path in sorted({*touched, *of_headers})]
    return spread([path for path in wanted if path in sources and os.path.exists(path)], FEW)


def findings(name, path, words):
    result = subprocess.run([name, "--quiet", path, "--", *words], cwd=tree, capture_output=True, text=True)
    return result.stdout + result.stderr if result.returncode else ""


name = tool()
groups, sources = commands()
wanted = sorted(groups) if "--all" in sys.argv[2:] else to_check(sources)
words = {**sources, **groups}
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    said = [text for text in pool.map(lambda path: findings(name, path, words[path]), wanted) if text]
print("\n".join(said))
print(f"clang-tidy finds nothing in {len(wanted) - len(said)} of {len(wanted)} files")
sys.exit(bool(said))
