// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <device/memory/texture.hpp>

#include <mutex>
#include <utility>

namespace device {

namespace {

//! Numbers begin here: no count or index of a program is taken for one.
constexpr std::uint64_t first_number = std::uint64_t{1} << 40;

}  // namespace

std::uint64_t texture_objects::add(texture_object made) {
  std::unique_lock const locked(lock_);
  all_.push_back(std::move(made));
  return first_number + all_.size() - 1;
}

bool texture_objects::destroy(std::uint64_t number, bool is_surface) {
  std::unique_lock const locked(lock_);
  std::uint64_t const k = number - first_number;
  if (k >= all_.size() || all_[k].destroyed || all_[k].is_surface != is_surface) return false;
  all_[k].destroyed = true;
  all_[k].levels.clear();
  return true;
}

texture_object const* texture_objects::find(std::uint64_t number) const {
  std::shared_lock const locked(lock_);
  std::uint64_t const k = number - first_number;
  return k < all_.size() ? &all_[k] : nullptr;
}

}  // namespace device
