// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place where stb's functions are compiled.
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
