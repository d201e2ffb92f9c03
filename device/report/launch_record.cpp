// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_record.hpp"

#include <device/decode/linked_module.hpp>

#include <algorithm>

namespace device::report {

namespace {

//! An instruction of PTX may be several operations: the first says how often it is executed, the
//! last what it is (those before it find operands).
void add_instructions(launch_record& to, program const& code, operation_counts const& counts,
                      std::vector<std::uint32_t> const& site_of) {
  std::size_t const size = std::min(counts.size(), code.operations.size());
  for (std::size_t first = 0; first < size;) {
    std::size_t last = first;
    while (last + 1 < size && code.operations[last + 1].auxiliary) ++last;
    if (operation_count const& c = counts[first]; c.executed != 0) {
      sum& entry = to.sites[site_of[first]];
      entry.instructions[static_cast<std::size_t>(code.operations[last].kind)] += c.executed;
      entry.lanes += c.lanes;
    }
    first = last + 1;
  }
}

}  // namespace

launch_record record_of(launch const& l, launch_result const& result,
                        std::vector<count::program_accesses> const& accesses, place_table& places) {
  launch_record made{l.kernel->demangled, l.number, l.grid, l.block, l.by, {}, {}, {}, {}, {}, 0};
  made.executed_blocks = executed_clusters(l).some * l.cluster.count();
  if (l.code != nullptr) made.resources = l.code->resources_of(l.kernel->name);
  for (auto const& [code, counts] : result.counts)
    add_instructions(made, *code, counts, places.sites_of(*code));
  for (count::program_accesses const& p : accesses) {
    std::vector<std::uint32_t> const& site_of = places.sites_of(*p.code);
    std::vector<std::uint32_t> const& argument_of = p.code->argument_of;
    for (count::operation_accesses const& a : p.accesses) {
      bool const is_known = a.where == space::global && a.operation < argument_of.size();
      made.sites[site_of[a.operation]].add(
          {a.where, a.kind, a.sum, a.worst, is_known ? argument_of[a.operation] : 0});
    }
    for (std::size_t k = 0; k < p.barriers.size(); ++k)
      if (p.barriers[k] != 0) made.sites[site_of[k]].barriers += p.barriers[k];
  }
  for (auto const& [number, s] : made.sites) made.all += s;
  return made;
}

void kernel_record::add(launch_record const& l) {
  ++launches;
  by_kernels += l.by.has_value();
  failures += !l.failure.empty();
  all += l.all;
  if (l.resources) resources = l.resources;
  for (auto const& [number, s] : l.sites) sites[number] += s;
  for (repeated_finding const& r : l.findings.all()) findings.add(r.shown, r.count);
}

void recording::add(launch_record const& l) {
  kernel_record* k = find(l.kernel);
  if (k == nullptr) {
    by_name_.emplace(l.kernel, kernels_.size());
    k = &kernels_.emplace_back();
    k->name = l.kernel;
  }
  k->add(l);
  for (repeated_finding const& r : l.findings.all()) findings_.add(r.shown, r.count);
}

void recording::add(finding const& f) {
  findings_.add(f);
  if (kernel_record* const k = find(f.kernel)) k->findings.add(f);
}

kernel_record* recording::find(std::string const& name) {
  auto const known = by_name_.find(name);
  return known == by_name_.end() ? nullptr : &kernels_[known->second];
}

std::vector<kernel_record const*> recording::kernels() const {
  std::vector<kernel_record const*> all;
  for (kernel_record const& k : kernels_) all.push_back(&k);
  return all;
}

std::map<place, sum> lines_of(std::map<std::uint32_t, sum> const& sites, place_table const& places,
                              attribution how) {
  std::map<place, sum> lines;
  for (auto const& [number, s] : sites) {
    site const& chain = places.at(number);
    if (how != attribution::with_inlined) {
      lines[how == attribution::own ? chain.front() : places.own(chain)] += s;
      continue;
    }
    for (auto entry = chain.begin(); entry != chain.end();
         ++entry)  // a line that recurs is counted once
      if (std::find(chain.begin(), entry, *entry) == entry) lines[*entry] += s;
  }
  return lines;
}

}  // namespace device::report
