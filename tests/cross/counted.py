#!/usr/bin/env python3
"""FOLDER: compares what the Valgrind tool counted there with what is known of the programs: single instructions, each
executed three times; kernels, of which 10 and 3 iterations were run, with their table; marked regions."""

import json
import pathlib
import sys

TIMES, FEWER, MORE = 3, 3, 10

# Flops by kind, then bytes loaded and stored: the Arm Architecture Reference Manual and docs/programs/counters.md.
INSTRUCTIONS = {
    "fadd_d": ("add dp 0 1", 0, 0),
    "fsub_s": ("add sp 0 1", 0, 0),
    "fmul_d": ("mul dp 0 1", 0, 0),
    "fnmul_d": ("mul dp 0 1", 0, 0),
    "fdiv_s": ("div sp 0 1", 0, 0),
    "fsqrt_d": ("sqrt dp 0 1", 0, 0),
    "fmadd_d": ("fma dp 0 2", 0, 0),
    "fmsub_s": ("fma sp 0 2", 0, 0),
    "fnmadd_d": ("fma dp 0 2", 0, 0),
    "fnmsub_s": ("fma sp 0 2", 0, 0),
    "fadd_4s": ("add sp 128 4", 0, 0),
    "fadd_2s": ("add sp 128 2", 0, 0),
    "fsub_2d": ("add dp 128 2", 0, 0),
    "fmul_2d": ("mul dp 128 2", 0, 0),
    "fdiv_2d": ("div dp 128 2", 0, 0),
    "fdiv_2s": ("div sp 128 2", 0, 0),
    "fsqrt_4s": ("sqrt sp 128 4", 0, 0),
    "fmla_2d": ("fma dp 128 4", 0, 0),
    "fmls_4s": ("fma sp 128 8", 0, 0),
    "fmla_2s": ("fma sp 128 4", 0, 0),
    "fmla_element": ("fma dp 128 4", 0, 0),
    "fmls_element": ("fma sp 128 8", 0, 0),
    "fmul_element": ("mul sp 128 4", 0, 0),
    "fabd_4s": ("add sp 128 4", 0, 0),
    "faddp_2d": ("add dp 128 2", 0, 0),
    "faddp_2s": ("add sp 128 2", 0, 0),
    "faddp_d": ("add dp 0 1", 0, 0),
    "faddp_s": ("add sp 0 1", 0, 0),
    "fabd_d": ("add dp 0 1", 0, 0),
    "fmla_d": ("fma dp 0 2", 0, 0),
    "fmls_s": ("fma sp 0 2", 0, 0),
    "fmul_one": ("mul dp 0 1", 0, 0),
    "no_flops": ("", 0, 0),
    "integers": ("", 8 + 4 + 1 + 2 + 16 + 8, 8 + 1 + 8),
    "vectors": ("", 16 + 8 + 32 + 32, 4 + 16 + 32),
    "structures": ("", 32 + 32 + 24 + 8 + 4, 32 + 8),
    "no_access": ("", 0, 0),
    "dead_loads": ("", 8 + 4, 0),
    "exclusive": ("", 8, 8),
    "exclusive_pair": ("", 16, 16),
    "ordered": ("", 4, 4),
    "compare_and_swap": ("", 8, 8),
    "fetch_add": ("", 8, 8),
    "exchange": ("", 4, 4),
}

folder = pathlib.Path(sys.argv[1])
failures = []


def counted(name):
    (path,) = folder.glob(f"{name}.counts.*.0")
    return json.loads(path.read_text())


def expect(what, wanted, got):
    if wanted != got:
        failures.append(f"{what}: {got} instead of {wanted}")


def work(tally):
    flops = {f"{f['operation']} {f['precision']} {f['vector_bits']}": f["count"] for f in tally["flops"]}
    return flops, tally["load_bytes"], tally["store_bytes"]


def known(kinds, loads, stores, times):
    flops = {kind.rpartition(" ")[0]: int(kind.rpartition(" ")[2]) * times for kind in kinds.split(", ") if kind}
    return flops, loads * times, stores * times


def functions(name):
    return {each["function"]: work(each) for each in counted(name)["functions"]}


def instructions():
    seen = functions("instructions")
    for name, (kinds, loads, stores) in INSTRUCTIONS.items():
        expect(name, known(kinds, loads, stores, TIMES), seen.get(name, ({}, 0, 0)))


def kernels():
    fewer, more, checked = functions("fewer"), functions("more"), 0
    for line in (folder / "more.out").read_text().splitlines():
        name, *claims = line.split()
        loads, stores, flops, _ = map(int, claims)
        before, after = fewer[name], more[name]
        times = MORE - FEWER
        expect(f"{name}: bytes loaded", times * loads, after[1] - before[1])
        expect(f"{name}: bytes stored", times * stores, after[2] - before[2])
        expect(f"{name}: flops", times * flops, sum(after[0].values()) - sum(before[0].values()))
        checked += 1
    expect("at least 30 kernels", True, checked >= 30)


def regions():
    n = 1000
    for name, threads in (("one", 1), ("threads", 4)):
        found = {region["region"]: work(region) for region in counted(name)["regions"]}
        for region, elements in (("outer", 3 * n * threads), ("inner", n * threads)):
            wanted = known("add dp 0 1, mul dp 0 1", 16, 8, elements)
            expect(f"{name}: region {region}", wanted, found.get(region))


instructions()
kernels()
regions()
print("\n".join(failures) or f"{len(INSTRUCTIONS)} functions, kernels and regions are counted exactly")
sys.exit(bool(failures))
