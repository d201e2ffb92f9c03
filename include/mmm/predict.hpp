// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! How long kernels take, predicted without running them, and the choice among candidates:
//! docs/prediction.md. Not part of <mmm/mmm.hpp>.

#include <mmm/choose/best.hpp>
#include <mmm/gpu/timing.hpp>
#include <mmm/report/prediction_svg.hpp>
#include <mmm/report/prediction_text.hpp>
#include <mmm/timing/kernel_code.hpp>
#include <mmm/timing/predict.hpp>
