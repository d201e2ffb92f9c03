// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-explore: an algorithm on the model of a memory machine, chosen at run time.
#include "command.hpp"

#include <common/failure.hpp>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace {

constexpr int all_well = 0;
constexpr int check_failed = 1;
constexpr int not_accepted = 2;

void print(std::string const& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw tool::failure("the output cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    explore::answer const given = explore::run(argc, argv);
    for (std::string const& note : given.notes)
      std::fprintf(stderr, "mmm-explore: note: %s\n", note.c_str());
    print(given.text);
    return given.valid ? all_well : check_failed;
  } catch (std::bad_alloc const&) {
    std::fprintf(stderr, "mmm-explore: there is not enough memory for this size\n");
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-explore: %s\n", tool::message_of(e));
  }
  return not_accepted;
}
