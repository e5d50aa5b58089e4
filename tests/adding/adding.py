"""Adds a dummy to the program for entries of docs/development/adding.md, in a copy of the tree: adding.py

For each entry, the files that are changed must be those that the page names, with new files at most three. The copy is
then built, and everything that the dummy's properties decide must follow from its row alone.
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_FILES = 3

# (file, what is there, what takes its place); of a new file, there is nothing yet
ENTRIES = {
    "Access pattern": [
        ("model/domain/pattern.hpp", "  mix\n};", "  mix,\n  scattered\n};"),
        ("model/domain/pattern.hpp", "};\nstatic_assert(is_in_order(pattern_rows));",
         '    {Pattern::scattered, "scattered", "scattered over all", "scattered", "scattered", Data::all_nodes, true, true},\n'
         "};\nstatic_assert(is_in_order(pattern_rows));"),
        ("bench/plan/patterns.cpp", "constexpr MemoryPattern pattern_table[] = {",
         "constexpr MemoryPattern pattern_table[] = {\n    {model::Pattern::scattered, congested},"),
        ("plots/charts/styles.cpp", "const Look roof_looks[] = {", 'const Look roof_looks[] = {{"scattered", 0x123456, {}},'),
    ],
    "Memory tier": [
        ("model/domain/tier.hpp", "hbm, nvm,", "hbm, lpddr, nvm,"),
        ("model/domain/tier.hpp", "    {Tier::nvm,", '    {Tier::lpddr, "LPDDR", true, \'L\', 2, 1.8},\n    {Tier::nvm,'),
        ("machines/tiers.cpp", "    {model::Tier::dram,",
         '    {model::Tier::lpddr, {"LPDDR", "", ""}, "", false, "", never, 0, never},\n    {model::Tier::dram,'),
    ],
    "Kind of figure": [
        ("model/domain/kind.hpp", "operation, window };", "operation, window, write_latency };"),
        ("model/domain/kind.hpp", "};\nstatic_assert(is_in_order(kind_rows));",
         '    {Kind::write_latency, "write_latency", "write latency", Work::accesses, true, false, false, false},\n'
         "};\nstatic_assert(is_in_order(kind_rows));"),
        ("bench/plan/cells.cpp", "    for (const Cluster& cluster : machine_.clusters) {\n      add_peaks(cluster);",
         "    for (const Cluster& cluster : machine_.clusters) {\n"
         '      add_cached(cluster, 0, model::Kind::write_latency, pages_.front(), "chase", isas_to_try().front(), 1, 1, 0.01);\n'
         "      add_peaks(cluster);"),
    ],
    "Field of a roof": [
        ("model/records/records.hpp", "  bool other_state = false;   ///<", "  double dummy_share = 0;\n  bool other_state = false;   ///<"),
        ("model/records/fields.hpp", '  io.unless(false, "other_state",', '  io.unless(0, "dummy_share", roof.dummy_share);\n  io.unless(false, "other_state",'),
    ],
    "Field of a point": [
        ("model/records/point.hpp", "  double other_cpus = 0;\n", "  double other_cpus = 0;\n  double dummy_cpus = 0;\n"),
        ("model/records/program_fields.hpp", "  io.given(point.other_cpus > 0,",
         '  io.given(point.dummy_cpus > 0, "dummy_cpus", point.dummy_cpus);\n  io.given(point.other_cpus > 0,'),
    ],
    "Chart": [
        ("plots/charts/machine/dummy.cpp", None,
         '#include "plots/charts/charts.hpp"\n\nnamespace gable::charts {\n\n'
         "Chart dummy_chart(const Recorded& recorded) {\n  Chart chart = larm_chart(recorded, 0);\n"
         '  chart.name = "dummy";\n  return chart;\n}\n\n}  // namespace gable::charts\n'),
        ("plots/charts/charts.hpp", "Chart latency_matrix(const Recorded& recorded);",
         "Chart latency_matrix(const Recorded& recorded);\nChart dummy_chart(const Recorded& recorded);"),
        ("plots/charts/charts.cpp", "{bandwidth_matrix, latency_matrix};", "{bandwidth_matrix, latency_matrix, dummy_chart};"),
    ],
}


def files_on_the_page(entry):
    """The paths in the entry of docs/development/adding.md."""
    page = (ROOT / "docs/development/adding.md").read_text(encoding="utf-8")
    found = re.search(r"- \*\*%s:\*\*(.*?)(?=\n- |\n\n|\n#)" % re.escape(entry), page, re.DOTALL)
    assert found, f"docs/development/adding.md has no entry {entry}"
    return {path for path in re.findall(r"`([\w/.]+\.\w+)`", found[1]) if (ROOT / path).is_file()}


def check_page():
    for entry, edits in ENTRIES.items():
        changed = {path for path, _, _ in edits}
        assert len(changed) <= MOST_FILES, f"{entry}: {len(changed)} files"
        known = {path for path, old, _ in edits if old is not None}
        assert known == files_on_the_page(entry), f"{entry}: changes {sorted(known)}, docs/development/adding.md names {sorted(files_on_the_page(entry))}"
        for path, old, _ in edits:
            assert old is None or (ROOT / path).read_text().count(old) == 1, f"{path} does not have once {old!r}"
        print(f"{entry}: {len(changed)} files: {', '.join(sorted(changed))}")


def copy_with_dummies(folder):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, target, follow_symlinks=False)
    for edits in ENTRIES.values():
        for name, old, new in edits:
            path = folder / name
            if old is None:
                path.write_text(new, encoding="utf-8")
                continue
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{name}: {text.count(old)} times {old!r}"
            path.write_text(text.replace(old, new), encoding="utf-8")


def build(tree, folder):
    subprocess.run(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DGABLE_TESTS=OFF"], check=True, stdout=subprocess.DEVNULL)
    built = subprocess.run(["cmake", "--build", folder, "--target", "gable"], capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "gable"


class Program:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments):
        run = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, f"gable {' '.join(map(str, arguments))}: {run.returncode}: {run.stderr}"
        return run.stdout


def sample(round_number, rates, **asked):
    case = {"cluster": 0, "kind": "bandwidth", "level": "memory", "pattern": "scattered", "node": None, "tier": "LPDDR",
            "op": "load", "kernel": "load_avx2", "precision": "", "pages": "2m", "threads": 2, "smt": False,
            "bytes": 1 << 28, "load_percent": 0, **asked}
    work = "accesses" if "latency" in case["kind"] else "bytes"
    return {"schema": 1, "asked": case, "round": round_number, "status": "ok", "reason": "",
            "seconds": [1e9 / (rate * 1e9) for rate in rates], work: [1e9 for _ in rates], "disturbed": 0,
            "stopped": "time", "clock_ghz": 2, "steal_percent": 0, "cpus": [0], "node_bytes": {}, "notes": [],
            "started": "2025-01-01T00:00:00Z"}


def recorded(folder, samples):
    folder.mkdir()
    (folder / "samples.jsonl").write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in samples))
    return folder


def roofs_of(folder):
    return json.loads((folder / "roofs.json").read_text())["roofs"]


def check_dummies(gable, work):
    rates = [10 + i for i in range(11)]  # in GB/s: the median is 15, what one in ten exceeds is 19
    folder = recorded(work / "recorded", [sample(r, rates) for r in range(3)] +
                      [sample(r, rates, kind="write_latency", pattern="cache", level="L1", node=0, op="chase", kernel="chase_x86")
                       for r in range(3)])
    gable("fit", folder)
    by_kind = {roof["kind"]: roof for roof in roofs_of(folder)}
    assert abs(by_kind["bandwidth"]["value"] - 15) < 0.01, "all clusters are busy, so a roof is the median"
    assert by_kind["write_latency"]["unit"] == "ns", by_kind["write_latency"]
    table = gable("export", folder, "--csv")
    assert "scattered" in table and "LPDDR" in table and "write_latency" in table, table
    document = json.loads((folder / "roofs.json").read_text())
    document["roofs"][0]["dummy_share"] = 0.125
    (folder / "roofs.json").write_text(json.dumps(document))
    rows = list(csv.DictReader(gable("export", folder, "--csv").splitlines()))
    assert [row["dummy_share"] for row in rows if row["dummy_share"]] == ["0.125"], "it is read, and written as CSV"
    gable("plot", folder, "--output", work / "charts")
    drawn = (work / "charts/larm-0.tsv").read_text()
    assert "scattered" in drawn and "dummy_share" in drawn, drawn
    assert (work / "charts/dummy.svg").is_file(), "charts.cpp lists it"
    coloured = re.search(r"#123456|rgb\( *18, *52, *86\)", (work / "charts/larm-0.svg").read_text())
    assert coloured, "its colour is that of styles.cpp"
    better = recorded(work / "better", [sample(r, [rate * 2 for rate in rates], kind="write_latency", pattern="cache",
                                               level="L1", node=0, op="chase", kernel="chase_x86") for r in range(3)])
    gable("fit", better)
    compared = json.loads(gable("compare", folder, better, "--json"))
    assert "write latency" in json.dumps(compared), compared
    plan = gable("measure", "--list", "--preset", "quick", "--synthetic", "pack:2 [numa] core:2 l1d:1 pu:1")
    assert "scattered" in plan and "write_latency" in plan, plan
    topology = (ROOT / "tests/machines/topologies/four-tiers.xml").read_text().replace('subtype="NVM"', 'subtype="LPDDR5"')
    (work / "lpddr.xml").write_text(topology)
    machine = json.loads(gable("machine", "--json", "--xml", work / "lpddr.xml"))
    assert sorted({node["tier"] for node in machine["nodes"]}) == ["CXL", "DRAM", "HBM", "LPDDR"], machine["nodes"]


def main():
    check_page()
    if os.environ.get("GABLE_PAGE_ONLY"):
        return
    with tempfile.TemporaryDirectory(prefix="gable-adding-") as name:
        work = pathlib.Path(name)
        copy_with_dummies(work / "tree")
        gable = Program(build(work / "tree", work / "build"))
        check_dummies(gable, work)


if __name__ == "__main__":
    main()
