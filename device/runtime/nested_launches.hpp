// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <device/execute/device_runtime.hpp>
#include <device/execute/launch.hpp>
#include <device/runtime/work.hpp>

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace device::runtime {

struct fat_binary;

//! Counts what the grids of a family launch.
struct family_numbers {
  std::uint64_t last = 0;
};

//! Work that a thread of a grid has put into one of the grid's streams.
struct nested_work {
  work job{};  //!< a kernel, copy or fill
  launch_origin origin{};
  std::vector<std::uint64_t> waits{};  //!< numbers of the grid's work that must be complete before
};

//! The CUDA runtime as the threads of one grid call it: what they launch, their streams, events and
//! errors. Streams and events are the block's that made them, as CUDA has it; the default stream is
//! a block's, too.
class nested_launches final : public device_runtime {
 public:
  //! \param launched the grid's launch
  nested_launches(process&, kernel_work const& launched, family_numbers&);
  ~nested_launches() override;

  [[nodiscard]] bool has_room(std::uint32_t launches) override;
  [[nodiscard]] std::uint64_t call(device_function_name, calling_thread const&) override;

  //! Work that may begin, but for tail launches: the first, or with a generator any that its
  //! streams allow.
  [[nodiscard]] std::optional<nested_work> next(std::mt19937_64*);
  //! The first tail launch.
  [[nodiscard]] std::optional<nested_work> next_tail();
  [[nodiscard]] bool empty() const { return waiting_.empty() && tails_.empty(); }
  void complete(std::vector<std::uint64_t> const& numbers);

 private:
  //! The work that a stream's next one waits for, and the launches before it, however long ago.
  struct position {
    std::vector<std::uint64_t> waits{}, launches{};
    void join(position const&);
  };
  struct own_stream {
    std::uint64_t block = 0;
    position place{};
  };
  struct buffer {
    std::size_t bytes = 0;
    std::optional<kernel_work> launches{};  //!< what was said when it was asked for
  };
  struct chunk {
    std::uint64_t begin = 0, used = 0, bytes = 0;
  };
  using thread_key = std::pair<std::uint64_t, std::uint64_t>;  //!< block, thread or every_thread
  static constexpr std::uint64_t every_thread = ~std::uint64_t{0};

  process& process_;
  fat_binary& binary_;
  int device_;
  executable_graph* of_graph_;
  family_numbers& numbers_;
  std::mutex calling_;
  std::deque<nested_work> waiting_, tails_;
  std::set<std::uint64_t> incomplete_;
  std::map<thread_key, position> defaults_;  //!< the blocks' default streams, and threads' own
  std::unordered_map<std::uint64_t, own_stream> streams_, events_;  //!< by handle
  std::uint64_t next_handle_ = std::uint64_t{1} << 32U;
  std::map<thread_key, abi::cudaError_t> errors_;      //!< of the threads' last failed calls
  std::unordered_map<std::uint64_t, buffer> buffers_;  //!< of parameters, by address
  std::vector<chunk> chunks_;

  [[nodiscard]] std::uint64_t answer(device_function_name, calling_thread const&);
  [[nodiscard]] std::uint64_t text(char const*, calling_thread const&);
  [[nodiscard]] std::uint64_t memory(std::uint64_t bytes, calling_thread const&);
  [[nodiscard]] kernel& kernel_at(std::uint64_t function, calling_thread const&) const;
  [[nodiscard]] kernel_work launch_of(std::uint64_t function, abi::dim3 grid, abi::dim3 block,
                                      std::uint64_t shared, calling_thread const&) const;
  void launch_from(std::uint64_t address, kernel_work, std::uint64_t stream, bool own_default,
                   calling_thread const&);
  [[nodiscard]] position& position_of(std::uint64_t stream, bool own_default,
                                      calling_thread const&);
  [[nodiscard]] own_stream& own(std::unordered_map<std::uint64_t, own_stream>&,
                                std::uint64_t handle, calling_thread const&);
  void launch_graph(std::uint64_t executable, std::uint64_t stream) const;
  void enqueue(work, std::uint64_t stream, bool own_default, calling_thread const&);
};

}  // namespace device::runtime
