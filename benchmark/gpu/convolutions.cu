// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mmm/mmm.cuh>

#include "groups.cuh"
#include "libraries.hpp"
#include "samples.cuh"

#include <string>

namespace bench {

void convolutions(session& s) {
  hmm const gpu = s.device.hmm();
  mmm::threads const p(gpu.dmms() * 1024);
  umm const global = s.device.umm();
  auto const on_hmm = mmm::cuda::on(gpu, p, s.stream());
  hmm const parts = s.device.split(3);
  mmm::threads const fewer(parts.dmms() * 256);  // so that each thread has enough registers
  auto const on_fewer = mmm::cuda::on(parts, fewer, s.stream());
  auto const on_umm = mmm::cuda::on(global, p, s.stream());
  struct sizes {
    index words;
    index taps;
  };
  for (auto const& [words, taps] :
       {sizes{1 << 21, 8}, {1 << 21, 128}, {1 << 26, 32}, {1 << 24, 128}, {1 << 22, 1024}}) {
    index const n = words - taps + 1;
    buffer<float> x(taps);
    buffer<float> y(words);
    buffer<float> z(words);
    fill(x, scattered{3});
    fill(y, scattered{4});
    auto const outputs = static_cast<double>(n);
    problem const what{"convolution",
                       "n = " + number(words) + " - m + 1, m = " + std::to_string(taps) + " taps",
                       n,
                       8.0 * outputs,
                       2.0 * static_cast<double>(taps) * outputs,
                       [&] { z.poison(); }};
    auto const right = [&, taps = taps] {
      return none_wrong(wrong_output::samples,
                        wrong_output{x.begin(), y.begin(), z.begin(), taps, n});
    };
    std::vector<contender> who{
        {"mmm::convolution_in_registers", "fast", "hmm, 3 blocks",
         [&] {
           mmm::convolution_in_registers(on_fewer, x.begin(), x.end(), y.begin(), y.end(),
                                         z.begin(), z.begin() + n);
         },
         right,
         modelled(parts, mmm::convolution_in_registers, mmm::size(n), fewer, mmm::taps(taps))},
        {"mmm::convolution", "literal", "hmm",
         [&] {
           mmm::convolution(on_hmm, x.begin(), x.end(), y.begin(), y.end(), z.begin(),
                            z.begin() + n);
         },
         right, modelled(gpu, mmm::convolution, mmm::size(n), p, mmm::taps(taps))},
        {"mmm::convolution", "literal", "umm",
         [&] {
           mmm::convolution(on_umm, x.begin(), x.end(), y.begin(), y.end(), z.begin(),
                            z.begin() + n);
         },
         right, modelled(global, mmm::convolution, mmm::size(n), p, mmm::taps(taps))}};
    auto const by_fft = [&](fft const& cufft) { cufft.convolve(x.begin(), y.begin(), z.begin()); };
    auto const by_dnn = [&](dnn const& cudnn) { cudnn.convolve(y.begin(), x.begin(), z.begin()); };
    who.push_back({"cuFFT", "other", "-", run_of<fft>(by_fft, s.stream(), taps, words), right});
    for (index const block : {1 << 12, 1 << 14}) {
      std::string const name = "cuFFT in blocks of " + number(block);
      auto const contend = [&](std::string const& which, auto const& use) {
        who.push_back(
            {which, "other", "-",
             run_of<fft_in_blocks>(use, s.stream(), taps, words, block, x.begin(), y.begin()),
             right});
      };
      contend(name, [&](fft_in_blocks const& cufft) {
        cufft.transform_taps(x.begin());
        cufft.convolve(z.begin());
      });
      contend(name + ", taps transformed before",
              [&](fft_in_blocks const& cufft) { cufft.convolve(z.begin()); });
    }
    who.push_back(
        {"cuDNN", "other", "-", run_of<dnn>(by_dnn, s.stream(), 1, words, 1, taps), right});
    s.compare(what, who);
  }
}

}  // namespace bench
