// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/launch.hpp>
#include <device/execute/memory/values.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace device {

//! An mbarrier as its 64 bits in shared memory hold it. PTX leaves the form open; programs only see
//! it through mbarrier instructions.
struct mbarrier_word {
  static constexpr std::uint64_t max_arrivals = (1U << 20) - 1;
  static constexpr std::int64_t max_bytes = (1 << 20) - 1;

  std::uint64_t pending = 0;   //!< arrivals that this phase still waits for
  std::uint64_t expected = 0;  //!< arrivals of the next phases
  std::int64_t bytes = 0;      //!< of bulk copies that this phase still waits for
  bool phase = false;          //!< parity of the current one

  [[nodiscard]] std::uint64_t word() const {
    return pending | expected << 20 | static_cast<std::uint64_t>(bytes + max_bytes) << 40 |
           static_cast<std::uint64_t>(phase) << 61 | mark << 62;
  }
  //! Nothing if no mbarrier.init made this word.
  [[nodiscard]] static std::optional<mbarrier_word> parsed(std::uint64_t word) {
    if (word >> 62 != mark) return std::nullopt;
    mbarrier_word b;
    b.pending = word & max_arrivals;
    b.expected = word >> 20 & max_arrivals;
    b.bytes = static_cast<std::int64_t>(word >> 40 & ((1U << 21) - 1)) - max_bytes;
    b.phase = (word >> 61 & 1) != 0;
    return b;
  }

  //! False if more arrive than the phase waits for, or if more bytes are counted than fit.
  [[nodiscard]] bool arrive(std::uint64_t count) {
    if (count > pending) return false;
    pending -= count;
    complete();
    return true;
  }
  [[nodiscard]] bool expect(std::int64_t more) {
    if (bytes + more > max_bytes || bytes + more < -max_bytes) return false;
    bytes += more;
    return true;
  }
  //! The phase ends once no arrival and no byte is missing.
  void complete() {
    if (pending != 0 || bytes != 0) return;
    phase = !phase;
    pending = expected;
  }

 private:
  static constexpr std::uint64_t mark = 2;
};

}  // namespace device

namespace device::memory_access_detail {

inline constexpr int mbarrier_bytes = 8;

[[noreturn]] inline void refuse_mbarrier(std::string const& why) {
  throw device_fault(device_fault::kind_type::illegal_instruction, "mbarrier: " + why);
}

[[nodiscard]] inline mbarrier_word mbarrier_at(std::byte const* pointer) {
  auto const b = mbarrier_word::parsed(read_plain<std::uint64_t>(pointer));
  if (!b) refuse_mbarrier("the object in shared memory was not made by mbarrier.init");
  return *b;
}

//! "for the mbarrier at offset 0x40 of shared memory: 40 of 64 arrivals have come", for messages.
[[nodiscard]] std::string awaited_text(std::byte const* mbarrier, std::uint64_t offset);

//! The change of an mbarrier by an instruction of one lane, or by a copy that is complete.
enum class mbarrier_change {
  init,
  inval,
  expect,
  complete,
  arrive,
  arrive_expect,
  drop,
  drop_expect
};

template <mbarrier_change Change>
void apply_change(mbarrier_word& b, std::uint64_t n) {
  if constexpr (Change == mbarrier_change::expect || Change == mbarrier_change::arrive_expect ||
                Change == mbarrier_change::drop_expect)
    if (!b.expect(static_cast<std::int64_t>(n)))
      refuse_mbarrier("more than 2^20 - 1 bytes are expected");
  if constexpr (Change == mbarrier_change::complete) {
    if (!b.expect(-static_cast<std::int64_t>(n)))
      refuse_mbarrier("more than 2^20 - 1 bytes came unexpected");
    b.complete();
  }
  constexpr bool drops = Change == mbarrier_change::drop || Change == mbarrier_change::drop_expect;
  if constexpr (drops || Change == mbarrier_change::arrive ||
                Change == mbarrier_change::arrive_expect) {
    std::uint64_t const count =
        Change == mbarrier_change::arrive || Change == mbarrier_change::drop ? n : 1;
    if (drops) {
      if (count > b.expected) refuse_mbarrier("more threads drop out than it has");
      b.expected -= count;
    }
    if (!b.arrive(count)) refuse_mbarrier("more arrive than the phase waits for");
  }
}

}  // namespace device::memory_access_detail
