// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device.cuh"
#include "json.hpp"
#include "model.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

//! Contenders for one problem, run in turns on one stream and compared. Before every run the
//! level-2 cache is overwritten, which also keeps the device busy while the host prepares the
//! launch, so that only the device's time is measured.
namespace bench {

//! Measured parameters of a device, for the model.
struct calibration {
  double clock_hz = 1e9;             //!< of a busy multiprocessor; a time unit is one clock
  double shared_latency = 30;        //!< clocks
  double l2_latency = 300;           //!< clocks
  double global_latency = 700;       //!< clocks, beyond the level-2 cache
  double copy_bytes_per_s = 1e12;    //!< cudaMemcpy within the device, read and written
  double launch_us = 2;              //!< an empty kernel
  double cooperative_launch_us = 2;  //!< an empty cooperative kernel
  double grid_barrier_us = 1;
  index multiprocessors = 1;
  index shared_words = 12288;  //!< 4-byte words of shared memory per block

  //! Address groups of 32 words that the global memory serves per clock.
  [[nodiscard]] index ports() const;
  [[nodiscard]] bench::hmm hmm(index dmms) const;
  [[nodiscard]] bench::hmm hmm() const { return hmm(multiprocessors); }
  //! Every multiprocessor as so many DMMs, each with its part of the shared memory.
  [[nodiscard]] bench::hmm split(index parts) const;
  [[nodiscard]] bench::umm umm() const;
  [[nodiscard]] bench::dmm dmm() const;
  [[nodiscard]] double microseconds(index time_units) const {
    return static_cast<double>(time_units) / clock_hz * 1e6;
  }
};

//! A problem that all contenders solve.
struct problem {
  std::string group;       //!< "sum"
  std::string parameters;  //!< "n = 2^24"
  index size;
  double bytes;                           //!< least number of bytes read and written
  double flops;                           //!< additions and multiplications
  std::function<void()> prepare = [] {};  //!< called before a run whose result is checked
  std::function<void()> renew = [] {};    //!< enqueued before every timed run, outside its time
};

//! One implementation of a problem's solution.
struct contender {
  std::string name;  //!< "mmm::sum"
  //! "literal": the variant of a paper; "fast": the library's fast variant; "other": another
  //! library
  std::string kind;
  std::string machine;          //!< the modelled machine, or "-"
  std::function<void()> run;    //!< enqueues a run in the session's stream
  std::function<bool()> right;  //!< true if the result of the last run is right
  index time_units = 0;         //!< modelled time; 0 if there is no model
};

//! Statistics of one contender's times, in microseconds.
struct summary {
  double median = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  index runs = 0;
};

class session {
 public:
  //! \param seconds the time for everything. \param per_comparison seconds that one contender may
  //! run for.
  session(double seconds, double per_comparison);
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session();

  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  calibration device{};

  //! Measures all contenders and adds one row of results for each.
  void compare(problem const& what, std::vector<contender> const& contenders);
  //! Measures one contender whose result was checked elsewhere, in at least `least` runs.
  [[nodiscard]] summary time(std::function<void()> const& run, double seconds, index least = 5);
  [[nodiscard]] bool out_of_time() const;
  void note_wrong(std::string const& what);

  [[nodiscard]] json_object device_properties() const;
  [[nodiscard]] std::vector<json_object> const& rows() const { return rows_; }
  [[nodiscard]] std::vector<std::string> const& wrong() const { return wrong_; }

 private:
  void flush() const;
  [[nodiscard]] double one_run(
      std::function<void()> const& run, std::function<void()> const& renew = [] {});
  [[nodiscard]] json_object row(problem const& what, contender const& who) const;

  std::chrono::steady_clock::time_point end_;
  double per_comparison_;
  cudaStream_t stream_ = nullptr;
  std::size_t flush_bytes_ = 0;
  void* flushed_ = nullptr;
  event begin_{};
  event finish_{};
  std::vector<json_object> rows_{};
  std::vector<std::string> wrong_{};
};

//! Writes a power of two as "2^24", other numbers in full.
[[nodiscard]] std::string number(index n);

}  // namespace bench
