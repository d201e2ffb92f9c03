// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! std::contiguous_iterator without <iterator>, whose streams are the larger part of what it costs
//! a compiler. libstdc++ has a header for it, which <vector> includes anyway.
#if __has_include(<bits/iterator_concepts.h>)
#include <bits/iterator_concepts.h>
#else
#include <span>
#endif
