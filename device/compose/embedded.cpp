// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "embedded.hpp"

#include <mmm/core/config.hpp>

#include <device/core/failure.hpp>
#include <device/report/counting.hpp>
#include <device/runtime/agenda.hpp>
#include <device/runtime/process.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

// The lock is held by each function as by a call of CUDA.
struct mmm_device_section {
  std::unique_ptr<device::report::section> counted;
};

namespace {

using device::runtime::big_lock;
using device::runtime::made_process;
using device::runtime::process;

char* copy_of(std::string const& text) {
  auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

//! Waits until all that was issued is done, so that it is counted where it belongs. A refusal on the
//! way is kept, as by a call of CUDA.
void finish(process& p) {
  for (bool all = false; !all;) try {
      p.todo.finish();
      all = true;
    } catch (device::runtime::failure const& f) {
      device::runtime::end_by(f);
    } catch (std::exception const& e) {
      device::runtime::end_by(e);
    }
  device::runtime::flush_prints(p);
}

}  // namespace

#define MMM_EMBEDDED extern "C" [[gnu::visibility("default")]]

MMM_EMBEDDED int mmm_device_version() { return MMM_VERSION; }

MMM_EMBEDDED void mmm_device_embed() { device::runtime::embed(); }

MMM_EMBEDDED char* mmm_device_begin(char const* const* settings) {
  try {
    device::runtime::begin(device::runtime::read_settings([&](char const* name) -> char const* {
      for (char const* const* p = settings; *p != nullptr; p += 2)
        if (std::string_view(name) == *p) return p[1];
      return nullptr;
    }));
    return nullptr;
  } catch (std::exception const& e) {
    return copy_of(e.what());
  }
}

MMM_EMBEDDED char* mmm_device_settings() {
  std::scoped_lock const hold(big_lock());
  process const* const p = made_process();
  if (p == nullptr) return nullptr;
  nlohmann::ordered_json checks = nlohmann::json::array();
  bool all = true;  // that "all" stands for
  for (int k = 0; k < device::check_kinds; ++k) {
    auto const kind = static_cast<device::check_kind>(k);
    if (p->set.checks_for(kind))
      checks.push_back(device::name_of(kind));
    else
      all &= device::is_asked_for_by_name(kind);
  }
  return copy_of(nlohmann::ordered_json{
      {"gpu", p->set.gpu}, {"checks", checks}, {"all", all}, {"embedded", p->set.embedded}}
                     .dump());
}

MMM_EMBEDDED mmm_device_section* mmm_device_begin_section() {
  std::scoped_lock const hold(big_lock());
  process* const p = made_process();
  if (p == nullptr) return nullptr;
  finish(*p);
  return new mmm_device_section{device::report::begin_section(*p->watching.front())};
}

MMM_EMBEDDED void mmm_device_end_section(mmm_device_section* s) {
  std::scoped_lock const hold(big_lock());
  if (process* const p = made_process()) finish(*p);
  s->counted->end();
}

MMM_EMBEDDED char* mmm_device_json(mmm_device_section const* s) {
  std::scoped_lock const hold(big_lock());
  if (process* const p = made_process()) finish(*p);
  return copy_of(s->counted->json());
}

MMM_EMBEDDED char* mmm_device_html(mmm_device_section const* s) {
  std::scoped_lock const hold(big_lock());
  if (process* const p = made_process()) finish(*p);
  return copy_of(s->counted->html());
}

MMM_EMBEDDED char* mmm_device_refused() {
  std::scoped_lock const hold(big_lock());
  process const* const p = made_process();
  return p == nullptr || p->refused.empty() ? nullptr : copy_of(p->refused);
}

MMM_EMBEDDED void mmm_device_free_section(mmm_device_section* s) {
  std::scoped_lock const hold(big_lock());
  delete s;
}

MMM_EMBEDDED void mmm_device_free(char* text) { std::free(text); }
