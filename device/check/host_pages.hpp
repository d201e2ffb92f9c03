// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <mutex>

//! Accesses of the host's code to memory that the device reaches, too: its pages are protected, so
//! that the processor reports an access.
namespace device::check {

//! Is asked about an access of the host, on the thread that makes it, in a signal's handler.
struct host_access_judge {
  host_access_judge() = default;
  host_access_judge(host_access_judge const&) = delete;
  host_access_judge& operator=(host_access_judge const&) = delete;

  //! \return true if later accesses to the page are to be judged, too.
  virtual bool host_accesses(std::uint64_t address, bool writes, void const* code) = 0;

 protected:
  ~host_access_judge() = default;
};

//! The protected pages of this process; there is one object.
class host_pages {
 public:
  static constexpr std::uint64_t page = 4096;

  //! False on a processor for which this is not written: nothing is ever protected there.
  [[nodiscard]] static bool works();
  explicit host_pages(host_access_judge&);
  ~host_pages() = delete;
  host_pages(host_pages const&) = delete;
  host_pages& operator=(host_pages const&) = delete;

  //! Judges accesses of [begin, end), whole pages, from now on: all, or only writes.
  void protect(std::uint64_t begin, std::uint64_t end, bool reads_too);
  //! While it is held, no access is judged, but on the thread that has it.
  [[nodiscard]] static std::unique_lock<std::recursive_mutex> hold();
  //! No page is protected any more.
  void lift();
};

}  // namespace device::check
