"""Checks what is kept of a measured machine: measured_check.py machines/measured/KIND"""

import collections
import itertools
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 300 * 1024
NEEDED = {"machine.json", "topology.xml", "roofs.json", "programs.json"}
ALLOWED = NEEDED | {"hybrid.json", "virt.jsonl", "c2c.jsonl"}
IDENTIFYING = re.compile(r"DMI|HostName|OS[A-Z]|Cgroup|ProcessName|Address|Serial|UUID")  # infos of hwloc
RUNS, CASES = 7, 20

folder = pathlib.Path(sys.argv[1])
failures = []


def check(holds, what):
    if not holds:
        failures.append(f"{folder.name}: {what}")


def check_files():
    files = [path for path in folder.iterdir() if path.is_file() and path.name != "report.html"]  # report: drawn later
    names = {path.name for path in files}
    check(NEEDED <= names, f"lacks {NEEDED - names}")
    check(names <= ALLOWED, f"has {names - ALLOWED}, too")
    size = sum(path.stat().st_size for path in files)
    check(size <= MOST_BYTES, f"{size} bytes, more than {MOST_BYTES}")


def check_roofs():
    roofs = json.loads((folder / "roofs.json").read_text())
    known = set()
    for roof in roofs["roofs"] + roofs["ladder"]:
        name = " ".join(str(roof[field]) for field in ("kind", "level", "pattern", "kernel", "pages", "bytes"))
        check(roof["status"] == "ok", f"{name} is {roof['status']}: {roof['reason']}")
        if roof["status"] != "ok":
            continue
        known.add((roof["kind"], roof["level"]))
        numbers = [roof[end] for end in ("lo", "value", "hi")]
        check(None not in numbers and sorted(numbers) == numbers and numbers[0] < numbers[2] and roof["n"] > 1,
              f"{name} has no interval: {numbers}, {roof['n']} repetitions")
    for wanted in (("bandwidth", "L1"), ("bandwidth", "memory"), ("latency", "memory"), ("flops", "core")):
        check(wanted in known, f"no figure of {wanted}")
    check(roofs["levels"] and roofs["validation"], "no cache levels or no validation")


def has_source(program):
    return program in ("ddot", "scale") or any(
        (ROOT / part / f"{program}.c").exists() for part in ("tests/bench/programs", "examples"))


def check_programs():
    record = json.loads((folder / "programs.json").read_text())
    check(record["schema"] == 1, "programs.json is of another schema")
    check(all(record[field] for field in ("compiler", "flags", "cpus", "started")), "programs.json lacks how they were run")
    settings = collections.defaultdict(list)
    for line in record["programs"]:
        case = " ".join([line["program"], *line["arguments"]])
        settings[case].append((line["threads"], line.get("pages", "4k")))
        check(has_source(line["program"]), f"{case}: no source")
        check(line["runs"] == RUNS, f"{case}: {line['runs']} runs")
        for field in ("seconds", "region_seconds"):
            check(0 < line[f"{field}_min"] <= line[field] <= line[f"{field}_max"], f"{case}: {field}_min to {field}_max lacks {field}")
        check(line["region_seconds"] <= line["seconds"], f"{case}: the region takes longer than the program")
        if "user_seconds" in line:
            used = line["user_seconds"] + line["kernel_seconds"]
            check(0 < used <= 1.1 * line["threads"] * line["seconds_max"], f"{case}: {used} s of CPU time")
    check(len(settings) >= CASES, f"only {len(settings)} cases")
    pages = sorted({pages for timed in settings.values() for _, pages in timed})
    check(pages in (["4k"], ["2m", "4k"]), f"the pages are {pages}")
    for case, timed in settings.items():
        check(sorted(timed) == list(itertools.product((1, 2), pages)), f"{case}: {timed} instead of one and two threads on {pages}")


def check_anonymous():
    machine = json.loads((folder / "machine.json").read_text())
    check(machine["name"] == folder.name, f"the name is {machine['name']}")
    check(re.fullmatch(r"[\d.]+", machine["kernel"]), f"kernel {machine['kernel']}: more than a version")
    for element in xml.parse(folder / "topology.xml").getroot().iter():
        name = element.get("name", "")
        if element.tag == "info" and name == "HostName":
            check(element.get("value") == folder.name, f"the host name is {element.get('value')}")
        elif element.tag == "info":
            check(not IDENTIFYING.search(name), f"topology.xml has {name}")
        check(element.get("type") not in ("Bridge", "PCIDev", "OSDev", "Misc"), f"topology.xml has a {element.get('type')}")


check_files()
if not failures:
    for each in (check_roofs, check_programs, check_anonymous):
        each()
print("\n".join(failures))
sys.exit(1 if failures else 0)
