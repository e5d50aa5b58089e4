"""hybrid.py FILE: a hybrid.json with table 6's Skylake theta and round bandwidths, written down without Gable."""

import json
import sys

from grid import THETA

BANDWIDTH = {"ls": 40.0, "ss": 25.0, "lf": 80.0, "sf": 60.0}


def model(theta, held_out):
    none = {x: {y: None for y in theta[x]} for x in theta}
    errors = {"paper_percent": None, "rms_percent": None, "max_percent": None, "held_out_rms_percent": held_out,
              "cells": 0, "held_out_cells": 0}
    covariance = None if held_out is None else [[0] * 16 for _ in range(16)]
    return {"theta": theta, "standard_error": none, "undetermined": {}, "errors": errors, "covariance": covariance}


def fit(bandwidth, held_out):
    out = model(THETA["SKYLAKE"], held_out)
    for field, value in (("gb_per_s", 1), ("lo_gb_per_s", 0.99), ("hi_gb_per_s", 1.01)):
        out["bandwidth_" + field] = {x: bandwidth[x] * value for x in bandwidth}
    out["bandwidth_n"] = {x: 9 for x in bandwidth}
    out["no_bandwidth"] = {}
    out["phased"] = model(THETA["SKYLAKE"], held_out)
    out["better"] = None if held_out is None else "equation5"
    out["cells"] = out["unmodelled_cells"] = 0
    return out


def pair(cluster, slow, fast, bandwidth, held_out, **other):
    return {"cluster": cluster, "slow": {"node": slow, "tier": "DRAM"}, "fast": {"node": fast, "tier": "HBM"},
            "status": "ok", "reason": "", "source": "", "fit": fit(bandwidth, held_out), "cells": [], **other}


if __name__ == "__main__":
    double = {x: 2 * BANDWIDTH[x] for x in BANDWIDTH}
    pairs = [pair(0, 0, 4, BANDWIDTH, 1.0), pair(0, 1, 4, double, None),
             {**pair(1, 0, 5, BANDWIDTH, 1.0), "status": "skipped", "reason": "too little memory"}]
    json.dump({"schema": 1, "pairs": pairs}, open(sys.argv[1], "w"))
