// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! Pictures and tables: requests, traces, costs and index expressions as SVG, text and HTML. Host
//! only; not part of <mmm/mmm.hpp>, which stays quick to compile.

#include <mmm/report/access_grid.hpp>
#include <mmm/report/bound_text.hpp>
#include <mmm/report/chart.hpp>
#include <mmm/report/cost_log_text.hpp>
#include <mmm/report/cost_text.hpp>
#include <mmm/report/explanation.hpp>
#include <mmm/report/expression.hpp>
#include <mmm/report/fold_picture.hpp>
#include <mmm/report/gpu_request.hpp>
#include <mmm/report/grid_picture.hpp>
#include <mmm/report/layout_picture.hpp>
#include <mmm/report/machine_picture.hpp>
#include <mmm/report/page.hpp>
#include <mmm/report/page_contents.hpp>
#include <mmm/report/polygon_picture.hpp>
#include <mmm/report/regime_text.hpp>
#include <mmm/report/request.hpp>
#include <mmm/report/request_svg.hpp>
#include <mmm/report/request_text.hpp>
#include <mmm/report/schedule_svg.hpp>
#include <mmm/report/table.hpp>
#include <mmm/report/tile_choice_text.hpp>
#include <mmm/report/trace_rounds.hpp>
#include <mmm/report/trace_svg.hpp>
#include <mmm/report/trace_text.hpp>
#include <mmm/report/warp_request.hpp>
