# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of the device, for kernels of any front end: Triton takes them without torch."""
from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from . import _device
from ._start import demand_own_process, start

if TYPE_CHECKING:
    from numpy import dtype as numpy_dtype
    from numpy.typing import NDArray

#: DLPack's codes of numpy's kinds
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
#: the bytes of the largest type of a kind: a GPU has no long double
LARGEST = {"i": 8, "u": 8, "f": 8, "c": 16, "b": 1}
HOST, CUDA = (1, 0), 2  #: DLPack's host, and its number of the kind of device


class Array:
    """An array in the device's memory, in C's order, which is freed with it.

    Kernels take it by `__cuda_array_interface__` (Numba, CuPy), by `data_ptr()` and `dtype` (Triton), or by DLPack.
    """

    def __init__(self, shape: Sequence[int], dtype: Any, memory: _device.Memory):
        self.shape: tuple[int, ...] = tuple(shape)
        self.dtype: "numpy_dtype[Any]" = dtype
        self._memory = memory

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * int(self.dtype.itemsize)

    @property
    def strides(self) -> tuple[int, ...]:
        """In bytes, as numpy has them."""
        return tuple(int(self.dtype.itemsize) * math.prod(self.shape[axis + 1:]) for axis in range(self.ndim))

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self._memory.begin

    def element_size(self) -> int:
        """The bytes of an element."""
        return int(self.dtype.itemsize)

    def numel(self) -> int:
        """The number of elements."""
        return self.size

    def stride(self, axis: Optional[int] = None) -> Any:
        """In elements, as torch has them: of an axis, or of all."""
        elements = tuple(step // int(self.dtype.itemsize) for step in self.strides)
        return elements if axis is None else elements[axis]

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without an axis has no length")
        return self.shape[0]

    def numpy(self) -> "NDArray[Any]":
        """A copy on the host, when the kernels before are done."""
        import numpy

        demand_own_process()
        copy = numpy.empty(self.shape, self.dtype)
        self._memory.read(copy.ctypes.data, copy.nbytes)
        return copy

    copy_to_host = numpy

    def copy_from_host(self, values: Any) -> None:
        """Writes all elements; ValueError unless the shapes are the same."""
        import numpy

        demand_own_process()
        given = numpy.ascontiguousarray(values, self.dtype).reshape(numpy.shape(values))
        if given.shape != self.shape:
            raise ValueError(f"values have the shape {given.shape}; accepted: {self.shape}")
        self._memory.write(given.ctypes.data, given.nbytes)

    def __array__(self, dtype: Any = None, copy: Any = None) -> "NDArray[Any]":
        if copy is False:
            raise ValueError("an array of the device is copied to the host; accepted: copy=None or True")
        values = self.numpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.data_ptr(), False), "version": 3, "strides": None,
                "stream": 1}  # the default stream, on which it was written

    def __dlpack__(self, stream: Any = None, *, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        """A capsule of DLPack, without a version; `stream` need not wait, since copies to the device have ended.

        `dl_device` is the array's own, or the host's, (1, 0), to which the array is copied. BufferError for what cannot be done.
        """
        here = self.__dlpack_device__()
        device = here if dl_device is None else tuple(map(int, dl_device))
        if device == HOST and copy is not False:
            return self.numpy().__dlpack__()
        if device != here:
            raise BufferError(f"dl_device is {dl_device} and copy {copy}; accepted: {here}, or {HOST} for a copy")
        source = array(self.numpy()) if copy else self
        return _device.dlpack(source._memory, list(self.shape), CODES[self.dtype.kind], int(self.dtype.itemsize) * 8)

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self._memory.device

    def __reduce__(self) -> Any:
        raise TypeError("an array of the device stays in its process; accepted: its numpy(), to copy, pickle or send it")

    def __repr__(self) -> str:
        return f"Array(shape={self.shape}, dtype={self.dtype}, device={self._memory.device})"


def empty(shape: Union[int, Sequence[int]], dtype: Any = "float32") -> Array:
    """An array whose elements are not initialized. ValueError for a type of elements that the device does not have."""
    import numpy

    accepted = "accepted: integers, floating-point and complex numbers of up to 64 bits and bool, in the host's order of bytes"
    try:
        wanted = numpy.dtype(dtype)
    except TypeError:
        raise ValueError(f"dtype is {dtype!r}; {accepted}") from None
    if wanted.itemsize > LARGEST.get(wanted.kind, 0) or not wanted.isnative:
        raise ValueError(f"dtype is {wanted}; {accepted}")
    sides = _sides(shape)
    start()
    bytes_ = math.prod(sides) * wanted.itemsize
    if bytes_ >= 1 << 63:
        raise MemoryError(f"shape is {sides}, of {wanted}: {bytes_} bytes; accepted: what the device's memory holds")
    try:
        return Array(sides, wanted, _device.Memory(bytes_))
    except MemoryError as error:
        raise MemoryError(f"shape is {sides}, of {wanted}: {bytes_} bytes, for which the device has no memory ({error})") from None


def _sides(shape: Any) -> tuple[int, ...]:
    """A shape, which may be one whole number."""
    try:
        sides = tuple(shape) if hasattr(shape, "__iter__") else (shape,)
        if not isinstance(shape, str) and not any(isinstance(side, bool) or operator.index(side) < 0 for side in sides):
            return tuple(map(operator.index, sides))
    except TypeError:
        pass
    raise ValueError(f"shape is {shape!r}; accepted: a whole number from 0 on, or a sequence of them")


def array(values: Any, dtype: Any = None) -> Array:
    """A copy of values: an array of numpy, or what numpy makes one of."""
    import numpy

    given = numpy.asarray(values, dtype)
    made = empty(given.shape, given.dtype)
    made.copy_from_host(given)
    return made


def zeros(shape: Union[int, Sequence[int]], dtype: Any = "float32") -> Array:
    """An array of zeros."""
    import numpy

    made = empty(shape, dtype)
    made.copy_from_host(numpy.zeros(made.shape, made.dtype))
    return made
