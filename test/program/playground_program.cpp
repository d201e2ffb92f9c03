// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The playground's two programs without a browser: each line of the input is a question, a list to
// the kernels' and an object to the other, and each line of the output its answer.
#include <iostream>
#include <string>

extern "C" char const* mmm_answer(char const* question);
extern "C" char const* mmm_kernel(char const* question);

int main() {
  std::string line;
  while (std::getline(std::cin, line))
    std::cout << (line.starts_with("[") ? mmm_kernel(line.c_str()) : mmm_answer(line.c_str()))
              << '\n';
  return 0;
}
