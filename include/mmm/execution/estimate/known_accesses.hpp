// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/core/config.hpp>
#include <mmm/cost/round_group.hpp>
#include <mmm/index/key_pool.hpp>

//! The costs of accesses that estimates have found, by keys.
namespace mmm::detail {

//! A cache of costed accesses. Each is at one of a few places given by its key, in place of the one
//! that was used least recently.
class known_accesses {
 public:
  ring_of_keys<1 << 15> keys;

  //! The cost of the access with the key that was written last; null if it is not known.
  [[nodiscard]] constexpr access_cost const* find(pool_key const& key) {
    int const place = static_cast<int>(key.hash >> (64 - log2_entries));
    free_ = place;
    index oldest = ++uses_;
    for (int k = places; k-- > 0;) {
      entry& known = entries_[(place + k) % all_entries];
      if (keys.same(known.key, key)) {
        if (keys.in_ring(known.key, 2))
          keys.drop(key);
        else
          known.key = key;  // the older key is overwritten soon
        known.last_use = uses_;
        return &known.found;
      }
      index const last_use = keys.in_ring(known.key) ? known.last_use : -1;
      if (last_use >= oldest) continue;
      oldest = last_use;
      free_ = (place + k) % all_entries;
    }
    return nullptr;
  }
  //! Notes the cost of the access that find() did not know.
  constexpr void remember(pool_key const& key, access_cost const& found) {
    entries_[free_] = {key, found, uses_};
  }

 private:
  static constexpr int log2_entries = 8;
  static constexpr int all_entries = 1 << log2_entries;
  static constexpr int places = 4;
  struct entry {
    pool_key key;
    access_cost found;
    index last_use = 0;
  };
  entry entries_[all_entries];
  index uses_ = 0;
  int free_ = 0;  //!< the place for the access that find() did not know
};

#if defined(__CUDACC_RTC__)
//! Device code has no estimates at run time.
struct shared_known_accesses {
  [[nodiscard]] static constexpr known_accesses* current() { return nullptr; }
};
#else
//! While an object of this class exists, the estimates of its thread at run time share the costs of
//! accesses that they find, as those of candidates that differ only in their launches do. An inner
//! one shares those of the outer one. Figures stay the same.
class shared_known_accesses {
 public:
  shared_known_accesses() : outer_(current_) {
    if (outer_ == nullptr) current_ = new known_accesses;
  }
  shared_known_accesses(shared_known_accesses const&) = delete;
  shared_known_accesses& operator=(shared_known_accesses const&) = delete;
  ~shared_known_accesses() {
    if (outer_ == nullptr) delete current_;
    current_ = outer_;
  }
  //! The accesses that the estimates of this thread share; null if they share none.
  [[nodiscard]] static known_accesses* current() { return current_; }

 private:
  static inline thread_local known_accesses* current_ = nullptr;
  known_accesses* outer_;
};
#endif

}  // namespace mmm::detail
