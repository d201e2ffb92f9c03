// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmm-results: writes docs/results.md and its pictures, or checks that the files agree with the
// library.
#include "document.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

namespace fs = std::filesystem;

results::documents everything() {
  results::documents files;
  std::string text = "# The papers' tables and figures\n\n"
                     "Every table and figure of the five papers, with the exact figures of this "
                     "library's algorithms. `scripts/results` writes this "
                     "page; a test demands that it says what the library gives.\n\n"
                     "**Exact time** is the synchronous time of our implementation, a closed form, "
                     "in time units. **Its value** is the paper's "
                     "expression, without the O, for the same parameters; **time / value** is the "
                     "constant that the O hides. The **lower bound** is "
                     "the largest of the problem's limitations.\n\n";
  text += results::tables_of_nakano_2013a();
  text += results::tables_of_nakano_2012();
  text += results::tables_of_nakano_2013b();
  text += results::tables_of_nakano_ito_2014();
  text += results::tables_of_nakano_2014();
  text += results::figures_of_nakano_ito_2014(files);
  text += results::figures_of_nakano_2014(files);
  files["results.md"] = results::wrapped(text);
  return files;
}

std::string content_of(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Writes docs/results.md: every table and figure of the papers, from this library's costs."};
  std::string folder;
  bool check = false;
  app.add_option("FOLDER", folder, "where results.md and its pictures are")->required();
  app.add_flag("--check", check,
               "write nothing; exit status 1 if a file is not as it would be written");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  try {
    bool same = true;
    for (auto const& [name, text] : everything()) {
      fs::path const file = fs::path(folder) / name;
      if (check) {
        if (content_of(file) == text) continue;
        std::fprintf(stderr,
                     "mmm-results: %s is not what the library gives; scripts/results writes it\n",
                     name.c_str());
        same = false;
      } else {
        std::ofstream out(file, std::ios::binary);
        if (!(out << text)) throw std::runtime_error(file.string() + " cannot be written");
      }
    }
    return same ? 0 : 1;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "mmm-results: %s\n", e.what());
    return 2;
  }
}
