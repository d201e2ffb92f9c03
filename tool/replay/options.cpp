// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <common/command_line.hpp>
#include <common/failure.hpp>
#include <common/nearest_name.hpp>
#include <common/version.hpp>

namespace replay {

namespace {

gpu_choice gpu_named(std::string const& wanted) {
  std::optional<gpu_choice> found;
  std::vector<std::string> names;
  mmm::gpu::for_each_device([&](std::string_view spelling, auto gpu) {
    if (spelling == wanted) found = gpu_choice{wanted, gpu.name, gpu.facts};
    names.emplace_back(spelling);
  });
  if (!found) throw tool::no_such_name("--gpu", wanted, names);
  return *found;
}

}  // namespace

bool parse(int argc, char const* const* argv, options& o, std::string& text) {
  CLI::App app{
      "Counts what recorded requests of warps cost a GPU's memories, as a profiler would."};
  std::string gpu;
  std::string names;
  mmm::gpu::for_each_device([&](std::string_view spelling, auto) {
    names += (names.empty() ? "" : ", ") + std::string(spelling);
  });
  app.name("mmm-replay");
  app.add_option("FILE", o.file, "the requests; - is the standard input")->required();
  app.add_option("--gpu", gpu, "also say how long its memories are busy at least: " + names)
      ->type_name("NAME");
  app.add_flag("--pair-merge", o.pair_merge,
               "merge the phases of 8 and 16 byte loads whose pairs of lanes share addresses "
               "(measured on compute capability 7.0 to 8.0 and 9.0)");
  std::string cache;
  app.add_option("--cache", cache,
                 "also count what misses a cache of so many bytes between the GPU and its memory, "
                 "and the bytes that the memory moves, over orders of the blocks; K, M and G are "
                 "2^10, 2^20 and 2^30")
      ->type_name("SIZE[,LINE,SECTOR]");
  std::size_t resident = 0;
  app.add_option(
         "--resident", resident,
         "blocks side by side for --cache; otherwise one on each multiprocessor of --gpu, or "
         "all")
      ->type_name("N");
  app.add_flag("--json", o.json,
               "print a line of JSON for every request in order, and a last one with the totals");
  std::string html;
  app.add_option("--html", html, "also write the sums as a page")->type_name("FILE.html");
  app.set_version_flag("--version", tool::version_of("mmm-replay"));
  app.footer(
      "The first line of FILE tells what it is:\n"
      "  space,op,bytes,addresses           a request a line: shared, global or ldmatrix; "
      "load or store (r, w); bytes per lane;\n"
      "                                     32 byte addresses or fewer, decimal or with 0x, "
      "between semicolons, nothing\n"
      "                                     for an inactive lane. ldmatrix: 16, 8 or 4 "
      "bytes for 4, 2 or 1 matrices.\n"
      "  round,space,dmm,thread,address,op  a trace of mmm-explore's, of 4-byte words and "
      "warps of 32\n"
      "  anything else                      an instruction trace of Accel-Sim's (.trace, "
      ".traceg), widths by opcode\n"
      "Rules of NVIDIA GPUs of compute capability 6.0 and later. Shared memory: wavefronts, "
      "those without conflicts\n"
      "(ideal) and the difference (excessive). Global memory: sectors of 32 and lines of "
      "128 bytes.\n"
      "--cache: fully associative, the least recently used line is evicted, one sector is loaded "
      "at a time. There are no\n"
      "other caches. Each block keeps the order of its requests in FILE; a trace of mmm-explore's "
      "has a block for\n"
      "each DMM, one of Accel-Sim's says which, and the first format has one.\n"
      "Exit status: 0; 2 if an option, the file or one of its lines cannot be used.\n"
      "MMM_PROCESSOR in the environment limits the instructions that are used: baseline, avx2 "
      "or avx512 (no limit).");
  if (!tool::parse(app, argc, argv, text)) return false;
  if (app.count("--gpu") != 0) o.gpu = gpu_named(gpu);
  if (app.count("--cache") != 0) o.cache = cache_named(cache);
  if (app.count("--resident") != 0) {
    if (!o.cache) throw tool::failure("--resident is for --cache, which is not given");
    if (resident < 1) throw tool::failure("--resident is 0; accepted: 1 or more");
    o.resident = resident;
  } else if (o.gpu) {
    o.resident = static_cast<std::size_t>(o.gpu->facts.sms);
  }
  if (app.count("--html") != 0) o.html = html;
  if (o.file.empty()) throw tool::failure("FILE is empty; accepted: the path of a file, or -");
  return true;
}

}  // namespace replay
