# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The library as a Conan package: `conan create packaging/conan`. Headers only; nothing is compiled."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load


class Mmm(ConanFile):
    name = "mmm"
    description = "Memory machine models: what an algorithm's memory accesses cost, exactly, at compile time"
    license = "Apache-2.0 WITH LLVM-exception"
    topics = ("cuda", "gpu", "performance", "memory-model", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def _repository(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", ".."))

    def set_version(self):
        config = load(self, os.path.join(self._repository(), "include/mmm/core/config.hpp"))
        number = int(re.search(r"#define MMM_VERSION (\d+)", config).group(1))
        self.version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*"):
            copy(self, part, self._repository(), self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "TOOLS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"MMM_BUILD_{part}"] = False
        toolchain.generate()

    def package(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.install(component="mmm_library")
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
