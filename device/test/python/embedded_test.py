#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the functions of a program that has the device in its own process (device/compose/embedded.hpp).

  embedded_test.py LIBRARY        LIBRARY: libmmm_device.so
"""
import ctypes
import json
import os
import subprocess
import sys

# Each thread writes its word of shared memory, 32 words apart, and reads that of its neighbour, without a barrier.
PTX = b"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry spread(.param .u64 out) {
  .reg .b32 %r<6>; .reg .b64 %d<4>;
  .shared .align 4 .b32 words[2048];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 7;
  mov.u32 %r3, words;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  xor.b32 %r4, %r2, 4096;
  mov.u32 %r5, words;
  add.u32 %r5, %r5, %r4;
  ld.shared.u32 %r5, [%r5];
  ld.param.u64 %d1, [out];
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r5;
  ret;
}
.visible .entry idle_kernel() { ret; }
"""
failures = []


def check(holds, *what):
    if not holds:
        failures.append(" ".join(str(w) for w in what))
        print("FAILED", failures[-1], flush=True)


class Device:
    """The library in this process, by its functions."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        for name in ("mmm_device_begin", "mmm_device_settings", "mmm_device_json", "mmm_device_html", "mmm_device_refused",
                     "mmm_device_begin_section"):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.library.mmm_device_embed()

    def text(self, name, *arguments):
        found = getattr(self.library, name)(*arguments)
        if not found:
            return None
        copy = ctypes.string_at(found).decode()
        self.library.mmm_device_free(ctypes.c_void_p(found))
        return copy

    def begin(self, **settings):
        words = [word.encode() for name, value in settings.items() for word in ("MMM_RUN_" + name.upper(), value)]
        return self.text("mmm_device_begin", (ctypes.c_char_p * (len(words) + 1))(*words, None))

    def section(self):
        return ctypes.c_void_p(self.library.mmm_device_begin_section())

    def figures(self, section):
        return json.loads(self.text("mmm_device_json", section))

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        check(status == 0, name, "gives", status)

    def load(self):
        self.call("cuInit", 0)
        context, module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(module), PTX)
        self.kernels = {}
        for name in (b"spread", b"idle_kernel"):
            kernel = ctypes.c_void_p()
            self.call("cuModuleGetFunction", ctypes.byref(kernel), module, name)
            self.kernels[name.decode()] = kernel
        self.out = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.out), ctypes.c_size_t(256))

    def launch(self, name):
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(self.out))
        self.call("cuLaunchKernel", self.kernels[name], 1, 1, 1, 64, 1, 1, 0, None, arguments, None)


def sections(device):
    """Sections one inside of another, and one after another; the race is between warps."""
    check(device.text("mmm_device_settings") is None, "there are settings before the begin")
    check(device.section().value is None, "a section begins before the device")
    error = device.begin(gpu="h1000")
    check(error is not None and "h1000" in error and "h100" in error.replace("h1000", ""), "no such GPU:", error)
    check(device.begin(gpu="h100", check="race,bounds") is None, "the device does not begin")
    error = device.begin(gpu="a100")
    check(error is not None and "cannot be changed" in error, "a second begin:", error)
    check(json.loads(device.text("mmm_device_settings")) == {"gpu": "h100", "checks": ["bounds", "race"], "all": False, "embedded": True},
          "settings:", device.text("mmm_device_settings"))
    outer = device.section()
    check(device.library.cuMemAlloc_v2(ctypes.byref(ctypes.c_uint64()), ctypes.c_size_t(4)) == 3, "cuInit is not missed")
    device.load()
    device.launch("idle_kernel")
    inner = device.section()
    device.launch("spread")
    device.launch("spread")
    device.library.mmm_device_end_section(inner)
    device.launch("idle_kernel")
    later = device.section()
    found = device.figures(inner)
    check([(k["kernel"], k["launches"], k["failed"]) for k in found["kernels"]] == [("spread", 2, 0)], "inner:", found["kernels"])
    # 2 launches of 2 warps: each store and load is one wavefront for each lane; 4 sectors for 32 words
    shared, stored = found["kernels"][0]["shared"], found["kernels"][0]["global"]["store"]
    check((shared["store"]["wavefronts"], shared["load"]["wavefronts"], shared["load"]["ideal"]) == (128, 128, 4), "wavefronts:", shared)
    check((stored["requests"], stored["sectors"]) == (4, 16), "sectors:", stored)
    check([f["check"] for f in found["findings"]] == ["race"], "findings:", found["findings"])
    check(found["findings"][0]["kernel"] == "spread" and found["findings"][0]["text"].startswith("mmm-run: race: "), found["findings"])
    check(sum(line["instructions"]["all"] for line in found["lines"]) == found["kernels"][0]["instructions"]["all"], "lines:", found["lines"])
    found = device.figures(outer)
    check([(k["kernel"], k["launches"]) for k in found["kernels"]] == [("idle_kernel", 2), ("spread", 2)], "outer:", found["kernels"])
    check(device.figures(later) == {"kernels": [], "lines": [], "findings": []}, "later:", device.figures(later))
    page = device.text("mmm_device_html", inner)
    check("spread" in page and "idle_kernel" not in page, "the page has another kernel")
    for section in (later, outer, inner):
        device.library.mmm_device_free_section(section)
    device.launch("spread")  # in no section


def refused(device):
    """What is not supported is an error of the call, and of all later ones; the process goes on."""
    check(device.begin() is None, "the device does not begin")
    device.load()
    check(device.text("mmm_device_refused") is None, "refused before a call")
    check(device.library.cuCheckpointProcessLock(0, None) == 801, "CUDA_ERROR_NOT_SUPPORTED is not given")
    check((device.text("mmm_device_refused") or "").startswith("cuCheckpointProcessLock is not supported"), "refused:",
          device.text("mmm_device_refused"))
    word = ctypes.c_uint32()
    check(device.library.cuMemcpyDtoH_v2(ctypes.byref(word), device.out, ctypes.c_size_t(4)) == 801, "a copy succeeds after it")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        globals()[sys.argv[2]](Device(sys.argv[1]))
        sys.exit(1 if failures else 0)
    without = {name: value for name, value in os.environ.items() if not name.startswith("MMM_RUN_")}
    for part, on_stderr in (("sections", ""), ("refused", "mmm-run: cuCheckpointProcessLock is not supported by this device\n")):
        r = subprocess.run([sys.executable, __file__, sys.argv[1], part], capture_output=True, text=True, timeout=100, env=without)
        check(r.returncode == 0, part, "ends with", r.returncode, r.stdout, r.stderr)
        check(r.stderr == on_stderr, part, "prints", r.stderr)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)
