# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the wheel says of itself."""
import importlib.metadata
import pathlib
import sys

WHEEL = importlib.metadata.distribution("mmm_device")


def test_metadata():
    page = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text()
    of = WHEEL.metadata
    assert (of.get("Description") or of.get_payload()).strip() == page.strip()
    assert of["Description-Content-Type"] == "text/markdown"
    assert f"Programming Language :: Python :: {sys.version_info.major}.{sys.version_info.minor}" in of.get_all("Classifier")
    assert of["Requires-Python"] == ">=3.9"
    assert of.get_all("Requires-Dist") in (['numpy; extra == "arrays"'], ["numpy; extra == 'arrays'"])


def test_files():
    """No file lies outside of the two packages, which have stubs and the mark that says that they are typed."""
    names = {str(file) for file in WHEEL.files}
    assert {name.split("/")[0] for name in names if "__pycache__" not in name} == {"mmm", "mmm_device", f"mmm_device-{WHEEL.version}.dist-info"}
    assert {"mmm/py.typed", "mmm/_model.pyi", "mmm_device/py.typed", "mmm_device/_device.pyi", "mmm_device/cuda/libcuda.so.1"} <= names
    assert not any(name.endswith((".hpp", ".cpp", ".a", ".o")) for name in names)
