#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the hardware counters of the counted kernels and lists them beside the model's stages.

    counters.py NCU KERNELS MODEL OUT.json

Exit status 77 if the counters cannot be read (no ncu, no permission, no device).
"""
import csv
import json
import re
import subprocess
import sys

# Each group of metrics is a profiler run of its own, so that a metric that this ncu does not have
# fails its group only.
GROUPS = [
    ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum",
     "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared.sum"],
    ["memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal", "memory_l2_theoretical_sectors_global",
     "memory_l2_theoretical_sectors_global_ideal"],
]


def number(text):
    """The first number of "1,234 (617; 617)"."""
    found = re.match(r"[0-9][0-9,]*(\.[0-9]+)?", text.strip())
    return float(found.group(0).replace(",", "")) if found else None


def measure(ncu, kernels, metrics):
    """One dictionary per kernel, in the order of the launches; without any, the message of ncu."""
    try:
        run = subprocess.run([ncu, "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
                              ",".join(metrics), kernels], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [], str(error)
    lines = [line for line in run.stdout.splitlines() if line.startswith('"')]
    if run.returncode != 0 or not lines:
        return [], "\n".join((run.stdout + run.stderr).strip().splitlines()[-4:])
    rows = list(csv.DictReader(lines))
    rows = [row for row in rows if row.get("ID", "").strip().isdigit()]  # without the row of units
    rows.sort(key=lambda row: int(row["ID"]))
    return [{name: number(row[name]) for name in metrics if row.get(name)} for row in rows], ""


def main():
    ncu, kernels, model, out = sys.argv[1:]
    modelled = [json.loads(line) for line in subprocess.run([model], capture_output=True, text=True, check=True).stdout.splitlines()]
    for row in modelled:
        row["counters"] = {}
    reasons = []
    for metrics in GROUPS:
        rows, reason = measure(ncu, kernels, metrics)
        if len(rows) != len(modelled):
            reasons.append(reason or f"{len(rows)} kernels counted of {len(modelled)}")
            print(f"counters left out ({metrics[0]}, ...): {reasons[-1]}")
            continue
        for row, counted in zip(modelled, rows):
            row["counters"].update(counted)
    if len(reasons) == len(GROUPS):
        return 77
    print(f"{'kernel':34} {'shared stages':>14} {'wavefronts':>11} {'global sectors':>15} {'sectors':>9}")
    for row in modelled:
        counters = row["counters"]
        exact = counters.get("memory_l1_wavefronts_shared")
        if exact is None:
            exact = counters.get("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum")
        if exact is None:
            exact = counters.get("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")
        sectors = [counters.get(f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum") for op in ("ld", "st")]
        shown = [f"{value:.0f}" if value is not None else "-" for value in (exact, sum(sectors) if None not in sectors else None)]
        stages = row["shared_stages"] + row["shared_stages_of_copies"]
        print(f"{row['name']:34} {stages:14} {shown[0]:>11} {row['global_sectors']:15} {shown[1]:>9}")
    with open(out, "w", encoding="utf-8") as file:
        json.dump(modelled, file, indent=1)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
