// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! How long kernels take, predicted without running them, and the choice among candidates:
//! docs/prediction.md. Not part of <mmm/mmm.hpp>.

#include <mmm/algorithm/prediction/choose.hpp>
#include <mmm/algorithm/prediction/kernel_code.hpp>
#include <mmm/algorithm/prediction/known_candidates.hpp>
#include <mmm/algorithm/prediction/predict.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/report/prediction_text.hpp>
