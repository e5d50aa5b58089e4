#!/usr/bin/env python3
"""kills.py BUILD N: kills a measurement N times by SIGKILL at random moments, and continues it each time.

What was recorded before a kill stays as it was, no visit is ok twice, and a last run without a kill makes the whole.
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CELLS = ["--preset", "quick", "--quiet", "--only", "L1", "--only", "L2,op=load", "--only", "flops"]


def lines_of(path):
    """The whole lines, and what a killed writer left of the last one."""
    *lines, rest = (path.read_text() if path.exists() else "").split("\n")
    return lines, rest


def check(lines):
    visits = set()
    for line in lines:
        sample = json.loads(line)
        visit = json.dumps(sample["asked"], sort_keys=True), sample["round"]
        assert sample["status"] != "ok" or visit not in visits, f"measured twice: {visit}"
        if sample["status"] == "ok":
            visits.add(visit)
    return visits


def main():
    gable, kills = pathlib.Path(sys.argv[1]).resolve() / "gable", int(sys.argv[2])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gable-test-kills-"))
    samples, rng = folder / "samples.jsonl", random.Random(kills)
    call = [gable, "measure", folder, *CELLS]
    before, torn, ended = [], 0, 0
    try:
        for _ in range(kills):
            process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(rng.expovariate(4))
            ended += process.poll() is not None
            process.kill()
            assert "torn" not in process.communicate()[1], "a torn line without its copy"
            lines, rest = lines_of(samples)
            assert lines[:len(before)] == before, "a Sample was lost or changed"
            check(lines)
            before, torn = lines, torn + bool(rest)
            if process.returncode == 0:  # complete before the kill: from the start
                shutil.rmtree(folder)
                before = []
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        lines, rest = lines_of(samples)
        assert lines[:len(before)] == before and not rest
        visits = check(lines)
        left = sorted(path.name for path in folder.iterdir())
        assert left == ["machine.json", "samples.jsonl", "topology.xml"], f"left behind: {left}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{kills} kills, {ended} of them too late, {torn} in the middle of a line; at last {len(visits)} visits")


main()
