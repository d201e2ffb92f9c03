// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/jit/disk_cache.hpp>
#include <mmm/jit/environment.hpp>

#include "temporary_folder.hpp"

#include <catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace {

namespace fs = std::filesystem;
using mmm::jit::disk_cache;
using namespace jit_tests;

//! An environment variable, as before at the end. Without a value: not set.
class variable {
 public:
  variable(char const* name, std::optional<std::string> const& value) : name_(name) {
    if (char const* const before = std::getenv(name); before != nullptr) before_ = before;
    set(value);
  }
  variable(variable const&) = delete;
  variable& operator=(variable const&) = delete;
  ~variable() { set(before_); }

 private:
  void set(std::optional<std::string> const& value) const {
    if (value)
      ::setenv(name_, value->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  char const* name_;
  std::optional<std::string> before_;
};

//! Runs `work` in a process of its own, which ends with status 0 if it returns true.
template <class Work>
::pid_t start(Work const& work) {
  ::pid_t const child = ::fork();
  if (child == 0) ::_exit(work() ? 0 : 1);
  return child;
}
bool ended_well(::pid_t child) {
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string const contents("code\nwith a zero \0 and \xff", 23);

}  // namespace

TEST_CASE("a cache has what was stored, by its key") {
  temporary_folder const folder;
  disk_cache const cache(folder.path / "made" / "when needed");
  CHECK_FALSE(cache.find("key"));
  CHECK_FALSE(fs::exists(cache.folder()));
  CHECK(cache.store("key", contents).empty());
  CHECK(cache.store("", "").empty());
  CHECK(cache.find("key") == contents);
  CHECK(cache.find("") == "");
  CHECK_FALSE(cache.find("other key"));
  CHECK(disk_cache(cache.folder()).find("key") == contents);
  CHECK(cache.store("key", "newer").empty());
  CHECK(cache.find("key") == "newer");
  CHECK(std::distance(fs::directory_iterator(cache.folder()), fs::directory_iterator()) == 2);
}

TEST_CASE("keys of the same hash are told apart") {
  temporary_folder const folder;
  disk_cache const cache(folder.path);
  REQUIRE(cache.store("one", contents).empty());
  CHECK(cache.file_of("one") != cache.file_of("two"));
  fs::copy_file(cache.file_of("one"), cache.file_of("two"));
  CHECK_FALSE(cache.find("two"));
  CHECK(cache.store("two", "its own").empty());
  CHECK(cache.find("two") == "its own");
}

TEST_CASE("damaged entries count as missing and are replaced") {
  temporary_folder const folder;
  disk_cache const cache(folder.path);
  REQUIRE(cache.store("key", contents).empty());
  fs::path const file = cache.file_of("key");
  std::string const whole = read(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    write(file, whole.substr(0, length));
    CHECK_FALSE(cache.find("key"));
  }
  for (std::size_t k = 0; k < whole.size(); ++k) {
    INFO(k);
    std::string damaged = whole;
    damaged[k] = static_cast<char>(damaged[k] ^ 1);
    write(file, damaged);
    CHECK_FALSE(cache.find("key"));
  }
  write(file, whole + "x");
  CHECK_FALSE(cache.find("key"));
  CHECK(cache.store("key", contents).empty());
  CHECK(cache.find("key") == contents);
  CHECK(folder.files() == 1);
}

TEST_CASE("processes that write the same key leave one of their entries whole") {
  temporary_folder const folder;
  disk_cache const cache(folder.path);
  // Each reader finds nothing or all of one of the two.
  std::string const texts[] = {std::string(20000, 'a'), std::string(30000, 'b')};
  auto const work = [&](std::string const& own) {
    bool good = true;
    for (int k = 0; k < 100; ++k) {
      good &= cache.store("key", own).empty();
      std::optional<std::string> const found = cache.find("key");
      good &= found == texts[0] || found == texts[1];
    }
    return good;
  };
  ::pid_t const one = start([&] { return work(texts[0]); });
  ::pid_t const two = start([&] { return work(texts[1]); });
  CHECK(ended_well(one));
  CHECK(ended_well(two));
  CHECK(folder.files() == 1);
  CHECK(cache.find("key").value_or("").size() >= 20000);
}

TEST_CASE("a cache that cannot be written says why and leaves nothing behind") {
  temporary_folder const folder;
  SECTION("no folder can be made there") {
    write(folder.path / "file", "");
    std::string const why = disk_cache(folder.path / "file" / "cache").store("key", contents);
    CHECK(why.find("mmm: cannot make the cache ") == 0);
    CHECK(why.find("file/cache: ") != std::string::npos);
    CHECK(folder.files() == 1);
  }
  SECTION("the folder is for reading only") {
    ::chmod(folder.path.c_str(), 0555);
    ::pid_t const child = start([&] {
      if (::geteuid() == 0 && ::seteuid(65534) != 0) return false;  // root writes to any folder
      return disk_cache(folder.path)
                 .store("key", contents)
                 .find("mmm: cannot write to the cache ") == 0;
    });
    CHECK(ended_well(child));
    ::chmod(folder.path.c_str(), 0700);
    CHECK(folder.files() == 0);
  }
  SECTION("the entry's file cannot be replaced") {
    disk_cache const cache(folder.path);
    fs::create_directories(cache.file_of("key"));
    CHECK(cache.store("key", contents).find("mmm: cannot write ") == 0);
    CHECK_FALSE(cache.find("key"));
    CHECK(folder.files() == 1);
  }
  SECTION("the file cannot grow, as on a full disk") {
    ::pid_t const child = start([&] {
      ::rlimit const most{4096, 4096};
      std::signal(SIGXFSZ, SIG_IGN);
      return ::setrlimit(RLIMIT_FSIZE, &most) == 0 &&
             disk_cache(folder.path)
                     .store("key", std::string(100000, 'x'))
                     .find("mmm: cannot write ") == 0;
    });
    CHECK(ended_well(child));
    CHECK_FALSE(disk_cache(folder.path).find("key"));
    CHECK(folder.files() == 0);
  }
}

TEST_CASE("the environment names the cache's folder") {
  variable const own("MMM_CACHE_DIR", {});
  variable const caches("XDG_CACHE_HOME", "/caches");
  variable const home("HOME", "/home/someone");
  CHECK(disk_cache::default_folder() == "/caches/mmm");
  {
    variable const other("MMM_CACHE_DIR", "/own");
    CHECK(disk_cache::default_folder() == "/own");
  }
  {
    variable const none("MMM_CACHE_DIR", "");
    disk_cache const cache;
    CHECK(cache.folder().empty());
    CHECK(cache.store("key", contents).empty());
    CHECK_FALSE(cache.find("key"));
  }
  for (std::optional<std::string> const& ignored :
       {std::optional<std::string>(), std::optional<std::string>("relative")}) {
    variable const other("XDG_CACHE_HOME", ignored);
    CHECK(disk_cache::default_folder() == "/home/someone/.cache/mmm");
    variable const homeless("HOME", {});
    CHECK(disk_cache::default_folder().empty());
  }
}
