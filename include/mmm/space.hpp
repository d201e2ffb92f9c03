// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Tuning spaces: products of tiles, launches, layouts, stages and variants; filters; the ranking
//! by predicted time; the library's own candidates, mmm::known: docs/machine-to-kernel.md. Needs
//! the headers of Boost.Hana. Not part of <mmm/mmm.hpp>.

#include <mmm/choose/known_candidates.hpp>
#include <mmm/choose/rank.hpp>
#include <mmm/choose/space.hpp>
#include <mmm/choose/space_filters.hpp>
#include <mmm/predict.hpp>
#include <mmm/report/space_svg.hpp>
#include <mmm/report/space_text.hpp>
