# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what ptxas and nvdisasm say of kernels (test/kernel/check.py, benchmark/machine_code.py)."""
import re
import subprocess


def demangled(names):
    if not names:
        return []
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return [re.sub(r"(?<=\d)l\b", "", name.replace("mmm::", "").replace("detail::", "")) for name in done.stdout.splitlines()]


def reports(log):
    """{kernel: {registers, stack, spills, barriers, shared}} of one architecture."""
    found = {}
    for block in re.split(r"ptxas info\s+: Compiling entry function ", log)[1:]:
        name = re.match(r"'(\S+)'", block)[1]
        numbers = [re.search(pattern, block) for pattern in
                   (r"Used (\d+) registers", r"(\d+) bytes stack frame", r"(\d+) bytes spill stores", r"used (\d+) barriers", r"(\d+) bytes smem")]
        found[name] = dict(zip(("registers", "stack", "spills", "barriers", "shared"), (int(n[1]) if n else 0 for n in numbers)))
    return found


def kernels_of(listing):
    """(name, machine code) of each kernel in what nvdisasm -c prints."""
    parts = re.split(r"\.section\s+\.text\.(\w+),", listing)
    return zip(parts[1::2], parts[2::2])


def loops_of(body):
    """The lines of machine code, and of each loop the first and the last one's number."""
    lines = body.splitlines()
    label = {match[1]: k for k, line in enumerate(lines) if (match := re.match(r"\s*(\.L\S+):", line))}
    return lines, [(label[match[1]], k) for k, line in enumerate(lines)
                   if (match := re.search(r"\bBRA\S*\s.*`\((\.L\w+)\)", line)) and label.get(match[1], k) < k]


def instructions(lines):
    return [line for line in lines if "/*" in line and ";" in line]


def innermost_loops(body):
    """The instructions of each innermost loop of machine code. A loop that only waits for a barrier in shared memory
    (SYNCS) is part of the one around it."""
    lines, ranges = loops_of(body)
    ranges = [(a, b) for a, b in ranges if len(code := instructions(lines[a:b + 1])) > 12 or not any("SYNCS" in line for line in code)]
    return [instructions(lines[a:b + 1]) for a, b in ranges
            if not any((c, d) != (a, b) and a <= c and d <= b for c, d in ranges)]


def wide_loop(body):
    """The instructions of the shortest loop that has all accesses of 16 bytes to the global memory; none without one."""
    lines, ranges = loops_of(body)
    wide = [k for k, line in enumerate(lines) if re.search(r"\b(?:LDG|STG)(?:\.\w+)*\.128\b", line)]
    around = [instructions(lines[a:b + 1]) for a, b in ranges if wide and a <= wide[0] and wide[-1] <= b]
    return min(around, key=len, default=[])


def phases(body):
    """The instructions of each innermost loop, and of what lies between two barriers of a loop and has no loop in it.
    A loop with two barriers or more is not one phase but several."""
    lines, ranges = loops_of(body)
    found = []
    for a, b in ranges:
        inner = [(c, d) for c, d in ranges if (c, d) != (a, b) and a <= c and d <= b]
        barriers = [k for k in range(a, b + 1) if re.search(r"\bBAR\b", lines[k])]
        if len(barriers) < 2:
            parts = [list(range(a, b + 1))]
        else:
            parts = [list(range(first + 1, last + 1)) for first, last in zip(barriers, barriers[1:])]
            parts.append(list(range(barriers[-1] + 1, b + 1)) + list(range(a, barriers[0] + 1)))
        for part in parts:
            if not any(c <= k <= d for c, d in inner for k in part):
                found.append(instructions(lines[k] for k in part))
    return found


def basic_blocks(body):
    """The instructions of each basic block."""
    block = []
    for line in body.splitlines():
        if re.match(r"\s*\.L\S+:", line):
            yield block
            block = []
        block += instructions([line])
        if re.search(r"\b(?:BRA|BRX|EXIT|RET|CALL|BAR)\b", line):
            yield block
            block = []
    yield block


def sources_of(instruction):
    """The source operands of an instruction, as text, slot by slot: without what it writes and without predicates."""
    if not (match := re.search(r"(?:^|\*/)\s*(?:@!?\w+\s+)?([A-Z]\w+)[\w.]*\s+([^;]*)", instruction)):
        return []
    operands = [o.strip() for o in match[2].split(",")]
    writes_register = re.fullmatch(r"R\w+", operands[0]) and match[1] != "STG"
    return [o for o in operands[writes_register:] if not re.fullmatch(r"!?U?P\w+", o)]


def three_reads(code):
    """For each instruction of straight code, True if it is an FFMA that reads three registers outside the reuse cache.

    An operand is in the reuse cache if the instruction before has the same register in the same slot, with .reuse."""
    found, cached = [], []
    for line in code:
        sources = [re.match(r"[-~|]*(R\d+)((?:\.reuse)?)", o) for o in sources_of(line)]
        read = [s and s[1] not in cached[k:k + 1] for k, s in enumerate(sources)]
        found.append(bool(re.search(r"\bFFMA\b", line)) and sum(map(bool, read)) == 3)
        cached = [s[1] if s and s[2] else None for s in sources]
    return found


def share_of_ffma(body):
    """The share of FFMA in the phase that has most of them, in percent."""
    best = max(((sum("FFMA" in line for line in phase), len(phase)) for phase in phases(body)), default=(0, 1))
    return 100 * best[0] // best[1]


def self_test():
    code = ["FFMA R3, R0.reuse, R4, R3 ;", "FFMA R5, R0, R6.reuse, R5 ;", "FFMA R7, R0, R6, R7 ;", "FFMA R8, R6.reuse, R4, R8 ;",
            "@!P0 FFMA R9, -R6, R4, RZ ;", "FFMA R1, R1, R2, c[0x0][0x210] ;", "IADD3 R2, P0, R6.reuse, R2, RZ ;", "FFMA R1, R6, R2, R1 ;",
            "ISETP.GE.AND P0, PT, R6.reuse, R2, PT ;", "FFMA R1, R6, R2, R1 ;", "LDS.128 R4, [R6] ;", "FFMA.FTZ R1, R6, R2, R1 ;"]
    #       first  cached  cached  other slot  RZ     constant  no FFMA  cached  no FFMA  cached  no FFMA  after a load
    expected = [True, False, False, True, False, False, False, False, False, False, False, True]
    assert three_reads(code) == expected, three_reads(code)
    assert three_reads([f"        /*{16 * k:04x}*/                   {line}" for k, line in enumerate(code)]) == expected
    assert [len(block) for block in basic_blocks(".L_x_1:\n/*0*/ LDG R1, [R2] ;\n/*1*/ BRA `(.L_x_1) ;\n/*2*/ EXIT ;\n")] == [0, 2, 1, 0]


if __name__ == "__main__":
    self_test()
