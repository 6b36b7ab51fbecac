"""Guards: records, arrays and functions that refuse what NumPy and compiled code take in silence.

They share the memory of what they guard. An index below 0 counts from the end, and half a move is rounded; a user who
writes that has made a mistake. Checked calls (checks.py) are given guarded arguments.
"""

import functools
import sys
import types
from typing import Any

import numpy as np

from rulebots.kernel import Kernel
from rulebots.kernel.fingerprint import lookups_of
from rulebots.kernel.user_code import is_ours

#: The types of most indices, and of records: questions to a set take the least time.
_WHOLE = {int, np.int8, np.int16, np.int32, np.int64}
_RECORDS = {np.void, np.record}
_NUMPY = np.__path__[0]
# NumPy's own attributes and items of records take Python code.
_dtype: Any = np.generic.dtype.__get__
_field = np.void.__getitem__
_item = np.ndarray.__getitem__


class _Array(np.ndarray[Any, Any]):
    """An array of a record, or a part of one, that refuses indices below 0; copies are as they always are."""

    def __getitem__(self, index: Any) -> Any:
        if type(index) not in _WHOLE or index < 0:
            self._check(index)
        item = _item(self, index)
        return guarded(item) if type(item) in _RECORDS else item

    def __setitem__(self, index: Any, value: Any) -> None:
        if type(index) not in _WHOLE or index < 0:
            self._check(index)
        _check_whole(self.dtype, value)
        super().__setitem__(index, value)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What NumPy works out of a record's array: a number, or an array as any other."""
        return np.asarray(array)[()]

    def _check(self, index: Any) -> None:
        low = min(map(_lowest, index if isinstance(index, tuple) else (index,)), default=0)
        # NumPy's own code knows what it asks for.
        by_numpy = sys._getframe(2).f_code.co_filename.startswith(_NUMPY)  # noqa: SLF001 - as in kernel/user_code.py
        if low < 0 and not by_numpy and self._is_a_records():
            raise IndexError(f"index {low} would count from the end: ask `0 <= i` first, or write len(...) - {-low}")

    def _is_a_records(self) -> bool:
        """Whether it is a part of a record, not a copy."""
        owner: Any = self.base
        while owner is not None and getattr(getattr(owner, "dtype", None), "names", None) is None:
            owner = getattr(owner, "base", None)
        return owner is not None


class _ModulesArray(_Array):
    """An array of a module, or a part of one, that refuses indices below 0."""

    def _is_a_records(self) -> bool:
        return self.base is not None  # it is not a copy


class _ModulesTuple(tuple[Any, ...]):
    """A tuple of a module that refuses indices below 0."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if _lowest(index) < 0:
            raise IndexError(
                f"index {index} would count from the end: ask `0 <= i` first, or write len(...) - {-index}"
            )
        return super().__getitem__(index)


class WholeArray(np.ndarray[Any, Any]):
    """An array of whole numbers that refuses others."""

    def __setitem__(self, index: Any, value: Any) -> None:
        _check_whole(self.dtype, value)
        super().__setitem__(index, value)


def _check_whole(into: np.dtype[Any], value: Any) -> None:
    """Refuse other numbers where whole ones are kept: NumPy and compiled code round them towards 0 in silence."""
    if type(value) not in _WHOLE and into.base.kind in "iu" and np.any(np.mod(value, 1)):
        raise ValueError(f"expected whole numbers here, not {value} (// divides so)")


def _lowest(part: Any) -> int:
    """The lowest index in a part of an index, where it is below 0."""
    if isinstance(part, np.ndarray | list):
        return int(np.min(part, initial=0))
    if isinstance(part, slice):  # a[:-1] and a[-2:] are meant; from below 0 to a place is an index gone wrong
        return int(part.start or 0) if part.stop is not None and part.stop >= 0 else 0
    return int(part) if isinstance(part, int | np.integer) else 0


class _Record(np.record):  # type: ignore[misc]  # final in NumPy's types, not in NumPy
    """A record whose arrays refuse indices below 0, and whose fields of whole numbers refuse others.

    NumPy and compiled code count such indices from the end, and round such numbers, in silence.
    """

    def __getattribute__(self, name: str) -> Any:
        return self[name] if name in _dtype(self).names else super().__getattribute__(name)

    def __getitem__(self, name: Any) -> Any:
        value = _field(self, name)
        return value.view(_Array) if type(value) is np.ndarray else guarded(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _dtype(self).names:
            _check_whole(_dtype(self)[name], value)
        super().__setattr__(name, value)

    def __setitem__(self, name: Any, value: Any) -> None:
        _check_whole(_dtype(self)[name], value)
        super().__setitem__(name, value)


@functools.cache
def _refusing(record: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype((_Record, record))


#: By a kernel's function, the one that is called in its place.
_GUARDED = dict[types.FunctionType, types.FunctionType]()


def guarded_function(function: Any) -> Any:
    """A kernel's function that reads its module's arrays, and those of the kernels that it calls, with such checks.

    A function of this package stays as it is: a user's kernels that it calls have their own checks.
    """
    if not isinstance(function, types.FunctionType) or is_ours(function.__module__):
        return function
    if function not in _GUARDED:
        names = dict(function.__globals__)
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        twin = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
        _GUARDED[function] = twin  # before its parts, since it may call itself
        names |= {name: _guarded_part(names[name]) for name in lookups_of(function.__code__) if name in names}
        for cell, own in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = _guarded_part(own.cell_contents)
    return _GUARDED[function]


def _guarded_part(value: Any) -> Any:
    """What such a function reads in the place of a value of its module."""
    if type(value) is Kernel:  # one that is checked has its own guards
        return guarded_function(value.function)
    if type(value) is np.ndarray:
        return value.view(_ModulesArray)
    return _ModulesTuple(map(_guarded_part, value)) if type(value) is tuple else value


def guarded(thing: Any) -> Any:
    """A record, or records, whose arrays refuse indices below 0, in the same memory; anything else as it is."""
    if isinstance(thing, np.void) and not isinstance(thing, _Record):
        return np.asarray(thing).view(_refusing(thing.dtype))[()]
    return thing
