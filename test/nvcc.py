#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one file with nvcc: nvcc.py --nvcc NVCC -- FLAGS ... Exit status 77 (skipped) without
nvcc."""
import os
import shutil
import subprocess
import sys
import tempfile

nvcc, flags = sys.argv[2], sys.argv[4:]
if shutil.which(nvcc) is None:
    print("nvcc not found: skipped")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    sys.exit(subprocess.run([nvcc, *flags, "-o", os.path.join(folder, "out.o")], stdin=subprocess.DEVNULL).returncode)
