// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/ptx/declaration.hpp>
#include <device/ptx/lexer.hpp>
#include <device/ptx/module.hpp>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

namespace device::ptx {

namespace {

//! Reads what stands outside of functions.
class module_reader {
 public:
  explicit module_reader(module& into) : into_(into), text_(into.text) {}

  void read() {
    while (text_.peek() != '\0') statement();
    for (variable& v : declared_) add(std::move(v));
  }

 private:
  module& into_;
  lexer text_;
  std::deque<variable> declared_;
  std::unordered_map<std::string_view, std::size_t> functions_;
  std::unordered_map<std::string_view, std::size_t> variables_;

  void statement() {
    linkage const link = read_linkage(text_);
    if (state_space const space = accept_space(text_); space != state_space::none) {
      read_variables(text_, link, space, declared_);
      return;
    }
    std::string_view const word = text_.dotted();
    if (word == "func" || word == "entry")
      read_function(link, word == "entry");
    else if (word == "version")
      read_version();
    else if (word == "target")
      read_target();
    else if (word == "address_size")
      read_address_size();
    else if (word == "file")
      read_file();
    else if (word == "section")
      read_section();
    else if (word == "pragma")
      read_pragma();
    else if (word == "alias")
      read_alias();
    else
      text_.fail("unknown directive", word);
  }

  void read_version() {
    std::uint32_t const major = text_.small_number();
    text_.expect('.');
    into_.version = static_cast<int>(major * 10 + text_.small_number());
  }

  void read_target() {
    into_.target = text_.word();
    while (text_.accept(','))
      if (text_.word() == "debug") into_.debug = true;
  }

  void read_address_size() {
    if (text_.small_number() != 64) text_.fail("addresses that are not of 64 bits");
  }

  void read_file() {
    std::uint32_t const number = text_.small_number();
    into_.files[number] = text_.quoted();
    while (text_.accept(',')) static_cast<void>(text_.number());  // time and size of the file
  }

  void read_pragma() {
    do static_cast<void>(text_.quoted());
    while (text_.accept(','));
    text_.expect(';');
  }

  void read_alias() {
    std::string_view const name = text_.word();
    text_.expect(',');
    into_.aliases[name] = text_.word();
    text_.expect(';');
  }

  void read_section() {
    std::string_view const name = text_.dotted();
    text_.expect('{');
    std::uint32_t const line = text_.line();
    std::string_view const content = text_.braced();
    if (name == "debug_str") read_debug_strings(lexer{content, line});
  }

  //! `label:` and `.b8 95, 90, 0` in turn.
  void read_debug_strings(lexer section) {
    std::string& bytes = into_.debug_bytes;
    while (char const c = section.peek()) {
      if (c != '.') {
        std::string_view const label = section.word();
        section.expect(':');
        into_.debug_offsets[std::string{label}] = bytes.size();
        continue;
      }
      if (!section.accept_dotted("b8")) section.fail("expected bytes");
      do bytes.push_back(static_cast<char>(static_cast<unsigned char>(section.number().bits)));
      while (section.accept(','));
    }
    for (auto const& [label, offset] : into_.debug_offsets)
      into_.debug_strings[label] = bytes.substr(offset, bytes.find('\0', offset) - offset);
  }

  void read_function(linkage const& link, bool is_entry) {
    function f;
    f.is_entry = is_entry;
    f.is_weak = link.is_weak;
    if (text_.accept_dotted("attribute")) text_.skip_parentheses();
    f.returns = read_parameters(text_);
    f.name = text_.word();
    f.parameters = read_parameters(text_);
    read_function_directives(f);
    if (text_.accept(';')) {
      f.is_extern = true;
    } else {
      text_.expect('{');
      f.text_line = text_.line();
      f.text = text_.braced();
    }
    auto const [place, is_new] = functions_.try_emplace(f.name, into_.functions.size());
    if (is_new) {
      into_.functions.push_back(std::move(f));
    } else if (!f.is_extern) {
      function& declared = into_.functions[place->second];
      if (!declared.is_extern) text_.fail("a second definition of a function", f.name);
      declared = std::move(f);
    }
  }

  void read_function_directives(function& f) {
    while (text_.peek() == '.') {
      std::string_view const word = text_.dotted();
      if (word == "maxntid")
        read_extents(f.max_threads);
      else if (word == "reqntid")
        read_extents(f.required_threads);
      else if (word == "reqnctapercluster")
        read_extents(f.cluster);
      else if (word == "minnctapersm")
        f.min_blocks = static_cast<int>(text_.small_number());
      else if (word == "maxnreg")
        f.max_registers = static_cast<int>(text_.small_number());
      else if (word == "noreturn")
        f.noreturn = true;
      else if (word == "explicitcluster")
        f.explicit_cluster = true;
      else if (word == "blocksareclusters")
        f.blocks_are_clusters = true;
      else if (word == "maxclusterrank" || word == "maxnctapersm" ||
               word.starts_with("abi_preserve"))
        static_cast<void>(text_.small_number());
      else if (word == "pragma")
        read_pragma();
      else
        text_.fail("unknown directive of a function", word);
    }
  }

  void read_extents(int (&into)[3]) {
    int count = 0;
    do {
      if (count == 3) text_.fail("more than three extents");
      into[count++] = static_cast<int>(text_.small_number());
    } while (text_.accept(','));
    while (count < 3) into[count++] = 1;
  }

  void add(variable&& v) {
    auto const [place, is_new] = variables_.try_emplace(v.name, into_.variables.size());
    if (is_new) {
      into_.variables.push_back(std::move(v));
    } else if (!v.is_extern) {
      variable& declared = into_.variables[place->second];
      if (!declared.is_extern) text_.fail("a second definition of a variable", v.name);
      declared = std::move(v);
    }
  }
};

}  // namespace

void parse(std::string text, module& into) {
  into.text = std::move(text);
  module_reader{into}.read();
  if (into.version == 0) lexer{into.text}.fail("PTX without `.version`");
}

}  // namespace device::ptx
