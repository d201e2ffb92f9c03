# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a certificate of mmm-explore choose-layout --prove --certificate FILE, without the library.

A certificate's map keeps granules together, so that two words of a request meet in a bank exactly if they are at one
place of their granules and the difference of their granules (by exclusive or) is in the kernel of the map to the banks.
A leaf of its tree gives the banks of the first vectors of a basis of those differences, where the first vector that is
independent of those before has bank 1, the second bank 2, the third bank 4, and so on. Every kernel has exactly one
such choice, so that the leaves prove a bound if they leave out no choice and each forces so many wavefronts.
"""
import itertools


def wavefronts(c, place, request=None):
    """The cost of a layout by its bytes in every bank; None if an access is not aligned."""
    total = 0
    for r in c["requests"] if request is None else [request]:
        for phase in r["elements"]:
            words = set()
            for element in phase:
                first = place(element) * c["bytes"]
                if first % r["bytes"]:
                    return None
                words |= {byte // 4 for byte in range(first, first + r["bytes"])}
            banks = [0] * c["banks"]
            for word in words:
                banks[word % c["banks"]] += 1
            total += r["times"] * max(banks)
    return total


def through(images):
    def place(element):
        result = 0
        for bit, image in enumerate(images):
            result ^= image if element >> bit & 1 else 0
        return result
    return place


def padded(c, padding):
    return lambda element: element // c["columns"] * (c["columns"] + padding) + element % c["columns"]


def classes(c):
    """The different granules of each phase by their words' places in them: (weight, [granules of a class, ...])."""
    in_granule = c["granule_bytes"] // 4
    for r in c["requests"]:
        for phase in r["elements"]:
            words = {element * c["bytes"] // 4 for element in phase}
            by_place = {}
            for word in words:
                by_place.setdefault(word % in_granule, set()).add(word // in_granule)
            yield r["times"], list(by_place.values())


def rest(rows, x):
    for row in rows:
        x = min(x, x ^ row)
    return x


def forced(c, kernel):
    """The wavefronts that differences in the span of `kernel` force, and the number of granules of a class."""
    rows = []
    for vector in kernel:
        vector = rest(rows, vector)
        if vector:
            rows.append(vector)
    at_once = 4 * c["banks"] // c["granule_bytes"]
    total = 0
    for weight, sets in classes(c):
        longest = 1
        for granules in sets:
            longest = max(longest, -(-len(granules) // at_once),
                          max(sum(rest(rows, x ^ y) == 0 for y in granules) for x in granules))
        total += weight * longest
    return total


def choices(level, rank, dimension, bank_bits):
    """The banks of a vector; the rank becomes as large as it can: other kernels contain smaller ones."""
    grows = [1 << rank] if rank < bank_bits else []
    stays = range((1 << rank) - 1, -1, -1) if rank + dimension - level > min(dimension, bank_bits) else []
    return [*grows, *stays]


def leaves_cover(c, bank_bits):
    """True if the leaves are the leaves of a whole tree of choices."""
    leaves = {tuple(leaf) for leaf in c["leaves"]}
    inner = {leaf[:k] for leaf in leaves for k in range(len(leaf))}
    dimension = len(c["basis"])
    if len(leaves) != len(c["leaves"]) or inner & leaves or (not leaves and dimension > 0):
        return False
    for node in inner:
        rank = 0
        for bank in node:
            rank += bank >> rank
        if {node + (bank,) for bank in choices(len(node), rank, dimension, bank_bits)} - leaves - inner:
            return False
    return True


def complaint(c):
    """None if the certificate proves what it claims; otherwise the first thing that is wrong."""
    count = c["rows"] * c["columns"]
    place = padded(c, c["padding"]) if c["padding"] else through(c["map"])
    places = [place(element) for element in range(count)]
    if len(set(places)) != count or min(places) < 0 or (max(places) + 1) * c["bytes"] > c["budget"]:
        return "the layout is not injective, or does not fit"
    together = c["granule_bytes"] // c["bytes"]
    if not c["padding"] and any(places[e] % together != e % together or places[e] // together != places[e - e % together] // together
                                for e in range(count)):
        return "the map splits granules"
    if [wavefronts(c, place, r) for r in c["requests"]] != c["cost"] or sum(c["cost"]) != c["wavefronts"]:
        return "the costs are others"
    if wavefronts(c, lambda element: element) != c["plain"]:
        return "the cost without a layout is another"
    if forced(c, []) != c["bound"]:
        return "the bound is another"
    if c["proof"] == "capacity":
        return None if c["wavefronts"] == c["bound"] else "the bound is not reached"
    if c["proof"] != "search":
        return "nothing is proved"
    for padding in range(c["max_padding"] + 1):
        pitch = (c["columns"] + padding) * c["bytes"]
        cost = wavefronts(c, padded(c, padding))
        if (pitch % c["alignment"] == 0 and pitch * (c["rows"] - 1) + c["columns"] * c["bytes"] <= c["budget"]
                and cost is not None and cost < c["wavefronts"]):
            return f"a padding of {padding} is better"
    rows = []
    for vector in c["basis"]:
        if rest(rows, vector) == 0:
            return "the basis is dependent"
        rows.append(rest(rows, vector))
    if any(rest(rows, x ^ y) for _, sets in classes(c) for granules in sets for x, y in itertools.combinations(granules, 2)):
        return "the basis does not span the differences"
    bank_bits = (4 * c["banks"] // c["granule_bytes"]).bit_length() - 1
    if not leaves_cover(c, bank_bits):
        return "the leaves leave out a choice"
    for leaf in c["leaves"]:
        pivots, kernel = [], []
        for vector, bank in zip(c["basis"], leaf):
            if bank >> len(pivots):
                pivots.append(vector)
                continue
            for k, pivot in enumerate(pivots):
                vector ^= pivot if bank >> k & 1 else 0
            kernel.append(vector)
        if forced(c, kernel) < c["wavefronts"]:
            return f"the leaf {leaf} does not force the cost"
    return None


def z3_finds(z3, c, limit):
    """True if Z3 finds a linear map of granules to banks with at most `limit` wavefronts. A map that is not invertible
    may be found, too, whose costs an invertible one has or betters."""
    bank_bits = (4 * c["banks"] // c["granule_bytes"]).bit_length() - 1
    bits = (c["rows"] * c["columns"] * c["bytes"] // c["granule_bytes"]).bit_length() - 1
    bank = [z3.BitVec(f"bank{k}", bank_bits) for k in range(bits)]
    met = {}

    def meets(x, y):
        if x ^ y not in met:
            of_difference = z3.BitVecVal(0, bank_bits)
            for k in range(bits):
                if (x ^ y) >> k & 1:
                    of_difference = of_difference ^ bank[k]
            met[x ^ y] = of_difference == 0
        return met[x ^ y]
    solver = z3.Solver()
    costs = []
    for n, (weight, sets) in enumerate(classes(c)):
        cost = z3.Int(f"cost{n}")
        solver.add(cost >= 1)
        for granules in sets:
            for x in granules:
                solver.add(cost >= 1 + z3.Sum([z3.If(meets(x, y), 1, 0) for y in granules if y != x] or [z3.IntVal(0)]))
        costs.append(weight * cost)
    solver.add(z3.Sum(costs) <= limit)
    return solver.check() == z3.sat
