// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tour {

//! A picture on the page.
struct figure {
  std::string file;  //!< in the folder of the page
  std::string caption;
};

//! A heading, a text in HTML, and pictures.
struct section {
  std::string heading;
  std::string html;
  std::vector<figure> figures;
  bool small_figures = false;
};

//! Writes a file. Throws tool::failure if it cannot be written.
void write_file(std::filesystem::path const& file, std::string_view contents);

//! Writes an HTML page that refers to no files but the pictures beside it.
void write_page(std::filesystem::path const& file, std::string const& title,
                std::vector<section> const& sections);

}  // namespace tour
